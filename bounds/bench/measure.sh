# Measures one program at one layer, a row of $scratch/rows.json each; sourced by bounds/bench/run.
#
#   layer CASE FAMILY MODEL LAYER HEADS MASK INPUT [TOKENS]
#                             the layer of the lines below: MODEL to MASK as of attcert certify; INPUT: a text, of which
#                             TOKENS are read, or hidden states in an .npy file. FAMILY: the cases that one curve of
#                             growth goes through
#   engine ENGINE RUNS PEER [WIDTH]
#                             attcert certify with that engine, to that relative width; PEER: the program its time is
#                             set beside, or nothing
#   peer PEER RUNS            a peer of bounds/bench/peers, given what the engines above read; arb_certificate proves
#                             the upper end that the last of them certified
#   octave RUNS               the same certificate by GNU Octave's interval package, where it is installed
# A row of a program that could not run says why in its field "skipped": memory, or no such program here.
# shellcheck shell=sh disable=SC2154

# Processor, threads, BLAS, and the rate of matrix products that the floor is computed from.
measure_machine() {
  "$peers" gemm_rate "$(by_mode 3 5 5)" "$(by_mode 1024 4096 4096)" >"$scratch/gemm.json"
  jq --arg cpu "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)" --argjson processors "$(nproc)" \
    --argjson threads "$threads" --argjson kib "$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)" \
    --arg load "$(cut -d ' ' -f 1 /proc/loadavg)" \
    '{cpu: $cpu, processors: $processors, threads: $threads, memory_bytes: ($kib * 1024), blas: .blas, blas_threads: .blas_threads,
      load_at_start: ($load | tonumber), gemm_flops_a_second: .flops_a_second}' "$scratch/gemm.json"
}

# by_mode QUICK DEFAULT FULL: the one of the mode.
by_mode() {
  case $mode in quick) echo "$1" ;; default) echo "$2" ;; full) echo "$3" ;; esac
}

layer() {
  case_name=$1 family=$2 model=$3 model_layer=$4 heads=$5 mask=$6 input=$7 tokens=${8:-}
  rm -f "$scratch/x.npy" "$scratch/shape.json"
}

# quadruple X.npy OUT.npy: the input times 4. Without biases, as in random models, that multiplies the scores by 16 as
# Q and K times 4 would, and the Jacobian is the one of all weights times 4 but for a power of two.
quadruple() {
  "$(sh src/python/interpreter numpy)" -c 'import sys, numpy; numpy.save(sys.argv[2], 4 * numpy.load(sys.argv[1]))' "$@"
}

# add_row FILTER FILE...: the row that jq's filter makes of the files' values, with what is known of the layer.
add_row() {
  filter=$1
  shift
  jq -s -c --arg case "$case_name" --arg family "$family" --arg mask "$mask" --slurpfile shape "$scratch/shape.json" \
    "{case: \$case, family: \$family, mask: \$mask} + \$shape[0] + ($filter)" "$@" >>"$scratch/rows.json"
}

# skip PROGRAM WHY
skip() {
  echo "bounds/bench: $case_name, $1: $2" >&2
  jq -n --arg program "$1" --arg why "$2" '{program: $program, skipped: $why}' >"$scratch/skipped.json"
  [ -f "$scratch/shape.json" ] || echo '{}' >"$scratch/shape.json"
  add_row '.[0]' "$scratch/skipped.json"
}

# run_or_skip PROGRAM COMMAND...: standard output to $scratch/out.json; false when memory does not reach, the row then
# says so.
run_or_skip() {
  program=$1
  shift
  status=0
  "$@" >"$scratch/out.json" 2>"$scratch/err" || status=$?
  if [ $status -eq 0 ]; then return 0; fi
  if [ $status -eq 3 ]; then
    skip "$program" "$(tail -n 1 "$scratch/err")"
    return 1
  fi
  cat "$scratch/err" >&2
  echo "bounds/bench: $case_name, $program: exit status $status" >&2
  exit 1
}

certify() {
  if [ -n "$tokens" ]; then set -- "$@" --text "$input" --tokens "$tokens"; else set -- "$@" --hidden "$input"; fi
  "$attcert" certify --model "$model" --layer "$model_layer" --heads "$heads" --mask "$mask" "$@" --threads "$threads" \
    --no-bounds --format json --save-input "$scratch/x.npy"
}

engine() {
  engine=$1 runs=$2 reference=$3 width=${4:-}
  rm -f "$scratch"/report_*.json
  for run in $(seq "$runs"); do
    run_or_skip "attcert $engine" certify --engine "$engine" ${width:+--tolerance "$width"} || return 0
    mv "$scratch/out.json" "$scratch/report_$run.json"
  done
  jq '{n: .layer.n, N: (.layer.n * .layer.out_dim)}' "$scratch/report_1.json" >"$scratch/shape.json"
  upper=$(jq -r .lipschitz.upper_hex "$scratch/report_1.json")
  add_row "{program: \"attcert $engine\", reference: (\"$reference\" | if . == \"\" then null else . end),
            width: ${width:-null}, asked: \"$engine\", engine: .[0].engine,
            precision_bits: .[0].precision_bits, complete: all(.[]; .complete), lower: .[0].lipschitz.lower,
            upper: .[0].lipschitz.upper, relative_width: .[0].lipschitz.relative_width, runs: map(.seconds.total),
            stages: {layer: map(.seconds.layer), lower: map(.seconds.lower), upper: map(.seconds.upper)},
            peak_memory_bytes: (map(.peak_memory_bytes) | max)}" "$scratch"/report_*.json
}

peer() {
  peer=$1 runs=$2
  # Nothing was certified where memory did not reach for an engine.
  if [ ! -f "$scratch/x.npy" ]; then skip "$peer" 'no engine ran at this layer'; return; fi
  set -- "$model" "$model_layer" "$heads" "$mask" "$scratch/x.npy"
  if [ "$peer" = arb_certificate ]; then set -- "$@" "$upper"; fi
  run_or_skip "$peer" "$peers" "$peer" "$runs" "$threads" "$@" || return 0
  add_row '.[0] | {program, norm, rounding, proved, precision_bits, iterations, most_iterations, converged, runs: .seconds, peak_memory_bytes}' \
    "$scratch/out.json"
}

octave() {
  runs=$1 program='octave interval'
  if ! command -v octave-cli >/dev/null; then skip "$program" 'absent: no octave-cli here'; return; fi
  if ! octave-cli --quiet --norc --eval 'pkg load interval' >/dev/null 2>&1; then
    skip "$program" 'absent: no interval package here'
    return
  fi
  shape=$("$write_jacobian" "$scratch/jacobian" "$threads" "$model" "$model_layer" "$heads" "$mask" "$scratch/x.npy")
  # shellcheck disable=SC2086 # two words
  if octave-cli --quiet --norc bounds/bench/octave_certificate.m "$scratch/jacobian" $shape "$runs" \
    >"$scratch/out.json" 2>"$scratch/err"; then
    add_row '.[0] | {program, proved, precision_bits: 53, runs: .seconds, peak_memory_bytes}' "$scratch/out.json"
  else
    skip "$program" "failed: $(tail -n 1 "$scratch/err")"
  fi
}
