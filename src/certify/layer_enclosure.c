#include "certify/layer_enclosure.h"

#include "certify/parallel.h"
#include "certify/projection.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"

int layer_enclosure_reach(const layer_enclosure *e, int i) {
  return e->mask == ATTCERT_MASK_CAUSAL ? i + 1 : e->n;
}

size_t layer_enclosure_vec(const layer_enclosure *e, int h, int i) {
  return ((size_t)h * (size_t)e->n + (size_t)i) * (size_t)e->head_dim;
}

size_t layer_enclosure_row(const layer_enclosure *e, int h, int i) {
  return ((size_t)h * (size_t)e->n + (size_t)i) * (size_t)e->n;
}

void layer_enclosure_root(interval *root, const layer_enclosure *e) {
  interval_set_si(root, e->head_dim);
  interval_sqrt(root, root);
}

void layer_enclosure_deviation(interval *deviation, const layer_enclosure *e, int h, int i, int j, size_t r) {
  if (layer_enclosure_reach(e, i) == 1)
    interval_set_zero(deviation);
  else
    interval_sub(deviation, &e->v[layer_enclosure_vec(e, h, j) + r], &e->y[layer_enclosure_vec(e, h, i) + r]);
}

uint64_t layer_enclosure_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t heads = (size_t)layer->heads, k = (size_t)layer->head_dim, tokens = (size_t)n;
  return 4 * (uint64_t)interval_vec_bytes(heads * tokens * k, precision) +
         interval_vec_bytes(heads * tokens * tokens, precision) +
         point_vec_bytes(tokens * (size_t)layer->dim, precision);
}

/* p[j] := exp(s[j] - c) for j < reach with c = max_j sup s_j, an exact number: no argument exceeds the width of a score. */
static void shifted_exponentials(interval *p, int reach, interval_scratch *ws) {
  interval *const c = &ws->q;
  mpfr_set(c->hi, p[0].hi, MPFR_RNDU);
  for (int j = 1; j < reach; j++) mpfr_max(c->hi, c->hi, p[j].hi, MPFR_RNDU);
  mpfr_set(c->lo, c->hi, MPFR_RNDD);
  if (!interval_is_bounded(c)) interval_set_whole(c); /* a score beyond MPFR's range: claim nothing */
  for (int j = 0; j < reach; j++) {
    interval_sub(&p[j], &p[j], c);
    interval_exp(&p[j], &p[j]);
  }
}

/* The softmax row of scores p[0 .. reach - 1] in place; a probability is in [0, 1] whatever the intervals say. */
static void softmax_row_enclosure(interval *p, int reach, mpfr_prec_t precision, interval_scratch *ws) {
  interval sum, unit;
  interval_init(&sum, precision);
  interval_init(&unit, precision);
  mpfr_set_ui(unit.hi, 1, MPFR_RNDU);
  shifted_exponentials(p, reach, ws);
  for (int j = 0; j < reach; j++) interval_add(&sum, &sum, &p[j]);
  for (int j = 0; j < reach; j++) {
    interval_div(&p[j], &p[j], &sum, ws);
    interval_intersect(&p[j], &p[j], &unit);
  }
  interval_clear(&sum);
  interval_clear(&unit);
}

/* y_i = sum_j P_ij v_j */
static void attention_row(const layer_enclosure *e, int h, int i, interval_scratch *ws) {
  interval *const y = e->y + layer_enclosure_vec(e, h, i);
  const interval *const p = e->p + layer_enclosure_row(e, h, i);
  for (int r = 0; r < e->head_dim; r++) interval_set_zero(&y[r]);
  for (int j = 0; j < layer_enclosure_reach(e, i); j++) {
    const interval *const v = e->v + layer_enclosure_vec(e, h, j);
    for (int r = 0; r < e->head_dim; r++) interval_fma(&y[r], &p[j], &v[r], &y[r], ws);
  }
}

/* Scores, softmax and output of one token of one head. */
static void enclose_row(void *context, int index) {
  const layer_enclosure *const e = context;
  const int h = index / e->n, i = index % e->n, reach = layer_enclosure_reach(e, i);
  interval_scratch ws;
  interval root;
  interval_scratch_init(&ws, e->precision);
  interval_init(&root, e->precision);
  layer_enclosure_root(&root, e);
  interval *const p = e->p + layer_enclosure_row(e, h, i);
  for (int j = 0; j < reach; j++) {
    interval_dot(&p[j], e->q + layer_enclosure_vec(e, h, i), e->k + layer_enclosure_vec(e, h, j), (size_t)e->head_dim,
                 &ws);
    interval_div(&p[j], &p[j], &root, &ws);
  }
  softmax_row_enclosure(p, reach, e->precision, &ws);
  attention_row(e, h, i, &ws);
  interval_clear(&root);
  interval_scratch_clear(&ws);
}

static attcert_status project_tokens(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                     int threads, attcert_error *err) {
  const size_t count = (size_t)e->n * (size_t)e->dim;
  point *const tokens = point_vec_new(count, e->precision);
  if (tokens == NULL)
    return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d tokens of dimension %d at %ld bits", e->n, e->dim,
                        (long)e->precision);
  point_vec_set_d(tokens, x->data, count);
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  attcert_status status = project(e->q, layer->query_weight, layer->query_bias, tokens, &shape, err);
  if (status == ATTCERT_OK) status = project(e->k, layer->key_weight, layer->key_bias, tokens, &shape, err);
  if (status == ATTCERT_OK) status = project(e->v, layer->value_weight, NULL, tokens, &shape, err);
  point_vec_free(tokens);
  return status;
}

attcert_status layer_enclosure_init(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                    mpfr_prec_t precision, int threads, attcert_error *err) {
  *e = (layer_enclosure){.n = x->rows,
                         .dim = layer->dim,
                         .heads = layer->heads,
                         .head_dim = layer->head_dim,
                         .mask = layer->mask,
                         .precision = precision};
  const size_t rows = (size_t)e->heads * (size_t)e->n;
  interval **const vectors[] = {&e->q, &e->k, &e->v, &e->y};
  bool allocated = true;
  for (int i = 0; i < 4; i++) {
    *vectors[i] = interval_vec_new(rows * (size_t)e->head_dim, precision);
    allocated = allocated && *vectors[i] != NULL;
  }
  e->p = interval_vec_new(rows * (size_t)e->n, precision);
  attcert_status status = ATTCERT_OK;
  if (!allocated || e->p == NULL)
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the layer at %ld bits needs %llu bytes",
                          (long)precision, (unsigned long long)layer_enclosure_bytes(layer, e->n, precision));
  if (status == ATTCERT_OK) status = project_tokens(e, layer, x, threads, err);
  if (status == ATTCERT_OK) parallel_for(e->heads * e->n, threads, enclose_row, e);
  if (status != ATTCERT_OK) layer_enclosure_clear(e);
  return status;
}

void layer_enclosure_clear(layer_enclosure *e) {
  interval_vec_free(e->q);
  interval_vec_free(e->k);
  interval_vec_free(e->v);
  interval_vec_free(e->y);
  interval_vec_free(e->p);
  *e = (layer_enclosure){0};
}
