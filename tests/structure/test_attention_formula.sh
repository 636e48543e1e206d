#!/bin/sh
# Attention's formula occurs once an arithmetic: tests/structure/formulas.txt names the files that may have its signs.
# Copies that are planted elsewhere are found.
. tests/cli/harness.sh
tree=$tmp/tree
mkdir -p "$tree/src/ROOM"

# found STATUS TEXT TABLE_LINE: what the check says of the planted tree under this table.
found() {
  printf '%s\n' "$3" >"$tmp/table"
  judged "$1" "$2" "$3" bash tests/structure/formulas "$tree" "$tmp/table"
}

# plant SIGN LINE: a file with this line in a function has the sign; as a comment or a text it has none.
plant() {
  printf 'static void f(void) {\n  %s\n}\n' "$2" >"$tree/src/ROOM/A.c"
  found 1 "src/ROOM/A.c has the sign $1 of attention" '# none'
  found 0 '' "$1 double: ROOM/A.c"
  printf 'static void f(void) {\n  /* %s */\n  puts("%s");\n}\n' "$2" "$2" >"$tree/src/ROOM/A.c"
  found 1 "src/ROOM/A.c has not the sign $1: take it off" "$1 double: ROOM/A.c"
}
plant exp 'for (int j = 0; j < n; j++) sum += p[j] = exp(p[j] - largest);'
plant exp 'interval_exp(&p[j], &p[j]);'
plant exp 'mpfr_exp(e, e, MPFR_RNDN);'
plant exp 'const range e = range_exp(below);'
plant root 's[j] = cblas_ddot(k, q, 1, keys + j * k, 1) / sqrt((double)k);'
plant root 'const double root = sqrt(at->of->divided_by);'
plant root 'interval_set_si(&t, layer->head_dim);'
plant root 'interval_div(&ds, &ds, &root, ws);'
plant root 'cblas_dscal(n, 1.0 / a->root, ds, 1);'
plant mean 'ds[j] = p[j] * (s[j] - mean);'
plant mean 'block[c] = p * (v[r] - y[r]) * g[c];'
plant mean 'interval_sub(&t, &values[j], &mean[r]);'
plant keys 'for (int j = 0; j < attended_keys(mask, i, n); j++) y[r] += p[j] * v[j * k + r];'
plant keys 'const int keys = layer->mask == ATTCERT_MASK_CAUSAL ? i + 1 : n;'

bash tests/structure/formulas . tests/structure/formulas.txt >"$tmp/out" 2>"$tmp/err"
status=$?
ok "attention's signs stand where the table lists them" test "$status" -eq 0
finish
