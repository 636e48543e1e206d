#include "api/inputs_handle.h"

#include "base/arrays.h"
#include "model/format/number_format.h"

#include <stdlib.h>
#include <string.h>

attcert_status inputs_handle_init(inputs_handle *h, int n, attcert_error *err) {
  *h = (inputs_handle){.enumerate = ROBUST_ENUMERATE};
  const array_table table = {{ARRAY(h->choice, (size_t)n), ARRAY(h->choice_counts, (size_t)n)}};
  return array_table_allocate(&table, err, "the choices of %d tokens", n);
}

void inputs_handle_clear(inputs_handle *h, int n) {
  for (int i = 0; h->choice != NULL && i < n; i++) free(h->choice[i]);
  free(h->choice);
  free(h->choice_counts);
  free(h->mask);
  free(h->least);
  free(h->most);
  robust_region_clear(&h->region);
  robust_choices_clear(&h->choices);
}

static attcert_status check_shape(const char *what, const attcert_matrix *x, size_t rows, size_t cols,
                                  attcert_error *err) {
  if (rows == (size_t)x->rows && cols == (size_t)x->cols) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %zu x %zu, expected %d x %d, as the hidden states are", what, rows, cols,
                      x->rows, x->cols);
}

attcert_status inputs_handle_set_mask(inputs_handle *h, const attcert_matrix *x, const bool *moves, size_t rows,
                                      size_t cols, attcert_error *err) {
  bool *copy = NULL;
  attcert_status status = moves != NULL ? check_shape("mask", x, rows, cols, err) : ATTCERT_OK;
  if (status != ATTCERT_OK) return status;
  if (moves != NULL) {
    copy = array_new(rows * cols, sizeof *copy, err, "a mask of %zu x %zu", rows, cols);
    if (copy == NULL) return ATTCERT_RESOURCE;
    memcpy(copy, moves, rows * cols * sizeof *copy);
  }
  free(h->mask);
  h->mask = copy;
  return ATTCERT_OK;
}

attcert_status inputs_handle_set_box(inputs_handle *h, const attcert_matrix *x, const double *least, const double *most,
                                     size_t rows, size_t cols, attcert_error *err) {
  double *low = NULL, *high = NULL;
  attcert_status status = ATTCERT_OK;
  if ((least == NULL) != (most == NULL)) return attcert_fail(err, ATTCERT_INPUT, "box: one end is NULL, expected both");
  if (least != NULL) {
    const array_table table = {{ARRAY(low, rows, cols), ARRAY(high, rows, cols)}};
    status = check_shape("box", x, rows, cols, err);
    if (status == ATTCERT_OK) status = robust_region_check(least, most, rows * cols, err);
    if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "a box of %zu x %zu", rows, cols);
    if (status == ATTCERT_OK) memcpy(low, least, rows * cols * sizeof *low);
    if (status == ATTCERT_OK) memcpy(high, most, rows * cols * sizeof *high);
  }
  if (status != ATTCERT_OK) return status;
  free(h->least);
  free(h->most);
  h->least = low;
  h->most = high;
  return ATTCERT_OK;
}

attcert_status inputs_handle_set_choices(inputs_handle *h, const attcert_matrix *x, size_t token, const double *states,
                                         size_t count, size_t cols, attcert_error *err) {
  double *copy = NULL;
  if (token >= (size_t)x->rows)
    return attcert_fail(err, ATTCERT_INPUT, "choices: token %zu, expected 0 to %d", token, x->rows - 1);
  if (count > 0 && (states == NULL || cols != (size_t)x->cols || count > ATTCERT_SIDE_MAX))
    return attcert_fail(err, ATTCERT_INPUT, "choices: %zu x %zu numbers, expected rows of %d", count, cols, x->cols);
  if (count > 0) {
    const size_t bad = number_first_not_finite(states, count * cols);
    if (bad < count * cols)
      return attcert_fail(err, ATTCERT_INPUT, "choices: entry [%zu, %zu] is %g, expected a finite number", bad / cols,
                          bad % cols, states[bad]);
    copy = array_new(count * cols, sizeof *copy, err, "choices of %zu x %zu", count, cols);
    if (copy == NULL) return ATTCERT_RESOURCE;
    memcpy(copy, states, count * cols * sizeof *copy);
  }
  free(h->choice[token]);
  h->choice[token] = copy;
  h->choice_counts[token] = count;
  return ATTCERT_OK;
}

bool inputs_handle_chooses(const inputs_handle *h, int n) {
  bool any = false;
  for (int i = 0; i < n; i++) any = any || h->choice_counts[i] > 0;
  return any;
}

/* The input's own rows, each followed by the others. */
static attcert_status make_choices(inputs_handle *h, const attcert_matrix *x, attcert_error *err) {
  const size_t n = (size_t)x->rows, d = (size_t)x->cols;
  size_t all = n;
  int *first = NULL;
  double *row = NULL;
  for (size_t i = 0; i < n; i++) all += h->choice_counts[i];
  const array_table table = {{ARRAY(first, n + 1), ARRAY(row, all, d)}};
  attcert_status status = array_table_allocate(&table, err, "%zu choices", all);
  for (size_t i = 0, at = 0; i < n && status == ATTCERT_OK; i++) {
    memcpy(row + at++ * d, x->data + i * d, d * sizeof *row);
    if (h->choice_counts[i] > 0) memcpy(row + at * d, h->choice[i], h->choice_counts[i] * d * sizeof *row);
    at += h->choice_counts[i];
    first[i + 1] = (int)at;
  }
  if (status == ATTCERT_OK) status = robust_choices_init(&h->choices, x->rows, x->cols, first, row, err);
  array_table_release(&table);
  return status;
}

attcert_status inputs_handle_settle(inputs_handle *h, robust_ball *ball, const network_steps *network,
                                    attcert_error *err) {
  const bool chooses = inputs_handle_chooses(h, ball->input->rows);
  robust_choices_clear(&h->choices);
  if ((h->mask != NULL) + (h->least != NULL) + chooses > 1)
    return attcert_fail(err, ATTCERT_INPUT, "mask, box and choices contradict each other: expected one of them");
  if (chooses && ball->format != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "choices and an execution contradict each other: expected exact");
  if (chooses) return make_choices(h, ball->input, err);
  if (h->mask != NULL) return robust_region_mask(&h->region, ball, h->mask, err);
  return h->least != NULL ? robust_region_box(&h->region, ball, network, h->least, h->most, err) : ATTCERT_OK;
}
