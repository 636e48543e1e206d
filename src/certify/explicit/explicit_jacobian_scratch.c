#include "certify/explicit/explicit_jacobian_scratch.h"

#include "interval/interval_vec.h"

interval *jacobian_builder_rows(const jacobian_builder *b) {
  return interval_vec_new((size_t)b->layer->out_dim * (size_t)b->j->cols, b->e->precision);
}

interval *jacobian_builder_column(const jacobian_builder *b) {
  return interval_vec_new((size_t)b->e->head_dim + (size_t)b->height, b->e->precision);
}
