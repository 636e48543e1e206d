#include "spectrum/attention.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/enclosure/layer_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "kernel/row/attended_keys.h"
#include "spectrum/block_output.h"
#include "spectrum/entropy.h"
#include "spectrum/matrix/folded_norm.h"
#include "spectrum/token_similarity.h"

#include <stdlib.h>

enum { ATTENTION_PRECISION = 128 };

static void each(spectrum_attention *a, void (*act)(interval *)) {
  act(&a->radius);
  act(&a->input_similarity);
  act(&a->output_similarity);
  for (int h = 0; a->head != NULL && h < a->heads; h++) {
    act(&a->head[h].mean_entropy);
    act(&a->head[h].largest_weight);
    act(&a->head[h].similarity);
    act(&a->head[h].z);
  }
}

static void init_one(interval *x) {
  interval_init(x, ATTENTION_PRECISION);
}

static attcert_status allocate(spectrum_attention *a, const attcert_layer *layer, int n, attcert_error *err) {
  const size_t heads = (size_t)layer->heads, tokens = (size_t)n;
  *a = (spectrum_attention){.tokens = n, .heads = layer->heads};
  a->head = array_new(heads, sizeof *a->head, err, "the attention of %zu heads", heads);
  a->entropy = a->head != NULL ? interval_vec_new(heads * tokens, ATTENTION_PRECISION) : NULL;
  each(a, init_one);
  if (a->head == NULL) return ATTCERT_RESOURCE;
  if (a->entropy == NULL)
    return array_out_of_memory(err, interval_vec_bytes(heads * tokens, ATTENTION_PRECISION),
                               "the entropies of %zu rows", heads * tokens);
  for (size_t h = 0; h < heads; h++) a->head[h].entropy = a->entropy + h * tokens;
  return ATTCERT_OK;
}

void spectrum_attention_clear(spectrum_attention *a) {
  each(a, interval_clear);
  interval_vec_free(a->entropy);
  free(a->head);
  *a = (spectrum_attention){0};
}

static void enclose_rows(spectrum_head_attention *head, const layer_enclosure *e, int h) {
  interval_scratch ws;
  interval tokens;
  interval_scratch_init(&ws, ATTENTION_PRECISION);
  interval_init(&tokens, ATTENTION_PRECISION);
  interval_set_si(&tokens, e->n);
  for (int i = 0; i < e->n; i++) {
    const interval *const row = e->p + layer_enclosure_row(e, h, i);
    const size_t attended = (size_t)attended_keys(e->mask, i, e->n);
    spectrum_entropy(&head->entropy[i], row, attended, &ws);
    interval_add(&head->mean_entropy, &head->mean_entropy, &head->entropy[i]);
    for (size_t j = 0; j < attended; j++) interval_max(&head->largest_weight, &head->largest_weight, &row[j]);
  }
  interval_div(&head->mean_entropy, &head->mean_entropy, &tokens, &ws);
  interval_clear(&tokens);
  interval_scratch_clear(&ws);
}

/* radius := max_i ||x_i||, and x itself as intervals. */
static void enclose_input(spectrum_attention *a, interval *points, const attcert_matrix *x) {
  const size_t n = (size_t)x->rows, d = (size_t)x->cols;
  interval_scratch ws;
  interval sum;
  interval_scratch_init(&ws, ATTENTION_PRECISION);
  interval_init(&sum, ATTENTION_PRECISION);
  for (size_t i = 0; i < n; i++) {
    for (size_t c = 0; c < d; c++) interval_set_d(&points[i * d + c], x->data[i * d + c]);
    interval_dot(&sum, points + i * d, points + i * d, d, &ws);
    interval_sqrt(&sum, &sum);
    interval_max(&a->radius, &a->radius, &sum);
  }
  interval_clear(&sum);
  interval_scratch_clear(&ws);
  spectrum_token_similarity(&a->input_similarity, points, n, d);
}

static attcert_status measure_input(spectrum_attention *a, const attcert_matrix *x, attcert_error *err) {
  const size_t count = (size_t)x->rows * (size_t)x->cols;
  interval *const points = interval_vec_new(count, ATTENTION_PRECISION);
  if (points == NULL)
    return array_out_of_memory(err, interval_vec_bytes(count, ATTENTION_PRECISION), "an input of %zu numbers", count);
  enclose_input(a, points, x);
  interval_vec_free(points);
  return ATTCERT_OK;
}

/* z = ||W||_2 / sqrt(k) R^2. */
static attcert_status enclose_z(spectrum_attention *a, const attcert_layer *layer, int h, attcert_error *err) {
  interval *const z = &a->head[h].z;
  interval t;
  interval_scratch ws;
  interval_init(&t, ATTENTION_PRECISION);
  interval_scratch_init(&ws, ATTENTION_PRECISION);
  const attcert_status status = spectrum_folded_norm(z, layer, h, NULL, err);
  interval_set_si(&t, layer->head_dim);
  interval_sqrt(&t, &t);
  interval_div(z, z, &t, &ws);
  interval_sqr(&t, &a->radius, &ws);
  interval_mul(z, z, &t, &ws);
  interval_scratch_clear(&ws);
  interval_clear(&t);
  return status;
}

static attcert_status measure_output(spectrum_attention *a, const attcert_layer *layer, const layer_enclosure *e,
                                     attcert_error *err) {
  spectrum_block_output output;
  const attcert_status status = spectrum_block_output_init(&output, layer, e, err);
  if (status != ATTCERT_OK) return status;
  const size_t n = (size_t)e->n;
  spectrum_token_similarity(&a->output_similarity, output.block, n, (size_t)layer->out_dim);
  for (int h = 0; h < a->heads; h++)
    spectrum_token_similarity(&a->head[h].similarity, output.head + (size_t)h * n * (size_t)e->head_dim, n,
                              (size_t)e->head_dim);
  spectrum_block_output_clear(&output);
  return ATTCERT_OK;
}

attcert_status spectrum_attention_enclose(spectrum_attention *a, const attcert_layer *layer, const attcert_matrix *x,
                                          attcert_error *err) {
  layer_enclosure e = {0};
  attcert_status status = allocate(a, layer, x->rows, err);
  if (status == ATTCERT_OK) status = measure_input(a, x, err);
  if (status == ATTCERT_OK) status = layer_enclosure_init(&e, layer, x, ATTENTION_PRECISION, parallel_threads(0), err);
  if (status != ATTCERT_OK) return status;
  for (int h = 0; h < a->heads; h++) enclose_rows(&a->head[h], &e, h);
  for (int h = 0; status == ATTCERT_OK && h < a->heads; h++) status = enclose_z(a, layer, h, err);
  if (status == ATTCERT_OK) status = measure_output(a, layer, &e, err);
  layer_enclosure_clear(&e);
  return status;
}
