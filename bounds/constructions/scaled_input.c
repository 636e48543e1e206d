/* Writes the input T X of a head alone, and prints what the softmax does there and the limit of the local Lipschitz
 * constant:
 *
 *   scaled_input MODEL LAYER HEAD none|causal X.npy T OUT.npy
 *
 * One line: the mean over i of max_j P_ij at T X (in double), the lower and the upper end of T8's limit
 *
 *   lim_{t -> inf} ||D_tX f|| = ||V|| sqrt(max_j #{ i : sigma(i) = j }),  sigma(i) the argmax of j -> x_j^T A x_i,
 *
 * rounded outward, where ||V|| is enclosed; the argmax is taken in double. Both ends are empty when an argmax is not
 * unique. */
#include "arguments.h"
#include "csv.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "kernel/layer/attention.h"
#include "model/format/npy.h"
#include "read_head.h"
#include "theory/layer_norms.h"
#include "theory/output_value_norm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* So large that the softmax picks the argmax, unless two scores agree to many digits. */
static const double SATURATING = 0x1p30;

static attcert_status scale(attcert_matrix *out, const attcert_matrix *x, double factor, attcert_error *err) {
  const attcert_status status = attcert_matrix_init(out, x->rows, x->cols, err);
  for (int i = 0; status == ATTCERT_OK && i < x->rows * x->cols; i++) out->data[i] = factor * x->data[i];
  return status;
}

/* What the weights P at one input say. */
typedef struct {
  double mean_largest, least_largest; /* over the rows i, of max_j P_ij */
  int most_chosen;                    /* max_j #{ i : P_ij is the largest of row i } */
} saturation;

static attcert_status measure_weights(saturation *s, const double *weights, int n, attcert_error *err) {
  int *const chosen = calloc((size_t)n, sizeof *chosen);
  if (chosen == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d counts", n);
  *s = (saturation){.least_largest = 1.0};
  for (int i = 0; i < n; i++) {
    const double *const row = weights + (size_t)i * (size_t)n;
    int best = 0;
    for (int j = 1; j < n; j++) {
      if (row[j] > row[best]) best = j;
    }
    s->mean_largest += row[best] / n;
    s->least_largest = fmin(s->least_largest, row[best]);
    if (++chosen[best] > s->most_chosen) s->most_chosen = chosen[best];
  }
  free(chosen);
  return ATTCERT_OK;
}

static attcert_status measure(saturation *s, const attcert_layer *head, const attcert_matrix *x, attcert_error *err) {
  double *const storage = malloc(attention_state_size(head, x->rows) * sizeof *storage);
  if (storage == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a head on %d tokens", x->rows);
  attention_state state;
  attention_state_init(&state, head, x->data, x->rows, storage);
  const attcert_status status = measure_weights(s, attention_state_head(&state, 0).weights, x->rows, err);
  free(storage);
  return status;
}

static attcert_status enclose_limit(interval *limit, const attcert_layer *head, int count, attcert_error *err) {
  interval root;
  interval_scratch ws;
  interval_init(&root, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  const attcert_status status = output_value_norm(limit, head, err);
  interval_set_si(&root, count);
  interval_sqrt(&root, &root);
  interval_mul(limit, limit, &root, &ws);
  interval_scratch_clear(&ws);
  interval_clear(&root);
  return status;
}

static attcert_status put_limit(const attcert_layer *head, const saturation *far, attcert_error *err) {
  interval limit;
  interval_init(&limit, THEORY_PRECISION);
  const attcert_status status = enclose_limit(&limit, head, far->most_chosen, err);
  if (status == ATTCERT_OK && far->least_largest > 0.999) {
    csv_number(stdout, limit.lo, MPFR_RNDD);
    csv_number(stdout, limit.hi, MPFR_RNDU);
  } else if (status == ATTCERT_OK) {
    fputs(",,", stdout);
  }
  if (status == ATTCERT_OK) fputc('\n', stdout);
  interval_clear(&limit);
  return status;
}

static attcert_status put_line(const attcert_layer *head, const attcert_matrix *x, const attcert_matrix *scaled,
                               attcert_error *err) {
  saturation here, far;
  attcert_matrix saturated = {0};
  attcert_status status = scale(&saturated, x, SATURATING, err);
  if (status == ATTCERT_OK) status = measure(&here, head, scaled, err);
  if (status == ATTCERT_OK) status = measure(&far, head, &saturated, err);
  if (status == ATTCERT_OK) {
    printf("%.6f", here.mean_largest);
    status = put_limit(head, &far, err);
  }
  attcert_matrix_clear(&saturated);
  return status;
}

typedef struct {
  int layer, head;
  attcert_mask mask;
  double factor;
} request;

static attcert_status read_request(request *r, int argc, char **argv, attcert_error *err) {
  if (argc != 8) return attcert_fail(err, ATTCERT_INPUT, "expected MODEL LAYER HEAD none|causal X.npy T OUT.npy");
  attcert_status status = argument_int(&r->layer, "LAYER", argv[2], 0, err);
  if (status == ATTCERT_OK) status = argument_int(&r->head, "HEAD", argv[3], 0, err);
  if (status == ATTCERT_OK) status = argument_mask(&r->mask, argv[4], err);
  if (status == ATTCERT_OK) status = argument_positive(&r->factor, "T", argv[6], err);
  return status;
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  request r = {0};
  attcert_layer head = {0};
  attcert_matrix x = {0}, scaled = {0};
  attcert_status status = read_request(&r, argc, argv, &err);
  if (status == ATTCERT_OK) status = read_head(&head, argv[1], 0, r.layer, r.head, &err);
  head.mask = r.mask;
  if (status == ATTCERT_OK) status = npy_read(&x, NULL, argv[5], &err);
  if (status == ATTCERT_OK) status = scale(&scaled, &x, r.factor, &err);
  if (status == ATTCERT_OK) status = attcert_layer_check(&head, &scaled, &err);
  if (status == ATTCERT_OK) status = npy_write(argv[7], &scaled, &err);
  if (status == ATTCERT_OK) status = put_line(&head, &x, &scaled, &err);
  attcert_matrix_clear(&scaled);
  attcert_matrix_clear(&x);
  attcert_layer_clear(&head);
  return program_end("scaled_input", status, &err);
}
