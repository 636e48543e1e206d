#include "certify/enclosure/layer_enclosure.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/enclosure/attention_enclosure.h"
#include "certify/enclosure/projection.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"

/* Token i of head h, among the tokens of all heads. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e);
    requires token: 0 <= h < e->heads && 0 <= i < e->n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == token_index(e, h, i);
    ensures range: 0 <= \result < all_tokens(e) <= DIM_MAX * DIM_MAX; */
static size_t token_of_head(const layer_enclosure *e, int h, int i) {
  //@ assert head: row(h, e->n) == h * e->n && row(e->heads, e->n) == e->heads * e->n;
  //@ assert inside: 0 <= row(h, e->n) && row(h, e->n) + e->n <= row(e->heads, e->n);
  //@ assert bound: e->heads * e->n <= DIM_MAX * DIM_MAX;
  return (size_t)h * (size_t)e->n + (size_t)i;
}

size_t layer_enclosure_vec(const layer_enclosure *e, int h, int i) {
  const size_t token = token_of_head(e, h, i);
  //@ assert inside: row(token, e->head_dim) + e->head_dim <= row(all_tokens(e), e->head_dim);
  //@ assert rows: row(token, e->head_dim) == token * e->head_dim && 0 <= token * e->head_dim;
  //@ assert all: row(all_tokens(e), e->head_dim) == all_tokens(e) * e->head_dim;
  //@ assert bound: all_tokens(e) * e->head_dim <= DIM_MAX * DIM_MAX * DIM_MAX;
  return token * (size_t)e->head_dim;
}

size_t layer_enclosure_row(const layer_enclosure *e, int h, int i) {
  const size_t token = token_of_head(e, h, i);
  //@ assert inside: row(token, e->n) + e->n <= row(all_tokens(e), e->n);
  //@ assert rows: row(token, e->n) == token * e->n && 0 <= token * e->n;
  //@ assert all: row(all_tokens(e), e->n) == all_tokens(e) * e->n;
  //@ assert bound: all_tokens(e) * e->n <= DIM_MAX * DIM_MAX * DIM_MAX;
  return token * (size_t)e->n;
}

void layer_enclosure_root(interval *root, const layer_enclosure *e) {
  interval_set_si(root, e->head_dim);
  interval_sqrt(root, root);
}

void layer_enclosure_deviation(interval *deviation, const layer_enclosure *e, int h, int i, int j, size_t r) {
  if (attended_keys(e->mask, i, e->n) == 1)
    interval_set_zero(deviation);
  else
    interval_sub(deviation, &e->v[layer_enclosure_vec(e, h, j) + r], &e->y[layer_enclosure_vec(e, h, i) + r]);
}

uint64_t layer_enclosure_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t heads = (size_t)layer->heads, k = (size_t)layer->head_dim, tokens = (size_t)n;
  return 4 * (uint64_t)interval_vec_bytes(heads * tokens * k, precision) +
         interval_vec_bytes(heads * tokens * tokens, precision) + projection_bytes(n, layer->dim);
}

/* Scores, softmax and output of one token of one head. */
static void enclose_row(void *context, int index) {
  const layer_enclosure *const e = context;
  const int h = index / e->n, i = index % e->n;
  interval_scratch ws;
  interval root;
  interval_scratch_init(&ws, e->precision);
  interval_init(&root, e->precision);
  layer_enclosure_root(&root, e);
  const attention_row row = {.n = attended_keys(e->mask, i, e->n),
                             .k = e->head_dim,
                             .q = e->q + layer_enclosure_vec(e, h, i),
                             .keys = e->k + layer_enclosure_vec(e, h, 0),
                             .values = e->v + layer_enclosure_vec(e, h, 0),
                             .root = &root};
  attention_row_enclosure(e->p + layer_enclosure_row(e, h, i), e->y + layer_enclosure_vec(e, h, i), row, e->precision,
                          &ws);
  interval_clear(&root);
  interval_scratch_clear(&ws);
}

static attcert_status project_tokens(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                     int threads, attcert_error *err) {
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  attcert_status status = projection_enclosure(e->q, layer->query_weight, layer->query_bias, x->data, &shape, err);
  if (status == ATTCERT_OK)
    status = projection_enclosure(e->k, layer->key_weight, layer->key_bias, x->data, &shape, err);
  if (status == ATTCERT_OK) status = projection_enclosure(e->v, layer->value_weight, NULL, x->data, &shape, err);
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
    status = array_out_of_memory(err, layer_enclosure_bytes(layer, e->n, precision), "the layer at %ld bits",
                                 (long)precision);
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
