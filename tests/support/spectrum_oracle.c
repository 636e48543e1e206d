#include "spectrum_oracle.h"

#include <stdio.h>

static void set_factor(arb_mat_t m, const double *weight, const double *gain, slong k, slong d) {
  arb_t g;
  arb_init(g);
  for (slong r = 0; r < k; r++) {
    for (slong c = 0; c < d; c++) {
      arb_set_d(arb_mat_entry(m, r, c), weight[r * d + c]);
      arb_set_d(g, gain != NULL ? gain[c] : 1.0);
      arb_mul(arb_mat_entry(m, r, c), arb_mat_entry(m, r, c), g, ARF_PREC_EXACT);
    }
  }
  arb_clear(g);
}

/* Q and K of the head, k x d, exact. */
static void factors_init(arb_mat_t q, arb_mat_t k, const attcert_layer *layer, int h, const double *gain) {
  const slong rows = layer->head_dim, d = layer->dim;
  arb_mat_init(q, rows, d);
  arb_mat_init(k, rows, d);
  set_factor(q, layer->query_weight + h * rows * d, gain, rows, d);
  set_factor(k, layer->key_weight + h * rows * d, gain, rows, d);
}

static void product(arb_mat_t out, const arb_mat_t a, const arb_mat_t b, bool first_transposed) {
  arb_mat_t t;
  arb_mat_init(t, first_transposed ? arb_mat_ncols(a) : arb_mat_ncols(b),
               first_transposed ? arb_mat_nrows(a) : arb_mat_nrows(b));
  arb_mat_transpose(t, first_transposed ? a : b);
  if (first_transposed)
    arb_mat_mul_classical(out, t, b, ARF_PREC_EXACT);
  else
    arb_mat_mul_classical(out, a, t, ARF_PREC_EXACT);
  arb_mat_clear(t);
}

void spectrum_oracle_matrix(arb_mat_t w, const attcert_layer *layer, int h, const double *gain) {
  arb_mat_t q, k;
  factors_init(q, k, layer, h, gain);
  product(w, q, k, true);
  arb_mat_clear(q);
  arb_mat_clear(k);
}

bool spectrum_oracle_eigenvalues(acb_ptr values, const attcert_layer *layer, int h, const double *gain, slong bits) {
  const slong d = layer->dim, side = layer->head_dim < layer->dim ? layer->head_dim : layer->dim;
  arb_mat_t q, k, small;
  acb_mat_t matrix;
  arb_mat_init(small, side, side);
  acb_mat_init(matrix, side, side);
  factors_init(q, k, layer, h, gain);
  product(small, layer->head_dim < layer->dim ? k : q, layer->head_dim < layer->dim ? q : k,
          layer->head_dim >= layer->dim);
  acb_mat_set_arb_mat(matrix, small);
  const bool found = acb_mat_approx_eig_qr(values, NULL, NULL, matrix, NULL, 0, bits) != 0;
  for (slong i = side; i < d; i++) acb_zero(values + i);
  arb_mat_clear(q);
  arb_mat_clear(k);
  arb_mat_clear(small);
  acb_mat_clear(matrix);
  return found;
}

/* Whether |value - centre| <= radius + slack, as far as can be told. */
static bool is_inside(const spectrum_disc *disc, const acb_t value, const arf_t slack) {
  const slong bits = 4096;
  acb_t offset;
  arb_t distance, reach;
  acb_init(offset);
  arb_init(distance);
  arb_init(reach);
  arf_set_mpfr(arb_midref(acb_realref(offset)), disc->re);
  arf_set_mpfr(arb_midref(acb_imagref(offset)), disc->im);
  arf_set_mpfr(arb_midref(reach), disc->radius);
  acb_sub(offset, offset, value, bits);
  acb_abs(distance, offset, bits);
  arb_add_arf(reach, reach, slack, bits);
  const bool inside = !arb_gt(distance, reach);
  acb_clear(offset);
  arb_clear(distance);
  arb_clear(reach);
  return inside;
}

static bool check_disc(const spectrum_eigenvalues *e, int i, acb_srcptr values, int d, const arf_t slack) {
  int inside = 0;
  for (int j = 0; j < d; j++) inside += is_inside(&e->disc[i], values + j, slack);
  if (inside == e->disc[i].multiplicity) return true;
  mpfr_printf("disc %d, (%.17Rg, %.17Rg) within %.3Rg, holds %d eigenvalues, not %d\n", i, e->disc[i].re, e->disc[i].im,
              e->disc[i].radius, inside, e->disc[i].multiplicity);
  return false;
}

bool spectrum_oracle_agrees(const spectrum_eigenvalues *e, acb_srcptr values, int d, const arf_t slack) {
  int sum = 0;
  bool agrees = true;
  for (int i = 0; i < e->count; i++) {
    sum += e->disc[i].multiplicity;
    agrees = check_disc(e, i, values, d, slack) && agrees;
    for (int j = 0; j < i; j++) {
      if (!spectrum_disc_meets(&e->disc[i], &e->disc[j])) continue;
      printf("discs %d and %d meet\n", j, i);
      agrees = false;
    }
  }
  if (sum != d) printf("the multiplicities add up to %d, not %d\n", sum, d);
  return agrees && sum == d;
}

bool spectrum_oracle_contains(const char *name, const interval *a, const arb_t x) {
  arb_t end;
  arb_init(end);
  arf_set_mpfr(arb_midref(end), a->lo);
  bool contains = !arb_lt(x, end);
  arf_set_mpfr(arb_midref(end), a->hi);
  contains = contains && !arb_gt(x, end);
  if (!contains) {
    mpfr_printf("%s: [%.30Rg, %.30Rg] misses ", name, a->lo, a->hi);
    arb_printn(x, 30, 0);
    puts("");
  }
  arb_clear(end);
  return contains;
}
