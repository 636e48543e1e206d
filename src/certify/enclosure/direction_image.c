#include "certify/enclosure/direction_image.h"

#include "base/parallel.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#endif

/* (J u)_i,o = (W_O dy_i)_o for every token i. */
static void output_channel(const derivative *t, int o) {
  const size_t width = (size_t)t->e->heads * (size_t)t->e->head_dim, out = (size_t)t->layer->out_dim;
  interval_scratch ws;
  interval_scratch_init(&ws, t->e->precision);
  for (size_t i = 0; i < (size_t)t->e->n; i++)
    interval_dot_mixed(&t->image[i * out + (size_t)o], t->dy + i * width, t->output + (size_t)o * width, width, &ws);
  interval_scratch_clear(&ws);
}
PARALLEL_TASK(output_channel)

void direction_image(derivative *t, int threads) {
  if (t->output == NULL) return;
  const size_t width = (size_t)t->e->heads * (size_t)t->e->head_dim;
  point_vec_set_d(t->output, t->layer->output_weight, (size_t)t->layer->out_dim * width);
  PARALLEL_FOR(t->layer->out_dim, threads, output_channel, t);
}
