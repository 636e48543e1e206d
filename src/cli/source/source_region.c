#include "cli/source/source_region.h"

#include "base/arrays.h"
#include "cli/source/source_files.h"

#include <stdlib.h>
#include <string.h>

static size_t count_of(const npy_array *a) {
  size_t count = 1;
  for (int i = 0; i < a->rank; i++) count *= (size_t)a->side[i];
  return count;
}

static bool same_shape(const npy_array *a, const npy_array *b) {
  bool same = a->rank == b->rank;
  for (int i = 0; i < a->rank && same; i++) same = a->side[i] == b->side[i];
  return same;
}

/* n x d, or (1, n, d); with `dim` that many numbers in whatever shape. */
static attcert_status take_shape(attcert_matrix *m, const npy_array *a, int dim, const char *path, attcert_error *err) {
  const bool matrix = a->rank == 2 || (a->rank == 3 && a->side[0] == 1);
  if (dim > 0 ? count_of(a) != (size_t)dim : !matrix)
    return attcert_fail(err, ATTCERT_INPUT,
                        dim > 0 ? "%s: %zu numbers, expected the %d of the network's input"
                                : "%s: %zu numbers, expected two sides, n x d",
                        path, count_of(a), dim);
  return attcert_matrix_init(m, dim > 0 ? 1 : a->side[a->rank - 2], dim > 0 ? dim : a->side[a->rank - 1], err);
}

attcert_status source_region_read_box(network_source *s, int dim, const cli_options *o, attcert_error *err) {
  attcert_status status = source_files_read_array(&s->least, &s->subject, "box", o->box_least, err);
  if (status == ATTCERT_OK) status = source_files_read_array(&s->most, &s->subject, "box", o->box_most, err);
  if (status != ATTCERT_OK) return status;
  if (s->least.number == NULL || s->most.number == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: booleans, expected numbers",
                        s->least.number == NULL ? o->box_least : o->box_most);
  if (!same_shape(&s->least, &s->most))
    return attcert_fail(err, ATTCERT_INPUT, "%s: expected the shape of %s", o->box_most, o->box_least);
  status = take_shape(&s->x, &s->least, dim, o->box_least, err);
  if (status != ATTCERT_OK) return status;
  return robust_region_middle(s->x.data, s->least.number, s->most.number, count_of(&s->least), err);
}

attcert_status source_region_check_input(const network_source *s, const attcert_matrix *x, attcert_error *err) {
  if (s->x.data == NULL || (x->rows == s->x.rows && x->cols == s->x.cols)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "the input is %d x %d, expected %d x %d, as the box is", x->rows, x->cols,
                      s->x.rows, s->x.cols);
}

/* Booleans of the input's shape; of a network from a file, as many in whatever shape. */
static attcert_status settle_mask(network_source *s, const cli_options *o, attcert_error *err) {
  npy_array mask;
  const size_t n = (size_t)s->x.rows, d = (size_t)s->x.cols;
  attcert_status status = source_files_read_array(&mask, &s->subject, "mask", o->mask_input, err);
  if (status == ATTCERT_OK && mask.truth == NULL)
    status =
        attcert_fail(err, ATTCERT_INPUT, "%s: numbers, expected booleans, True where an entry moves", o->mask_input);
  const bool matrix = status == ATTCERT_OK && mask.rank >= 2 && (size_t)mask.side[mask.rank - 1] == d;
  if (status == ATTCERT_OK && (count_of(&mask) != n * d || (o->onnx == NULL && !matrix)))
    status = attcert_fail(err, ATTCERT_INPUT, "%s: %zu booleans, expected %zu x %zu, one for each entry of the input",
                          o->mask_input, count_of(&mask), n, d);
  if (status == ATTCERT_OK) status = robust_region_mask(&s->region, &s->ball, mask.truth, err);
  npy_array_clear(&mask);
  return status;
}

attcert_status source_region_settle(network_source *s, const cli_options *o, attcert_error *err) {
  if (o->mask_input != NULL) return settle_mask(s, o, err);
  if (o->box_least == NULL) return ATTCERT_OK;
  return robust_region_box(&s->region, &s->ball, &s->network.steps, s->least.number, s->most.number, err);
}
