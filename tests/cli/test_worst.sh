#!/bin/sh
# worst: what is found is certified, in the ball, above T3 and below the theory's upper bounds; refusals; extreme radii.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
model='--model random:gpt2:16,2,1 --layer 0 --seed 3'
head="$model --heads 0 --mask none"
layer 2 0 0 1 1 0 0 -1 2 0 0 1 >"$tmp/w"

# shellcheck disable=SC2086 # the shorthands above are several words
{
  # one head: T3, T10's kind and random starts, each with its value
  exits 0 worst $head --tokens 5 --radius-of-inputs 30 --format json --save-input "$tmp/x.npy" --vector-out "$tmp/u.npy"
  cp "$tmp/out" "$tmp/first"
  json '.schema == "attcert/worst/1" and .layer.n == 5 and .layer.head == 0 and .layer.mask == "none"'
  json '.lipschitz.lower > 0 and .lipschitz.relative_width < 1e-9'
  json '.worst | .radius == 30 and .token_ball_radius <= 30 and .seed == 0 and .random_starts == 4'
  json '.worst | [.starts[].name] | any(startswith("T3, ")) and any(startswith("two clusters")) and any(. == "random 4")'
  json '.worst | .best as $b | .starts | max_by(.after).name == $b'
  json '.worst | all(.starts[]; .after >= .before * 0.999999999 and .steps <= 300)'
  json '.lipschitz.lower >= ([.worst.starts[].after] | max) * 0.999999999'
  json '.lipschitz as $l | all(.bounds[] | select(.id == "T3"); .lower <= $l.lower)'
  json '.lipschitz as $l | all(.bounds[] | select(.upper != null); .upper >= $l.lower)'
  json '.worst.lipschitz_on_ball | .lower < .upper and .upper_by == "T9" and .ratio >= .upper / .lower'
  json '.worst.lipschitz_on_ball.upper == ([.bounds[] | select(.id != "T6" and .id != "T7") | .upper // infinite] | min)'
  json '(.worst.bound_over_lower | keys) == ["T1", "T2", "T4", "T9"]'
  found=$(jq .lipschitz.lower "$tmp/out")

  # the saved input has that constant, and is in the ball; the saved direction certifies it
  exits 0 bounds $head --input "$tmp/x.npy" --radius-of-inputs 30 --format json
  json ".lipschitz.lower == $found"
  exits 0 check $head --input "$tmp/x.npy" --estimate "$found" --slack 1e-15 --vector "$tmp/u.npy" --format json
  json ".check.vector.lower >= $found * 0.999999999"

  # the same seed finds the same; more steps and more starts find no less
  exits 0 worst $head --tokens 5 --radius-of-inputs 30 --format json
  ok 'the same twice' test "$(jq -c 'del(.seconds, .peak_memory_bytes, .plan)' "$tmp/out")" = \
    "$(jq -c 'del(.seconds, .peak_memory_bytes, .plan)' "$tmp/first")"
  exits 0 worst $head --tokens 5 --radius-of-inputs 30 --steps 0 --starts 0 --format json
  json ".lipschitz.lower < $found and .worst.random_starts == 0 and all(.worst.starts[]; .steps == 0 and .after == .before)"
  exits 0 worst $head --tokens 5 --radius-of-inputs 30 --seed-of-starts 7 --steps 5 --format json
  ok 'other random starts' test "$(jq -c '.worst.starts[-1].before' "$tmp/out")" != "$(jq -c '.worst.starts[-1].before' "$tmp/first")"

  # the whole layer under its causal mask; the text report
  exits 0 worst $model --tokens 4 --radius-of-inputs 4 --starts 1 --steps 20
  prints 'input      the worst found in the ball'
  prints '<= Lip(f | B_R^n) <='
  prints 'the input is in the ball: max ||x_i|| <= '
  prints 'T3, negative eigenvalue, head 1'
  ok 'one start became the input' test "$(grep -c '^\* ' "$tmp/out")" -eq 1

  # a weights file; one token: ||V|| = 2 whatever the input; two tokens
  exits 0 worst --weights "$tmp/w" --tokens 1 --radius-of-inputs 3 --format json
  json '.lipschitz.lower <= 2 and .lipschitz.upper >= 2 and .lipschitz.relative_width < 1e-9'
  exits 0 worst --weights "$tmp/w" --tokens 2 --radius-of-inputs 3 --format json
  json '.lipschitz.lower > 2'

  # a tiny ball, a huge one, and one where only moderate tokens are within double
  exits 0 worst --weights "$tmp/w" --tokens 4 --radius-of-inputs 1e-300 --format json
  json '.lipschitz.lower > 1.99 and .worst.token_ball_radius + 0 <= 1e-300' # + 0: as doubles, in jq 1.7 too
  exits 0 worst --weights "$tmp/w" --tokens 4 --radius-of-inputs 1e100 --format json
  json '.lipschitz.lower > 1 and ([.worst.starts[].after | numbers] | length > 0)'
  exits 0 worst --weights "$tmp/w" --tokens 4 --radius-of-inputs 1e200 --format json
  json '.worst.starts | .[0].after == null and (map(select(.name == "random 2"))[0] | .after > .before)'
  exits 2 worst --weights "$tmp/w" --tokens 4 --radius-of-inputs 1e200 --starts 1
  ok 'says so' one_line_naming 'no search is possible'
  layer 1 0 0 1 1 0 0 1 0 0 0 0 >"$tmp/zero"
  exits 0 worst --weights "$tmp/zero" --tokens 3 --radius-of-inputs 1 --format json
  json '.lipschitz.lower == 0 and .lipschitz.upper == 0 and (.worst.lipschitz_on_ball.ratio == null)'

  # usage
  rejects 'expected --tokens' worst --weights "$tmp/w" --radius-of-inputs 1
  rejects 'expected --radius-of-inputs' worst --weights "$tmp/w" --tokens 2
  rejects '--weights or --model' worst --tokens 2 --radius-of-inputs 1
  rejects "'--input'" worst --weights "$tmp/w" --tokens 2 --radius-of-inputs 1 --input "$tmp/x.npy"
  rejects "'--text'" worst $model --tokens 2 --radius-of-inputs 1 --text src/cli/demo.txt
  rejects '--radius-of-inputs: expected a positive number' worst --weights "$tmp/w" --tokens 2 --radius-of-inputs 0
  rejects '--tokens' worst --weights "$tmp/w" --tokens 0 --radius-of-inputs 1
  rejects 'expected at most 32768' worst --weights "$tmp/w" --tokens 40000 --radius-of-inputs 1
  rejects '--starts' worst --weights "$tmp/w" --tokens 2 --radius-of-inputs 1 --starts -1
  rejects '--heads' worst --weights "$tmp/w" --tokens 2 --radius-of-inputs 1 --heads 1
  exits 3 worst $model --tokens 1000 --radius-of-inputs 1 --memory-limit 1M
  ok 'says how much it needs' one_line_naming 'needs'
}
finish
