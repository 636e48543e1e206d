#!/bin/sh
# E2: inputs made to be bad, against the length n: adversarial.csv. Heads alone without a mask, at the inputs built from their own A
# on the ball of radius R: T3's, two clusters, and the worst that an ascent finds. And what the published code of Castin et al.
# measures for a random GPT-2: the whole layer under its mask, at T3's input for an A made from rows of the (in, out) matrices
# (input "rows", three seeds); the paper reports 0.92 sqrt(n) there.
# usage: bounds/experiments/adversarial.sh quick|full FOLDER
. bounds/lib.sh
start=$BUILD/bounds/constructions/worst_start
lengths=$(by_mode '2 7 17' "$(seq -s ' ' 2 5 97)")

# row MODEL SEED LAYER INPUT MASK R N: its name for the table.
row() {
  echo "$1,$2,$3,$4,$5,$6,$7" >>"$scratch/rows"
}
named() {
  case $1 in random:*) echo "$1" ;; *) echo "$models/$1" ;; esac
}

# constructed MODEL SEED LAYER INPUT R N KIND ARGUMENT...: the certificate at the input that worst_start builds by head or rows.
constructed() {
  key=$1,$2,$3,$4,$5,$6
  file=$inputs/adversarial_$(echo "$key" | tr ':,/' ___).npy
  kind=$7 which=$4
  if [ "$which" = rows ]; then which=t3; fi
  [ -f "$file" ] || "$start" "$(named "$1")" "$2" "$3" 0 "$kind" "$which" "$6" "$5" "$file" >/dev/null
  radius=$5 model=$(named "$1") layer=$3
  shift 7
  report "$key" bounds --model "$model" --layer "$layer" --input "$file" --radius-of-inputs "$radius" --memory-limit 700M "$@"
}

# Two clusters and the rest are three tokens at least.
inputs_for() {
  if [ "$1" -ge 3 ]; then echo t3 clusters; else echo t3; fi
}

# head_alone MODEL LAYER R: head 0 of a trained model alone.
head_alone() {
  for n in $lengths; do
    for input in $(inputs_for "$n"); do
      constructed "$1" 0 "$2" $input "$3" "$n" head --heads 0 --mask none
      row "$1" 0 "$2" $input none "$3" "$n"
    done
    report "$1,0,$2,ascent,$3,$n" worst --model "$models/$1" --layer "$2" --heads 0 --mask none --tokens "$n" \
      --radius-of-inputs "$3" --steps "$(by_mode 30 300)" --memory-limit 700M
    row "$1" 0 "$2" ascent none "$3" "$n"
  done
}

random_gpt2() {
  for n in $(by_mode '2 12' '2 7 12 22 42 62 82 97'); do
    for input in $(inputs_for "$n"); do
      constructed random:gpt2 0 6 $input 100 "$n" head --seed 0 --heads 0 --mask none
      row random:gpt2 0 6 $input none 100 "$n"
    done
    for seed in $(by_mode 0 '0 1 2'); do
      constructed random:gpt2 "$seed" 6 rows 100 "$n" rows --seed "$seed"
      row random:gpt2 "$seed" 6 rows causal 100 "$n"
    done
  done
}

: >"$scratch/rows"
random_gpt2
for layer in 0 3; do head_alone char-gpt $layer 11; done
for layer in 0 3; do head_alone mini-gpt $layer 8; done
for layer in 0 1; do head_alone bert-tiny-sst2 $layer 11; done
run_reports

csv_begin adversarial.csv model,seed,layer,input,mask,R,n 'inputs made to be bad; T1 - T5, T9 and T10 on the ball of radius R around 0'
while IFS=, read -r model seed layer input mask radius n; do
  csv_row "$model,$seed,$layer,$input,$radius,$n" "$model,$seed,$layer,$input,$mask,$radius,$n"
done <"$scratch/rows"
csv_end
figure adversarial
