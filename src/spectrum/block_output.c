#include "spectrum/block_output.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"

/* One row of the output after the other: the heads' outputs side by side, then W_O of them. */
typedef struct {
  const attcert_layer *layer;
  const layer_enclosure *e;
  spectrum_block_output *output;
  interval *joined;    /* [n][H k] */
  const point *weight; /* W_O; NULL without one */
} row_work;

/* a := a + x, a number. */
static void add_number(interval *a, double x, interval *t) {
  interval_set_d(t, x);
  interval_add(a, a, t);
}

static void output_row(void *context, int index) {
  const row_work *const w = context;
  const attcert_layer *const layer = w->layer;
  const size_t i = (size_t)index, k = (size_t)layer->head_dim, heads = (size_t)layer->heads,
               out = (size_t)layer->out_dim;
  interval *const joined = w->joined + i * heads * k;
  interval_scratch ws;
  interval t;
  interval_scratch_init(&ws, w->e->precision);
  interval_init(&t, w->e->precision);
  for (size_t h = 0; h < heads; h++) {
    const size_t at = layer_enclosure_vec(w->e, (int)h, index);
    for (size_t r = 0; r < k; r++) {
      interval *const y = &w->output->head[at + r];
      interval_set(y, &w->e->y[at + r]);
      if (layer->value_bias != NULL) add_number(y, layer->value_bias[h * k + r], &t);
      interval_set(&joined[h * k + r], y);
    }
  }
  for (size_t o = 0; o < out; o++) {
    interval *const entry = &w->output->block[i * out + o];
    if (w->weight != NULL)
      interval_dot_mixed(entry, joined, w->weight + o * heads * k, heads * k, &ws);
    else
      interval_set(entry, &joined[o]);
    if (layer->output_bias != NULL) add_number(entry, layer->output_bias[o], &t);
  }
  interval_clear(&t);
  interval_scratch_clear(&ws);
}

attcert_status spectrum_block_output_init(spectrum_block_output *o, const attcert_layer *layer,
                                          const layer_enclosure *e, attcert_error *err) {
  const size_t n = (size_t)e->n, width = (size_t)layer->heads * (size_t)layer->head_dim, out = (size_t)layer->out_dim;
  const bool projected = layer->output_weight != NULL;
  o->head = interval_vec_new(n * width, e->precision);
  o->block = interval_vec_new(n * out, e->precision);
  interval *const joined = interval_vec_new(n * width, e->precision);
  point *const weight = projected ? point_vec_new(out * width, 53) : NULL;
  const bool allocated = o->head != NULL && o->block != NULL && joined != NULL && (weight != NULL || !projected);
  if (allocated) {
    if (projected) point_vec_set_d(weight, layer->output_weight, out * width);
    row_work w = {layer, e, o, joined, weight};
    parallel_for(e->n, parallel_threads(0), output_row, &w);
  }
  interval_vec_free(joined);
  point_vec_free(weight);
  if (allocated) return ATTCERT_OK;
  spectrum_block_output_clear(o);
  return array_out_of_memory(err, 3 * (uint64_t)interval_vec_bytes(n * (width + out), e->precision),
                             "the output of %zu tokens", n);
}

void spectrum_block_output_clear(spectrum_block_output *o) {
  interval_vec_free(o->head);
  interval_vec_free(o->block);
  *o = (spectrum_block_output){0};
}
