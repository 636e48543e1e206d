#include "ball/ball_row_norms.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/norm/interval_norm.h"

static size_t square_index(const ball_products *b, int i, int j) {
  return (size_t)i * (size_t)b->n + (size_t)j;
}

/* norm: the square root of that of the Gram matrix (P_ij P_im (v_j - y_i) . (v_m - y_i))_jm over the part. */
static attcert_status set_product(mpfr_ptr norm, interval *gram, const ball_slopes *f, ball_part part, int i,
                                  attcert_error *err) {
  const ball_products *const b = f->products;
  const int attended = attended_keys(b->mask, i, b->n);
  int size = 0, entry = 0;
  interval_scratch ws;
  interval square;
  if (attended == 1) return ATTCERT_OK;
  interval_scratch_init(&ws, b->precision);
  interval_init(&square, BALL_PRECISION);
  for (int j = 0; j < attended; j++) {
    if (!ball_part_has(part, f->region, j)) continue;
    size++;
    for (int m = 0; m < attended; m++) {
      if (!ball_part_has(part, f->region, m)) continue;
      interval *const at = &gram[entry++];
      ball_products_value_deviation(at, b, i, j, m);
      interval_mul(at, at, &b->p[square_index(b, i, j)], &ws);
      interval_mul(at, at, &b->p[square_index(b, i, m)], &ws);
    }
  }
  const attcert_status status = interval_matrix_norm(&square, gram, size, size, err);
  ball_size_root(norm, &square);
  interval_clear(&square);
  interval_scratch_clear(&ws);
  return status;
}

/* gram_il += P_ij P_lj phi_ij . phi_lj for all j: of the rows a of (a_i P_ij phi_ij)_j; with `columns` the transposed
 * one, of b in (sum_j b_j P_ij phi_ij)_i. The displacement or the other token is restricted to the part. */
static void mixed_gram(interval *gram, const ball_slopes *f, ball_part part, bool forms, bool columns,
                       ball_slopes_scratch *s) {
  const ball_products *const b = f->products;
  const ball_part of_forms = forms ? part : BALL_ALL, of_keys = forms ? BALL_ALL : part;
  for (int i = 0; i < b->n; i++) {
    for (int l = 0; l < b->n; l++) {
      interval *const sum = &gram[square_index(b, i, l)];
      interval_set_zero(sum);
      for (int j = 0; j < b->n; j++) {
        const int row = columns ? j : i, key = columns ? i : j, row2 = columns ? j : l, key2 = columns ? l : j;
        const int attended = attended_keys(b->mask, row, b->n), attended2 = attended_keys(b->mask, row2, b->n);
        if (key >= attended || key2 >= attended2 || attended == 1 || attended2 == 1) continue;
        if (!ball_part_has(of_keys, f->region, key) || !ball_part_has(of_keys, f->region, key2)) continue;
        ball_slopes_product(&s->product, f, of_forms, row, key, row2, key2, s);
        interval_mul(&s->product, &s->product, &b->p[square_index(b, row, key)], &s->ws);
        interval_fma(sum, &s->product, &b->p[square_index(b, row2, key2)], sum, &s->ws);
      }
    }
  }
}

/* The smaller of the norms that the two Gram matrices give. */
static attcert_status set_mixed(mpfr_ptr mixed, interval *gram, const ball_slopes *f, ball_part part, bool forms,
                                attcert_error *err) {
  const int n = f->products->n;
  attcert_status status = ATTCERT_OK;
  ball_slopes_scratch s;
  interval norm;
  mpfr_t root;
  ball_slopes_scratch_init(&s, f->products->precision);
  interval_init(&norm, BALL_PRECISION);
  mpfr_init2(root, BALL_PRECISION);
  mpfr_set_inf(mixed, 1);
  for (int columns = 0; columns < 2 && status == ATTCERT_OK; columns++) {
    mixed_gram(gram, f, part, forms, columns == 1, &s);
    status = interval_matrix_norm(&norm, gram, n, n, err);
    ball_size_root(root, &norm);
    mpfr_min(mixed, mixed, root, MPFR_RNDU);
  }
  mpfr_clear(root);
  interval_clear(&norm);
  ball_slopes_scratch_clear(&s);
  return status;
}

attcert_status ball_row_norms(mpfr_ptr const *product, mpfr_t *mixed, const ball_slopes *f, attcert_error *err) {
  const ball_products *const b = f->products;
  const size_t count = (size_t)b->n * (size_t)b->n;
  const ball_part moving = ball_part_distinct(BALL_MOVING, f->region);
  interval *const gram = interval_vec_new(count, b->precision);
  if (gram == NULL)
    return array_out_of_memory(err, interval_vec_bytes(count, b->precision), "a Gram matrix of side %d", b->n);
  attcert_status status = ATTCERT_OK;
  for (int at = 0; at < b->n * BALL_PARTS && status == ATTCERT_OK; at++) {
    const int i = at / BALL_PARTS, part = at % BALL_PARTS;
    status = set_product(product[part] + i, gram, f, (ball_part)part, i, err);
  }
  if (status == ATTCERT_OK) status = set_mixed(mixed[0], gram, f, moving, false, err);
  if (status == ATTCERT_OK && moving == BALL_MOVING)
    status = set_mixed(mixed[1], gram, f, moving, true, err);
  else
    mpfr_set(mixed[1], mixed[0], MPFR_RNDU);
  interval_vec_free(gram);
  return status;
}
