#include "theory/heads/heads_theory.h"

#include "base/arrays.h"
#include "base/byte_text.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/blas/blas_probe.h"
#include "theory/ball_table.h"
#include "theory/heads/heads_ball.h"
#include "theory/heads/heads_pointwise.h"
#include "theory/heads/heads_spread.h"
#include "theory/product_norm.h"
#include "theory/table_entry.h"

#include <math.h>
#include <stdio.h>

typedef struct {
  heads_layer layer;
  heads_norms norms;
  heads_input in;
  interval *column_sum, *pointwise, *spread; /* [heads], at x; of T6 and T7 */
  const char *no_pointwise;                  /* why there is no T6; NULL: there is */
} subject;

static attcert_status set_head(ball_head *head, const void *of, int h, const token_ball *at, ball_scratch *s,
                               attcert_error *err) {
  const subject *const t = of;
  return heads_ball_set(head, &t->layer, &t->norms, h, at, s, err);
}

static void column_sum(interval *largest, const void *of, int h) {
  interval_set(largest, &((const subject *)of)->column_sum[h]);
}

/* What needs the weights of each head at x. */
static attcert_status go_through_heads(subject *t, const attcert_matrix *x, int threads, attcert_error *err) {
  interval tokens;
  interval_init(&tokens, THEORY_PRECISION);
  attcert_status status = product_norm_plain(&tokens, x->data, x->rows, x->cols, err);
  for (int h = 0; h < t->layer.of->heads && status == ATTCERT_OK; h++) {
    heads_input_set_head(&t->in, h);
    heads_input_column_sum(&t->column_sum[h], &t->in);
    status = heads_spread(&t->spread[h], &t->in, &t->norms, h, &tokens, err);
    if (status == ATTCERT_OK && t->no_pointwise == NULL)
      status = heads_pointwise(&t->pointwise[h], &t->in, h, threads, err);
  }
  interval_clear(&tokens);
  return status;
}

static void set_pointwise(theory_bound *entry, const interval *head, const subject *t) {
  interval combined;
  interval_init(&combined, THEORY_PRECISION);
  layer_norms_combine_heads(&combined, head, &t->norms.of);
  table_entry_set(entry, &combined);
  snprintf(entry->applies, sizeof entry->applies, "this input");
  interval_clear(&combined);
}

static attcert_status fill(theory_table *table, const subject *t, const attcert_matrix *x, double radius,
                           attcert_error *err) {
  attcert_mask mask;
  const bool windowed = !heads_ball_has_mask(&mask, &t->layer), masked = mask == ATTCERT_MASK_CAUSAL;
  const attention_pair_lists *const pairs = t->layer.of->pairs;
  const bool listed = pairs != NULL && pairs->lists > 0, paired = pairs != NULL && pairs->biases > 0;
  const char *const window = listed ? "holds for all keys or the causal mask only, not for a mask of pairs"
                                    : "holds without a window only; under one T4 does not grow with n";
  const ball_subject ball = {
      .x = x,
      .norms = &t->norms.of,
      .radius = radius,
      .not_t2 = windowed ? window
                : masked ? "holds without a mask only, see T5"
                         : NULL,
      .not_t5 = windowed ? window
                : masked ? NULL
                         : "holds under the causal mask only, see T2",
      /* biases and turned keys are known for the offsets of n tokens */
      .any_tokens = t->layer.of->bias == NULL && !paired &&
                    (heads_layer_is_normed(&t->layer) || heads_layer_is_bilinear(&t->layer)),
      .set_head = set_head,
      .column_sum = column_sum,
      .of = t,
  };
  const attcert_status status = ball_table_fill(table->bound, &ball, err);
  if (status != ATTCERT_OK) return status;
  set_pointwise(&table->bound[THEORY_T7], t->spread, t);
  if (t->no_pointwise == NULL)
    set_pointwise(&table->bound[THEORY_T6], t->pointwise, t);
  else
    table_entry_refuse(&table->bound[THEORY_T6], t->no_pointwise);
  table_entry_refuse(&table->bound[THEORY_T3], "its inputs are for plain heads");
  table_entry_refuse(&table->bound[THEORY_T10], "its inputs are for plain heads");
  return ATTCERT_OK;
}

static attcert_status evaluate(theory_table *table, subject *t, const attcert_matrix *x, double radius, int threads,
                               attcert_error *err) {
  const size_t heads = (size_t)t->layer.of->heads;
  interval *const all = interval_vec_new(3 * heads, THEORY_PRECISION);
  if (all == NULL)
    return array_out_of_memory(err, interval_vec_bytes(3 * heads, THEORY_PRECISION), "bounds of %zu heads", heads);
  t->column_sum = all;
  t->pointwise = all + heads;
  t->spread = all + 2 * heads;
  t->no_pointwise = heads_pointwise_refusal(&t->layer);
  attcert_status status = heads_norms_init(&t->norms, &t->layer, err);
  if (status == ATTCERT_OK) {
    status = heads_input_init(&t->in, &t->layer, x, err);
    if (status == ATTCERT_OK) status = go_through_heads(t, x, threads, err);
    if (status == ATTCERT_OK) status = fill(table, t, x, radius, err);
    heads_input_clear(&t->in);
    heads_norms_clear(&t->norms);
  }
  interval_vec_free(all);
  return status;
}

/* Before it is allocated. */
static attcert_status check_memory(const heads_layer *layer, uint64_t limit, attcert_error *err) {
  char needed[BYTE_TEXT_SIZE], may[BYTE_TEXT_SIZE];
  const uint64_t bytes = heads_input_bytes(layer);
  if (limit == 0 || bytes <= limit) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "theory bounds: the layer in intervals needs %s, the limit is %s",
                      byte_text(needed, bytes), byte_text(may, limit));
}

attcert_status heads_theory_evaluate(theory_table *table, const network_steps *network, const attcert_matrix *x,
                                     double radius, const attcert_options *options, attcert_error *err) {
  subject t = {.no_pointwise = NULL};
  const char *const reason = heads_layer_read(&t.layer, network);
  if (reason != NULL) return attcert_fail(err, ATTCERT_RESOURCE, "%s", reason);
  if (!(radius >= 0 && radius < INFINITY))
    return attcert_fail(err, ATTCERT_INPUT, "radius %g, expected a positive number, or 0 for what holds the tokens",
                        radius);
  for (int i = 0; i < THEORY_COUNT; i++) table->bound[i].available = false;
  attcert_status status = check_memory(&t.layer, options->memory_limit, err);
  if (status == ATTCERT_OK) status = blas_probe_once(err);
  return status == ATTCERT_OK ? evaluate(table, &t, x, radius, options->threads, err) : status;
}
