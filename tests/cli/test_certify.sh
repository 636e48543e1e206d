#!/bin/sh
# certify: enclosures of known values, both formats, saved files, and the exit statuses 0, 1 and 3.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
# Q = K = 0: P is uniform and J = (1/n) 11^T (x) V, so ||J|| = ||V|| = 2 whatever X is. Unmasked.
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/two"
layer 0 0 0 0 0 0 0 0 0 0 0 0 >"$tmp/zero"
layer 1 0.5 0 1 0.5 0 0 -1 2 0 0 1 >"$tmp/w"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
x="--input $tmp/x.npy"
bert='--model random:bert:32,2,2 --seed 7 --layer 1 --text src/cli/demo.txt --tokens 12'
gpt2='--model random:gpt2:32,2,2 --seed 7 --layer 1 --text src/cli/demo.txt --tokens 12'

# shellcheck disable=SC2086 # the shorthands above are several words
{
  for engine in auto mpfr dense deflated pointwise random frobenius; do
    exits 0 certify --weights "$tmp/two" $x --engine $engine --format json
    case $engine in
      random) limit=2.03 ;;
      frobenius) limit=2.828428 ;; # ||P||_F ||V||_F
      *) limit=2.000001 ;;
    esac
    json ".lipschitz.lower <= 2 and 2 <= .lipschitz.upper and .lipschitz.upper < $limit"
    exits 0 certify --weights "$tmp/zero" $x --engine $engine --format json
    json '.lipschitz.lower == 0 and .lipschitz.upper == 0 and .lipschitz.relative_width == 0'
  done

  # the same numbers in other files: a batch of one, Fortran order, half precision, safetensors
  exits 0 certify --weights "$tmp/w" $x --no-bounds --format json
  enclosure=$(jq -c .lipschitz "$tmp/out")
  npy '1, 3, 2' 1 0 0 1 0.5 2 >"$tmp/batch.npy"
  (NPY_ORDER=True; npy '3, 2' 1 0 0.5 0 1 2) >"$tmp/columns.npy"
  { (NPY_DTYPE='<f2'; npy '3, 2') && printf '\000\074\000\000\000\000\000\074\000\070\000\100'; } >"$tmp/half.npy"
  safetensors '{"x":{"dtype":"F32","shape":[1,3,2],"data_offsets":[0,24]}}' 1 0 0 1 0.5 2 >"$tmp/x.safetensors"
  for same in batch.npy columns.npy half.npy x.safetensors; do
    exits 0 certify --weights "$tmp/w" --input "$tmp/$same" --no-bounds --format json
    ok "$same holds the same input" test "$(jq -c .lipschitz "$tmp/out")" = "$enclosure"
    json '.inputs[1].role == "input" and (.inputs[1].sha256 | length == 64)'
  done
  exits 0 check --weights "$tmp/w" $x --estimate 2 --slack 10 --vector "$tmp/x.safetensors"

  # an upper end from random starts: its probability is part of the claim, and of no other's; a seed repeats it
  exits 0 certify $bert --engine dense --no-bounds --format json
  json '(has("probability") | not) and (.claim | contains("probability") | not)'
  cp "$tmp/out" "$tmp/dense"
  exits 0 certify $bert --engine random --no-bounds --format json
  json '.engine == "random" and .probability == {failure_log2: -100, random: "system"} and .tolerance_met'
  json '(.claim | contains("but for an event of probability at most 2^-100 over random bits of the system"))'
  json ".lipschitz | .lower <= $(jq .lipschitz.upper "$tmp/dense") and .upper >= $(jq .lipschitz.lower "$tmp/dense")"
  json '.lipschitz.relative_width < 1e-2'
  exits 0 certify $bert --engine random --tolerance 1e-4 --failure 1e-9 --seed-of-bits 3 --no-bounds --format json
  json '.probability == {failure_log2: -29.897352853986263, random: "seed"} and .lipschitz.relative_width <= 1e-4'
  seeded=$(jq -c .lipschitz "$tmp/out")
  exits 0 certify $bert --engine random --tolerance 1e-4 --failure 2^-20 --seed-of-bits 3 --no-bounds
  prints '           the upper end holds but for an event of probability at most 2^-20 over random bits, those of a seed'
  exits 0 certify $bert --engine random --tolerance 1e-4 --failure 1e-9 --seed-of-bits 3 --no-bounds --format json
  ok 'the same bits again' test "$(jq -c .lipschitz "$tmp/out")" = "$seeded"
  rejects '--failure: expected a probability from 0 to 1/2' certify $bert --engine random --failure 2^-0
  rejects 'failure: 0, expected a probability' certify $bert --engine random --failure 0
  rejects '--seed-of-bits: expected --engine random or auto with it' certify $bert --engine dense --seed-of-bits 3

  # the JSON of one run
  exits 0 certify $bert --engine dense --format json
  json '.schema == "attcert/certify/1" and (.version | length > 0) and (.claim | contains("exact arithmetic"))'
  json '.layer == {n: 12, d: 32, heads: 2, head_dim: 16, out_dim: 32, mask: "none", head: null}'
  json '.source.model == "random:bert:32,2,2" and .source.seed == 7 and .source.layer == 1'
  json '.inputs | length == 1 and .[0].path == "src/cli/demo.txt" and (.[0].sha256 | test("^[0-9a-f]{64}$"))'
  ok 'the digest is that of the file' grep -qF "$(sha256sum src/cli/demo.txt | cut -d ' ' -f 1)" "$tmp/out"
  json '.lipschitz | .lower > 0 and .lower <= .upper and .relative_width <= 1e-10'
  json '.lipschitz | (.lower_hex | test("^0x1")) and (.upper_hex | test("^0x1"))'
  json '.engine == "dense" and .precision_bits >= 53 and .radius == 0 and .complete and .tolerance_met'
  json '[.bounds[].id] == ["T1","T2","T3","T4","T5","T6","T7","T9","T10"]'
  json '.lipschitz.lower as $l | all(.bounds[] | select(.available and .upper != null); .upper >= $l and .ratio >= 1)'
  json '.seconds | .total > 0 and .layer >= 0 and .lower >= 0 and .upper >= 0'
  json '.peak_memory_bytes > 1000000'
  json '.estimate as $e | .lipschitz | $e > .lower * 0.999999 and $e < .upper * 1.000001'

  # without the bounds: the same enclosure
  enclosure=$(jq -c .lipschitz "$tmp/out")
  exits 0 certify $bert --engine dense --no-bounds --format json
  json '.bounds == []'
  ok 'the same enclosure' test "$(jq -c .lipschitz "$tmp/out")" = "$enclosure"

  # a deflation asked for a width takes the layer in double, where that will do; the same norm
  upper=$(jq .lipschitz.upper "$tmp/out")
  exits 0 certify $bert --engine deflated --tolerance 1e-6 --no-bounds --format json
  json '.engine == "deflated" and .precision_bits == 53 and .tolerance_met and .lipschitz.relative_width <= 1e-6'
  json '.plan | contains("layer in double")'
  json '.estimate >= .lipschitz.lower and .estimate <= .lipschitz.upper'
  json ".lipschitz.lower <= $upper and .lipschitz.upper >= $upper * (1 - 1e-9)"
  exits 1 certify $bert --engine deflated --tolerance 1e-14 --no-bounds --format json
  json '(.plan | contains("layer in double") | not) and .precision_bits > 53'

  # no width that ends of 53 bits can have: more bits are tried once, and not again where they do not help
  exits 1 certify $bert --engine mpfr --tolerance 1e-300 --no-bounds --format json
  json '(.tolerance_met | not) and .precision_bits <= 256 and .lipschitz.relative_width <= 1e-13'

  # the text of the same run
  exits 0 certify $bert --engine dense
  prints '<= ||D_X f||_2 <='
  prints 'n = 12 tokens, d = 32, 2 heads of dimension 16, mask none'
  prints 'in exact arithmetic'
  prints 'T4'

  # --output writes the same to a file, and nothing to standard output
  exits 0 certify $bert --format json --output "$tmp/work/result.json"
  ok 'nothing on standard output' test ! -s "$tmp/out"
  cp "$tmp/work/result.json" "$tmp/out"
  json '.schema == "attcert/certify/1"'
  ok 'only that file is left' test "$(ls -A "$tmp/work")" = result.json

  # masks and heads
  exits 0 certify $gpt2 --format json
  json '.layer.mask == "causal"'
  exits 0 certify $gpt2 --mask none --format json
  json '.layer.mask == "none"'
  exits 0 certify $gpt2 --heads 1 --format json
  json '.layer | .head == 1 and .heads == 1 and .out_dim == 16'

  # the saved input certifies to the same enclosure; the saved vector certifies the lower end
  exits 0 certify $gpt2 --format json --save-input "$tmp/work/x.npy" --vector-out "$tmp/work/u.npy"
  enclosure=$(jq -c '[.lipschitz.lower_hex, .lipschitz.upper_hex]' "$tmp/out")
  lower=$(jq .lipschitz.lower "$tmp/out")
  exits 0 certify --model random:gpt2:32,2,2 --seed 7 --layer 1 --input "$tmp/work/x.npy" --format json
  ok 'the same enclosure' test "$(jq -c '[.lipschitz.lower_hex, .lipschitz.upper_hex]' "$tmp/out")" = "$enclosure"
  exits 1 check $gpt2 --estimate 0 --vector "$tmp/work/u.npy" --format json
  json ".check.vector.lower >= $lower * 0.999999999999 and .check.vector.upper <= $lower * 1.000000000001"

  # hidden states: --hidden runs the layers before L, --input does not; of a BERT's layer 0 they are the same
  npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/h.npy"
  tiny='--model random:bert:2,1,2 --seed 3'
  exits 0 certify $tiny --layer 0 --hidden "$tmp/h.npy" --format json
  enclosure=$(jq -c .lipschitz "$tmp/out")
  exits 0 certify $tiny --layer 0 --input "$tmp/h.npy" --format json
  ok 'hidden states are the input of layer 0' test "$(jq -c .lipschitz "$tmp/out")" = "$enclosure"
  exits 0 certify $tiny --layer 1 --hidden "$tmp/h.npy" --format json
  json '.inputs[0].role == "hidden"'

  # tolerance: met, not met (exit status 1, the report is still printed)
  exits 0 certify $bert --tolerance 1e-6 --format json
  json '.tolerance + 0 == 1e-6 and .tolerance_met' # + 0: as doubles; jq 1.7 compares what is written
  exits 1 certify $bert --tolerance 1e-30 --engine dense --format json
  json '.tolerance_met == false and .lipschitz.upper > 0'
  exits 1 certify $bert --tolerance 1e-30 --engine dense
  prints 'NOT met'

  # memory: dense says how much it needs and ends with 3; auto falls back and says so
  big='--model random:bert:64,4,1 --seed 1 --layer 0 --text src/cli/demo.txt --tokens 60'
  exits 3 certify $big --engine dense --memory-limit 60M
  ok 'says what is missing' one_line_naming 'bytes'
  exits 0 certify $big --engine auto --memory-limit 60M --format json
  json '.engine != "dense" and .lipschitz.upper > 0 and (.plan | test("dense"))'
}

# standard error is no terminal here: not a byte of progress
run certify --weights "$tmp/two" --input "$tmp/x.npy"
ok 'no progress line in a file' test ! -s "$tmp/err"
finish
