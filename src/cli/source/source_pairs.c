#include "cli/source/source_pairs.h"

#include "base/arrays.h"
#include "cli/source/source_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool source_pairs_asked(const cli_options *o) {
  return o->mask.file != NULL || o->bias != NULL;
}

/* "2, 3, 3" */
enum { SHAPE_SIZE = 12 * NPY_ARRAY_SIDES };
static const char *shape_text(char text[SHAPE_SIZE], const npy_array *a) {
  int used = 0;
  for (int i = 0; i < a->rank; i++)
    used += snprintf(text + used, SHAPE_SIZE - (size_t)used, i > 0 ? ", %d" : "%d", a->side[i]);
  return text;
}

/* *count := of how many heads the array is; keys: it may be of keys alone, and *count is then 0. */
static attcert_status check_shape(int *count, const npy_array *a, int n, int m, bool keys, const char *path,
                                  attcert_error *err) {
  char shape[SHAPE_SIZE];
  bool fits = a->rank <= 3 && (a->rank > 1 || keys);
  for (int i = 1; i <= 2 && i <= a->rank; i++) fits = fits && a->side[a->rank - i] == (i == 1 ? m : n);
  *count = a->rank == 1 ? 0 : a->rank == 2 ? 1 : a->side[0];
  if (fits) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: its shape is (%s), expected %s%s(%d, %d) or (heads, %d, %d)", path,
                      shape_text(shape, a), keys ? n == m ? "(n)" : "(m)" : "", keys ? " of keys, " : "", n, m, n, m);
}

/* The mask of every token, from one of keys. */
static attcert_status repeat_keys(source_pairs *p, const bool *key, attcert_error *err) {
  const size_t rows = (size_t)p->of.rows, row = (size_t)p->of.keys;
  p->mask = array_new(rows * row, sizeof *p->mask, err, "a mask of %zu tokens", rows);
  if (p->mask == NULL) return ATTCERT_RESOURCE;
  for (size_t i = 0; i < rows; i++) memcpy(p->mask + i * row, key, row * sizeof *key);
  return ATTCERT_OK;
}

static attcert_status read_mask(source_pairs *p, report_subject *subject, const char *path, attcert_error *err) {
  npy_array a;
  attcert_status status = source_files_read_array(&a, subject, "mask", path, err);
  if (status == ATTCERT_OK && a.truth == NULL)
    status =
        attcert_fail(err, ATTCERT_INPUT,
                     "%s: expected booleans, True where a key takes part; what is added to scores is --bias", path);
  int count = 0;
  if (status == ATTCERT_OK) status = check_shape(&count, &a, p->of.rows, p->of.keys, true, path, err);
  if (status == ATTCERT_OK && count == 0) {
    status = repeat_keys(p, a.truth, err);
  } else if (status == ATTCERT_OK) {
    p->mask = a.truth;
    a.truth = NULL;
  }
  p->of.masks = count > 0 ? count : 1;
  npy_array_clear(&a);
  return status;
}

static attcert_status read_bias(source_pairs *p, report_subject *subject, const char *path, attcert_error *err) {
  npy_array a;
  attcert_status status = source_files_read_array(&a, subject, "bias", path, err);
  if (status == ATTCERT_OK && a.number == NULL)
    status =
        attcert_fail(err, ATTCERT_INPUT, "%s: expected numbers that are added to scores; booleans are --mask", path);
  if (status == ATTCERT_OK) status = check_shape(&p->of.biases, &a, p->of.rows, p->of.keys, false, path, err);
  if (status == ATTCERT_OK) {
    p->bias = a.number;
    a.number = NULL;
  }
  npy_array_clear(&a);
  return status;
}

attcert_status source_pairs_read(source_pairs *p, report_subject *subject, int n, int m, const cli_options *o,
                                 attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  *p = (source_pairs){.of = {.rows = n, .keys = m}};
  if (o->mask.file != NULL) status = read_mask(p, subject, o->mask.file, err);
  if (status == ATTCERT_OK && o->bias != NULL) status = read_bias(p, subject, o->bias, err);
  p->of.mask = p->mask;
  p->of.bias = p->bias;
  subject->mask_file = o->mask.file;
  subject->bias_file = o->bias;
  subject_describe_pairs(subject, p->of.masks, p->of.biases);
  return status;
}

void source_pairs_clear(source_pairs *p) {
  free(p->mask);
  free(p->bias);
  *p = (source_pairs){0};
}
