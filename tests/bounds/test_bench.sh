#!/bin/sh
# The bench, small: what it writes parses, says what it measured, and its values agree; a planted contradiction is
# found; what it cannot run is refused. The arithmetic of its report against known numbers. The README has the tables of
# the results.
. tests/cli/harness.sh
json=$tmp/bench/bench.json

# ---- a run -----------------------------------------------------------------------------------------------------------

BENCH_THREADS=1 sh bounds/bench/run quick "$tmp/bench" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'bounds/bench/run quick' test $status -eq 0
holds_in_bench() { jq -e "$1" "$json" >/dev/null; }
bench() { ok "bench.json: $1" holds_in_bench "$1"; }
bench '.schema == "attcert/bench/1" and .mode == "quick" and .machine.threads == 1 and .machine.blas_threads == 1'
bench '.machine.gemm_flops_a_second > 1e6'
bench '[.rows[] | select(.skipped | not) | .program] | unique - ["octave interval"] | length == 8'
bench '[.rows[] | select(.mask == "causal" and (.skipped | not)) | .program] | unique - ["octave interval"] | length == 8'
bench 'all(.rows[] | select(.skipped | not); .seconds.min <= .seconds.median and .seconds.median <= .seconds.max and .seconds.min > 0
  and .peak_memory_bytes > 1048576 and .floor_ratio > 0 and .N == (if .case == "head, n = 8" then .n * 16 else .n * 32 end))'
bench 'all(.rows[] | select(.reference); .peer_ratio > 0 and .relative_width < 1e-9)'
bench '.checks | length >= 40 and all(.holds)'
bench 'any(.growth[]; .program == "attcert dense" and .first == 128 and .last == 256)'
bench '.bars | length == 39 and all(.value == null and .met == null)'
# An eigenvalue of LAPACK lies inside the enclosure of every engine.
bench '[.rows[] | select(.asked)] as $engines | [.rows[] | select(.program == "lapack_eigenvalue")]
  | length == 4 and all(. as $peer | all($engines[] | select(.case == $peer.case and .mask == $peer.mask);
    .lower * (1 - $peer.rounding) <= $peer.norm and $peer.norm <= .upper * (1 + $peer.rounding)))'
ok "the table has a line a row" test "$(grep -c ".  power_iteration_relative, [0-9]* steps " "$tmp/out")" -eq 5
ok 'the table has no cell without a number' eval '! grep -q "null\|nan" "$tmp/out"'
ok 'the figure is an SVG' grep -q '<svg' "$tmp/bench/bench.svg"
for part in machine rows growth bars checks; do
  sh bounds/bench/table "$json" $part >"$tmp/out"
  ok "Markdown of $part" test "$(sed -n 2p "$tmp/out" | tr -d '|-')" = '' -a "$(awk -F '|' '{ print NF }' "$tmp/out" | sort -u | wc -l)" -eq 1
done

# ---- planted contradictions ------------------------------------------------------------------------------------------

# planted WHAT EDIT: with jq's EDIT of the rows, the check WHAT fails, and no other.
jq -c '.machine' "$json" >"$tmp/machine.json"
report() { jq -n --arg mode quick --slurpfile machine "$tmp/machine.json" --slurpfile rows "$1" -f bounds/bench/report.jq; }
planted() {
  jq -c "[.rows[] | $2] | .[]" "$json" >"$tmp/rows.json"
  report "$tmp/rows.json" >"$tmp/out"
  failing=$(jq -r '[.checks[] | select(.holds | not) | .what] | unique | join("; ")' "$tmp/out")
  ok "planted, found: $1" test "$failing" = "$1"
}
here='.case == "d = 32, n = 8" and .mask == "causal"'
planted '' .
planted 'norm <= certified upper end (1 + rounding)' "if $here and .program == \"lapack_eigenvalue\" then .norm *= 1 + 1e-10 else . end"
planted 'norm >= certified lower end (1 - rounding)' "if $here and .program == \"lapack_singular_values\" then .norm *= 1 - 1e-10 else . end"
planted 'norm <= certified upper end (1 + rounding)' "if $here and .program == \"power_iteration_relative\" then .norm *= 1.1 else . end"
planted 'stopped by its rule, or after its steps' "if $here and .program == \"power_iteration_published\" then .converged = false else . end"
planted 'Arb proves the upper end' "if $here and .program == \"arb_certificate\" then .proved = null else . end"
planted 'Arb proves the upper end' "if $here and .program == \"arb_certificate\" then .proved *= 1 - 1e-10 else . end"
planted 'the run is complete, by the engine asked for' "if $here and .asked == \"dense\" then .engine = \"pointwise\" else . end"
planted 'the run is complete, by the engine asked for' "if $here and .asked == \"mpfr\" then .complete = false else . end"

# ---- the report's arithmetic -----------------------------------------------------------------------------------------

# Times 3 N^2: exponent 2; medians of odd and even counts; a floor of N^3 / 3 flops at 1e9 a second; a peer's ratio.
cat >"$tmp/rows.json" <<'END'
{"case":"a","family":"f","mask":"none","n":1,"N":10,"program":"attcert dense","reference":"p","asked":"dense","engine":"dense","complete":true,"lower":1,"upper":1.5,"relative_width":0.5,"runs":[900,300,1],"peak_memory_bytes":1000}
{"case":"b","family":"f","mask":"none","n":1,"N":100,"program":"attcert dense","reference":"p","asked":"dense","engine":"dense","complete":true,"lower":1,"upper":1.5,"relative_width":0.5,"runs":[40000,20000],"peak_memory_bytes":1000}
{"case":"b","family":"f","mask":"none","n":1,"N":100,"program":"p","norm":1.2,"rounding":0,"converged":true,"runs":[60000],"peak_memory_bytes":5}
{"case":"b","family":"f","mask":"none","n":1,"N":100,"program":"q","skipped":"absent"}
{"case":"d = 512, n = 16","family":"g","mask":"none","n":16,"N":8192,"program":"attcert dense","reference":"p","asked":"dense","engine":"dense","complete":true,"lower":1,"upper":1.5,"relative_width":0.5,"runs":[366.5],"peak_memory_bytes":1000}
END
echo '{"gemm_flops_a_second": 1e9}' >"$tmp/machine.json"
report "$tmp/rows.json" >"$tmp/out"
json '[.rows[].seconds.median] == [300, 30000, 60000, null, 366.5]'
json '.rows[0].seconds.min == 1 and .rows[0].seconds.max == 900'
json '(.rows[0].floor_ratio / (300 / (1000 / 3 / 1e9)) - 1 | fabs) < 1e-12'
json '.rows[0].peer_ratio == null and .rows[1].peer_ratio == 0.5'
json '.growth | length == 1 and .[0].program == "attcert dense" and (.[0].seconds_exponent - 2 | fabs) < 1e-12'
json '(.growth[0].memory_exponent | fabs) < 1e-12 and .growth[0].peak_memory_bytes == 1000'
json '.bars[0] | .met == true and .value > 1.99 and .value < 2.01'
json '.bars[2] | .met == false and .value == 0.5'
json '.bars[-2:] | all(.value == null)'
for program in auto,9,0.005 dense,5,0.001 random,2,0.1; do
  name=${program%%,*} rest=${program#*,}
  echo "{\"case\":\"c\",\"family\":\"f\",\"mask\":\"none\",\"n\":1,\"N\":10,\"program\":\"attcert $name\",\"asked\":\"$name\",\"width\":0.01,\"engine\":\"dense\",\"complete\":true,\"lower\":1,\"upper\":1.5,\"relative_width\":${rest#*,},\"runs\":[${rest%,*}],\"peak_memory_bytes\":1000}"
done >"$tmp/rows.json"
report "$tmp/rows.json" >"$tmp/out"
json '.bars[-2] | .value == 1.8 and .met' # the faster one is too wide
json '.bars[-1] | .value == 0.5 and .met'

# ---- what it cannot run ----------------------------------------------------------------------------------------------

# refuses CULPRIT WORDS...
refuses() {
  culprit=$1
  shift
  sh bounds/bench/run "$@" >"$tmp/out" 2>"$tmp/err"
  ok "bounds/bench/run $*: exit status 2" test $? -eq 2
  ok "one line that names $culprit" eval '[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$culprit" "$tmp/err"'
  ok 'no folder' test ! -e "$tmp/results"
}
refuses 'quick|default|full FOLDER' quick
refuses "'slow'" slow "$tmp/results"
refuses "'magic'" quick "$tmp/results" magic
export BENCH_THREADS=many
refuses BENCH_THREADS quick "$tmp/results"
unset BENCH_THREADS
export ATTCERT_DATA="$tmp/nowhere"
refuses 'no folder models' default "$tmp/results"

# refused CULPRIT WORDS...: the peers' program, exit status 2, one line.
peers=${BUILD:-build}/bounds/bench/peers/peers
refused() {
  culprit=$1
  shift
  "$peers" "$@" >"$tmp/out" 2>"$tmp/err"
  ok "peers $*: exit status 2" test $? -eq 2
  ok "one line that names $culprit" eval '[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$culprit" "$tmp/err"'
  ok 'silent on standard output' test ! -s "$tmp/out"
}
model=random:bert:8,2,1
run certify --model $model --layer 0 --text src/cli/demo.txt --tokens 3 --save-input "$tmp/x.npy"
refused 'expected gemm_rate RUNS SIDE'
refused 'expected gemm_rate RUNS SIDE' magic 1 1 $model 0 all none "$tmp/x.npy"
refused 'expected gemm_rate RUNS SIDE' lapack_eigenvalue 1 1 $model 0 all none
refused 'expected gemm_rate RUNS SIDE' arb_certificate 1 1 $model 0 all none "$tmp/x.npy"
refused RUNS lapack_eigenvalue 0 1 $model 0 all none "$tmp/x.npy"
refused 'RUNS: expected at most' lapack_eigenvalue 101 1 $model 0 all none "$tmp/x.npy"
refused THREADS lapack_eigenvalue 1 none $model 0 all none "$tmp/x.npy"
refused HEADS lapack_eigenvalue 1 1 $model 0 2 none "$tmp/x.npy"
refused 'mask: expected none or causal' lapack_eigenvalue 1 1 $model 0 all some "$tmp/x.npy"
refused "$tmp/absent" lapack_eigenvalue 1 1 $model 0 all none "$tmp/absent"
refused UPPER arb_certificate 1 1 $model 0 all none "$tmp/x.npy" 0
"$peers" arb_certificate 1 1 $model 0 all none "$tmp/x.npy" 1e-9 >"$tmp/out" 2>"$tmp/err"
ok 'a bound that is none: exit status 1' test $? -eq 1

# ---- the Jacobian as a file ------------------------------------------------------------------------------------------

shape=$("${BUILD:-build}/bounds/bench/peers/write_jacobian" "$tmp/jacobian" 1 $model 0 1 none "$tmp/x.npy")
ok "its shape: $shape" test "$shape" = '12 24'
ok 'eight bytes an entry' test "$(wc -c <"$tmp/jacobian")" -eq $((12 * 24 * 8))

# ---- documents -------------------------------------------------------------------------------------------------------

sh bounds/bench/tables check >"$tmp/out" 2>"$tmp/err"
ok 'bounds/bench/README.md has the tables of the results' test $? -eq 0
grep -oE '\]\([^)]*\)' bounds/bench/README.md | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https://' >"$tmp/links"
while IFS= read -r link; do ok "README links to $link" test -e "bounds/bench/$link"; done <"$tmp/links"
grep -o '{"[a-z_]*", [a-z_]*}' bounds/bench/peers/peers.c | cut -d \" -f 2 >"$tmp/names"
ok "the names of the peers" test "$(wc -l <"$tmp/names")" -eq 4
for program in $(cat "$tmp/names") arb_certificate; do
  ok "README names $program" grep -q "\`$program\`" bounds/bench/README.md
done
finish
