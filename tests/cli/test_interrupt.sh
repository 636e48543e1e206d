#!/bin/sh
# Signals: certify and robust say what is valid so far and end with 3; no temporary file is left; a sweep that was
# killed at any time goes on to the rows of an uninterrupted one. What cannot be written ends with 3.
. tests/cli/harness.sh
export OPENBLAS_NUM_THREADS=1 # on a busy machine its threads would wait for one another
seq 1 400 | tr '\n' ' ' >"$tmp/text"
layer='--model random:gpt2:64,4,2 --seed 2 --layer 1'
slow="certify $layer --text $tmp/text --tokens 96 --engine dense"
tiny="sweep --model random:gpt2:16,2,1 --layer 0 --text $tmp/text --n 2:12:2 --sequences 3"

# temporaries: how many there are
temporaries() { find "$tmp/work" -name '*.tmp' | wc -l; }
# started ARGUMENT...: attcert in the background, its process in $pid
started() {
  "$attcert" "$@" >"$tmp/out" 2>"$tmp/err" &
  pid=$!
}
# ended SIGNAL: sends it and sets $status
ended() {
  kill -s "$1" $pid 2>/dev/null
  wait $pid 2>/dev/null
  status=$?
}
# wait_for FILE: until it is there or the process is gone
wait_for() {
  while kill -0 $pid 2>/dev/null && [ ! -e "$1" ]; do sleep 0.01; done
}

# shellcheck disable=SC2086 # the shorthands above are several words
{
  # interrupted: the enclosure of the pointwise bound, in the file that was asked for, and exit status 3
  # (a signal that comes while the layer is still read ends the process: once more, later)
  for signal in TERM HUP; do
    for delay in 0.4 0.8 1.6 3.2 6.4; do
      started $slow --format json --output "$tmp/work/report"
      sleep $delay
      ended $signal
      if [ "$status" -le 128 ]; then break; fi
    done
    ok "SIG$signal: exit status 3" test "$status" -eq 3
    ok 'says why' one_line_naming 'interrupted ('
    cp "$tmp/work/report" "$tmp/out"
    json '.complete == false and (.incomplete | test("interrupted")) and .engine == "pointwise"'
    json '.lipschitz.lower > 0 and .lipschitz.upper >= .lipschitz.lower'
    ok 'the report alone' test "$(ls -A "$tmp/work")" = report
    rm -f "$tmp/work/report"
  done

  # a search for a radius: the best so far (a signal that comes too early finds none: once more, later)
  search="robust --model random:bert:32,2,4 --text $tmp/text --tokens 12 --words 2 --search --relative 1e-12"
  for delay in 1 2 4 8 16 32; do
    started $search --format json --output "$tmp/work/report"
    sleep $delay
    ended TERM
    if [ "$status" -eq 3 ] && jq -e '.radius_certified > 0' "$tmp/work/report" >/dev/null 2>&1; then break; fi
  done
  ok 'a search: exit status 3' test "$status" -eq 3
  ok 'says why' one_line_naming 'interrupted ('
  cp "$tmp/work/report" "$tmp/out"
  json '.complete == false and (.incomplete | test("interrupted"))'
  json '.radius_certified > 0 and .margin_on_ball[0] > 0 and .evaluations > 0'
  ok 'the report alone' test "$(ls -A "$tmp/work")" = report
  rm -f "$tmp/work/report"

  # refused for memory: the same
  exits 3 $slow --no-bounds --memory-limit 60M --format json
  ok 'says how much is needed' one_line_naming 'bytes'
  json '.complete == false and .engine == "pointwise" and .lipschitz.lower > 0'
  exits 3 $slow --memory-limit 1M --format json
  ok 'no room for any bound' test ! -s "$tmp/out"

  # while a picture is drawn: a gnuplot that waits
  mkdir "$tmp/bin"
  # shellcheck disable=SC2016 # $1 is the script's
  printf '#!/bin/sh\n[ "$1" = --version ] || { echo >"%s"; exec sleep 5; }\n' "$tmp/drawing" >"$tmp/bin/gnuplot"
  chmod +x "$tmp/bin/gnuplot"
  for signal in TERM HUP INT KILL; do
    rm -f "$tmp/drawing" "$tmp/work/"*
    # a shell without job control lets what runs in its background ignore INT
    PATH=$tmp/bin:$PATH env --default-signal=INT "$attcert" $tiny --output "$tmp/work/sweep.csv" \
      --plot "$tmp/work/sweep.svg" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    wait_for "$tmp/drawing"
    ok 'the picture is being drawn' test "$(temporaries)" -eq 1
    ended $signal
    ok "SIG$signal ends it" test "$status" -gt 128
    ok 'no picture' test ! -e "$tmp/work/sweep.svg"
    if [ $signal = KILL ]; then rm -f "$tmp/work/"*.tmp; fi
    ok "SIG$signal: nothing left" test "$(temporaries)" -eq 0
  done

  # at random times: the file of a sweep grows by whole rows, and the last run ends as an uninterrupted one
  exits 0 $tiny --output "$tmp/whole.csv"
  rm -f "$tmp/work/"*
  steady() { tail -n +3 "$1" | sed 's/,[^,]*$//'; }
  round=0
  for delay in 0.01 0.02 0.03 0.05 0.07 0.09 0.11 0.13; do
    round=$((round + 1))
    started $tiny --output "$tmp/work/sweep.csv"
    sleep $delay
    case $((round % 3)) in
      0)
        ended KILL # no process can tidy up after that
        rm -f "$tmp/work/"*.tmp
        ;;
      1) ended TERM ;;
      2) ended HUP ;;
    esac
    ok "killed after $delay s: nothing left" test "$(temporaries)" -eq 0
  done
  exits 0 $tiny --output "$tmp/work/sweep.csv"
  steady "$tmp/whole.csv" >"$tmp/uninterrupted"
  steady "$tmp/work/sweep.csv" >"$tmp/resumed"
  ok 'the rows of an uninterrupted run' cmp -s "$tmp/resumed" "$tmp/uninterrupted"

  # a certificate is whole or absent
  fast="certify $layer --text $tmp/text --tokens 12 --no-bounds --format json"
  for delay in 0.01 0.03 0.05 0.07 0.09 0.11; do
    rm -f "$tmp/work/"*
    started $fast --output "$tmp/work/report" --save-input "$tmp/work/x.npy"
    sleep $delay
    ended TERM
    ok "after $delay s: nothing left" test "$(temporaries)" -eq 0
    if [ -e "$tmp/work/report" ]; then
      cp "$tmp/work/report" "$tmp/out"
      json '.lipschitz.upper >= .lipschitz.lower'
    fi
  done

  # a limit of the file's size
  rm -f "$tmp/work/"*
  { (ulimit -f 0 && "$attcert" $fast --output "$tmp/work/report" 2>&1) && echo 'exit status 0' || echo "exit status $?"; } |
    cat >"$tmp/err"
  ok 'SIGXFSZ: exit status 3' grep -qx 'exit status 3' "$tmp/err"
  ok 'names the file' grep -q "attcert: $tmp/work/report: cannot write" "$tmp/err"
  ok 'nothing left' test -z "$(ls -A "$tmp/work")"

  # a summary that cannot be written
  if [ -w /dev/full ]; then
    "$attcert" $tiny --output "$tmp/work/sweep.csv" >/dev/full 2>"$tmp/err"
    status=$?
    ok 'a full disk ends with exit status 3' test "$status" -eq 3
    ok 'and says so' one_line_naming 'standard output'
  fi

  # a row that somebody changed: every column is looked at
  changed() { # COLUMN VALUE NAMED
    awk -F , -v OFS=, -v name="$1" -v value="$2" 'NR == 2 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
      NR == 5 { $c = value } { print }' "$tmp/whole.csv" >"$tmp/work/sweep.csv"
    cp "$tmp/work/sweep.csv" "$tmp/before"
    exits 2 $tiny --output "$tmp/work/sweep.csv"
    ok "names $3" one_line_naming "$3"
    ok 'left as it was' cmp -s "$tmp/work/sweep.csv" "$tmp/before"
  }
  changed sequence 7 'sequence'
  changed offset 5 'offset'
  changed relative_width 0.5 'relative_width'
  changed engine fast 'engine'
  changed T6 '' 'T1 - T10'
  changed seconds inf 'seconds'
  changed radius x 'radius'
  changed estimate nan 'estimate'
}
finish
