#include "robust/region.h"

#include "base/arrays.h"
#include "linalg/rounding/upward.h"
#include "robust/gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void robust_region_clear(robust_region *of) {
  free(of->moves);
  free(of->entries);
  free(of->least);
  free(of->most);
  free(of->reach);
  attcert_matrix_clear(&of->middle);
  *of = (robust_region){0};
}

static attcert_status mark_tokens(robust_region *of, const robust_ball *ball, attcert_error *err) {
  const size_t n = (size_t)ball->input->rows, d = (size_t)ball->input->cols;
  bool any = false;
  for (size_t at = 0; at < n * d; at++) {
    of->entries[at] = of->entries[at] && ball_region_moves(&ball->region, (int)(at / d));
    of->moves[at / d] = of->moves[at / d] || of->entries[at];
    any = any || of->entries[at];
  }
  return any ? ATTCERT_OK
             : attcert_fail(err, ATTCERT_INPUT, "mask of the input: no entry moves, expected at least one");
}

attcert_status robust_region_mask(robust_region *of, robust_ball *ball, const bool *entries, attcert_error *err) {
  const size_t n = (size_t)ball->input->rows, d = (size_t)ball->input->cols;
  robust_region made = {0};
  const array_table table = {{ARRAY(made.moves, n), ARRAY(made.entries, n, d)}};
  attcert_status status = array_table_allocate(&table, err, "a mask of %zu entries", n * d);
  if (status != ATTCERT_OK) return status;
  memcpy(made.entries, entries, n * d * sizeof *entries);
  status = mark_tokens(&made, ball, err);
  robust_region_clear(of);
  *of = made;
  ball->region.moves = of->moves;
  ball->region.entries = of->entries;
  return status;
}

/* ---- a box ------------------------------------------------------------------------------------------------------- */

attcert_status robust_region_check(const double *least, const double *most, size_t count, attcert_error *err) {
  for (size_t at = 0; at < count; at++) {
    if (!isfinite(least[at]) || !isfinite(most[at]))
      return attcert_fail(err, ATTCERT_INPUT, "box: entry %zu from %g to %g, expected finite numbers", at, least[at],
                          most[at]);
    if (least[at] > most[at])
      return attcert_fail(err, ATTCERT_INPUT, "box: entry %zu from %g to %g, expected no lower end above the upper one",
                          at, least[at], most[at]);
  }
  return ATTCERT_OK;
}

attcert_status robust_region_middle(double *middle, const double *least, const double *most, size_t count,
                                    attcert_error *err) {
  const attcert_status status = robust_region_check(least, most, count, err);
  for (size_t at = 0; at < count && status == ATTCERT_OK; at++)
    middle[at] = fmin(fmax(0.5 * least[at] + 0.5 * most[at], least[at]), most[at]);
  return status;
}

static attcert_status check_inside(const attcert_matrix *x, const robust_region *of, attcert_error *err) {
  const size_t d = (size_t)x->cols;
  for (size_t at = 0; at < (size_t)x->rows * d; at++) {
    if (x->data[at] >= of->least[at] && x->data[at] <= of->most[at]) continue;
    return attcert_fail(err, ATTCERT_INPUT,
                        "the input is outside of the box: entry [%zu, %zu] is %g, expected one from %g to %g", at / d,
                        at % d, x->data[at], of->least[at], of->most[at]);
  }
  return ATTCERT_OK;
}

static attcert_status make_box(robust_region *of, const double *least, const double *most, const attcert_matrix *x,
                               attcert_error *err) {
  const size_t n = (size_t)x->rows, d = (size_t)x->cols;
  const array_table table = {
      {ARRAY(of->moves, n), ARRAY(of->least, n, d), ARRAY(of->most, n, d), ARRAY(of->reach, n, d)}};
  attcert_status status = array_table_allocate(&table, err, "a box of %zu entries", n * d);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&of->middle, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = robust_region_middle(of->middle.data, least, most, n * d, err);
  if (status != ATTCERT_OK) return status;
  memcpy(of->least, least, n * d * sizeof *least);
  memcpy(of->most, most, n * d * sizeof *most);
  for (size_t at = 0; at < n * d; at++) {
    const double middle = of->middle.data[at];
    of->moves[at / d] = of->moves[at / d] || least[at] < most[at];
    of->reach[at] = fmax(upward_add(most[at], -middle), upward_add(middle, -least[at]));
  }
  return check_inside(x, of, err);
}

attcert_status robust_region_box(robust_region *of, robust_ball *ball, const network_steps *network,
                                 const double *least, const double *most, attcert_error *err) {
  robust_region_clear(of);
  attcert_status status = make_box(of, least, most, ball->input, err);
  if (status == ATTCERT_OK && ball->label < 0) {
    robust_gradient at_input;
    const robust_gradient_place at = {.x = ball->input, .label = -1};
    status = robust_gradient_enclose(&at_input, network, &at, err);
    ball->label = at_input.label;
  }
  if (status != ATTCERT_OK) return status;
  of->box = (ball_box){of->least, of->most, of->reach};
  ball->input = &of->middle;
  ball->region = (ball_region){.radius = 1.0, .kind = BALL_ENTRY, .moves = of->moves, .box = &of->box};
  return ATTCERT_OK;
}
