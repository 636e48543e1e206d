/* A problem's arrays by name. */
#include "api/problem.h"

#include "api/tokens_handle.h"
#include "model/layer_steps.h"
#include "run/run_layer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[PROBLEM_ARRAYS] = {"input",        "query.weight",  "key.weight",
                                                  "value.weight", "output.weight", "query.bias",
                                                  "key.bias",     "value.bias",    "output.bias"};

static const char score_bias[] = "score.bias", context_name[] = "context";

attcert_problem *attcert_problem_new(void) {
  attcert_problem *const p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;
  p->heads = 1;
  p->head = REPORT_WHOLE_LAYER;
  return p;
}

void attcert_problem_free(attcert_problem *p) {
  if (p == NULL) return;
  attcert_layer_clear(&p->loaded);
  attcert_matrix_clear(&p->loaded_input);
  subject_clear(&p->layer_subject);
  token_list_clear(&p->tokens);
  free(p->layer_name);
  free(p->input_name);
  free(p);
}

static attcert_status refuse_null(attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT, "problem: NULL, expected an attcert_problem");
}

static attcert_status check_sides(const char *name, size_t rows, size_t cols, attcert_error *err) {
  if (rows >= 1 && cols >= 1 && rows <= ATTCERT_SIDE_MAX && cols <= ATTCERT_SIDE_MAX) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %zu x %zu numbers, expected sides from 1 to %d", name, rows, cols,
                      ATTCERT_SIDE_MAX);
}

attcert_status attcert_problem_set_array(attcert_problem *p, const char *name, const double *data, size_t rows,
                                         size_t cols, attcert_error *err) {
  int i = 0;
  if (p == NULL) return refuse_null(err);
  const bool of_scores = name != NULL && strcmp(name, score_bias) == 0;
  const bool of_context = name != NULL && strcmp(name, context_name) == 0;
  while (!of_scores && !of_context && i < PROBLEM_ARRAYS && (name == NULL || strcmp(name, names[i]) != 0)) i++;
  if (i == PROBLEM_ARRAYS)
    return attcert_fail(
        err, ATTCERT_INPUT,
        "array '%s' is none of a layer, expected 'input', 'context', 'score.bias', or 'query.', 'key.', 'value.' or "
        "'output.' with 'weight' or 'bias'",
        name != NULL ? name : "NULL");
  if (data != NULL && check_sides(name, rows, cols, err) != ATTCERT_OK) return ATTCERT_INPUT;
  problem_numbers *const to = of_scores ? &p->score_bias : of_context ? &p->context : &p->array[i];
  *to = (problem_numbers){data, data != NULL ? rows : 0, data != NULL ? cols : 0};
  if (to == &p->array[PROBLEM_INPUT]) {
    free(p->input_name);
    p->input_name = NULL;
    token_list_clear(&p->tokens);
  }
  return ATTCERT_OK;
}

attcert_status attcert_problem_set_heads(attcert_problem *p, size_t heads, attcert_error *err) {
  if (p == NULL) return refuse_null(err);
  if (heads < 1 || heads > ATTCERT_SIDE_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "heads: %zu, expected 1 to %d", heads, ATTCERT_SIDE_MAX);
  p->heads = heads;
  return ATTCERT_OK;
}

attcert_status attcert_problem_set_tokens(attcert_problem *p, const attcert_tokens *tokens, attcert_error *err) {
  if (p == NULL) return refuse_null(err);
  return tokens_handle_copy(&p->tokens, tokens, p->array[PROBLEM_INPUT].rows, err);
}

attcert_status attcert_problem_set_mask(attcert_problem *p, const char *mask, attcert_error *err) {
  if (p == NULL) return refuse_null(err);
  for (attcert_mask m = ATTCERT_MASK_NONE; mask != NULL && m <= ATTCERT_MASK_CAUSAL; m++) {
    if (strcmp(mask, subject_mask_name(m)) != 0) continue;
    p->mask = m;
    return ATTCERT_OK;
  }
  return attcert_fail(err, ATTCERT_INPUT, "mask: expected none or causal, got '%s'", mask != NULL ? mask : "NULL");
}

attcert_status attcert_problem_set_by(attcert_problem *p, const char *by, attcert_error *err) {
  if (p == NULL) return refuse_null(err);
  for (cross_by way = CROSS_QUERIES; by != NULL && way < CROSS_WAYS; way++) {
    if (strcmp(by, cross_by_names[way]) != 0) continue;
    p->by = way;
    return ATTCERT_OK;
  }
  return attcert_fail(err, ATTCERT_INPUT, "by: expected queries, context or both, got '%s'", by != NULL ? by : "NULL");
}

attcert_status attcert_problem_set_head(attcert_problem *p, int head, attcert_error *err) {
  if (p == NULL) return refuse_null(err);
  if (head < REPORT_WHOLE_LAYER)
    return attcert_fail(err, ATTCERT_INPUT, "head: %d, expected -1 for the whole layer, or the index of a head", head);
  p->head = head;
  return ATTCERT_OK;
}

/* ---- as the certifier takes it ----------------------------------------------------------------------------------- */

problem_numbers problem_shape(problem_array i, const attcert_layer *l) {
  const size_t rows = (size_t)l->heads * (size_t)l->head_dim;
  const bool output = i == PROBLEM_OUTPUT_WEIGHT || i == PROBLEM_OUTPUT_BIAS, bias = i >= PROBLEM_QUERY_BIAS;
  return (problem_numbers){NULL, output ? (size_t)l->out_dim : rows, bias ? 1 : output ? rows : (size_t)l->dim};
}

double **problem_member(attcert_layer *l, problem_array i) {
  double **const members[PROBLEM_ARRAYS] = {
      NULL,           &l->query_weight, &l->key_weight, &l->value_weight, &l->output_weight,
      &l->query_bias, &l->key_bias,     &l->value_bias, &l->output_bias};
  return members[i];
}

/* The arrays as the struct has them; nothing writes through it. */
static attcert_layer layer_of(const attcert_problem *p) {
  const problem_numbers *const query = &p->array[PROBLEM_QUERY_WEIGHT], *const out = &p->array[PROBLEM_OUTPUT_WEIGHT];
  attcert_layer layer = {.dim = (int)query->cols,
                         .heads = (int)p->heads,
                         .head_dim = (int)(query->rows / p->heads),
                         .out_dim = (int)(out->data != NULL ? out->rows : query->rows),
                         .mask = p->mask};
  for (problem_array i = PROBLEM_QUERY_WEIGHT; i < PROBLEM_ARRAYS; i++)
    *problem_member(&layer, i) = (double *)p->array[i].data;
  return layer;
}

int attcert_problem_size(const attcert_problem *p, const char *name) {
  const attcert_layer l = layer_of(p);
  const bool whole = p->head == REPORT_WHOLE_LAYER;
  const struct {
    const char *name;
    int size;
  } sizes[] = {{"tokens", (int)p->array[PROBLEM_INPUT].rows},
               {"dim", l.dim},
               {"heads", l.query_weight == NULL ? 0
                         : whole                ? l.heads
                                                : 1},
               {"head_dim", l.head_dim},
               {"out_dim", whole ? l.out_dim : l.head_dim}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    if (strcmp(name, sizes[i].name) == 0) return sizes[i].size;
  }
  return -1;
}

static attcert_status check_shapes(const attcert_problem *p, attcert_error *err) {
  const problem_numbers *const a = p->array;
  if (a[PROBLEM_INPUT].data == NULL) return attcert_fail(err, ATTCERT_INPUT, "no input is set: expected n x d numbers");
  if (a[PROBLEM_QUERY_WEIGHT].data == NULL || a[PROBLEM_KEY_WEIGHT].data == NULL ||
      a[PROBLEM_VALUE_WEIGHT].data == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "a layer needs query.weight, key.weight and value.weight");
  if (a[PROBLEM_OUTPUT_BIAS].data != NULL && a[PROBLEM_OUTPUT_WEIGHT].data == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "output.bias needs output.weight, which is missing");
  if (a[PROBLEM_QUERY_WEIGHT].rows % p->heads != 0)
    return attcert_fail(err, ATTCERT_INPUT, "heads: %zu does not divide the %zu rows of query.weight", p->heads,
                        a[PROBLEM_QUERY_WEIGHT].rows);
  const attcert_layer layer = layer_of(p);
  for (problem_array i = PROBLEM_KEY_WEIGHT; i < PROBLEM_ARRAYS; i++) {
    problem_numbers fits = problem_shape(i, &layer);
    const bool of_context = i == PROBLEM_KEY_WEIGHT || i == PROBLEM_VALUE_WEIGHT;
    if (of_context && p->context.data != NULL) fits.cols = p->context.cols;
    if (a[i].data != NULL && (a[i].rows != fits.rows || a[i].cols != fits.cols))
      return attcert_fail(err, ATTCERT_INPUT, "%s: %zu x %zu, expected %zu x %zu", names[i], a[i].rows, a[i].cols,
                          fits.rows, fits.cols);
  }
  return ATTCERT_OK;
}

/* A loaded layer and its files, then a loaded input. */
static attcert_status describe(report_subject *s, const attcert_problem *p, const attcert_layer *layer,
                               attcert_error *err) {
  const report_subject *const from = &p->layer_subject;
  *s = *from;
  s->file_count = 0;
  s->name = p->layer_name;
  s->input = p->input_name;
  s->head = p->head;
  run_layer_describe(s, layer, (int)p->array[PROBLEM_INPUT].rows);
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < from->file_count && p->layer_name != NULL && status == ATTCERT_OK; i++)
    status = subject_add_file(s, from->files[i].role, from->files[i].path, from->files[i].sha256, err);
  if (p->input_name != NULL && status == ATTCERT_OK)
    status = subject_add_file(s, "input", p->input_name, p->input_sha256, err);
  return status == ATTCERT_OK ? token_list_copy(&s->input_tokens, &p->tokens, err) : status;
}

static attcert_status view_layer(problem_view *v, const attcert_problem *p, attcert_error *err) {
  *v = (problem_view){0};
  attcert_status status = p != NULL ? check_shapes(p, err) : refuse_null(err);
  if (status != ATTCERT_OK) return status;
  v->layer = layer_of(p);
  v->x = (attcert_matrix){(int)p->array[PROBLEM_INPUT].rows, (int)p->array[PROBLEM_INPUT].cols,
                          (double *)p->array[PROBLEM_INPUT].data};
  if (p->head != REPORT_WHOLE_LAYER) {
    status = attcert_layer_head(&v->head, &v->layer, p->head, err);
    v->layer = v->head;
  }
  if (status == ATTCERT_OK) status = describe(&v->subject, p, &v->layer, err);
  return status;
}

attcert_status problem_view_init(problem_view *v, const attcert_problem *p, attcert_error *err) {
  const attcert_status status = view_layer(v, p, err);
  if (status != ATTCERT_OK || (p->score_bias.data == NULL && p->context.data == NULL)) return status;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: expected none but for a certificate, a check, the theory's bounds, an enclosure or a value",
                      p->context.data != NULL ? context_name : score_bias);
}

/* The biases as one array [heads][n][keys], and what they are in words. */
static attcert_status add_biases(problem_view *v, int n, int keys, const problem_numbers *b, attcert_error *err) {
  const size_t rows = (size_t)n, heads = b->rows / rows;
  if (b->cols != (size_t)keys || b->rows % rows != 0 || (heads != 1 && heads != (size_t)v->layer.heads))
    return attcert_fail(err, ATTCERT_INPUT, "%s: %zu x %zu, expected %zu x %d, or as many rows for each head",
                        score_bias, b->rows, b->cols, rows, keys);
  const attention_pairs pairs = {.rows = n, .keys = keys, .biases = (int)heads, .bias = b->data};
  snprintf(v->subject.pairs, sizeof v->subject.pairs, "biases of %s, added to scores; -inf: the key takes no part",
           heads > 1 ? "each head" : "all heads");
  return attention_pairs_restrict(&v->steps, &pairs, err);
}

static attcert_status add_layer_steps(problem_view *v, attcert_error *err) {
  const attcert_status status = attcert_layer_check(&v->layer, &v->x, err);
  return status == ATTCERT_OK ? layer_steps_open(&v->steps, &v->layer, v->x.rows, err) : status;
}

static attcert_status add_cross_steps(problem_view *v, const attcert_problem *p, attcert_error *err) {
  const problem_numbers *const z = &p->context;
  const attcert_matrix context = {(int)z->rows, (int)z->cols, (double *)z->data};
  const cross_attention cross = {.layer = v->layer, .context_dim = context.cols, .divided_by = v->layer.head_dim};
  run_layer_describe_cross(&v->subject, &cross, p->by, v->x.rows, context.rows);
  const attcert_status status = cross_attention_open(&v->steps, &v->moving, &cross, p->by, &v->x, &context, err);
  v->x = v->moving;
  return status;
}

/* A mask of tokens that come later, or a head copied without its context, has no meaning there. */
static attcert_status check_context(const attcert_problem *p, attcert_error *err) {
  if (p == NULL || p->context.data == NULL) return ATTCERT_OK;
  if (p->mask != ATTCERT_MASK_NONE)
    return attcert_fail(err, ATTCERT_INPUT, "mask: causal, expected none with a context, whose tokens are other ones");
  if (p->head == REPORT_WHOLE_LAYER) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "head: %d, expected the whole layer with a context", p->head);
}

attcert_status problem_view_init_steps(problem_view *v, const attcert_problem *p, attcert_error *err) {
  *v = (problem_view){0};
  attcert_status status = check_context(p, err);
  if (status == ATTCERT_OK) status = view_layer(v, p, err);
  if (status != ATTCERT_OK || (p->score_bias.data == NULL && p->context.data == NULL)) return status;
  const int n = v->x.rows, keys = p->context.data != NULL ? (int)p->context.rows : n;
  v->has_steps = true;
  status = p->context.data != NULL ? add_cross_steps(v, p, err) : add_layer_steps(v, err);
  return status == ATTCERT_OK && p->score_bias.data != NULL ? add_biases(v, n, keys, &p->score_bias, err) : status;
}

void problem_view_clear(problem_view *v) {
  attcert_layer_clear(&v->head);
  network_clear(&v->steps);
  attcert_matrix_clear(&v->moving);
  subject_clear(&v->subject);
}
