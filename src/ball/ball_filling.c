#include "ball/ball_filling.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/interval_norm.h"

static int attended_by(const ball_geometry *g, int i) {
  return attended_keys(g->mask, i, g->n);
}

static bool in_part(const ball_geometry *g, ball_part part, int token) {
  return part == BALL_ALL || ball_region_moves(g->region, token);
}

static size_t square_index(const ball_geometry *g, int i, int j) {
  return (size_t)i * (size_t)g->n + (size_t)j;
}

/* product_i: the square root of the norm of the Gram matrix (P_ij P_im (v_j - y_i) . (v_m - y_i))_jm. */
static attcert_status set_product(ball_geometry *g, const ball_products *b, interval *gram, int i, attcert_error *err) {
  const int attended = attended_by(g, i);
  attcert_status status = ATTCERT_OK;
  interval_scratch ws;
  interval norm;
  interval_scratch_init(&ws, b->precision);
  interval_init(&norm, BALL_PRECISION);
  for (int part = 0; part < BALL_PARTS && status == ATTCERT_OK && attended > 1; part++) {
    int size = 0, entry = 0;
    for (int j = 0; j < attended; j++) size += in_part(g, (ball_part)part, j) ? 1 : 0;
    for (int j = 0; j < attended; j++) {
      for (int m = 0; m < attended; m++) {
        if (!in_part(g, (ball_part)part, j) || !in_part(g, (ball_part)part, m)) continue;
        interval *const at = &gram[entry++];
        ball_products_value_deviation(at, b, i, j, m);
        interval_mul(at, at, &b->p[square_index(g, i, j)], &ws);
        interval_mul(at, at, &b->p[square_index(g, i, m)], &ws);
      }
    }
    status = interval_matrix_norm(&norm, gram, size, size, err);
    ball_root_upward(g->product[part] + i, &norm);
  }
  interval_clear(&norm);
  interval_scratch_clear(&ws);
  return status;
}

/* gram_il += P_ij P_lj phi_ij . phi_lj for all j: of the rows a of (a_i P_ij phi_ij)_j; with `columns` the transposed
 * one, of b in (sum_j b_j P_ij phi_ij)_i. The displacement or the other token is restricted to the part. */
static void mixed_gram(interval *gram, const ball_filling *f, ball_part part, bool forms, bool columns,
                       ball_slopes_scratch *s) {
  const ball_geometry *const g = f->g;
  const interval *const p = f->slopes->products->p;
  const ball_part of_forms = forms ? part : BALL_ALL, of_keys = forms ? BALL_ALL : part;
  for (int i = 0; i < g->n; i++) {
    for (int l = 0; l < g->n; l++) {
      interval *const sum = &gram[square_index(g, i, l)];
      interval_set_zero(sum);
      for (int j = 0; j < g->n; j++) {
        const int row = columns ? j : i, key = columns ? i : j, row2 = columns ? j : l, key2 = columns ? l : j;
        if (key >= attended_by(g, row) || key2 >= attended_by(g, row2)) continue;
        if (attended_by(g, row) == 1 || attended_by(g, row2) == 1) continue;
        if (!in_part(g, of_keys, key) || !in_part(g, of_keys, key2)) continue;
        ball_slopes_product(&s->product, f->slopes, of_forms, row, key, row2, key2, s);
        interval_mul(&s->product, &s->product, &p[square_index(g, row, key)], &s->ws);
        interval_fma(sum, &s->product, &p[square_index(g, row2, key2)], sum, &s->ws);
      }
    }
  }
}

/* The smaller of the norms that the two Gram matrices give. */
static attcert_status set_mixed(const ball_filling *f, interval *gram, ball_part part, bool forms, attcert_error *err) {
  ball_geometry *const g = f->g;
  attcert_status status = ATTCERT_OK;
  ball_slopes_scratch s;
  interval norm;
  mpfr_t root;
  ball_slopes_scratch_init(&s, f->slopes->products->precision);
  interval_init(&norm, BALL_PRECISION);
  mpfr_init2(root, BALL_PRECISION);
  mpfr_set_inf(g->mixed[forms], 1);
  for (int columns = 0; columns < 2 && status == ATTCERT_OK; columns++) {
    mixed_gram(gram, f, part, forms, columns == 1, &s);
    status = interval_matrix_norm(&norm, gram, g->n, g->n, err);
    ball_root_upward(root, &norm);
    mpfr_min(g->mixed[forms], g->mixed[forms], root, MPFR_RNDU);
  }
  mpfr_clear(root);
  interval_clear(&norm);
  ball_slopes_scratch_clear(&s);
  return status;
}

attcert_status ball_filling_norms(const ball_filling *f, attcert_error *err) {
  ball_geometry *const g = f->g;
  const size_t count = (size_t)g->n * (size_t)g->n;
  const ball_products *const b = f->slopes->products;
  interval *const gram = interval_vec_new(count, b->precision);
  if (gram == NULL)
    return array_out_of_memory(err, interval_vec_bytes(count, b->precision), "a Gram matrix of side %d", g->n);
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < g->n && status == ATTCERT_OK; i++) status = set_product(g, b, gram, i, err);
  const ball_part moving = ball_geometry_part(g, BALL_MOVING);
  if (status == ATTCERT_OK) status = set_mixed(f, gram, moving, false, err);
  if (status == ATTCERT_OK && moving == BALL_MOVING)
    status = set_mixed(f, gram, moving, true, err);
  else
    mpfr_set(g->mixed[1], g->mixed[0], MPFR_RNDU);
  interval_vec_free(gram);
  return status;
}
