#!/bin/sh
# E1: the local Lipschitz constant against the length n of the sequence, at the inputs of real text: growth_MODEL_LAYER_TEXT.csv,
# and the power laws C n^a in growth_fits.csv.
# The trained models are small, and certified two-sided and tight. The random ones have full size: lower ends are tight, upper
# ends only where the dense engine fits into 700 MB (n <= 8); beyond, they are the pointwise bound T6.
# usage: bounds/experiments/growth.sh quick|full FOLDER
. bounds/lib.sh

# ---- trained models -----------------------------------------------------------------------------------------------------

# decoder MODEL LAYERS RANGE SEQUENCES: a trained model that reads characters.
decoder() {
  for text in $(by_mode alice 'alice agnews'); do
    known_text "$text" "$1"
    for layer in $2; do
      later sh bounds/sweep_lengths "$3" "$folder/growth_$1_${layer}_$text.csv" --model "$models/$1" --layer "$layer" \
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

# ---- random models ------------------------------------------------------------------------------------------------------

# random FAMILY LAYER TOKENIZER LENGTHS SEQUENCES
random() {
  for text in $(by_mode alice 'alice agnews'); do
    later sh bounds/sweep_lengths "$4" "$folder/growth_random-$1_$2_$text.csv" --model "random:$1" --layer "$2" \
      --tokenizer "$tokenizers/$3" --text "$inputs/$text.txt" --sequences "$5" --memory-limit 700M
  done
}

# ---- all ----------------------------------------------------------------------------------------------------------------

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
lengths=$(by_mode '2 6' '2 4 8 16 32 64 100')
random bert 0 bert-base-uncased-vocab.txt "$lengths" "$(by_mode 1 5)"
random bert 6 bert-base-uncased-vocab.txt "$lengths" "$(by_mode 1 5)"
random gpt2 6 vocab.bpe "$lengths" "$(by_mode 1 5)"
decoder char-gpt "$(by_mode '0 3' '0 1 2 3')" "$(by_mode 4:16:4 4:64:4)" "$(by_mode 2 5)"
decoder mini-gpt "$(by_mode '0 3' '0 1 2 3')" "$(by_mode 4:28:8 2:32:2)" "$(by_mode 2 10)"
encoder
run_reports
encoder_tables
fits
