#include "planted_spectrum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double *entry(planted_matrix *p, int i, int j) {
  return &p->matrix[i * p->side + j];
}

/* The block from row `first` on; returns the row behind it. A pair of conjugates is [C I; 0 C ...], C = [a b; -b a]. */
static int plant(planted_matrix *p, const planted_block *b, int first) {
  const int step = b->im != 0 ? 2 : 1;
  for (int s = 0; s < b->size; s++) {
    const int at = first + s * step;
    for (int c = 0; c < step; c++) {
      *entry(p, at + c, at + c) = b->re;
      if (s + 1 < b->size) *entry(p, at + c, at + step + c) = 1;
      acb_set_si_si(&p->value[at + c], b->re, c == 0 ? b->im : -b->im);
    }
    if (step == 2) *entry(p, at, at + 1) = b->im;
    if (step == 2) *entry(p, at + 1, at) = -b->im;
  }
  return first + b->size * step;
}

/* Row i += c row j, then column j -= c column i: a similarity by an integer matrix. Refused where numbers get large. */
static void mix(planted_matrix *p, int i, int j, int c) {
  double changed[PLANTED_SIDE * PLANTED_SIDE];
  const int n = p->side;
  for (int a = 0; a < n * n; a++) changed[a] = p->matrix[a];
  for (int a = 0; a < n; a++) changed[i * n + a] += c * changed[j * n + a];
  for (int a = 0; a < n; a++) changed[a * n + j] -= c * changed[a * n + i];
  for (int a = 0; a < n * n; a++) {
    if (fabs(changed[a]) > 0x1p40) return;
  }
  for (int a = 0; a < n * n; a++) p->matrix[a] = changed[a];
}

void planted_matrix_init(planted_matrix *p, const planted_block *blocks, int count, int above, int mixing,
                         random_source *r) {
  *p = (planted_matrix){0};
  for (int i = 0; i < count; i++) p->side += blocks[i].size * (blocks[i].im != 0 ? 2 : 1);
  assert_true(p->side <= PLANTED_SIDE);
  for (int i = 0; i < p->side; i++) acb_init(&p->value[i]);
  int row = 0;
  for (int i = 0; i < count; i++) {
    row = plant(p, &blocks[i], row);
    for (int j = row; j < p->side; j++) *entry(p, row - 1, j) = above;
  }
  for (int step = random_integer(r, 0, mixing); p->side > 1 && step > 0; step--) {
    const int i = random_integer(r, 0, p->side - 1), j = random_integer(r, 0, p->side - 2);
    mix(p, i, j + (j >= i), random_chance(r, 0.5) ? 1 : -1);
  }
}

void planted_matrix_clear(planted_matrix *p) {
  for (int i = 0; i < p->side; i++) acb_clear(&p->value[i]);
}

void planted_head_init(attcert_layer *layer, acb_ptr values, const planted_matrix *p, const planted_head *head) {
  const int side = p->side, d = side + (head->wide ? 0 : head->more), k = side + (head->wide ? head->more : 0);
  assert_int_equal(attcert_layer_init(layer, d, 1, k, 0, false, NULL), ATTCERT_OK);
  for (int i = 0; i < side; i++) {
    /* k <= d: K Q^T = B; k > d: Q^T K = B */
    layer->query_weight[i * d + i] = ldexp(1.0, head->query);
    for (int j = 0; j < side; j++) layer->key_weight[i * d + j] = ldexp(p->matrix[i * side + j], head->key);
  }
  for (int i = 0; i < d; i++) {
    acb_zero(values + i);
    if (i < side) acb_mul_2exp_si(values + i, &p->value[i], head->query + head->key);
  }
}
