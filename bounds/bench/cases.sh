# What is measured, with what, how many times: groups of cases, which bounds/bench/run calls. The words are those of
# measure.sh.
# shellcheck shell=sh disable=SC2034,SC2154
large_groups='trained one_head dense_8192 reference_engine random_bert any_size automatic'
text=src/cli/demo.txt # random models read bytes

# power: both rules of the power iteration, RUNS times.
power() {
  peer power_iteration_published "$1"
  peer power_iteration_relative "$1"
}

# ---- trained models --------------------------------------------------------------------------------------------------

trained() {
  models=$ATTCERT_DATA/models
  tr -cd "$(jq -r '[keys[] | select(. != "\n" and . != "-")] | join("") + "\\n-"' "$models/char-gpt/vocab.json")" \
    <"$ATTCERT_DATA/text/carroll-alice.txt" >"$scratch/alice.txt"

  layer bert-tiny trained "$models/bert-tiny-sst2" 1 all none "$models/bert-tiny-sst2/input_4.npy"
  engine dense 5 lapack_eigenvalue
  peer lapack_eigenvalue 3
  peer lapack_singular_values 3
  power 5

  layer char-gpt trained "$models/char-gpt" 3 all causal "$scratch/alice.txt" 64
  engine dense 3 power_iteration_relative
  power 5
}

# ---- one head of BERT-base: d = 768, k = 64 --------------------------------------------------------------------------

one_head() {
  for n in 25 50 100; do
    layer "BERT head, n = $n" 'one head' random:bert 0 0 none $text "$n"
    engine deflated 5 power_iteration_relative 1e-9
    engine dense 3 power_iteration_relative
    peer lapack_eigenvalue 1
    power 5
  done
}

# ---- random BERT-base: d = 768, 12 heads -----------------------------------------------------------------------------

# bert MASK N ENGINE RUNS [WIDTH]
bert() {
  layer "BERT-base, n = $2" 'random BERT-base' random:bert 0 all "$1" $text "$2"
  engine "$3" "$4" "$([ "$3" = deflated ] && echo power_iteration_relative || echo lapack_eigenvalue)" "${5:-}"
}

random_bert() {
  for n in 2 4 8; do
    bert none $n dense 3
    peer lapack_eigenvalue "$([ $n -eq 8 ] && echo 1 || echo 3)"
    if [ $n -lt 8 ]; then peer lapack_singular_values "$([ $n -eq 4 ] && echo 1 || echo 3)"; fi
    power 3
    bert none $n deflated 3
    bert causal $n dense 1
  done
  bert none 16 dense 2
  if [ "$mode" = full ]; then peer lapack_eigenvalue 1; fi
  power 3
  bert none 16 deflated 1
  bert causal 16 dense 1
  bert none 32 dense 1
  power 3
  if [ "$mode" = full ]; then
    bert causal 32 dense 1
    bert none 32 deflated 1
  fi
  bert none 100 deflated 1 1e-2
  power 1
  bert causal 100 deflated 1 5e-2
  power 1
}

# ---- random starts: layers of any size, to a per cent ----------------------------------------------------------------

# starts RUNS [WIDTH]: the engine random beside the estimate.
starts() {
  engine random "$1" power_iteration_relative "${2:-1e-2}"
  peer power_iteration_relative "$1"
}

any_size() {
  for n in 2 8 32; do
    layer "BERT-base, n = $n, to 1 %" 'd = 768, to 1 %' random:bert 0 all none $text $n
    starts 3
  done
  for mask in none causal; do
    layer 'BERT-base, n = 100, to 1 %' 'd = 768, to 1 %' random:bert 0 all $mask $text 100
    starts 3
    if [ $mask = none ]; then
      quadruple "$scratch/x.npy" "$scratch/quadruple.npy"
      layer 'BERT-base, n = 100, weights x 4' 'weights x 4' random:bert 0 all none "$scratch/quadruple.npy"
      starts 3
    fi
    layer 'BERT-base, n = 100, to 0.1 %' 'to 0.1 %' random:bert 0 all $mask $text 100
    starts 3 1e-3
  done
  layer 'BERT-base, n = 500, to 1 %' 'd = 768, to 1 %' random:bert 0 all none $text 500
  starts 1
  layer 'd = 768, n = 1,000' 'd = 768, to 1 %' random:gpt2 0 all none LICENSE 1000
  starts 1
  layer 'd = 4,096, n = 128' 'd = 4,096' random:bert:4096,32,1 0 all none $text 128
  starts 1
}

# ---- auto beside the engines that it chooses from, at the same width -------------------------------------------------

automatic() {
  for shape in 32,2,1/8 32,2,1/64 128,4,1/16 128,4,1/64 512,8,1/8 768,12,1/4 768,12,1/16; do
    for mask in none causal; do
      for width in 1e-2 1e-4 1e-9; do
        layer "$shape to $width" 'auto' "random:bert:${shape%/*}" 0 all $mask $text "${shape#*/}"
        for engine in auto dense deflated random; do
          [ $engine = random ] && [ $width = 1e-9 ] || engine $engine 3 '' $width
        done
      done
    done
  done
}

# ---- N = 8,192 without a pattern, d = 512 ----------------------------------------------------------------------------

dense_8192() {
  layer 'd = 512, n = 16' dense random:bert:512,8,1 0 all none $text 16
  engine dense 3 lapack_eigenvalue
  peer lapack_eigenvalue "$(by_mode 1 2 3)"
  power 5
}

# ---- the reference engine, n = 8 -------------------------------------------------------------------------------------

# reference DIM RUNS
reference() {
  layer "d = $1, n = 8" reference "random:bert:$1,2,1" 0 all none $text 8
  engine mpfr "$2" arb_certificate
  peer arb_certificate "$2"
}

reference_engine() {
  reference 16 5
  octave 3
  reference 32 5
  octave 1
  reference 64 3
  octave 1
  reference 128 1
}

# ---- small: every program once ---------------------------------------------------------------------------------------

small() {
  for mask in none causal; do
    for n in 4 8; do
      layer "d = 32, n = $n" small random:bert:32,2,1 0 all $mask $text $n
      engine dense 2 lapack_eigenvalue
      engine deflated 2 power_iteration_relative
      engine mpfr 1 arb_certificate
      peer arb_certificate 1
      peer lapack_eigenvalue 2
      peer lapack_singular_values 2
      power 2
      if [ $n -eq 4 ]; then octave 1; fi
    done
  done
  layer 'head, n = 8' 'small head' random:bert:32,2,1 0 1 none $text 8
  engine dense 2 power_iteration_relative
  power 2
}
