#!/bin/sh
# attcert-mpi: 1, 2 and 4 processes certify what attcert alone does; one of them speaks, all end with the same status,
# and none waits for ever. Skipped where there is no mpirun, or no build/attcert-mpi (make mpi).
. tests/cli/harness.sh
. tests/cli/fixtures.sh
alone=$attcert
if ! command -v mpirun >/dev/null || [ ! -x "$attcert-mpi" ]; then
  echo '[  SKIPPED ] no mpirun, or no attcert-mpi: make mpi'
  echo '[  SKIPPED ] 1 test(s).'
  exit 0
fi
export OPENBLAS_NUM_THREADS=1

# together PROCESSES STATUS ARGUMENT...: such a run ends with that status, within ten minutes; what mpirun itself says
# is left out.
together() {
  processes=$1 expected=$2
  shift 2
  as_root=''
  if [ "$(id -u)" -eq 0 ]; then as_root=--allow-run-as-root; fi
  # shellcheck disable=SC2086 # empty or one word
  timeout 600 mpirun $as_root --oversubscribe -n "$processes" "$alone-mpi" "$@" >"$tmp/out" 2>"$tmp/all"
  status=$?
  grep '^attcert' "$tmp/all" >"$tmp/err"
  ok "$processes processes: attcert-mpi $*" test "$status" -eq "$expected"
}
close_to() { # LOWER UPPER: bit for bit below, to 1e-14 above
  jq -e ".lipschitz | .lower == $1 and (.upper - $2 | fabs) <= 1e-14 * $2" "$tmp/out" >/dev/null
}

layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/two"
layer 0 0 0 0 0 0 0 0 0 0 0 0 >"$tmp/zero"
layer nan 0 0 0 0 0 0 0 0 0 0 0 >"$tmp/bad"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
x="--input $tmp/x.npy"
# N = 1,024: four panels
bert='--model random:bert:64,4,2 --seed 5 --layer 1 --text src/cli/demo.txt --tokens 16 --engine dense'
mkdir "$tmp/scratch"

# shellcheck disable=SC2086 # the shorthands above are several words
{
  exits 0 certify $bert --no-bounds --format json
  lower=$(jq .lipschitz.lower "$tmp/out") upper=$(jq .lipschitz.upper "$tmp/out")
  for processes in 1 2 4; do
    together $processes 0 certify $bert --no-bounds --format json
    ok "the same enclosure from $processes" close_to "$lower" "$upper"
    ok 'one report' test "$(grep -c '"schema"' "$tmp/out")" -eq 1
  done

  # windows on disk, each process its own; a file is written once
  together 2 0 certify $bert --no-bounds --format json --scratch "$tmp/scratch" --output "$tmp/work/result"
  ok 'silent on standard output' test ! -s "$tmp/out"
  cp "$tmp/work/result" "$tmp/out"
  ok 'the same enclosure' close_to "$lower" "$upper"
  ok 'one file, and nothing in the scratch folder' test "$(ls -A "$tmp/work" "$tmp/scratch" | grep -c result)" -eq 1
  rm "$tmp/work/result"

  # fewer panels than processes; nothing to factor at all; another engine
  for engine in dense deflated; do
    together 4 0 certify --weights "$tmp/two" $x --engine $engine --format json
    json '.lipschitz.lower <= 2 and 2 <= .lipschitz.upper and .lipschitz.upper < 2.000001'
  done
  together 2 0 certify --weights "$tmp/zero" $x --format json
  json '.lipschitz.upper == 0'

  # the theory's bounds, and a tolerance that is not met
  together 2 0 bounds --weights "$tmp/two" $x --radius-of-inputs 10 --format json
  json '.bounds | length > 0'
  together 2 1 certify $bert --no-bounds --tolerance 1e-30
  prints 'NOT met'

  # processes that were told different things: none waits for another
  apart() { # ARGUMENT...: those of the second process; the first one certifies
    as_root=''
    if [ "$(id -u)" -eq 0 ]; then as_root=--allow-run-as-root; fi
    # Not `mpirun -n 1 ... : -n 1 ...`, which ends with a segmentation fault in Open MPI 5.0.7 (Debian 13).
    timeout 60 mpirun $as_root --oversubscribe -n 2 sh -c "test \$OMPI_COMM_WORLD_RANK -ne 0 ||
      exec $alone-mpi certify --weights $tmp/two $x; exec \"\$0\" \"\$@\"" "$alone-mpi" "$@" >"$tmp/out" 2>"$tmp/all"
    status=$?
    grep '^attcert' "$tmp/all" >"$tmp/err"
    ok "a second process with $*" test "$status" -eq 2
    ok 'one message' one_line_naming 'different arguments'
    ok 'no report' test ! -s "$tmp/out"
  }
  apart certify --help
  apart --version
  apart certify --weights "$tmp/two"
  apart certify --weights "$tmp/two" $x --precision 200

  # bad input, bad usage, no memory: one message, no hang
  together 2 2 certify --weights "$tmp/bad" $x
  ok 'one message' one_line_naming 'query.weight'
  together 4 2 certify --weights "$tmp/missing" $x
  ok 'one message' one_line_naming 'missing'
  together 2 2 certify --weights "$tmp/two"
  ok 'one message' one_line_naming '--input'
  together 2 2 sweep
  ok 'one message' one_line_naming 'unknown command'
  together 2 2 certify $bert --scratch "$tmp/missing"
  ok 'one message' one_line_naming 'scratch folder'
  together 2 3 certify $bert --memory-limit 1M
  ok 'one message' one_line_naming 'bytes'

  # a signal to mpirun or to one process: all end at once, and leave nothing. N = 12,288 takes minutes.
  seq 1 400 | tr '\n' ' ' >"$tmp/text"
  slow="--model random:bert:128,4,2 --layer 1 --text $tmp/text --tokens 96 --engine dense --no-bounds"
  processes_of() { pgrep -P "$1" -f 'attcert-mpi certify'; }
  both_run() { test "$(processes_of "$launcher" | wc -l)" -eq 2; }
  within() { # SECONDS COMMAND...: true within that time
    deadline=$(($(date +%s) + $1))
    shift
    until "$@"; do
      [ "$(date +%s)" -lt "$deadline" ] || return 1
      sleep 0.1
    done
  }
  gone() { for process in $both; do ! kill -0 "$process" 2>/dev/null || return 1; done; }
  interrupted() { # SIGNAL WHOM
    rm -rf "$tmp/work" "$tmp/scratch"
    mkdir "$tmp/work" "$tmp/scratch"
    as_root=''
    if [ "$(id -u)" -eq 0 ]; then as_root=--allow-run-as-root; fi
    env --default-signal=INT mpirun $as_root --oversubscribe -n 2 "$alone-mpi" certify $slow --scratch "$tmp/scratch" \
      --output "$tmp/work/report" >"$tmp/out" 2>"$tmp/all" &
    launcher=$!
    ok 'two processes at work' within 60 both_run
    both=$(processes_of "$launcher")
    sleep 2
    case $2 in mpirun) kill -s "$1" "$launcher" ;; one) kill -s "$1" "${both##*[!0-9]}" ;; esac
    ok "SIG$1 to $2: all end" within 30 gone
    kill -KILL $both 2>/dev/null
    wait "$launcher" 2>/dev/null
    status=$?
    ok "SIG$1 to $2: not as a success" test "$status" -ne 0
    ok "SIG$1 to $2: nothing left" test -z "$(ls -A "$tmp/work" "$tmp/scratch" | grep -v ':$')"
  }
  for signal in INT TERM; do
    interrupted $signal mpirun
    interrupted $signal one
  done
}
finish
