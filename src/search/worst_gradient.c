#include "search/worst_gradient.h"

#include "kernel/linear/vector.h"
#include "kernel/row/attended_keys.h"
#include "search/worst_products.h"

/* r_ij += (ds_ij - mean_i ds)(e_ij - mean_i e). */
static void add_product_of_deviations(double *r, const worst_attention *a, const double *ds, const double *e, int h) {
  for (int i = 0; i < a->n; i++) {
    const size_t row = (size_t)i * (size_t)a->n;
    const int attended = attended_keys(a->layer->mask, i, a->n);
    const double *const p = worst_weights(a, h) + row;
    const double mean_ds = vector_dot(p, ds + row, attended), mean_e = vector_dot(p, e + row, attended);
    for (size_t j = row; j < row + (size_t)attended; j++) r[j] += (ds[j] - mean_ds) * (e[j] - mean_e);
  }
}

/* The cotangents of Q, K and V of head h, from a->along and a->channels. */
static void head_cotangents(worst_attention *a, int h) {
  double *const ds = a->square[0], *const e = a->square[1], *const l = a->square[2];
  const double scale = 1.0 / a->root;
  const worst_factor c = worst_head(a, a->channels, h), derivative = worst_square(a, l);
  const worst_factor query = worst_head(a, a->cotangent.query, h), key = worst_head(a, a->cotangent.key, h);
  worst_score_derivative(ds, a, h);
  worst_weight_cotangent(e, a, h);
  worst_softmax_derivative(l, a, ds, h);
  worst_multiply(worst_head(a, a->cotangent.value, h), 1.0, worst_transpose(derivative), c, 0.0);
  worst_softmax_derivative(l, a, e, h);
  worst_multiply(query, scale, derivative, worst_head(a, a->along.key, h), 0.0);
  worst_multiply(key, scale, worst_transpose(derivative), worst_head(a, a->along.query, h), 0.0);
  worst_multiply(derivative, 1.0, c, worst_transpose(worst_head(a, a->along.value, h)), 0.0); /* D */
  add_product_of_deviations(l, a, ds, e, h);
  worst_softmax_derivative(l, a, l, h);
  worst_multiply(query, scale, derivative, worst_head(a, a->at.key, h), 1.0);
  worst_multiply(key, scale, worst_transpose(derivative), worst_head(a, a->at.query, h), 1.0);
}

void worst_gradient(double *gradient, worst_attention *a, const double *u, const double *c) {
  worst_project(&a->along, a, u);
  worst_split_output(a, c);
  for (int h = 0; h < a->layer->heads; h++) head_cotangents(a, h);
  worst_pull_back(gradient, a, &a->cotangent);
}
