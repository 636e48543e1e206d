#!/bin/sh
# certify at several inputs of a layer: the reports that each has alone, one list, the worst status, nothing where one
# cannot be used; a signal leaves what was there before it.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
layer 1 0.5 0 1 0.5 0 0 -1 2 0 0 1 >"$tmp/w"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
npy '2, 2' 1 0 0 1 >"$tmp/y.npy"
npy '2, 3' 1 0 0 1 0 0 >"$tmp/wide.npy"
cp "$tmp/x.npy" "$tmp/a,b.npy"
w="--weights $tmp/w"
both="$w --input $tmp/x.npy,$tmp/y.npy"
# what does not depend on the run's time and memory
same='del(.seconds, .peak_memory_bytes, .ball.seconds)'

# alone ARGUMENT...: what the two inputs have one by one, into $tmp/alone.
alone() {
  for input in x y; do
    "$attcert" certify --input "$tmp/$input.npy" "$@" --format json
  done | jq -c "$same" >"$tmp/alone"
}

# shellcheck disable=SC2086 # the shorthands above are several words
{
  # norms that are shared are those of the same layer: bounds and balls do not change
  for options in '' '--no-bounds' '--radius 0.01 --words 1' '--radius 0.01 --no-bounds' '--heads 0'; do
    source=$w
    if [ "$options" = '--heads 0' ]; then
      source='--model random:gpt2:2,1,2 --layer 1'
    fi
    alone $source $options
    exits 0 certify $source --input "$tmp/x.npy,$tmp/y.npy" $options --format json
    json '.schema == "attcert/certify-inputs/1" and .asked == 2 and .complete and (.results | length == 2)'
    ok "the same as alone ($options)" test "$(jq -c ".results[] | $same" "$tmp/out")" = "$(cat "$tmp/alone")"
  done
  # a function of steps, whose steps are of one length
  alone --model random:bert:2,1,2 --layer 1 --function block --no-bounds
  exits 0 certify --model random:bert:2,1,2 --layer 1 --function block --no-bounds --format json \
    --input "$tmp/x.npy,$tmp/y.npy"
  ok 'the same steps' test "$(jq -c ".results[] | $same" "$tmp/out")" = "$(cat "$tmp/alone")"
  # a context, and the files of each input alone
  exits 0 certify $both --context "$tmp/x.npy" --format json
  json '[.results[].inputs | map(.role)] == [["weights", "input", "context"], ["weights", "input", "context"]]'

  # text, each when it is there; a file
  exits 0 certify $both
  prints "input      $tmp/x.npy"
  prints "input      $tmp/y.npy"
  ok 'two enclosures' test "$(grep -c ^enclosure "$tmp/out")" -eq 2
  exits 0 certify $both --output "$tmp/work/report"
  ok 'into the file' test "$(grep -c ^enclosure "$tmp/work/report")" -eq 2
  ok 'and nowhere else' test ! -s "$tmp/out"
  rm "$tmp/work/report"

  # a file that has commas in its name is one
  exits 0 certify $w --input "$tmp/a,b.npy" --format json
  json '.schema == "attcert/certify/1"'

  # statuses: the worst
  exits 1 certify $both --tolerance 1e-300 --engine pointwise --no-bounds

  # bad input: before anything is written
  rejects "$tmp/none.npy: cannot read" certify $w --input "$tmp/x.npy,$tmp/none.npy"
  rejects "$tmp/wide.npy: input: tokens of dimension 3" certify $w --input "$tmp/x.npy,$tmp/wide.npy"
  rejects 'an empty name' certify $w --input "$tmp/x.npy,"
  rejects 'an empty name' certify $w --input ",$tmp/x.npy"
  rejects "$tmp/y.npy: --words" certify $both --radius 0.1 --words 2
  rejects '--vector-out: expected one --input' certify $both --vector-out "$tmp/work/u"
  rejects '--save-input: expected one --input' certify $both --save-input "$tmp/work/u"
  exits 2 certify $both --output "$tmp/y.npy"
  ok 'an input is no output' one_line_naming 'which --input reads'

  # memory that does not reach for one input leaves out that one
  seq 1 400 | tr '\n' ' ' >"$tmp/text"
  model='--model random:gpt2:64,4,2 --seed 2 --layer 1'
  "$attcert" certify $model --text "$tmp/text" --tokens 3 --no-bounds --save-input "$tmp/short.npy" >"$tmp/out"
  "$attcert" certify $model --text "$tmp/text" --tokens 96 --engine pointwise --no-bounds \
    --save-input "$tmp/long.npy" >"$tmp/out"
  exits 3 certify $model --input "$tmp/long.npy,$tmp/short.npy" --no-bounds --memory-limit 4M --format json
  ok 'names it' one_line_naming "$tmp/long.npy: engine pointwise needs"
  json '.complete and (.results[0] | keys == ["error", "input"]) and .results[1].complete'
  ok 'the input' test "$(jq -r '.results[0].input' "$tmp/out")" = "$tmp/long.npy"
  exits 3 certify $model --input "$tmp/long.npy,$tmp/short.npy" --no-bounds --memory-limit 4M
  prints 'FAILED     engine pointwise needs'

  # interrupted in the second input: the first, and the bound of the second that needs no time
  for delay in 1 2 4 8 16; do
    "$attcert" certify $model --input "$tmp/short.npy,$tmp/long.npy,$tmp/long.npy" --engine dense --no-bounds \
      --format json --output "$tmp/work/report" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    sleep $delay
    kill -s TERM $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
    if [ "$status" -eq 3 ] && [ "$(jq '.results | length' "$tmp/work/report")" -ge 2 ]; then break; fi
  done
  ok 'interrupted: exit status 3' test "$status" -eq 3
  ok 'says why' one_line_naming 'interrupted ('
  cp "$tmp/work/report" "$tmp/out"
  json '.complete == false and .asked == 3 and (.incomplete | test("interrupted"))'
  json '(.results[0].engine == "dense") and (.results[-1] | .engine == "pointwise" and .complete == false)'
}
finish
