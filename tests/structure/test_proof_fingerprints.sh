#!/bin/sh
# Which files a replay of the proofs generates anew (proofs/wp/fingerprint): all that changed since they were recorded,
# in any way that their proofs depend on, and those that it draws; and that nothing passes which is not proved. The gate
# runs on a tree of a few files, with programs in place of Frama-C and the provers: for each line of the form
# `assert TEXT` of the preprocessed code, that Frama-C has a goal TEXT, and verdicts as WP has.
. tests/cli/harness.sh
tree=$tmp/tree programs=$tmp/programs row=src/kernel/row enclosure=src/certify/enclosure spec=spec
mkdir -p "$tree/$row" "$tree/src/interval" "$tree/$enclosure" "$tree/spec/libc_model" "$tree/proofs/results" "$programs"
cp proofs/frama_c "$tree/proofs/"
cp -r proofs/wp proofs/gates "$tree/proofs/"
rm -r "$tree"/proofs/wp/*.c "$tree/proofs/wp/session/script"
mkdir "$tree/proofs/wp/session/script"
: >"$tree/proofs/wp/failures.txt"
: >"$tree/proofs/wp/roundings.txt"
for empty in gates/predicates gates/preconditions unproved_calls; do : >"$tree/proofs/$empty.txt"; done
printf '%s\n' '<!-- written by make proofs-assumed: -->' '' '<!-- end -->' >"$tree/proofs/TRUST.md"

cat >"$programs/frama-c" <<'END_OF_PROGRAM'
#!/bin/bash
# Options of the form -NAME VALUE, one file.
case $1 in
  -version) echo "1 $(cat "$FAKE/version")"; exit ;;
  -print-share-path) echo "$FAKE"; exit ;;
esac
declare -A option
while [ $# -gt 0 ]; do
  case $1 in
    *.c) file=$1 ;;
    -ocode) gcc -E -C -P -Ispec "$file" >"$2" || exit 1; shift ;;
    -wp-cache | -wp-cache-dir | -wp-out | -wp-report-json) option[$1]=$2; shift ;;
    -wp) option[-wp]=yes ;;
  esac
  shift
done
if [ -z "${option[-wp]:-}" ]; then exit; fi
case $file in
  */smoke.c) echo '[wp] Proved goals: 0 / 1'; exit ;;
  */probes/*)
    probes=$(grep -c '[ (]probe[0-9]*:' "$file")
    if [ -e "$FAKE/contradiction" ]; then echo '[wp] [CVC4 1.8] Goal typed_real_a_ensures_probe0 : Valid'; fi
    echo "[wp] Proved goals: 0 / $probes"
    exit ;;
esac
echo "$file" >>"$FAKE/generated"
mkdir -p "${option[-wp-out]}/typed_real"
total=0 proved=0
while read -r goal; do
  total=$((total + 1))
  written=${option[-wp-out]}/typed_real/goal_${total}_Why3_CVC4_1_8.why
  printf '(* title *)\n%s\n' "$goal" >"$written"
  verdict=${option[-wp-cache-dir]}/$(md5sum <"$written" | cut -c 1-32).json
  if [ "${option[-wp-cache]}" = update ] && [ ! -e "$verdict" ] && cvc4 "$written" | grep -q unsat; then
    echo '{ "prover": "CVC4:1.8", "verdict": "valid", "time": 1 }' >"$verdict"
  fi
  if grep -qs '"valid"' "$verdict"; then proved=$((proved + 1)); fi
done < <(gcc -E -C -P -Ispec "$file" | sed -n 's/.* assert \(.*\);.*/\1/p')
echo "[wp] Proved goals: $proved / $total"
jq -n --arg name "$(basename "$file" .c)" \
  '{"wp:functions": {($name): {}}, "wp:axiomatics": {"": (if $name == "lemmas" then {"lemma_known": {}} else {} end)}}' \
  >"${option[-wp-report-json]}"
END_OF_PROGRAM
# A prover that proves every goal but "hard".
cat >"$programs/cvc4" <<'END_OF_PROGRAM'
#!/bin/sh
for last; do :; done
case $last in --version) cat "$FAKE/version"; exit ;; esac
if grep -qx "$(cat "$FAKE/hard")" "$last"; then echo unknown; else echo unsat; fi
END_OF_PROGRAM
for program in why3 z3; do printf '#!/bin/sh\ncat "$FAKE/version.%s"\n' $program >"$programs/$program"; done
chmod +x "$programs"/*
export FAKE="$tmp" PATH="$programs:$PATH"
versions='version version.why3 version.z3'
for version in $versions; do echo 1.0 >"$tmp/$version"; done
echo 'hard' >"$tmp/hard"

# code NAME ASSERTION...: a function with a contract, and its assertions.
code() {
  name=$1
  shift
  echo '#include "shared.acsl"'
  printf '/*@ assigns \\nothing;\n    ensures \\true; */\nint %s(void)\n{\n' "$name"
  for assertion; do printf '  /*@ assert %s; */\n' "$assertion"; done
  printf '  return 0;\n}\n'
}
(
  cd "$tree" || exit
  echo '/*@ predicate shared(integer i) = i == 0; */' >"$spec/shared.acsl"
  for name in a b c; do code "$name" "one: $name" "two: $name" >"$row/$name.c"; done
  echo 'double twice(double x);' >"$row/row.h"
  sed -i 's/shared.acsl/alone.acsl/' "$row/a.c"
  echo '/*@ predicate alone(integer i) = i == 1; */' >"$spec/alone.acsl"
  code interval_theorem 'inside' >src/interval/interval.c
  code enclosure_theorem 'around' >"$enclosure/enclosure.c"
  code lemmas 'known' >proofs/wp/lemmas.c
  : >proofs/wp/smoke.c
  for name in a b c; do echo "kernel $row/$name.c 1"; done >proofs/wp/goals.txt
  for name in interval certify/enclosure; do echo "${name#*/} src/$name/${name#*/}.c 1"; done >>proofs/wp/goals.txt
  echo 'lemma proofs/wp/lemmas.c 1' >>proofs/wp/goals.txt
  printf '#!/bin/sh\necho z3plain >"$1"\n' >proofs/wp/provers
)

# gate MODE: in the tree; $tmp/generated has the files whose goals were generated.
gate() {
  : >"$tmp/generated"
  (cd "$tree" && bash proofs/wp/gate "$1" build/proofs) >"$tmp/out" 2>"$tmp/err" </dev/null
  status=$?
  sort -u -o "$tmp/generated" "$tmp/generated"
}

# replay SUCCEEDS FILE...: generates these files anew besides the one that it draws; exit status 0 if SUCCEEDS is
# yes. The tree is then as it was recorded.
replay() {
  succeeds=$1
  shift
  gate replay
  for file; do echo "$file"; done | sort -u - "$tree/build/proofs/reprove/drawn" >"$tmp/expected"
  ok "$what: generates $*" cmp "$tmp/expected" "$tmp/generated"
  ok "$what: draws a tenth" test "$(wc -l <"$tree/build/proofs/reprove/drawn")" -eq "$drawn"
  if [ "$succeeds" = yes ]; then
    ok "$what: is a proof" test "$status" -eq 0
  else
    ok "$what: is no proof" test "$status" -ne 0
  fi
  cp "$tmp/out" "$tmp/replay.out"
  rm -rf "$tree"
  cp -r "$tmp/good" "$tree"
}

# change WHAT SED_SCRIPT FILE
change() {
  what=$1
  sed -i -e "$2" "$tree/$3"
  ok "$what: changes $3" sh -c '! cmp -s "$0" "$1"' "$tree/$3" "$tmp/good/$3"
}

all=$(cd "$tree" && echo "$row"/*.c src/interval/*.c "$enclosure"/*.c proofs/wp/lemmas.c)
shared=$(echo "$all" | sed "s|$row/a.c ||")
drawn=1
a=$row/a.c b=$row/b.c c=$row/c.c
results=proofs/results/wp.json cache=proofs/wp/cache.txt goals=proofs/wp/goals.txt

gate fresh
ok 'proves every file' test "$status" -eq 0
cp -r "$tree" "$tmp/good"
ok 'a fingerprint for each file' test "$(jq -r '.files[].fingerprint' "$tree/$results" | sort -u | grep -cx '[0-9a-f]\{64\}')" -eq 6
what='nothing changed'
replay yes
what='the same files for a seed'
drawn_by() { (cd "$tree" && SEED=$1 bash proofs/wp/reprove choose build/proofs && cat build/proofs/reprove/drawn) 2>"$tmp/err"; }
drawn_by 3 >"$tmp/once"
drawn_by 3 >"$tmp/twice"
ok "$what" cmp "$tmp/once" "$tmp/twice"
ok 'and at least one' test -s "$tmp/once"

# What changes no goal. Several changes of other files together, as each is seen in what is generated.
change 'code around the goals' 's/return 0/return 1/' $b
change 'what one includes' 's/i == 1/i == 2/' "$spec/alone.acsl"
echo '{}' >"$tree/proofs/wp/session/script/lemma_known.json"
what='code around the goals, what one includes, the script of a goal'
replay yes $a $b proofs/wp/lemmas.c
change 'an option' "s|$b 1|& -warn-unsigned-overflow|" $goals
echo "$c c exact" >>"$tree/proofs/wp/roundings.txt"
echo '{}' >"$tree/proofs/wp/session/script/a_ensures.json"
echo '{}' >"$tree/proofs/wp/session/script/lemma_known_too.json"
what='an option, an exception for a file that rounds, the script of a function, that of a goal of no file'
replay yes $a $b $c
change 'what many include' 's/i == 0/i == 2/' "$spec/shared.acsl"
# shellcheck disable=SC2086 # several files
replay yes $shared
what='a function that rounds'
echo 'double halves(double x);' >"$tree/$row/row.h"
# shellcheck disable=SC2086
replay yes $all
# What all fingerprints share: a script; the versions, each noticed, all of them in a replay.
change 'a script of WP' '$a# more' proofs/wp/wp
# shellcheck disable=SC2086
replay yes $all
common() { (cd "$tree" && sh proofs/wp/fingerprint common); }
common >"$tmp/common"
for version in $versions; do
  echo 2.0 >"$tmp/$version"
  common >"$tmp/other"
  ok "another $version" sh -c '! cmp -s "$0" "$1"' "$tmp/common" "$tmp/other"
  echo 1.0 >"$tmp/$version"
done
what='other versions'
for version in $versions; do echo 2.0 >"$tmp/$version"; done
# shellcheck disable=SC2086
replay yes $all
for version in $versions; do echo 1.0 >"$tmp/$version"; done
what='everything' drawn=6
export PROOFS_ALL=1
# shellcheck disable=SC2086
replay yes $all
unset PROOFS_ALL
drawn=1

# What changes goals, or the record. Each of several changes is named.
named() { ok "$1 of $2: is named" grep -q "^$2 *FAILED: $1" "$tmp/replay.out"; }
change 'another goal' 's/two: a/three: a/' $a
change 'a goal less, fewer than listed' '/two: b/d' $b
sed -i "s|$b 1|$b 2|" "$tree/$goals"
change 'less of a contract' 's|/\*@ assigns .*|/*@|' $c
what='another goal, a goal less, less of a contract'
replay no $a $b $c
named '1 of 2 goals proved' $a
named '1 goals, 2 expected' $b
named c $c
change 'a goal less' '/two: b/d' $b
replay no $b
tampered() { # WHAT FILTER: of the record
  what=$1
  jq "$2" "$tmp/good/$results" >"$tree/$results"
}
entry="(.files[] | select(.file == \"$b\"))"
tampered 'another fingerprint, and none' "$entry.fingerprint |= sub(\"^.\"; \"x\") |
  del((.files[] | select(.file == \"$a\")).fingerprint)"
replay yes $a $b
tampered 'more goals than there are' "$entry.goals = 3"
replay no $b
tampered 'another function' "$entry.functions = [\"c\"]"
replay no $b
tampered 'no entry' "del($entry)"
replay no $b
# What proves nothing although all goals are proved (tests/structure/test_proof_slips.sh).
change 'a definition without end' 's|i == 0;|i == 0; logic integer f(integer i) = f(i) + 1;|' "$spec/shared.acsl"
# shellcheck disable=SC2086
replay no $shared
what='a contradiction in what is trusted'
: >"$tmp/contradiction"
gate fresh
ok "$what: is no proof" test "$status" -ne 0
ok "$what: is named" grep -q '^FAILED: probes: the lemmas: they prove a falsehood' "$tmp/out"
rm "$tmp/contradiction"
rm -rf "$tree"
cp -r "$tmp/good" "$tree"
verdict=$(sed -n "\\|^# $b|{n;p}" "$tree/$cache")
change 'no verdict' "/^${verdict%%.json*}/d" $cache
verdict=$(sed -n "\\|^# $c|{n;p}" "$tree/$cache")
change 'another verdict' "/^${verdict%%.json*}/s/valid/unknown/" $cache
what='no verdict, and another one'
replay no $b $c
named '1 of 2 goals proved' $b
named '1 of 2 goals proved' $c

# A verdict that came last is not believed: its file is generated anew, and the prover asked again.
commit() { (cd "$tree" && git add -A -- ':!build' && git -c user.name=t -c user.email=t@t commit -qm "$1") >"$tmp/out" 2>"$tmp/err"; }
(cd "$tree" && git init -q)
commit 'First'
change 'a new verdict' 's/two: b/new: b/' $b
gate fresh
commit 'Second'
rm -rf "$tmp/good"
cp -r "$tree" "$tmp/good"
replay yes $b
what='a new verdict that no prover gives'
echo 'new: b' >"$tmp/hard"
replay no $b
ok 'and says so' grep -q '^FAILED: CVC4:1.8 does not prove again' "$tmp/out"

# What changed is proved and recorded without the rest.
echo 'hard' >"$tmp/hard"
change 'another goal to be recorded' 's/new: b/newer: b/' $b
gate changed
ok 'what changed is proved' test "$status" -eq 0
ok 'and nothing else' test "$(cat "$tmp/generated")" = $b
ok 'with a fingerprint for each file' test "$(jq -r '.files[].fingerprint' "$tree/$results" | sort -u | wc -l)" -eq 6
rm -rf "$tmp/good"
cp -r "$tree" "$tmp/good"
what='recorded as changed'
replay yes $b

# Of Frama-C itself: what the printed code shows.
PATH=${PATH#*:}
if command -v frama-c >/dev/null; then
  cp -r src spec "$tmp/work/"
  cp -r proofs "$tmp/work/"
  printed() { (cd "$tmp/work" && sh proofs/frama_c src/kernel/linear/vector_sum.c -print -ocode "$1") >"$tmp/out" 2>"$tmp/err"; }
  printed "$tmp/before.c"
  status=$?
  ok 'Frama-C prints code' test "$status" -eq 0
  sed -i '1i/* A comment. */' "$tmp/work/spec/matrix/sum.acsl"
  printed "$tmp/after.c"
  ok 'without comments' cmp "$tmp/before.c" "$tmp/after.c"
  sed -i '1i/*@ predicate planted(integer i) = i == 0; */' "$tmp/work/spec/matrix/sum.acsl"
  printed "$tmp/after.c"
  ok 'with the definitions that it includes' grep -q planted "$tmp/after.c"
fi
finish
