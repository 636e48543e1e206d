#include "cli/source/onnx_constants.h"

#include "base/arrays.h"
#include "model/format/number_format.h"

#include <string.h>

static size_t count_of(const npy_array *a) {
  size_t count = 1;
  for (int i = 0; i < a->rank; i++) count *= (size_t)a->side[i];
  return count;
}

static attcert_status take_truth(npy_array *a, attcert_error *err) {
  const size_t count = count_of(a);
  a->number = array_new(count, sizeof *a->number, err, "%zu numbers", count);
  if (a->number == NULL) return ATTCERT_RESOURCE;
  for (size_t k = 0; k < count; k++) a->number[k] = a->truth[k] ? 1.0 : 0.0;
  return ATTCERT_OK;
}

/* NAME=FILE. */
static attcert_status read_one(onnx_constants *c, int k, const char *text, attcert_error *err) {
  npy_array *const a = &c->array[k];
  const char *const path = strchr(text, '=') + 1;
  attcert_status status = npy_array_read(a, c->sha256[k], path, err);
  if (status == ATTCERT_OK && a->truth != NULL) status = take_truth(a, err);
  if (status != ATTCERT_OK) return status;
  c->given[k] = (onnx_given){text, (int)(path - 1 - text), a->number, count_of(a)};
  const size_t bad = number_first_not_finite(a->number, count_of(a));
  if (bad == count_of(a)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: entry %zu is %g, expected a finite number", path, bad, a->number[bad]);
}

attcert_status onnx_constants_read(onnx_constants *c, const cli_options *o, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  *c = (onnx_constants){0};
  c->inputs = (onnx_inputs){.name = o->input_name > 0 ? o->argument[OPTION_INPUT] : NULL,
                            .length = o->input_name,
                            .given = c->given,
                            .count = o->constants.count};
  for (int k = 0; k < o->constants.count && status == ATTCERT_OK; k++)
    status = read_one(c, k, o->constants.text[k], err);
  return status;
}

void onnx_constants_clear(onnx_constants *c) {
  for (int k = 0; k < OPTION_MOST_FURTHER; k++) npy_array_clear(&c->array[k]);
}

attcert_status onnx_constants_add_files(const onnx_constants *c, report_subject *subject, const cli_options *o,
                                        attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int k = 0; k < o->constants.count && status == ATTCERT_OK; k++)
    status = subject_add_file(subject, "constant", strchr(o->constants.text[k], '=') + 1, c->sha256[k], err);
  return status;
}
