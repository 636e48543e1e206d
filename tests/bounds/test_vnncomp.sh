#!/bin/sh
# bounds/vnncomp/run: a row an instance, the table, where it goes on, what it refuses.
. tests/cli/harness.sh
cp tests/fuzz/corpus/onnx/good-linear "$tmp/net.onnx"
# asks NAME CONDITION: a question about the net.
asks() {
  {
    for k in 0 1 2 3; do echo "(declare-const X_$k Real)"; done
    for k in 0 1 2; do echo "(declare-const Y_$k Real)"; done
    for k in 0 1 2 3; do echo "(assert (>= X_$k 0.1))(assert (<= X_$k 0.2))"; done
    echo "(assert (>= Y_0 $2))"
  } >"$tmp/$1"
}
asks high.vnnlib 0.81
asks low.vnnlib 0.79
gzip "$tmp/low.vnnlib"
printf 'net.onnx,high.vnnlib,10\r\nnet.onnx,low.vnnlib,10\r\n\r\nnet.onnx,absent.vnnlib,10\n' >"$tmp/instances.csv"
table() {
  sh bounds/vnncomp/run "$tmp/instances.csv" "$tmp/rows.csv" "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}
table 2
ok 'two of them' test "$status" -eq 0
prints '| net.onnx | 2 | 1 | 1 | 0 | 0 | 0 |'
ok 'answers' test "$(awk -F , 'NR > 2 { print $4 }' "$tmp/rows.csv" | tr '\n' ' ')" = 'unsat sat '
cp "$tmp/rows.csv" "$tmp/first"
table
prints '| net.onnx | 3 | 1 | 1 | 0 | 0 | 1 |'
ok 'says what failed' grep -q 'absent.vnnlib: attcert: .*No such file' "$tmp/err"
ok 'the first rows are as they were' test "$(head -n 4 "$tmp/rows.csv")" = "$(cat "$tmp/first")"
table all --attack 0
ok 'other options are refused' test "$status" -eq 2
ok 'and said' grep -q 'holds other instances, or other options' "$tmp/err"
echo 'net.onnx,high.vnnlib,20' >>"$tmp/instances.csv"
table
ok 'other instances are refused' test "$status" -eq 2
sh bounds/vnncomp/run >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'its usage' test "$status" -eq 2
finish
