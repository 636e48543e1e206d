#!/bin/sh
# The seeded bugs of proofs/mutants/list.txt can be planted: each has its five fields, a file that its script changes,
# and a witness; and each has a verdict in proofs/results/mutants.csv, about the code as it is. No bug is run here.
. tests/cli/harness.sh
. proofs/mutants/record.sh
: >"$tmp/err"
tab=$(printf '\t')

# faults LIST: a line for each bug that cannot be planted.
faults() {
  grep -vE '^(#|$)' "$1" | while IFS=$tab read -r name file script judge witness; do
    if [ ! -f "$file" ]; then
      echo "$name: no file $file"
      continue
    elif sed -E "$script" "$file" | cmp -s - "$file"; then
      echo "$name: the script changes nothing in $file"
    fi
    case $judge in
      test) [ -f "$witness.c" ] || echo "$name: no test $witness" ;;
      wp)
        proof=${witness%:*}
        [ "$proof" != "$witness" ] || proof=$file
        grep -qE "^[a-z]+ $proof( |\$)" proofs/wp/goals.txt || echo "$name: $proof is not proved"
        grep -qE "[ *]${witness##*:}\\(" "$proof" || echo "$name: $proof has no function ${witness##*:}"
        ;;
      *) echo "$name: judge '$judge'" ;;
    esac
  done
}
faults "$list" >"$tmp/out"
ok 'every bug can be planted' test ! -s "$tmp/out"
ok 'no name is there twice' test -z "$(grep -vE '^(#|$)' "$list" | cut -f 1 | sort | uniq -d)"

printf 'one\tnone.c\ts/a/b/\twp\tf\n' >"$tmp/list"
printf 'two\tsrc/linalg/rounding/relative_width.c\ts/no such text//\twp\trelative_width\n' >>"$tmp/list"
printf 'three\tsrc/linalg/rounding/relative_width.h\ts/unbounded//\twp\tproofs/wp/certificate_theorem.c:none\n' >>"$tmp/list"
printf 'four\tsrc/linalg/exact/fixed_matrix.c\ts/a/b/\ttest\ttest_none\n' >>"$tmp/list"
faults "$tmp/list" >"$tmp/out"
for fault in 'one: no file none.c' 'two: the script changes nothing in src/linalg/rounding/relative_width.c' \
  'three: proofs/wp/certificate_theorem.c has no function none' 'four: no test test_none'; do
  prints "$fault"
done

# The record: of bugs in the list; one that survives is explained there.
tail -n +2 "$record" | while IFS=, read -r name verdict rest; do
  grep -q "^$name$tab" "$list" || echo "$name is not in the list"
  [ "$verdict" = killed ] || grep -q "^# survives: $name:" "$list" || echo "$name survives"
done >"$tmp/out"
ok 'the verdicts are those of the list, none of them against it' test ! -s "$tmp/out"

# A verdict is about a bug's file and its witness as they are: make mutants.
current() { # the verdict that each would have
  grep -vE '^(#|$)' "$list" | while IFS= read -r line; do
    IFS=$tab read -r name file _ judge witness <<END
$line
END
    echo "$name,killed,$judge,it,1,$(digest_of "$line" "$file" "$judge" "$witness")"
  done
}
missing() { current | while IFS=, read -r name _ _ _ _ digest; do recorded "$name" "$digest" || echo "$name"; done; }
missing >"$tmp/out"
ok 'every bug has a verdict about the code as it is (make mutants)' test ! -s "$tmp/out"
grep -vE '^(#|$)' "$list" | head -n 2 >"$tmp/list"
list=$tmp/list record=$tmp/record
current | sed '1s/,[^,]*$/,of other code/' >"$record"
missing >"$tmp/out"
ok 'a verdict about other code is none' test "$(cat "$tmp/out")" = "$(head -n 1 "$list" | cut -f 1)"
finish
