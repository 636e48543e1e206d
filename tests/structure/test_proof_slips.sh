#!/bin/sh
# Falsehoods that would pass although every goal is proved, planted one at a time, and the step of the gate that refuses
# each: those of proofs/gates/check, and proofs/gates/probes where there is Frama-C. That the gate runs both is seen by
# tests/structure/test_proof_fingerprints.sh. The files bear names that there are, and are others.
. tests/cli/harness.sh
tree=$tmp/tree printed=build/proofs
mkdir -p "$tree/$printed" "$tree/proofs/wp/session/script" "$tree/proofs/results"
cp -r proofs/gates proofs/frama_c "$tree/proofs/"
cp proofs/wp/provers proofs/wp/z3 "$tree/proofs/wp/"
cp -r spec "$tree/spec"
cat >"$tree/proofs/TRUST.md" <<'END'
`prod_def`, `guess`, `room_new` and `room_free` are trusted.
<!-- written by make proofs-assumed: -->
<!-- end -->
END
: >"$tree/proofs/gates/predicates.txt"
: >"$tree/proofs/gates/preconditions.txt"
echo 'engines: upper' >"$tree/proofs/unproved_calls.txt"

# file PATH AREA GOALS FUNCTIONS LEMMAS: the printed code on standard input and its results, lists of JSON.
file() {
  name=$printed/$(echo "${1%.c}" | tr / _)
  cat >"$tree/$name.c"
  echo "{\"area\": \"$2\", \"file\": \"$1\", \"functions\": [$4], \"lemmas\": [$5]}" >"$tree/$name.json"
  echo "$2 $1 $3" >>"$tree/proofs/wp/goals.txt"
}
product='/*@ axiomatic Product { logic ℝ prod(ℝ x, ℝ y) ; axiom prod_def: ∀ ℝ x, ℝ y; prod(x, y) ≡ x * y; } */'
file proofs/wp/lemmas.c lemma 2 '' '"one", "two"' <<END
$product
/*@ lemma one: ∀ ℝ x; prod(x, 1.0) ≡ x; */
/*@ lemma two: ∀ ℝ x; prod(1.0, x) ≡ x; */
END
file proofs/wp/lemmas_real.c lemma 1 '' '"three"' <<END
$product
/*@ lemma two: ∀ ℝ x; prod(1.0, x) ≡ x; */
/*@ lemma three: ∀ ℝ x; prod(x, 2.0) ≡ x + x; */
END
file src/linalg/exact/gram_bound.c certificate 3 '"upper", "digits"' '' <<END
$product
/*@ lemma three: ∀ ℝ x; prod(x, 2.0) ≡ x + x; */
/*@ logic ℝ sum{L}(double *x, ℤ n) = n ≤ 0? 0.0: sum(x, n - 1) + *(x + (n - 1)); */
/*@ logic ℝ power(ℤ e) = e > 0? 2.0 * power(e - 1): (e < 0? power(e + 1) / 2.0: 1.0); */
/*@ predicate room{L}(double *x, ℤ n) = \\valid(x + (0 .. n - 1)); */
/*@ predicate exact(ℤ d) = 1 ≤ d ≤ 52; */
/*@ requires 1 ≤ n;
    assigns \\nothing;
    ensures \\result ≡ 0 ∨ \\result ≡ n; */
int guess(int n);

/*@ assigns \\nothing;
    ensures exact: exact(\\result); */
int digits(void)
{
  return 52;
}

/*@ requires room: room(x, n);
    requires exact: exact(d);
    assigns *(x + (0 .. n - 1));
    ensures \\result ≡ 0; */
int upper(double *x, int n, int d)
{
  guess(n);
  return 0;
}
END
file proofs/wp/ends_theorem.c certificate 1 '"upper_theorem"' '' <<END
/*@ requires d: 1 ≤ d;
    assigns \\nothing; */
void upper_theorem(int d)
{
  return;
}
END
echo "$product" >"$tree/$printed/smoke.c"

# check: the steps, in the tree.
check() {
  (cd "$tree" && python3 proofs/gates/check $printed) >"$tmp/out" 2>"$tmp/err"
  status=$?
}
check
ok 'what is not recorded is a fault' test "$status" -eq 1
prints 'FAILED: predicates: room is assumed, but nowhere established; after a look: make proofs-assumed'
prints 'FAILED: preconditions: now upper requires room: room(x, n); after a look: make proofs-assumed'
(cd "$tree" && python3 proofs/gates/check record $printed) >"$tmp/out" 2>"$tmp/err"
check
ok 'no slip, no fault' test "$status" -eq 0
ok 'what is only assumed is listed' grep -qx '    room' "$tree/proofs/TRUST.md"
ok 'what is established, by what' grep -qx 'exact: digits' "$tree/proofs/gates/predicates.txt"
cp -r "$tree" "$tmp/good"
# without a run there is nothing to record
mkdir "$tmp/none"
status=0
(cd "$tree" && python3 proofs/gates/check record "$tmp/none") >"$tmp/out" 2>"$tmp/err" || status=$?
ok 'no run, no record' test "$status" -eq 1
ok 'and it says so' grep -q 'has no printed files: expected those of a run' "$tmp/err"
ok 'the records stay' cmp -s "$tree/proofs/gates/predicates.txt" "$tmp/good/proofs/gates/predicates.txt"

# refused STEP TEXT: a fault of this step says so, and there is none of another; the tree is then as it was.
refused() {
  check
  ok "refused by $1" test "$status" -eq 1
  ok "says '$2'" grep -qF -- "FAILED: $1: $2" "$tmp/out"
  ok "by no other step than $1" sh -c '! grep -v "^FAILED: $0: " "$1"' "$1" "$tmp/out"
  rm -rf "$tree"
  cp -r "$tmp/good" "$tree"
}
# change PATH SED_SCRIPT: of a file of the tree, which must change.
change() {
  sed -i "$2" "$tree/$1"
  ok "changes $1" sh -c '! cmp -s "$0" "$1"' "$tree/$1" "$tmp/good/$1"
}
lemmas=$printed/proofs_wp_lemmas.c more=$printed/proofs_wp_lemmas_real.c upper=$printed/src_linalg_exact_gram_bound.c
goals=proofs/wp/goals.txt

# Two false lemmas, each proved from the other.
false_lemma() { echo "/*@ lemma $1: prod(1.0, 1.0) ≡ 2.0; */"; }
{ false_lemma wrong; false_lemma wrong_too; } >>"$tree/$lemmas"
{ false_lemma wrong_too; false_lemma wrong; } >>"$tree/$more"
change "${lemmas%.c}.json" 's/"two"/&, "wrong_too"/'
change "${more%.c}.json" 's/"three"/&, "wrong"/'
refused 'lemma order' 'lemmas are proved from each other: wrong (proofs_wp_lemmas_real.c) from wrong_too, wrong_too (proofs_wp_lemmas.c) from wrong'
false_lemma wrong >>"$tree/$upper"
refused 'lemma order' 'lemma wrong (src_linalg_exact_gram_bound.c) is proved in no lemma file'
change "$upper" 's/lemma three: ∀ ℝ x;/& x > 0.0 ⇒/'
refused 'lemma order' 'lemma three (src_linalg_exact_gram_bound.c) is proved in no lemma file, though another of this name is'
echo '{ "tactic": "Wp.lemma" }' >"$tree/proofs/wp/session/script/lemma_covariance_same.json"
refused 'lemma order' 'proofs/wp/session/script/lemma_covariance_same.json uses Wp.lemma'

# Definitions that are axioms; one that ends, in another way.
defines() { echo "/*@ $1; */" >>"$tree/$upper"; }
endless() {
  defines "$1"
  refused recursion "$2"
}
endless 'logic ℝ wrong(ℝ x) = wrong(x) + 1.0' 'wrong calls itself, and is not seen to end'
endless 'logic ℝ wrong(ℝ x) = x ≤ 0.0? 0.0: wrong(x - 1) + 1.0' 'wrong calls itself'
endless 'logic ℤ wrong(ℤ n) = n ≤ 0? 0: wrong(n + 1) + 1' 'wrong calls itself'
endless 'logic ℤ wrong(ℤ n) = n ≤ 0? wrong(n - 1) + 1: 0' 'wrong calls itself'
endless 'logic ℤ wrong(ℤ n, ℤ m) = n ≤ m? 0: wrong(n - 1, m - 1) + 1' 'wrong calls itself'
endless 'logic ℤ wrong(ℤ n) = n > -5? wrong(n - 1): (n < 5? wrong(n + 1): 1)' 'wrong calls itself'
endless 'logic ℤ wrong(ℤ n) = n > 1? wrong(n - 1): (n < 3? wrong(n + 1): 1)' 'wrong calls itself'
endless 'predicate wrong(ℤ n) = ¬wrong(n)' 'wrong calls itself'
endless 'logic ℤ wrong(ℤ n) = other(n) + 1; logic ℤ other(ℤ n) = wrong(n)' 'other is defined by itself, by way of wrong'
endless 'inductive wrong(ℤ n) { case zero: wrong(0); }' 'wrong is an inductive predicate'
defines 'logic ℤ count{L}(int *x, ℤ begin, ℤ end) = end <= begin? 0: 1 + count{L}(x, begin, end - 1)'
check
ok 'a sum over a range is seen to end' test "$status" -eq 0
rm -rf "$tree"
cp -r "$tmp/good" "$tree"

# Goals taken away.
option() {
  change "$goals" "s|$1.*|&$2|"
  refused options "$3"
}
option src/linalg/exact/gram_bound.c ' -wp-prop=-upper' 'src/linalg/exact/gram_bound.c has the option -wp-prop=-upper, which is not allowed'
option src/linalg/exact/gram_bound.c ' -wp-skip-fct=digits' 'src/linalg/exact/gram_bound.c skips digits, which no other file proves'
option src/linalg/exact/gram_bound.c ' -wp-no-rte' 'src/linalg/exact/gram_bound.c has the option -wp-no-rte'
option proofs/wp/lemmas.c ' -wp-prop=-@lemma' 'proofs/wp/lemmas.c has -wp-prop=-@lemma, which takes more out than a lemma'
change "$goals" 's|certificate src|kernel src|'
refused options 'src/linalg/exact/gram_bound.c is no file of an area kernel'
change "$goals" 's|certificate src|lemma src|'
refused options 'src/linalg/exact/gram_bound.c is no file of an area lemma'

# What is assumed, without a word or with another meaning.
echo '/*@ axiomatic Wrong { axiom wrong: prod(1.0, 1.0) ≡ 2.0; } */' >>"$tree/$upper"
refused axioms 'axiom wrong is not named in proofs/TRUST.md'
printf '/*@ assigns \\nothing; ensures \\result ≡ 1; */\nint other(void);\n' >>"$tree/$upper"
refused trusted 'other is trusted, but proofs/TRUST.md does not name it'
echo '/*@ predicate exact(ℤ d) = \true; */' >>"$tree/$lemmas"
refused 'one meaning' 'the predicate exact is not the same in all files: proofs_wp_lemmas.c, src_linalg_exact_gram_bound.c'
printf '/*@ assigns \\nothing; ensures \\result ≡ 1; */\nint digits(void);\n' >>"$tree/$lemmas"
refused 'one meaning' 'the contract of digits is not the same in all files'

# A precondition that nothing fulfils, in a header and its theorem; a contradiction in a predicate that is only assumed,
# alone or behind one more.
change "$upper" 's|requires exact: exact(d);|& requires d ≡ 12345;|'
refused preconditions 'now upper requires d == 12345; after a look: make proofs-assumed'
change "$printed/proofs_wp_ends_theorem.c" 's|requires d: 1 ≤ d|& ∧ d ≡ 12345|'
refused preconditions 'now upper_theorem requires d: 1 <= d && d == 12345'
change "$upper" 's|\\valid(x + (0 .. n - 1));|\\valid(x + (0 .. n - 1)) ∧ n < n;|'
refused preconditions 'now predicate room{L}(double * x, integer n) = \valid(x + (0 .. n - 1)) && n < n'
change "$upper" 's|ensures exact: exact(\\result)|ensures exact: \\result ≡ 52|'
check
ok 'and if nothing establishes it any more, that is said' grep -q '^FAILED: predicates: exact: digits stands in proofs/gates/predicates.txt, now it is only assumed' "$tmp/out"
rm -rf "$tree"
cp -r "$tmp/good" "$tree"

# Contradictions in what is trusted, which the provers find.
if ! command -v frama-c >/dev/null; then
  echo "skipped: frama-c, why3 and the provers are not here (.ci/setup proofs): the probes"
  finish
fi
file src/interval/point_vec.c interval 1 '' '' <<'END'
/*@ ghost double lives; */
/*@ axiomatic Lives { logic ℤ life{L}(double *x) reads lives; } */
/*@ assigns \result, lives \from size;
    ensures room: \result ≢ \null ⇒ \valid(\result) ∧ life(\result) ≢ 0;
    ensures others: ∀ double *x; \valid_read{Pre}(x) ⇒ life{Pre}(x) ≢ 0 ⇒ life(x) ≡ life{Pre}(x); */
double *room_new(int size);

/*@ assigns lives;
    ensures ended: life(x) ≡ 0; */
void room_free(double *x);
END
rm -rf "$tmp/good"
cp -r "$tree" "$tmp/good"
# probes: in the tree.
probes() {
  (cd "$tree" && python3 proofs/gates/probes "$1" $printed) >"$tmp/out" 2>"$tmp/err"
  status=$?
}
# contradicts TEXT...: for each, a probe says so, and no other does; the tree is then as it was.
contradicts() {
  probes replay
  ok 'refused by the probes' test "$status" -eq 1
  for text; do ok "says '$text'" grep -qF -- "FAILED: probes: $text" "$tmp/out"; done
  ok 'and runs those alone that changed' grep -q "[^0-9][1-6] of them run, $# faults" "$tmp/out"
  rm -rf "$tree"
  cp -r "$tmp/good" "$tree"
}
probes fresh
ok 'nothing is contradictory' test "$status" -eq 0
ok 'and that is recorded' test -s "$tree/proofs/results/probes.txt"
rm -rf "$tmp/good"
cp -r "$tree" "$tmp/good"
probes replay
prints ', 0 of them run, 0 faults'
change "$upper" 's|ensures .result ≡ 0 ∨ .result ≡ n|ensures \\result ≢ 0 ⇒ n < 1|'
contradicts 'guess: it is proved that \result == 0'
change "$upper" 's|ensures .result ≡ 0 ∨ .result ≡ n|ensures \\result ≡ 0 ∨ n < 1|'
contradicts 'guess: it is proved that !(n < 1)'
change "$upper" 's|\\valid(x + (0 .. n - 1));|\\valid(x + (0 .. n - 1)) ∧ n < n;|'
contradicts 'room: it is proved that nothing fulfils this predicate' 'upper: it is proved that nothing fulfils its preconditions'
change "$upper" 's|requires exact: exact(d);|& requires d ≡ 60;|'
contradicts 'upper: it is proved that nothing fulfils its preconditions'
false_lemma wrong >>"$tree/$more"
contradicts 'the lemmas: they prove a falsehood'
# As freed memory is \valid{Pre} to WP, it would keep its lack of life: never again would it be given out.
change "$printed/src_interval_point_vec.c" 's|⇒ life{Pre}(x) ≢ 0 ⇒|⇒|'
contradicts 'room_new, room_free, room_new: it is proved that memory given back is never given out again'
finish
