#include "arb_head.h"

void arb_mat_set_doubles(arb_mat_t a, const double *values) {
  for (slong i = 0; i < arb_mat_nrows(a); i++)
    for (slong j = 0; j < arb_mat_ncols(a); j++) arb_set_d(arb_mat_entry(a, i, j), values[i * arb_mat_ncols(a) + j]);
}

slong arb_head_attended_keys(const attcert_layer *layer, slong n, slong i) {
  return layer->mask == ATTCERT_MASK_CAUSAL ? i + 1 : n;
}

/* out = x weight^T + bias, a row for each token. */
static void project(arb_mat_t out, const arb_mat_t x, const arb_mat_t weight, const double *bias, slong precision) {
  arb_mat_t transposed;
  arb_mat_init(transposed, arb_mat_ncols(weight), arb_mat_nrows(weight));
  arb_mat_transpose(transposed, weight);
  arb_mat_mul(out, x, transposed, precision);
  arb_mat_clear(transposed);
  if (!bias) return;
  arb_t b;
  arb_init(b);
  for (slong i = 0; i < arb_mat_nrows(out); i++)
    for (slong r = 0; r < arb_mat_ncols(out); r++) {
      arb_set_d(b, bias[r]);
      arb_add(arb_mat_entry(out, i, r), arb_mat_entry(out, i, r), b, precision);
    }
  arb_clear(b);
}

/* s = q k^T / sqrt(head_dim) */
static void scores(arb_mat_t s, const arb_head *head, slong precision) {
  arb_mat_t transposed;
  arb_t root;
  arb_init(root);
  arb_mat_init(transposed, head->head_dim, head->n);
  arb_mat_transpose(transposed, head->k);
  arb_mat_mul(s, head->q, transposed, precision);
  arb_sqrt_ui(root, (ulong)head->head_dim, precision);
  arb_mat_scalar_div_arb(s, s, root, precision);
  arb_mat_clear(transposed);
  arb_clear(root);
}

static slong largest_midpoint(arb_srcptr s, slong count) {
  slong best = 0;
  for (slong j = 1; j < count; j++)
    if (arf_cmp(arb_midref(s + j), arb_midref(s + best)) > 0) best = j;
  return best;
}

/* p = softmax of the first `attended` scores. Softmax does not change when all scores are shifted; shifted by about the
 * largest one, no exponential is large. */
static void softmax(arb_ptr p, arb_srcptr s, slong attended, slong precision) {
  slong shift = largest_midpoint(s, attended);
  arb_t sum;
  arb_init(sum);
  for (slong j = 0; j < attended; j++) {
    if (j == shift)
      arb_one(p + j);
    else {
      arb_sub(p + j, s + j, s + shift, precision);
      arb_exp(p + j, p + j, precision);
    }
    arb_add(sum, sum, p + j, precision);
  }
  for (slong j = 0; j < attended; j++) arb_div(p + j, p + j, sum, precision);
  arb_clear(sum);
}

static void init_matrices(arb_head *head) {
  arb_mat_init(head->query_weight, head->head_dim, head->dim);
  arb_mat_init(head->key_weight, head->head_dim, head->dim);
  arb_mat_init(head->value_weight, head->head_dim, head->dim);
  arb_mat_init(head->x, head->n, head->dim);
  arb_mat_init(head->q, head->n, head->head_dim);
  arb_mat_init(head->k, head->n, head->head_dim);
  arb_mat_init(head->v, head->n, head->head_dim);
  arb_mat_init(head->y, head->n, head->head_dim);
  arb_mat_init(head->p, head->n, head->n);
}

static const double *rows_of_head(const double *bias, const arb_head *head, int h) {
  return bias ? bias + h * head->head_dim : NULL;
}

void arb_head_init(arb_head *head, const attcert_layer *layer, const attcert_matrix *x, int h, slong precision) {
  head->n = x->rows;
  head->dim = layer->dim;
  head->head_dim = layer->head_dim;
  init_matrices(head);
  slong offset = h * head->head_dim * head->dim;
  arb_mat_set_doubles(head->query_weight, layer->query_weight + offset);
  arb_mat_set_doubles(head->key_weight, layer->key_weight + offset);
  arb_mat_set_doubles(head->value_weight, layer->value_weight + offset);
  arb_mat_set_doubles(head->x, x->data);
  project(head->q, head->x, head->query_weight, rows_of_head(layer->query_bias, head, h), precision);
  project(head->k, head->x, head->key_weight, rows_of_head(layer->key_bias, head, h), precision);
  project(head->v, head->x, head->value_weight, rows_of_head(layer->value_bias, head, h), precision);

  arb_mat_t s;
  arb_mat_init(s, head->n, head->n);
  scores(s, head, precision);
  for (slong i = 0; i < head->n; i++)
    softmax(arb_mat_entry(head->p, i, 0), arb_mat_entry(s, i, 0), arb_head_attended_keys(layer, head->n, i), precision);
  arb_mat_clear(s);
  arb_mat_mul(head->y, head->p, head->v, precision);
}

void arb_head_clear(arb_head *head) {
  arb_mat_clear(head->query_weight);
  arb_mat_clear(head->key_weight);
  arb_mat_clear(head->value_weight);
  arb_mat_clear(head->x);
  arb_mat_clear(head->q);
  arb_mat_clear(head->k);
  arb_mat_clear(head->v);
  arb_mat_clear(head->y);
  arb_mat_clear(head->p);
}
