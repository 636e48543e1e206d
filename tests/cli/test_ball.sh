#!/bin/sh
# certify --radius: the ball's enclosure in text and JSON, its kinds and words, extreme radii, refusals.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
model='--model random:gpt2:16,2,1 --layer 0 --seed 3 --text src/cli/demo.txt --tokens 6'
layer 2 0 0 1 1 0 0 -1 2 0 0 1 >"$tmp/w"
npy '3, 2' 1 0 0 1 -1 0.5 >"$tmp/x.npy"
npy '1, 2' 1 0 >"$tmp/one.npy"
weights="--weights $tmp/w --input $tmp/x.npy --no-bounds --format json"

# shellcheck disable=SC2086 # the shorthands above are several words
{
  # beside the point's own enclosure, and above it
  exits 0 certify $model --radius 0.125 --format json
  json '.schema == "attcert/certify/1" and .radius == 0'
  json '.ball | .radius == 0.125 and .kind == "sequence" and .words == "all" and .upper_by == "T11"'
  json '.lipschitz as $l | .ball | .lower >= $l.lower and .upper >= $l.upper and .lower <= .upper and .ratio >= .upper / .lower * 0.999999'
  json '.ball | (.lower_hex | startswith("0x1.")) and (.upper_hex | startswith("0x1."))'
  json '.ball | .claim == "||f(Y) - f(Z)||_F <= upper ||Y - Z||_F for all Y, Z in the ball"'
  json 'keys_unsorted | index("ball") == index("lipschitz") + 1'
  all=$(jq .ball.upper "$tmp/out")

  # text says the same
  exits 0 certify $model --radius 0.125
  prints "ball       ||X' - X||_F <= 0.125"
  prints "<= sup ||D_X' f||_2 <="
  prints 'so ||f(Y) - f(Z)||_F <= '
  prints 'for all Y, Z in the ball'
  exits 0 certify $model --radius 0.125 --ball token --words 1,4
  prints "ball       every |x'_i - x_i| <= 0.125, and x'_i = x_i but for i = 1, 4"

  # fewer words are a smaller ball; tokens each a larger one; a wider radius too
  exits 0 certify $model --radius 0.125 --words 2,3 --format json
  json ".ball | .words == [2, 3] and .upper < $all"
  exits 0 certify $model --radius 0.125 --words all --format json
  json ".ball | .words == \"all\" and .upper == $all"
  exits 0 certify $model --radius 0.125 --ball token --format json
  json ".ball | .kind == \"token\" and .upper > $all"
  exits 0 certify $model --radius 0.25 --format json
  json ".ball.upper > $all"

  # no --radius, no ball; radius 0 is the point
  exits 0 certify $weights
  json 'has("ball") | not'
  exits 0 certify $weights --radius 0
  json '.lipschitz as $l | .ball | .lower == $l.lower and .upper == $l.upper and .radius == 0 and .steps == 0'
  json '.lipschitz as $l | .ball | .lower_hex == $l.lower_hex and .upper_hex == $l.upper_hex'

  # tiny and huge: never below the point, the theory's bounds where they are less
  exits 0 certify $weights --radius 1e-300
  json '.lipschitz as $l | .ball | .upper >= $l.upper and .upper < $l.upper * 1.000001'
  exits 0 certify $weights --radius 1000
  json '.ball | .upper_by != "T11" and .upper > .lower and .upper < 1e12'
  exits 0 certify $weights --radius 1e308 --ball token
  json '.ball | .upper == null or .upper > .lower'

  # one token: f is linear, the constant the same everywhere
  exits 0 certify --weights "$tmp/w" --input "$tmp/one.npy" --no-bounds --format json --radius 5
  json '.lipschitz as $l | .ball | .upper >= $l.upper and .upper < $l.upper * 1.0000000001'

  # every engine's point value
  for engine in mpfr dense deflated pointwise frobenius; do
    exits 0 certify $weights --radius 0.01 --engine "$engine"
    json '.lipschitz as $l | .ball | .upper >= $l.upper and .upper < $l.upper * 1.5'
  done

  # bad input: one line, exit status 2
  for radius in -1 -0.5 nan inf 1e999 x '' ' 1' 0x; do
    exits 2 certify $weights --radius "$radius"
    ok "radius '$radius' is refused in one line" one_line_naming '--radius: expected'
  done
  exits 2 certify $weights --radius 1 --words 3
  ok 'a word outside' one_line_naming '--words: 3 is outside of the sequence, expected 0 to 2'
  for words in '' ' ' , 1, ,1 -1 1-2 a '1, 2' 1,,2 1,1 99999999999999999999999; do
    exits 2 certify $weights --radius 1 --words "$words"
    ok "words '$words'" one_line_naming '--words: '
  done
  exits 2 certify $weights --radius 1 --ball cube
  ok 'an unknown ball' one_line_naming '--ball: expected sequence|token'
  exits 2 certify $weights --words 1
  ok 'words without a radius' one_line_naming '--words: expected --radius with it'
  exits 2 certify $weights --ball token
  ok 'a kind without a radius' one_line_naming '--ball: expected --radius with it'
  exits 2 bounds $model --words 1
  ok 'another command' one_line_naming "does not take the option '--words'"
}
finish
