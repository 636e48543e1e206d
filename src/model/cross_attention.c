#include "model/cross_attention.h"

#include "base/arrays.h"
#include "model/format/number_format.h"
#include "model/layer_steps.h"
#include "network/arrange/step_arrange.h"
#include "network/attention/step_attention.h"

#include <stdlib.h>
#include <string.h>

const char *const cross_by_names[] = {"queries", "context", "both", NULL};

const char *const cross_by_norms[] = {"||D_X f||_2", "||D_Z f||_2", "||[D_X f, D_Z f]||_2"};

const char *const cross_by_texts[] = {"the tokens X that ask, Z is constant", "the context Z, X is constant",
                                      "the tokens X that ask and the context Z, side by side"};

/* ---- storage ----------------------------------------------------------------------------------------------------- */

/* Zeros in place of a matrix of other columns. */
static attcert_status resize(double **weight, size_t rows, size_t cols, attcert_error *err) {
  free(*weight);
  *weight = array_new(ARRAY_COUNT(rows, cols), sizeof **weight, err, "weights of %zu x %zu", rows, cols);
  return *weight != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

attcert_status cross_attention_init(cross_attention *c, int dim, int context_dim, int heads, int head_dim, int out_dim,
                                    bool biases, attcert_error *err) {
  const size_t rows = (size_t)heads * (size_t)head_dim, cols = (size_t)context_dim;
  *c = (cross_attention){.context_dim = context_dim, .divided_by = head_dim};
  attcert_status status = attcert_layer_init(&c->layer, dim, heads, head_dim, out_dim, biases, err);
  if (status != ATTCERT_OK || context_dim == dim) return status;
  status = resize(&c->layer.key_weight, rows, cols, err);
  return status == ATTCERT_OK ? resize(&c->layer.value_weight, rows, cols, err) : status;
}

void cross_attention_clear(cross_attention *c) {
  attcert_layer_clear(&c->layer);
  *c = (cross_attention){0};
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

/* As a layer of queries alone, and one of keys and values alone. */
static attcert_status check_weights(const cross_attention *c, const attcert_matrix *x, const attcert_matrix *context,
                                    attcert_error *err) {
  attcert_layer asks = c->layer, asked = c->layer;
  asks.key_weight = asks.value_weight = asks.query_weight;
  asks.key_bias = asks.value_bias = NULL;
  asked.dim = c->context_dim;
  asked.query_weight = asked.key_weight;
  asked.query_bias = asked.output_weight = asked.output_bias = NULL;
  asked.out_dim = asked.heads * asked.head_dim;
  const attcert_status status = attcert_layer_check(&asks, x, err);
  return status == ATTCERT_OK ? attcert_layer_check(&asked, context, err) : status;
}

static attcert_status check(const cross_attention *c, const attcert_matrix *x, const attcert_matrix *context,
                            attcert_error *err) {
  if (context->data == NULL || context->rows < 1)
    return attcert_fail(err, ATTCERT_INPUT, "context: no tokens, expected m x %d numbers", c->context_dim);
  if (context->cols != c->context_dim)
    return attcert_fail(err, ATTCERT_INPUT,
                        "context: tokens of dimension %d, but key.weight and value.weight expect %d", context->cols,
                        c->context_dim);
  const size_t count = (size_t)context->rows * (size_t)context->cols;
  const size_t bad = number_first_not_finite(context->data, count);
  if (bad < count)
    return attcert_fail(err, ATTCERT_INPUT, "context: entry [%zu, %zu] is %g, expected a finite number",
                        bad / (size_t)context->cols, bad % (size_t)context->cols, context->data[bad]);
  const attcert_status status = check_weights(c, x, context, err);
  if (status != ATTCERT_OK || (int64_t)x->rows + context->rows <= ATTCERT_SIDE_MAX) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%d tokens and %d of the context, expected at most %d together", x->rows,
                      context->rows, ATTCERT_SIDE_MAX);
}

/* ---- the steps --------------------------------------------------------------------------------------------------- */

/* A value of that shape: the input's rows from `first` on; first < 0: those numbers, whatever the input is. */
static int take(network_builder *b, const attcert_matrix *of, int first) {
  const size_t cols = (size_t)of->cols, count = (size_t)of->rows * cols;
  int *const from = network_new(b, count, sizeof *from);
  const double *const constant = first < 0 ? network_copy(b, of->data, count * sizeof *of->data) : NULL;
  for (size_t k = 0; k < count && from != NULL; k++)
    from[k] = first < 0 ? -1 : (int)(((size_t)first + k / cols) * (size_t)b->network->dim + k % cols);
  if (b->status != ATTCERT_OK) return 0;
  return step_arrange_add(b, 0, &(step_arrangement){of->rows, of->cols, from, constant});
}

/* Rows behind each other. */
static void copy_rows(attcert_matrix *to, int first, const attcert_matrix *of) {
  for (int i = 0; i < of->rows; i++)
    memcpy(to->data + (size_t)(first + i) * (size_t)to->cols, of->data + (size_t)i * (size_t)of->cols,
           (size_t)of->cols * sizeof *to->data);
}

attcert_status cross_attention_open(network_steps *network, attcert_matrix *moving, const cross_attention *c,
                                    cross_by by, const attcert_matrix *x, const attcert_matrix *context,
                                    attcert_error *err) {
  *network = (network_steps){0};
  *moving = (attcert_matrix){0};
  attcert_status status = check(c, x, context, err);
  if (status != ATTCERT_OK) return status;
  const bool asks = by != CROSS_CONTEXT, asked = by != CROSS_QUERIES;
  const int rows = (asks ? x->rows : 0) + (asked ? context->rows : 0);
  const int cols = !asked || (asks && x->cols > context->cols) ? x->cols : context->cols;
  status = attcert_matrix_init(moving, rows, cols, err);
  if (status != ATTCERT_OK) return status;
  if (asks) copy_rows(moving, 0, x);
  if (asked) copy_rows(moving, asks ? x->rows : 0, context);
  *network = (network_steps){.tokens = rows, .dim = cols};
  network_builder b = {.network = network, .err = err, .layer = -1};
  const int queries = by == CROSS_QUERIES ? 0 : take(&b, x, asks ? 0 : -1);
  const int keys = by == CROSS_CONTEXT ? 0 : take(&b, context, asked ? x->rows : -1);
  attention_heads heads = step_attention_plain(c->layer.heads, c->layer.head_dim);
  heads.divided_by = c->divided_by;
  layer_steps_add(&b, &c->layer, queries, keys, &heads);
  return b.status;
}
