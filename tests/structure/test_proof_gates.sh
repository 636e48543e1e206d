#!/bin/sh
# What the gate of the proofs sees in code as Frama-C prints it (proofs/wp/*.awk), and which verdicts it asks again
# (proofs/wp/reprove): on planted text, without Frama-C.
. tests/cli/harness.sh
: >"$tmp/err"

# seen SCRIPT.awk ASSIGNMENT EXPECTED: what the script says of $tmp/code, lines joined by "; ".
seen() {
  # shellcheck disable=SC2046 # a program of one file or several
  awk -v "$2" $(printf -- '-f proofs/wp/%s ' $1) "$tmp/code" | LC_ALL=C sort | paste -sd ';' >"$tmp/out"
  status=$?
  ok "$1 says '$3'" test "$(cat "$tmp/out")" = "$3"
}

cat >"$tmp/code" <<'END'
/*@ ensures result: \result ≡ \old(a);
    assigns \nothing; */
double back_and_forth(double a)
{
  /*@ assert rte: is_nan_or_infinite:
        \is_finite(\sub_double(\add_double(a, (double)1.0), (double)1.0)); */
  return (a + 1.0) - 1.0;
}

double exact(double a, double const *b)
{
  /*@ assert rte: is_nan_or_infinite: \is_finite(a); */
  double c = - a;
  /*@ assert x: c + (double)i < 1.0; */
  if (c < *b) c = (double)0;
  return c;
}

double converted(long n)
{
  double x = (double)n;
  return x;
}

double narrow(double x)
{
  /*@ assert rte: is_nan_or_infinite: \is_finite((float)x); */ return 0.5;
}

double root(double x)
{
  double tmp;
  tmp = sqrt(x);
  return tmp;
}

int row_offset(int i)
{
  return i;
}

int caller(int i)
{
  int tmp;
  tmp = row_offset(i);
  return tmp;
}
END
seen roundings.awk 'exact=sqrt row_offset' "back_and_forth rounds: an operation of doubles;converted rounds: a \
conversion to double;narrow rounds: an operation of doubles;root rounds: a call of sqrt"

cat >"$tmp/code" <<'END'
/*@ requires \valid(x);
    ensures \result ≡ 0; */
int used(int *x);

/*@ requires \valid(x);
    ensures \result ≡ 0; */
int used(int *x)
{
  /*@ assert a: unused(x); */
  return 0;
}

/*@ ensures one: \result ≡ 1; */
int unused(int n)
{
  int __retres;
  if (n) __retres = unused(0);
  return __retres;
}

/*@ assigns \nothing; */
void promises_nothing(void)
{
  return;
}

/*@ ensures \true; */
int caller_theorem(int *x)
{
  int tmp;
  tmp = used(x);
  return tmp;
}
END
seen 'declarations.awk uncalled.awk' none= 'unused'

# A sample of the files and of their verdicts, the same for the same seed; of the goals of a file, those that the chosen
# verdicts belong to.
for folder in once again; do
  SEED=7 SAMPLE=5 bash proofs/wp/reprove choose "$tmp/$folder" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok 'chooses' test "$status" -eq 0
done
ok 'at least a sample' test "$(wc -l <"$tmp/once/reprove/chosen")" -ge 5
ok 'verdicts of the record' grep -qF "$(sed -n '1s/ .*//p' "$tmp/once/reprove/chosen").json " proofs/wp/cache.txt
ok 'the same for a seed' cmp -s "$tmp/once/reprove/chosen" "$tmp/again/reprove/chosen"
ok 'a tenth of the files' test "$(($(wc -l <"$tmp/once/reprove/drawn") * 10))" -ge "$(grep -c '^# ' proofs/wp/cache.txt)"
ok 'the same tenth' cmp -s "$tmp/once/again" "$tmp/again/again"
mkdir -p "$tmp/goals/typed_real"
printf '(* title *)\nthe goal\n' >"$tmp/goals/typed_real/f_ensures_Why3_CVC4_1_8.why"
printf '(* title *)\nanother\n' >"$tmp/goals/typed_real/g_ensures_Why3_CVC4_1_8.why"
hash=$(md5sum <"$tmp/goals/typed_real/f_ensures_Why3_CVC4_1_8.why" | cut -c 1-32)
echo "$hash CVC4:1.8" >"$tmp/once/reprove/chosen"
bash proofs/wp/reprove keep "$tmp/once" "$tmp/goals" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'keeps' test "$status" -eq 0
ok 'the chosen goal alone, for the prover' test "$(cat "$tmp/once/reprove/goals"/*)" = 'the goal'
ok 'under its name' test -e "$tmp/once/reprove/goals/$hash"
finish
