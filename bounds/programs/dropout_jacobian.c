/* As attention's own Jacobian (certify/enclosure/jacobian_enclosure.h) with the values m_ij (v_j + b_V), which differ
 * from row to row; only P_il m_il V has another shape, and is added apart. */
#include "dropout_jacobian.h"

#include "base/gaussian.h"
#include "certify/enclosure/attention_enclosure.h"
#include "certify/enclosure/jacobian_enclosure.h"
#include "certify/explicit/transposed_weight.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "kernel/row/attended_keys.h"

void dropout_draw(bool *kept, int n, uint64_t seed) {
  static const double tenth = -1.2815515655446004; /* a standard normal number is below it with probability 1/10 */
  const uint64_t stream = gaussian_stream("dropout of attention weights");
  for (size_t i = 0; i < (size_t)n * (size_t)n; i++) {
    double z;
    gaussian_fill(&z, seed, stream, i, 1);
    kept[i] = z >= tenth;
  }
}

typedef struct {
  const attcert_layer *head;
  const layer_enclosure *e;
  const bool *kept;
  interval *values; /* [n][k]: m_ij (v_j + b_V) of the row at work */
  interval *mean;   /* [k]: y_i */
  interval *g;      /* [d] */
  interval *h;      /* [n][d] */
  interval *zero;   /* [d] */
  interval *row;    /* [n][d]: one row of J */
  point *keys, *queries;
  interval root, scale, t; /* sqrt(k), 10/9 */
  interval_scratch ws;
} dropout;

static void score_gradients(dropout *a) {
  const size_t n = (size_t)a->e->n, k = (size_t)a->e->head_dim, d = (size_t)a->e->dim;
  for (size_t i = 0; i < n; i++)
    gradient_enclosure(a->h + i * d, a->e->k + i * k, a->queries, &a->root, (int)k, (int)d, &a->ws);
}

static attcert_status dropout_init(dropout *a, attcert_error *err) {
  const layer_enclosure *const e = a->e;
  const size_t n = (size_t)e->n, k = (size_t)e->head_dim, d = (size_t)e->dim;
  a->values = interval_vec_new(n * k + k + d + n * d + d + n * d, e->precision);
  a->keys = point_vec_new(2 * k * d, e->precision);
  interval_init(&a->root, e->precision);
  interval_init(&a->scale, e->precision);
  interval_init(&a->t, e->precision);
  interval_scratch_init(&a->ws, e->precision);
  if (a->values == NULL || a->keys == NULL)
    return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a head of %d tokens in intervals", e->n);
  a->mean = a->values + n * k, a->g = a->mean + k, a->h = a->g + d, a->zero = a->h + n * d, a->row = a->zero + d;
  a->queries = a->keys + k * d;
  transposed_weight_load(a->keys, a->head->key_weight, 1, e->head_dim, e->dim);
  transposed_weight_load(a->queries, a->head->query_weight, 1, e->head_dim, e->dim);
  layer_enclosure_root(&a->root, e);
  interval_set_si(&a->scale, 10);
  interval_set_si(&a->t, 9);
  interval_div(&a->scale, &a->scale, &a->t, &a->ws);
  score_gradients(a);
  return ATTCERT_OK;
}

static void dropout_clear(dropout *a) {
  interval_vec_free(a->values);
  point_vec_free(a->keys);
  interval_clear(&a->root);
  interval_clear(&a->scale);
  interval_clear(&a->t);
  interval_scratch_clear(&a->ws);
}

/* values, mean and g of row i. */
static void prepare_row(dropout *a, int i) {
  const layer_enclosure *const e = a->e;
  const size_t n = (size_t)e->n, k = (size_t)e->head_dim;
  for (size_t j = 0; j < n; j++) {
    for (size_t r = 0; r < k; r++) {
      interval *const value = &a->values[j * k + r];
      interval_set_d(value, a->head->value_bias != NULL ? a->head->value_bias[r] : 0.0);
      interval_add(value, value, &e->v[j * k + r]);
      if (a->kept[(size_t)i * n + j])
        interval_mul(value, value, &a->scale, &a->ws);
      else
        interval_set_zero(value);
    }
  }
  const int attended = attended_keys(e->mask, i, e->n);
  mean_enclosure(a->mean, e->p + layer_enclosure_row(e, 0, i), a->values, attended, e->head_dim, &a->ws);
  gradient_enclosure(a->g, e->q + (size_t)i * k, a->keys, &a->root, e->head_dim, e->dim, &a->ws);
}

/* row[l] := P_il m_il (row r of V), for every l. */
static void weighted_values(dropout *a, int i, int r) {
  const size_t n = (size_t)a->e->n, d = (size_t)a->e->dim;
  const interval *const p = a->e->p + layer_enclosure_row(a->e, 0, i);
  for (size_t l = 0; l < n; l++) {
    for (size_t c = 0; c < d; c++) {
      interval *const entry = &a->row[l * d + c];
      interval_set_zero(entry);
      if (!a->kept[(size_t)i * n + l]) continue;
      interval_set_d(&a->t, a->head->value_weight[(size_t)r * d + c]);
      interval_mul(&a->t, &a->t, &a->scale, &a->ws);
      interval_mul(entry, &p[l], &a->t, &a->ws);
    }
  }
}

/* The rows of token i. */
static void fill_token(jacobian_midpoint *j, mpfr_t sum, dropout *a, int i) {
  const layer_enclosure *const e = a->e;
  prepare_row(a, i);
  for (int r = 0; r < e->head_dim; r++) {
    weighted_values(a, i, r);
    const jacobian_row row = {.n = attended_keys(e->mask, i, e->n),
                              .k = e->head_dim,
                              .d = e->dim,
                              .i = i,
                              .r = r,
                              .p = e->p + layer_enclosure_row(e, 0, i),
                              .values = a->values,
                              .mean = &a->mean[r],
                              .weight = a->zero,
                              .g = a->g,
                              .h = a->h};
    jacobian_row_add(a->row, row, &a->t, &a->ws);
    jacobian_midpoint_put_row(j, sum, i * e->head_dim + r, 0, a->row, e->n * e->dim, &a->ws);
  }
}

attcert_status dropout_jacobian(jacobian_midpoint *j, const attcert_layer *head, const layer_enclosure *e,
                                const bool *kept, attcert_error *err) {
  dropout a = {.head = head, .e = e, .kept = kept};
  mpfr_t sum, nothing;
  mpfr_inits2(64, sum, nothing, (mpfr_ptr)0);
  mpfr_set_zero(sum, 1);
  mpfr_set_zero(nothing, 1);
  attcert_status status = jacobian_midpoint_init(j, e->n * e->head_dim, e->n * e->dim, err);
  if (status == ATTCERT_OK) {
    status = dropout_init(&a, err);
    for (int i = 0; i < e->n && status == ATTCERT_OK; i++) fill_token(j, sum, &a, i);
    dropout_clear(&a);
  }
  if (status == ATTCERT_OK) jacobian_midpoint_finish(j, sum, nothing);
  mpfr_clears(sum, nothing, (mpfr_ptr)0);
  return status;
}
