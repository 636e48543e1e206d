#!/bin/sh
# E2: inputs made to be bad, against the length n: adversarial.csv. Heads alone at the inputs built from their own A on
# the ball of radius R, without a mask: T3's, and two clusters; and the worst that an ascent finds, of a decoder under
# its mask too. And what the published code of Castin et al. measures for a random GPT-2: the whole layer under its
# mask, at T3's input for an A made from rows of the (in, out) matrices (input "rows", three seeds); the paper reports
# 0.92 sqrt(n) there.
# usage: bounds/experiments/adversarial.sh quick|full FOLDER
. bounds/lib.sh
start=$BUILD/bounds/constructions/worst_start

# certificate COMMAND MODEL SEED LAYER INPUT MASK R N ARGUMENT...: a row of the table; its key is what the row begins
# with.
certificate() {
  command=$1 key=$2,$3,$4,$5,$6,$7,$8
  case $2 in
    random:*) set -- "$@" --model "$2" --seed "$3" ;;
    *) set -- "$@" --model "$models/$2" ;;
  esac
  set -- "$@" --layer "$4" --mask "$6" --radius-of-inputs "$7" --memory-limit 700M
  shift 8
  report "$key" "$command" "$@"
  echo "$key" >>"$scratch/rows"
}

# constructed MODEL SEED LAYER INPUT R N: head 0 at one of its own inputs, t3 or clusters; or the layer at the input of
# the rows.
constructed() {
  file=$inputs/adversarial_$(echo "$*" | tr ': ' __).npy
  case $1 in random:*) spec=$1 ;; *) spec=$models/$1 ;; esac
  case $4 in rows) kind='rows t3' ;; *) kind="head $4" ;; esac
  # shellcheck disable=SC2086 # two words
  [ -f "$file" ] || "$start" "$spec" "$2" "$3" 0 $kind "$6" "$5" "$file" >/dev/null
  case $4 in
    rows) certificate bounds "$1" "$2" "$3" "$4" causal "$5" "$6" --input "$file" ;;
    *) certificate bounds "$1" "$2" "$3" "$4" none "$5" "$6" --heads 0 --input "$file" ;;
  esac
}

# Two clusters and the rest are three tokens at least.
inputs_for() {
  if [ "$1" -ge 3 ]; then echo t3 clusters; else echo t3; fi
}

# head_alone MODEL LAYER R MASKS: head 0 of a trained model; the ascent under each of the masks.
head_alone() {
  for n in $(by_mode '2 7 17' "$(seq -s ' ' 2 5 97)"); do
    for input in $(inputs_for "$n"); do constructed "$1" 0 "$2" "$input" "$3" "$n"; done
    for mask in $4; do
      certificate worst "$1" 0 "$2" ascent "$mask" "$3" "$n" --heads 0 --tokens "$n" --steps "$(by_mode 30 300)"
    done
  done
}

random_gpt2() {
  for n in $(by_mode '2 12' '2 7 12 22 42 62 82 97'); do
    for input in $(inputs_for "$n"); do constructed random:gpt2 0 6 "$input" 100 "$n"; done
    for seed in $(by_mode 0 '0 1 2'); do constructed random:gpt2 "$seed" 6 rows 100 "$n"; done
  done
}

: >"$scratch/rows"
random_gpt2
for layer in 0 3; do
  head_alone char-gpt $layer 11 'none causal'
  head_alone mini-gpt $layer 8 'none causal'
done
for layer in 0 1; do head_alone bert-tiny-sst2 $layer 11 none; done
run_reports

csv_begin adversarial.csv model,seed,layer,input,mask,R,n 'inputs made to be bad; T1 - T5, T9 and T10 on the ball of radius R around 0'
while read -r key; do csv_row "$key" "$key"; done <"$scratch/rows"
csv_end
figure adversarial
