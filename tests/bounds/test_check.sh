#!/bin/sh
# bounds/check.awk: a file without contradictions passes, and every kind of contradiction is refused, with its line
# named.
. tests/cli/harness.sh
names='n,sequence,lower,upper,estimate,T1,T2,T3,T4,T5,T6,T7,T9,T10'
good='8,2,1.00,1.0000000001,1.0000000001,9,,0.5,7,,1.5,3,6,0.8'
csv=$tmp/some.csv

# checked NAMES ROW: runs the check on a comment, the names, a good row and ROW; $status, $tmp/out.
checked() {
  { echo '# a comment, with commas'; echo "$1"; [ "$1" = "$names" ] && echo "$good"; echo "$2"; } >"$csv"
  awk -f bounds/check.awk "$csv" >"$tmp/out" 2>"$tmp/err"
  status=$?
}
passes() {
  checked "$names" "$1"
  ok "passes: $1" test "$status" -eq 0
  ok 'says that it holds' grep -q '^some.csv: 2 rows, .*: holds$' "$tmp/out"
}
# refused WHAT ROW [NAMES]
refused() {
  checked "${3:-$names}" "$2"
  ok "refuses: $1" test "$status" -eq 1
  ok "names file, line and what is wrong ($1)" grep -q "^some.csv, line [34] (n = 8, sequence = 2.*): $1" "$tmp/out"
  ok 'does not say that it holds' test -z "$(grep 'holds$' "$tmp/out")"
}

passes "$good"
prints 'lower <= T1 T4 T6 T7 T9, upper <= T1 T4 T6 T7 T9 in the 2 tight rows'
passes '8,2,1.00,inf,,inf,1e+400,,,,,,,'
passes '8,2,1.00,2.0,1.9,1.5,,,,,,,,' # a loose upper end says nothing about T1

refused 'lower 1.1 exceeds upper' '8,2,1.1,1.0,1.0,9,,,7,,1.5,3,6,'
refused 'estimate 1.000000002 exceeds upper' '8,2,1.0,1.0,1.000000002,9,,,7,,1.5,3,6,'
refused 'estimate inf exceeds upper' '8,2,1.0,1.0,inf,9,,,7,,1.5,3,6,'
for iteration in published finer; do
  refused "$iteration 1.1 exceeds upper" '8,2,1.0,1.0,1.1' "n,sequence,lower,upper,$iteration"
done
for bound in 1:6 2:7 4:9 5:10 6:11 7:12 9:13; do
  row=$(echo "8,2,2.0,2.5,2.0,,,,,,,,," | awk -F , -v OFS=, -v c="${bound#*:}" '{ $c = "1.99"; print }')
  refused "lower 2.0 exceeds T${bound%:*}, which is 1.99" "$row"
  row=$(echo "8,2,2.0,2.00000004,2.0,,,,,,,,," | awk -F , -v OFS=, -v c="${bound#*:}" '{ $c = "2.00000001"; print }')
  refused "upper 2.00000004 exceeds T${bound%:*}" "$row"
done
refused 'no lower or no upper end' '8,2,1.0,,1.0,9,,,7,,1.5,3,6,'
refused "upper is 'nan'" '8,2,1.0,nan,1.0,9,,,7,,1.5,3,6,'
refused "T4 is 'seven'" '8,2,1.0,1.0,1.0,9,,,seven,,1.5,3,6,'
refused '13 fields, expected 14' '8,2,1.0,1.0,1.0,9,,,7,,1.5,3,6'

# on one ball the lower bounds are below the upper ones, and T3 is below what is certified at its own input
ball='n,sequence,R,input,lower,upper,T1,T2,T3,T4,T5,T9,T10'
refused 'T3 8 exceeds T9, which is 6' '8,2,5,other,1.0,1.0,9,,8,9,,6,' "$ball"
refused 'T10 6.5 exceeds T9, which is 6' '8,2,5,other,1.0,1.0,9,,,9,,6,6.5' "$ball"
refused 'T10 8 exceeds T2, which is 7' '8,2,5,other,1.0,1.0,9,7,,9,,9,8' "$ball"
refused 'T3 2 exceeds upper' '8,2,5,t3,1.0,1.0,9,,2,9,,6,' "$ball"
checked "$ball" '8,2,5,other,1.0,1.0,9,,2,9,,6,3'
ok 'T3 of another input' test "$status" -eq 0

printf 'n,lower,upper\n' >"$csv"
awk -f bounds/check.awk "$csv" >"$tmp/out" 2>"$tmp/err"
ok 'refuses a file without rows' test $? -eq 1
printf 'n,ratio\n1,2\n' >"$csv"
awk -f bounds/check.awk "$csv" >"$tmp/out" 2>"$tmp/err"
ok 'says that nothing is certified' grep -q 'no certified columns' "$tmp/out"

# a folder: every file, and one bad file fails it
mkdir "$tmp/folder"
printf 'n,lower,upper\n1,1,2\n' >"$tmp/folder/a.csv"
sh bounds/check "$tmp/folder" >"$tmp/out" 2>"$tmp/err"
ok 'a good folder' test $? -eq 0
printf 'n,lower,upper\n1,3,2\n' >"$tmp/folder/0.csv"
sh bounds/check "$tmp/folder" >"$tmp/out" 2>"$tmp/err"
ok 'a bad file among good ones' test $? -eq 1
ok 'the others are checked too' grep -q '^a.csv: 1 rows.*holds' "$tmp/out"
mkdir "$tmp/empty"
sh bounds/check "$tmp/empty" >"$tmp/out" 2>"$tmp/err"
ok 'an empty folder' test $? -eq 2
finish
