#!/bin/sh
# What the published code of "How Smooth Is Attention?" (github.com/vcastin/how-smooth-is-attention) evaluates where
# that is not attention with its output projection, beside it:
#   - its runs of BERT on texts evaluate attention, output projection, residual sum and LayerNorm together (block);
#     those at adversarial inputs evaluate all heads side by side, without the output projection (self)
#   - its run of BERT as a decoder passes no mask to the layer it measures: what the mask changes (masked, unmasked)
#   - the matrices A and V of a head of GPT-2, from which it makes adversarial inputs and a bound, are rows of matrices
#     that are stored (in, out): the head they belong to is none of the model's (sliced). The map it measures there is
#     the whole layer.
#   - its randomly initialised GPT-2 stays in training mode: a tenth of the attention weights is dropped, the others
#     grow by 10/9 (dropout). It draws anew at every product with J, and once for those with J^T; here a drawing is
#     fixed. The dropout after the embedding and after the output projection, which it has too, is not measured.
# In the trained models and a random GPT-2 of small size.
#   paper_variants.csv (its columns: bounds/programs/paper_variants.c), paper_variants.svg
# usage: bounds/experiments/paper_variants.sh quick|full FOLDER
. bounds/lib.sh
lengths=$(by_mode 8 '8 16')
sequences=$(by_mode 0 '0 2 4')
known_text alice char-gpt
known_text alice mini-gpt

# source MODEL SEQUENCE: where its tokens come from, and the first of them. Sequences of the encoder are sentences.
source_of() {
  case $1 in
    bert-*) echo "$models/$1/input_$2.npy 0" ;;
    random:*) echo "$inputs/alice.txt $((1000 + 100 * $2))" ;;
    *) echo "$inputs/alice_$1.txt $((1000 + 100 * $2))" ;;
  esac
}
# Model and layer, apart by a slash.
each_run() {
  for model_layer in $(by_mode 'bert-tiny-sst2/0 mini-gpt/0 random:gpt2:64,4,8/6' \
    'bert-tiny-sst2/0 bert-tiny-sst2/1 char-gpt/0 char-gpt/3 mini-gpt/0 mini-gpt/3 random:gpt2:64,4,8/6'); do
    for sequence in $sequences; do
      for n in $lengths; do "$1" "${model_layer%/*}" "${model_layer#*/}" "$sequence" "$n"; done
    done
  done
}
piece() { echo "$reports/paper_variants-$1-$2-$3-$4.csv"; }
compute() {
  if [ -s "$(piece "$@")" ]; then return; fi
  case $1 in random:*) spec=$1 ;; *) spec=$models/$1 ;; esac
  # shellcheck disable=SC2046 # a source and an offset
  later "$BUILD/bounds/programs/paper_variants" "$(piece "$@")" "$spec" "$2" $(source_of "$1" "$3") "$4"
}
each_run compute
run_all

collect() { awk -v sequence="$(($3 + 1))" 'NR > 1 { print sequence "," $0 }' "$(piece "$@")"; }
{
  echo '# lower <= ||D|| <= upper; ratio: to the plain row of the same sequence, layer and head'
  echo "sequence,$(head -n 1 "$(piece mini-gpt 0 0 8)")"
  each_run collect
} >"$scratch/paper_variants.csv"
mv "$scratch/paper_variants.csv" "$folder/paper_variants.csv"
figure paper_variants
