#include "spectrum/layer.h"

#include "base/arrays.h"

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

attcert_status spectrum_layer_enclose(spectrum_layer *s, const spectrum_request *r, attcert_error *err) {
  const size_t heads = (size_t)r->layer->heads, length = (size_t)r->walk.length;
  *s = (spectrum_layer){0};
  const array_table arrays = arrays_of(s, heads, length, r->walk.samples > 0 ? 1 : 0);
  attcert_status status = array_table_allocate(&arrays, err, "the spectra of %zu heads", heads);
  if (status != ATTCERT_OK) return status;
  s->length = r->walk.length;
  s->points = r->layer->heads * r->walk.length;
  for (int i = 0; i < s->points; i++) spectrum_propagation_init(&s->propagation[i]);
  for (int h = 0; status == ATTCERT_OK && h < r->layer->heads; h++) {
    s->heads = h + 1; /* to be cleared */
    status = spectrum_head_enclose(&s->head[h], r->layer, h, r->gain, err);
    if (status == ATTCERT_OK) status = enclose_propagation(s, r, h, err);
  }
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
