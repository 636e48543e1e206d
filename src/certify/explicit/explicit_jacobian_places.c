#include "certify/explicit/explicit_jacobian_places.h"

#include "certify/enclosure/block_offset.h"
#include "kernel/linear/index.h"

int explicit_jacobian_component(const jacobian_builder *b, int h) {
  return b->output != NULL ? 0 : row_offset(h, b->height, b->e->heads);
}

size_t explicit_jacobian_entries(const jacobian_builder *b) {
  const int columns = row_offset(b->e->n, b->e->dim, b->e->n);
  //@ assert columns: columns == builder_columns(b) && 0 <= columns <= DIM_MAX * DIM_MAX;
  return block_offset((size_t)b->layer->out_dim, (size_t)columns);
}

size_t explicit_jacobian_entry(const jacobian_builder *b, int first) {
  const int columns = row_offset(b->e->n, b->e->dim, b->e->n);
  //@ assert columns: columns == builder_columns(b) && 0 <= columns <= DIM_MAX * DIM_MAX;
  //@ assert sum: row(first + b->height, columns) == row(first, columns) + row(b->height, columns);
  //@ assert below: row(first + b->height, columns) <= row(b->layer->out_dim, columns);
  return block_offset((size_t)first, (size_t)columns);
}

size_t explicit_jacobian_place(const jacobian_builder *b, int i) {
  const int columns = row_offset(b->e->n, b->e->dim, b->e->n), rows = row_offset(i, b->layer->out_dim, b->e->n);
  //@ assert columns: columns == builder_columns(b) && 0 <= columns <= DIM_MAX * DIM_MAX;
  //@ assert rows: rows == row(i, b->layer->out_dim) && 0 <= rows <= DIM_MAX * DIM_MAX;
  //@ assert associative: row(rows, columns) == row(i, token_entries(b));
  //@ assert size: 0 <= token_entries(b) && row(i, token_entries(b)) + token_entries(b) <= all_entries(b);
  return block_offset((size_t)rows, (size_t)columns);
}
