#include "spectrum/layer.h"

#include "base/arrays.h"

#include <math.h>
#include <stdlib.h>

static array_table arrays_of(spectrum_layer *s, size_t heads, size_t length, size_t walks) {
  return (array_table){
      {ARRAY(s->head, heads), ARRAY(s->propagation, heads, length), ARRAY(s->walk, heads, length, walks)}};
}

static attcert_status enclose_propagation(spectrum_layer *s, const spectrum_request *r, int h, attcert_error *err) {
  const size_t first = (size_t)h * (size_t)s->length;
  for (int i = 1; i <= s->length; i++)
    spectrum_propagation_enclose(&s->propagation[first + (size_t)i - 1], &s->head[h].traces, r->layer->dim, i,
                                 s->length);
  if (s->walk == NULL) return ATTCERT_OK;
  return spectrum_random_walk(s->walk + first, &r->walk, r->layer, h, r->gain, err);
}

/* *query: those of W; NULL where they are the layer's. */
static attcert_status unscale_queries(double **query, const spectrum_request *r, attcert_error *err) {
  const size_t count = (size_t)r->layer->heads * (size_t)r->layer->head_dim * (size_t)r->layer->dim;
  *query = NULL;
  if (r->query_exponent == 0) return ATTCERT_OK;
  *query = array_new(count, sizeof **query, err, "the queries of a layer, %zu numbers", count);
  if (*query == NULL) return ATTCERT_RESOURCE;
  for (size_t i = 0; i < count; i++) (*query)[i] = ldexp(r->layer->query_weight[i], -r->query_exponent);
  return ATTCERT_OK;
}

/* The matrices of the heads, and what random walks make of them. */
static attcert_status enclose_heads(spectrum_layer *s, const spectrum_request *r, attcert_error *err) {
  double *query;
  attcert_status status = unscale_queries(&query, r, err);
  attcert_layer of_matrix = *r->layer;
  if (query != NULL) of_matrix.query_weight = query;
  spectrum_request request = *r;
  request.layer = &of_matrix;
  for (int h = 0; status == ATTCERT_OK && h < r->layer->heads; h++) {
    s->heads = h + 1; /* to be cleared */
    status = spectrum_head_enclose(&s->head[h], &of_matrix, h, r->gain, err);
    if (status == ATTCERT_OK) status = enclose_propagation(s, &request, h, err);
  }
  free(query);
  return status;
}

attcert_status spectrum_layer_enclose(spectrum_layer *s, const spectrum_request *r, attcert_error *err) {
  const size_t heads = (size_t)r->layer->heads, length = (size_t)r->walk.length;
  *s = (spectrum_layer){0};
  const array_table arrays = arrays_of(s, heads, length, r->walk.samples > 0 ? 1 : 0);
  attcert_status status = array_table_allocate(&arrays, err, "the spectra of %zu heads", heads);
  if (status != ATTCERT_OK) return status;
  s->length = r->walk.length;
  s->points = r->layer->heads * r->walk.length;
  for (int i = 0; i < s->points; i++) spectrum_propagation_init(&s->propagation[i]);
  status = enclose_heads(s, r, err);
  s->has_attention = status == ATTCERT_OK && r->x != NULL;
  if (s->has_attention) status = spectrum_attention_enclose(&s->attention, r->layer, r->x, err);
  return status;
}

void spectrum_layer_clear(spectrum_layer *s) {
  for (int h = 0; h < s->heads; h++) spectrum_head_clear(&s->head[h]);
  for (int i = 0; i < s->points; i++) spectrum_propagation_clear(&s->propagation[i]);
  if (s->has_attention) spectrum_attention_clear(&s->attention);
  const array_table arrays = arrays_of(s, 0, 0, 0);
  array_table_release(&arrays);
  *s = (spectrum_layer){0};
}
