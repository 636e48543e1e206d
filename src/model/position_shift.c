#include "model/position_shift.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"

#include <math.h>
#include <stdlib.h>

/* Of the enclosures that become two doubles each. */
enum { BITS = 192 };

/* The bucket of a distance of more than half of the buckets: a quotient of logarithms is rounded up. */
static int far_bucket(int distance, const model_config *config) {
  const int mid = config->position_shift.buckets / 2, farthest = config->position_shift.distance - 1;
  const double share = log((double)distance / mid) / log((double)farthest / mid);
  return mid + (int)ceil(share * (mid - 1) - 1e-9);
}

/* By query - key. */
int position_shift_row(int offset, const model_config *config) {
  const int span = model_config_shift_span(config), buckets = config->position_shift.buckets, distance = abs(offset);
  const int bucket = buckets > 0 && distance > buckets / 2 ? far_bucket(distance, config) : distance;
  const int row = (offset > 0 ? -bucket : bucket) + span;
  return row < 0 ? 0 : row < 2 * span ? row : 2 * span - 1;
}

int position_shift_rows(int *first, int span, const model_config *config) {
  *first = position_shift_row(span - 1, config);
  return position_shift_row(1 - span, config) - *first + 1;
}

/* high + low within *error of every member. */
static void split(double *high, double *low, double *error, const interval *a, step_scratch *scratch) {
  double miss;
  interval_get_midrad(high, &miss, a, &scratch->ws);
  interval_set_d(&scratch->t[0], *high);
  interval_sub(&scratch->t[0], a, &scratch->t[0]);
  interval_get_midrad(low, &miss, &scratch->t[0], &scratch->ws);
  if (!(miss <= *error)) *error = miss;
}

static void split_rows(double *high, double *low, double *error, const step_enclosure *rows, int first, int span,
                       const model_config *config, step_scratch *scratch) {
  const size_t cols = (size_t)rows->cols;
  for (int offset = 1 - span; offset < span; offset++) {
    const size_t to = (size_t)(offset + span - 1) * cols;
    const int row = position_shift_row(offset, config) - first;
    for (size_t c = 0; c < cols; c++) split(&high[to + c], &low[to + c], error, step_entry(rows, row, (int)c), scratch);
  }
}

attcert_status position_shift_fill(double *high, double *low, double *error, const network_steps *network,
                                   const attcert_matrix *x, int span, const model_config *config, attcert_error *err) {
  int first;
  step_scratch scratch;
  step_enclosure *const value =
      array_new((size_t)network->count + 1, sizeof *value, err, "%d enclosures", network->count + 1);
  if (value == NULL) return ATTCERT_RESOURCE;
  position_shift_rows(&first, span, config);
  step_scratch_init(&scratch, BITS);
  const attcert_status status = network_enclose_values(value, network, network->count, x, &scratch, err);
  if (status == ATTCERT_OK) split_rows(high, low, error, &value[network->count], first, span, config, &scratch);
  for (int v = 0; v <= network->count; v++) step_enclosure_clear(&value[v]);
  step_scratch_clear(&scratch);
  free(value);
  return status;
}
