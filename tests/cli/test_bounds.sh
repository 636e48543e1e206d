#!/bin/sh
# bounds: T1 - T10 with their ratios, on the ball that is asked for.
. tests/cli/harness.sh
layer='--model random:bert:32,2,2 --seed 7 --layer 1 --text src/cli/demo.txt --tokens 12'

# shellcheck disable=SC2086 # $layer is several words
{
  exits 0 bounds $layer --format json
  json '.schema == "attcert/bounds/1" and (.bounds | length == 9)'
  json '.lipschitz.upper as $u | all(.bounds[] | select(.available and .upper != null); .upper / $u <= .ratio * 1.000000001)'
  json '.radius > 0 and .bounds[0].radius > 0 and .bounds[0].radius <= .radius'
  t1=$(jq '.bounds[0].upper' "$tmp/out")
  exits 0 bounds $layer --radius-of-inputs 50 --format json
  json '.bounds[0].applies | contains("50")'
  json '.radius == 50 and all(.bounds[] | select(.available and .id != "T6" and .id != "T7"); .radius == 50)'
  json 'all(.bounds[] | select(.id == "T6" or .id == "T7"); has("radius") | not)'
  json ".bounds[0].upper > $t1"
  exits 0 bounds $layer
  prints 'ratio     to the certified upper end'
  prints 'in exact arithmetic'

  # a ball that does not hold the tokens would claim nothing about them
  exits 2 bounds $layer --radius-of-inputs 1e-3
  ok 'says so' one_line_naming 'radius'
}
finish
