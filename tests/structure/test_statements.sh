#!/bin/sh
# The axioms of ACSL are those that proofs/coq/statements.md has beside Coq's theorems, and a change of either side is
# refused (proofs/coq/statements, a step of proofs/coq/check): planted ones are, in ACSL always, in Coq where it is.
. tests/cli/harness.sh
statements=$PWD/proofs/coq/statements
python3 "$statements" check >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'the axioms are those of the record' test "$status" -eq 0

# checked STATUS WHAT [FOLDER]: the tree's statements, against the compiled files in FOLDER.
checked() {
  (cd "$tmp/tree" && python3 "$statements" check ${3:+"$3"}) >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "$2: exit status $1" test "$status" -eq "$1"
}
says() { ok "says '$1'" grep -qF -- "$1" "$tmp/err"; }

# planted FILE SCRIPT: the file of the tree as sed's script changes it.
planted() {
  sed -E "$2" "$PWD/$1" >"$tmp/planted"
  ok "$2 changes $1" test -z "$(cmp -s "$tmp/planted" "$PWD/$1" && echo same)"
  cp --remove-destination "$tmp/planted" "$tmp/tree/$1"
}
restored() { cp --remove-destination "$PWD/$1" "$tmp/tree/$1"; }

mkdir "$tmp/tree"
for part in spec src proofs; do cp -rs "$PWD/$part" "$tmp/tree/"; done
norm=spec/theorems/integer_norm.acsl direction=spec/theorems/layer_direction.acsl
jacobian=spec/real/real_layer_jacobian.acsl
checked 0 'a copy'
planted $norm 's,^ *axiom gram_trace_bound,      // a comment\n   &,'
checked 0 'a comment and spaces'
planted $norm 's/0\.0 <= delta ==> //'
checked 1 'an axiom that asks for less'
says 'statements.md does not have what acsl integer_norm says now:'
says '-  0 <= k ==> 0.0 <= delta ==> 0.0 <= rho ==> 0.0 <= lambda ==>'
restored $norm
planted spec/integer/gram.acsl 's/0 <= j <= i ==>/0 <= j < i ==>/'
checked 1 'a definition below it'
says 'acsl gram_trace_bound says now'
restored spec/integer/gram.acsl
planted $jacobian 's/logic integer layer_head_dim.*/&\n      axiom one: \\forall real_layer f; layer_head_dim(f) == 1;/'
checked 1 'an axiom about what a definition rests on'
says 'acsl is_real_jacobian says now'
restored $jacobian
planted $direction 's/axiom layer_image_alone/axiom deflation: 0 == 1;\n      &/'
checked 1 'another axiom with the name of a theorem'
says 'axiom deflation has the name of a theorem'
restored $direction
planted $direction 's/axiom jacobian_direction/axiom another_name/'
checked 1 'an axiom that is not there'
says 'jacobian_direction is declared 0 times'
restored $direction
planted proofs/coq/theorems.txt '/^integer_norm integer_norm$/d'
checked 1 'a theorem that is not checked'
says 'integer_norm.integer_norm is not in proofs/coq/theorems.txt'
restored proofs/coq/theorems.txt
checked 0 'all as it was'

if ! command -v coqc >/dev/null; then
  echo '[  SKIPPED ] Coq is not installed'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi

# compiled FILE...: the tree's files.
compiled() {
  for file in "$@"; do
    cp "$tmp/tree/proofs/coq/$file.v" "$tmp/compiled/$file.v"
    (cd "$tmp/compiled" && coqc -q -Q . attcert "$file.v") >"$tmp/out" 2>"$tmp/err" || ok "$file.v compiles" false
  done
}
mkdir "$tmp/compiled"
export OCAMLRUNPARAM=s=4M,o=200 # a larger heap for short-lived terms, as proofs/coq/check has

# The project's own theorem alone, and what it rests on.
cat >"$tmp/statements.md" <<'END'
<!-- acsl integer_norm -->
```c
```
<!-- coq integer_norm.integer_norm -->
```coq
```
END
cp --remove-destination "$tmp/statements.md" "$tmp/tree/proofs/coq/statements.md"
echo 'integer_norm integer_norm' >"$tmp/theorems.txt"
cp --remove-destination "$tmp/theorems.txt" "$tmp/tree/proofs/coq/theorems.txt"
rm "$tmp/tree/proofs/coq/digests.txt"
compiled sum vector matrix norm rounding deflation cholesky_certificate rounded_gram integer_norm
(cd "$tmp/tree" && python3 "$statements" record "$tmp/compiled") >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'records' test "$status" -eq 0
checked 0 'what is recorded' "$tmp/compiled"
planted proofs/coq/integer_norm.v \
  '/^Theorem integer_norm n/,/^Qed/ { s/^  0 <= delta/  (n <= 1)%nat -> &/; s/intros Hd/intros _ Hd/ }'
compiled integer_norm
checked 1 'a theorem for a single row' "$tmp/compiled"
says 'statements.md does not have what coq integer_norm.integer_norm says now:'
says '+       (n <= 1)%nat ->'
says 'integer_norm.integer_norm, or what it rests on, does not say what it said'

# The step of proofs/coq/check, on two files: a definition, and a theorem that no axiom of ACSL states.
rm -r "$tmp/tree" "$tmp/compiled"
mkdir -p "$tmp/tree/spec" "$tmp/tree/proofs/coq"
cd "$tmp/tree" || exit 1
coq=proofs/coq
awk '/^files="/ { print "files=\"small bound\""; skip = 1 } !skip; /"$/ { skip = 0 }' "$OLDPWD/proofs/coq/check" \
  >proofs/coq/check
cp "$OLDPWD/proofs/coq/statements" "$OLDPWD/proofs/coq/acsl.py" proofs/coq/
: >proofs/coq/statements.md
echo 'bound bound' >proofs/coq/theorems.txt
echo "\`bound\`" >proofs/coq/README.md

# written HYPOTHESIS CONDITION: the theorem in a section with that hypothesis, the definition under that condition.
written() {
  cat >"$coq/small.v" <<END
Require Import Reals.
Definition small (n : nat) (x : R) : Prop := $2 (x <= INR n)%R.
END
  cat >"$coq/bound.v" <<END
Require Import Reals Lra.
From attcert Require Import small.
Open Scope R_scope.
Section Bound.
Variable n : nat.
Hypothesis Hn : $1.
Theorem bound x : small n x -> small n (x - 1).
Proof. pose proof Hn as used. unfold small. intros. assert (x <= INR n) by auto. lra. Qed.
End Bound.
END
}
# stepped STATUS WHAT
stepped() {
  sh proofs/coq/check "$tmp/compiled" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "check, $2: exit status $1" test "$status" -eq "$1"
}
: >proofs/coq/digests.txt
written '(0 <= n)%nat' ''
stepped 1 'a theorem that is not recorded'
says 'bound.bound, or what it rests on'
ok 'records it' python3 proofs/coq/statements record "$tmp/compiled"
stepped 0 'a theorem that is'
prints 'coq: 1 theorems'
prints 'rests on ClassicalDedekindReals.sig_forall_dec'
sed -i -e '/^Section/i Variable given : forall n x, small n (x - 1).' -e 's/^Proof.*/Proof. intros. apply given. Qed./' "$coq/bound.v"
stepped 1 'an axiom of its own'
says 'coq: bound (bound.v) rests on'
written '(n <= 1)%nat' ''
stepped 1 'a hypothesis of its section'
says 'coq: statements are not those that are recorded'
says 'bound.bound, or what it rests on'
written '(0 <= n)%nat' '(n <= 1)%nat ->'
stepped 1 'a definition that says less'
says 'bound.bound, or what it rests on'
cd "$OLDPWD" || exit 1
finish
