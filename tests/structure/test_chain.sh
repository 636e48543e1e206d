#!/bin/sh
# The picture of what a certificate rests on (spec/chain.svg) is that of its table, proofs/chain/links.txt; a claim of
# the table that does not hold is noticed, and so is a picture that is not current. What proofs/chain/path finds on the
# path of a certificate, in a program of a few lines.
. tests/cli/harness.sh
table=proofs/chain/links.txt
python3 proofs/chain/draw >"$tmp/drawn.svg" 2>"$tmp/err"
status=$?
: >"$tmp/out"
ok 'every claim of the table holds' test "$status" -eq 0
ok 'the picture is current (proofs/chain/draw >spec/chain.svg)' cmp "$tmp/drawn.svg" spec/chain.svg

# refused TEXT KIND FILES EVIDENCE: a link that claims so is refused, in a line that says TEXT.
refused() {
  cp "$table" "$tmp/links"
  echo "mpfr | planted | $2 | $3 | $4" >>"$tmp/links"
  python3 proofs/chain/draw "$tmp/links" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "refuses $4, $2, of $3" test "$status" -eq 1
  ok 'draws nothing' test ! -s "$tmp/out"
  ok "says '$1'" grep -qF "$1" "$tmp/err"
}
nothing=test_nothing.c
refused 'src/linalg/eigenvalue/deflation.c is not proved' C 'src/linalg/eigenvalue: deflation.c' deflation
refused 'src/interval/mpfr_memory.c is not proved' C 'src/interval: interval_add.c mpfr_memory.c' interval_add
refused 'interval_mul is not proved in its files' C 'src/interval: interval_add.c' interval_mul
refused 'no_such_theorem is no theorem of its files' Coq 'proofs/coq: jacobian.v' no_such_theorem
refused 'factored_eigenvalue is no theorem of its files' Coq 'proofs/coq: jacobian.v' factored_eigenvalue
refused 'src/linalg/exact/integer_cholesky.c cites none' Coq \
  'src/linalg/exact: integer_cholesky.c; proofs/coq: integer_norm.v' factored_eigenvalue
refused 'has no entry Strassen' trusted 'src/linalg/blas: blas_probe.c' Strassen
refused "$nothing is no test" tested 'src/linalg/eigenvalue: deflation.c' "tests/unit/linalg/$nothing"
refused 'tests/README.md is no test' tested 'src/linalg/eigenvalue: deflation.c' tests/README.md
refused "$nothing" tested "src/linalg: $nothing" tests/unit/linalg/eigenvalue/test_deflation.c
refused 'kind hoped' hoped 'src/linalg/eigenvalue: deflation.c' tests/unit/linalg/eigenvalue/test_deflation.c

# What proofs/status compares, at the end of `make proofs-replay`: on a copy whose run found what is recorded.
root=$PWD tree=$tmp/tree
mkdir -p "$tree/run/eva"
for part in src spec proofs tests; do cp -rs "$root/$part" "$tree/"; done
cp proofs/results/wp.json "$tree/run/"
jq -r '"[eva:summary]\n  \(.functions) functions analyzed"' proofs/results/eva.json >"$tree/run/eva/eva.log"
# checked STATUS WHAT
checked() {
  (cd "$tree" && sh proofs/status check run) >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "$2: exit status $1" test "$status" -eq "$1"
}
checked 0 'the record'
sed 's/Stored numbers/The stored numbers/' "$table" >"$tmp/links"
cp --remove-destination "$tmp/links" "$tree/$table"
checked 1 'a picture that is not current'
sed 's/ C | src\/linalg\/rounding: sum_upward.c norm_upward.c/&; src\/linalg\/eigenvalue: deflation.c/' "$table" >"$tmp/links"
cp --remove-destination "$tmp/links" "$tree/$table"
checked 1 'a false claim'

# A program of its own: `bound` calls `row` by a table, `row` calls `leaf`; `look` calls `glance`.
program=src/certify/$nothing
mkdir -p "$tree/out"
cat >"$tree/$program" <<'END'
/*@ assigns \nothing; */
static int leaf(int x) {
  /*@ assert x == x;
      // twice
    */

  return x + 1; // one more
}
static int glance(int x) {
  return x - 1;
}
static int look(int x) {
  return glance(x);
}
static int row(int x) {
  return leaf(x) + look(x);
}
static int (*const table[])(int) = {row, row};
int other(int x) {
  return 2 * x;
}
int bound(int x);
int bound(int x) {
  return x > 100 ? other(x) : table[x < 0](x);
}
int main(int argc, char **argv) {
  (void)argv;
  return bound(argc) == 0;
}
END
(cd "$tree" && gcc -O0 -ffunction-sections -fdata-sections --coverage -fPIC -c "$program" -o out/program.o &&
  gcc --coverage out/program.o -o out/attcert) >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'the program is built' test "$status" -eq 0

# path MODE: with the table of certificates and the texts of $tmp.
path() {
  (cd "$tree" && python3 proofs/chain/path "$1" out --certificates "$tmp/certificates" --trust "$tmp/trust" \
    --readme "$tmp/readme") >"$tmp/out" 2>"$tmp/err"
}
for relied in '`pointwise`' 'the engine' '`dense`'; do
  echo "| **By $relied** of something | $relied | the test |"
done | cat proofs/TRUST.md - >"$tmp/trust"
echo '| **Of a leaf**: `leaf` is right | nobody | the test |' >>"$tmp/trust"
begin='<!-- path: written by make proofs -->' end='<!-- path: end -->'
printf '%s\n' 'before' "$begin" 'old' "$end" 'after' >"$tmp/readme"
# followed STATUS CERTIFICATE LINE...: with these lines of the table, each for this certificate, and README as recorded.
followed() {
  expected=$1 certificate=$2
  shift 2
  printf "$certificate %s\n" "$@" >"$tmp/certificates"
  path record
  status=$?
  ok "path of $*: exit status $expected" test "$status" -eq "$expected"
}
on_path() { ok "$1 on the path" grep -q " $1\$" "$tree/out/pointwise.txt"; }
off_path() { ok "$1 not on the path" test -z "$(grep " $1\$" "$tree/out/pointwise.txt")"; }
cp --remove-destination "$table" "$tree/$table"
followed 0 pointwise 'run certify' 'root main' 'beside look: only looks' 'never other: no number is that large'
prints 'pointwise: 13 lines of code on the path of a certificate (4 functions in 1 files), 0 under proof (0 %)'
for name in main bound row leaf; do on_path $name; done
for name in look glance other; do off_path $name; done
prints "  without a proof: ${program%/*} 13"
prints '; By pointwise; Of a leaf'
in_readme() { ok "README: $1" grep -qxF -- "$1" "$tmp/readme"; }
for line in before "$begin" '| certificate | `pointwise` |' '| lines of code on its path | 0 |' '| under proof | 0 % |' \
  "$end" after; do
  in_readme "$line"
done
ok 'README has the old figures no more' test -z "$(grep old "$tmp/readme")"
# compared STATUS WHAT TEXT: with $tmp/readme as it is.
compared() {
  path check
  status=$?
  ok "README with $2: exit status $1" test "$status" -eq "$1"
  prints "$3"
}
compared 0 'these figures' '13 lines of code'
sed -i 's/0 %/1 %/' "$tmp/readme"
compared 0 'a share one point off' '13 lines of code'
sed 's/1 %/2 %/' "$tmp/readme" >"$tmp/changed"
cp "$tmp/changed" "$tmp/readme"
compared 1 'another share' 'has other figures'
prints '| under proof | 0 % |'
grep -v "$end" "$tmp/changed" >"$tmp/readme"
compared 1 'no end' "has no lines '$begin' and '$end'"
cp "$tmp/changed" "$tmp/readme"
followed 1 pointwise 'run certify' 'root main' 'beside look: only looks' 'never leaf: a mistake'
prints 'leaf ran, which the table says it never does'
followed 1 pointwise 'run certify' 'root leaf' 'beside look: only looks'
prints "row of $program ran, but is not on the path"
followed 1 pointwise 'root main' 'beside nothing: a mistake'
prints 'there is no function nothing'
followed 1 mpfr 'run certify' 'root main'
prints "no link names $program, which is on the path and not proved"

# The functions of the engine mpfr without a proof are those of a section of proofs/TRUST.md, a few entries.
# listed ENTRY...: with these entries there.
listed() {
  printf '| **Entry** | %s | why | test |\n' "$@" | cat "$tmp/heading" - >"$tmp/trust"
  path record
}
silent() { ok "does not say '$1'" test -z "$(grep -F "$1" "$tmp/out")"; }
{ grep '^| \*\*' proofs/TRUST.md && grep '^## Functions of the engine mpfr without a proof' proofs/TRUST.md; } >"$tmp/heading"
printf 'mpfr %s\n' 'run certify' 'source main' 'root row' 'beside look: only looks' >"$tmp/certificates"
listed '`row`'
prints 'from the numbers to the digits: 2 functions without a proof, in 1 entries of proofs/TRUST.md'
prints "leaf of $program is not proved, and proofs/TRUST.md does not list it"
silent "row of $program is not proved"
silent "bound of $program is not proved"
listed '`row`' '`le*`'
silent 'is not proved, and proofs/TRUST.md'
silent 'which is no function without a proof'
listed '`row` `leaf`' '`bound`'
prints 'proofs/TRUST.md lists bound, which is no function without a proof on the way to the digits'
listed '`row` `leaf`' '' '' '' '' '' '' '' '' '' '' '' ''
prints 'expected at most 12'
finish
