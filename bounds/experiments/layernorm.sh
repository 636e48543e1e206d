#!/bin/sh
# LayerNorm: the radius it enforces, and the local constant of attention at the hidden state as it is, at its LayerNorm,
# and of both composed, in the trained models (small stand-ins for BERT-base and GPT-2).
#   layernorm.csv (its columns: bounds/programs/layernorm.c), layernorm.svg
# usage: bounds/experiments/layernorm.sh quick|full FOLDER
. bounds/lib.sh
lengths=$(by_mode 4 '4 8 16')
sequences=$(by_mode 0 '0 1 2')
known_text alice char-gpt
known_text alice mini-gpt

# site MODEL LAYER SEQUENCE: where its tokens come from, and the first of them. Sequences of the encoder are sentences.
site() {
  case $1 in
    bert-tiny-sst2) echo "$models/$1/input_$3.npy 0" ;;
    *) echo "$inputs/alice_$1.txt $((1000 + 100 * $3))" ;;
  esac
}
each_site() {
  for model_layer in bert-tiny-sst2:1 $(by_mode 'char-gpt:0 char-gpt:3 mini-gpt:0 mini-gpt:3' \
    'char-gpt:0 char-gpt:1 char-gpt:2 char-gpt:3 mini-gpt:0 mini-gpt:1 mini-gpt:2 mini-gpt:3'); do
    for sequence in $sequences; do
      for n in $lengths; do
        # the second sentence has ten tokens
        if [ "$model_layer:$sequence:$n" = bert-tiny-sst2:1:1:16 ]; then continue; fi
        "$1" "${model_layer%:*}" "${model_layer#*:}" "$sequence" "$n"
      done
    done
  done
}

piece() { echo "$reports/layernorm-$1-$2-$3-$4.csv"; }
compute() {
  if [ -s "$(piece "$@")" ]; then return; fi
  # shellcheck disable=SC2046 # a source and an offset
  later "$BUILD/bounds/programs/layernorm" "$(piece "$@")" "$models/$1" "$2" $(site "$1" "$2" "$3") "$4"
}
each_site compute
run_all

collect() { awk -v sequence="$(($3 + 1))" 'NR > 1 { print sequence "," $0 }' "$(piece "$@")"; }
{
  echo '# lower <= norm <= upper: attention at h (raw), at LN(h) (normed), LayerNorm at h (LN), attention o LN at h (composed)'
  echo "sequence,$(head -n 1 "$(piece bert-tiny-sst2 1 0 4)")"
  each_site collect
} >"$scratch/layernorm.csv"
mv "$scratch/layernorm.csv" "$folder/layernorm.csv"
figure layernorm
