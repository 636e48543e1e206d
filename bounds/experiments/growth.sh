#!/bin/sh
# E1: the local Lipschitz constant against the length n of the sequence, at the inputs of real text:
# growth_MODEL_LAYER_TEXT.csv, and the power laws C n^a in growth_fits.csv.
# The trained models are small, and certified two-sided and tight. The random ones have full size: their lower ends are
# tight, their upper ends the pointwise bound T6, but for one sequence of a length in
# growth_MODEL_LAYER_alice-tight.csv, which a deflation certifies to a percent.
# growth_published.csv is about random GPT-2, layer 6, alone: what the published code of "How Smooth Is Attention?"
# would print, whose power iteration stops once the square of the norm, 0 to begin with, changes by less than 0.001
# (published, published_steps). finer: the same with 0.001 / 24, which is the rule at W_O with standard deviation 0.02,
# sqrt(24) times what GPT-2 draws.
# usage: bounds/experiments/growth.sh quick|full FOLDER
. bounds/lib.sh

# ---- trained models --------------------------------------------------------------------------------------------------

# decoder MODEL RANGE-ALICE RANGE-AGNEWS SEQUENCES: a trained model that reads characters.
decoder() {
  for text in $(by_mode alice "alice agnews"); do
    known_text "$text" "$1"
    if [ "$text" = alice ]; then range=$2; else range=$3; fi
    for layer in $(by_mode "0 3" "0 1 2 3"); do
      later sh bounds/sweep_lengths "$range" "$folder/growth_$1_${layer}_$text.csv" --model "$models/$1" --layer "$layer" \
        --text "$inputs/${text}_$1.txt" --sequences "$4" --engine dense
    done
  done
}

# Five sentences, without their tokens: the inputs of layer 0. The lengths are those of their beginnings.
sentence_lengths() {
  seq 2 "$(by_mode 6 2)" "$(sh bounds/npy_prefix "$1")"
}
encoder() {
  for layer in 0 1; do
    for sentence in 0 1 2 3 4; do
      input=$models/bert-tiny-sst2/input_$sentence.npy
      for n in $(sentence_lengths "$input"); do
        prefix=$inputs/sentence_${sentence}_$n.npy
        sh bounds/npy_prefix "$n" "$input" "$prefix"
        report "$layer:$sentence:$n" certify --model "$models/bert-tiny-sst2" --layer "$layer" --hidden "$prefix" --engine dense
      done
    done
  done
}
encoder_tables() {
  for layer in 0 1; do
    csv_begin "growth_bert-tiny_${layer}_sentences.csv" n,sequence "beginnings of five sentences, bert-tiny-sst2 layer $layer"
    for sentence in 0 1 2 3 4; do
      for n in $(sentence_lengths "$models/bert-tiny-sst2/input_$sentence.npy"); do
        csv_row "$layer:$sentence:$n" "$n,$((sentence + 1))"
      done
    done
    csv_end
  done
}

# ---- random models ---------------------------------------------------------------------------------------------------

# random FAMILY LAYER TOKENIZER
random() {
  random_sweep "$1" "$2" "$3" alice alice "$(by_mode "2 6" "2 4 8 16 32 64 100")" "$(by_mode 1 3)" pointwise
  random_sweep "$1" "$2" "$3" alice alice-tight "$(by_mode 4 "2 4 8 16 32")" 1 deflated
  if [ "$mode" = full ]; then random_sweep "$1" "$2" "$3" agnews agnews "4 16 64" 3 pointwise; fi
}
# random_sweep FAMILY LAYER TOKENIZER TEXT NAME LENGTHS SEQUENCES ENGINE
random_sweep() {
  later sh bounds/sweep_lengths "$6" "$folder/growth_random-$1_$2_$5.csv" --model "random:$1" --layer "$2" \
    --tokenizer "$tokenizers/$3" --text "$inputs/$4.txt" --sequences "$7" --engine "$8" --memory-limit 4G
}

# ---- the published rule ----------------------------------------------------------------------------------------------

published_lengths=$(by_mode '4 16' '2 4 8 16 32 64 100')
published_reports() {
  for n in $published_lengths; do
    report "published:$n" certify --model random:gpt2 --layer 6 --tokenizer "$tokenizers/vocab.bpe" --text "$inputs/alice.txt" \
      --tokens "$n" --engine pointwise --memory-limit 4G --save-input "$inputs/published_$n.npy"
  done
}
# iterate NAME N PEER [NUMBER]: a peer of bounds/bench at the same input.
iterate() {
  json=$reports/growth-$1-$2.json peer=$3
  input=$inputs/published_$2.npy
  shift 3
  if [ -s "$json" ]; then return; fi
  later_into "$json" "$BUILD/bounds/bench/peers/peers" "$peer" 1 1 random:gpt2 6 all causal "$input" "$@"
}
published_iterations() {
  for n in $published_lengths; do
    iterate published "$n" power_iteration_published
    iterate finer "$n" power_iteration_absolute "$(awk 'BEGIN { printf "%.17g", 0.001 / 24 }')"
  done
  run_all
}
iteration() { jq -r '"\(.norm),\(.iterations)"' "$reports/growth-$1-$2.json"; }
published_table() {
  csv_begin growth_published.csv n,published,published_steps,finer,finer_steps 'random GPT-2, layer 6, and the rule of the published code'
  for n in $published_lengths; do csv_row "published:$n" "$n,$(iteration published "$n"),$(iteration finer "$n")"; done
  csv_end
}

# ---- all -------------------------------------------------------------------------------------------------------------

fits() {
  {
    echo 'model,layer,text,rows,first,last,constant,exponent,relative_width'
    for csv in "$folder"/growth_*_*_*.csv; do
      base=$(basename "$csv" .csv)
      echo "$(echo "${base#growth_}" | tr _ ,),$(awk -f bounds/fit.awk "$csv")"
    done
  } >"$folder/growth_fits.csv.partial"
  mv "$folder/growth_fits.csv.partial" "$folder/growth_fits.csv"
}

plain_text alice
plain_text agnews
random bert 0 bert-base-uncased-vocab.txt
random bert 6 bert-base-uncased-vocab.txt
random gpt2 6 vocab.bpe
decoder char-gpt "$(by_mode 4:16:4 4:64:4)" 8:64:8 "$(by_mode 2 3)"
decoder mini-gpt "$(by_mode 4:28:8 2:32:2)" 2:32:2 "$(by_mode 2 10)"
encoder
published_reports
run_reports
encoder_tables
published_iterations
published_table
fits
for name in growth_trained growth_random growth_radius growth_bounds; do figure $name; done
