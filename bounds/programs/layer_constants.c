/* The product of a classifier's layer constants: what certifying layer by layer gives for the whole network, beside the
 * norm of the margin's gradient. Printed as one number.
 *
 *   layer_constants MODEL HIDDEN.npy LABEL RIVAL
 *
 * Every step has its local Lipschitz constant at the input (Frobenius norms), bounded from above: an affine map ||W||,
 * LayerNorm max |gamma| / s over its rows, an activation max |phi'| over its entries, a sum the sum of both constants,
 * attention with its projections what the certificate of its layer says, the scores ||w_LABEL - w_RIVAL||. Along the
 * network they are multiplied. Values are in double: an upper bound of the product at X up to roundings. */
#include "arguments.h"
#include "base/arrays.h"
#include "enclosed_norm.h"
#include "linalg/norm/euclidean_norm.h"
#include "linalg/norm/matrix_norm.h"
#include "model/format/npy.h"
#include "network/activation/step_activation.h"
#include "network/attention/step_attention.h"
#include "network/layernorm/step_layernorm.h"
#include "network/sum/step_sum.h"
#include "robust/network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  model *model;
  attcert_matrix hidden;
  robust_network network;
  int label, rival;
  attcert_matrix *value; /* [steps + 1] */
  double *constant;      /* [steps + 1]: of each value, as a function of the hidden states */
} experiment;

/* ---- the constant of a step -------------------------------------------------------------------------------------- */

static attcert_status spectral_norm(double *norm, const double *weight, int rows, int cols, attcert_error *err) {
  mpfr_t lower, upper;
  mpfr_inits2(53, lower, upper, (mpfr_ptr)0);
  const attcert_status status = matrix_norm(lower, upper, weight, rows, cols, 0.0, err);
  *norm = mpfr_get_d(upper, MPFR_RNDU);
  mpfr_clears(lower, upper, (mpfr_ptr)0);
  return status;
}

/* ||w_LABEL - w_RIVAL|| of the last map. */
static attcert_status score_norm(double *norm, const experiment *e, const double *weight, int in, attcert_error *err) {
  double *const row = array_new((size_t)in, sizeof *row, err, "a row of %d weights", in);
  if (row == NULL) return ATTCERT_RESOURCE;
  for (int c = 0; c < in; c++)
    row[c] = weight[(size_t)e->label * (size_t)in + (size_t)c] - weight[(size_t)e->rival * (size_t)in + (size_t)c];
  *norm = euclidean_norm(row, in);
  free(row);
  return ATTCERT_OK;
}

static double layernorm_norm(const layernorm_weights *w, const attcert_matrix *x) {
  double gain = 0.0, smallest = INFINITY;
  for (int c = 0; c < x->cols; c++) gain = fmax(gain, fabs(w->gain[c]));
  for (int i = 0; i < x->rows; i++) {
    const double *const row = x->data + (size_t)i * (size_t)x->cols;
    double mean = 0.0, variance = 0.0;
    for (int c = 0; c < x->cols; c++) mean += row[c] / x->cols;
    for (int c = 0; c < x->cols; c++) variance += (row[c] - mean) * (row[c] - mean) / x->cols;
    smallest = fmin(smallest, variance);
  }
  return gain / sqrt(smallest + w->epsilon);
}

static double activation_norm(const range_curve *curve, const attcert_matrix *x) {
  double largest = 0.0;
  for (size_t k = 0; k < (size_t)x->rows * (size_t)x->cols; k++) {
    range value;
    largest = fmax(largest, range_magnitude(curve->tangent(x->data[k], &value)));
  }
  return largest;
}

static attcert_status attention_norm(double *norm, const experiment *e, int layer, attcert_error *err) {
  attcert_layer l = {0};
  attcert_matrix x = {0};
  enclosed_norm enclosed;
  enclosed_norm_init(&enclosed);
  attcert_status status = model_layer(&l, e->model, layer, err);
  if (status == ATTCERT_OK) status = model_layer_input_from(&x, e->model, layer, &e->hidden, err);
  if (status == ATTCERT_OK) status = enclosed_norm_certify(&enclosed, &l, &x, err);
  *norm = mpfr_get_d(enclosed.upper, MPFR_RNDU);
  enclosed_norm_clear(&enclosed);
  attcert_matrix_clear(&x);
  attcert_layer_clear(&l);
  return status;
}

/* An affine map that reads an attention is its output projection, which the constant of the layer contains. */
static bool is_projection(const experiment *e, const step *s) {
  return s->input[0] > 0 && e->network.steps.step[s->input[0] - 1].kind == &step_attention;
}

static const double *weight_of(const step *s) {
  const affine_weights *const w = s->of;
  return w->weight;
}

static attcert_status step_constant(double *constant, const experiment *e, int number, attcert_error *err) {
  const step *const s = &e->network.steps.step[number];
  const attcert_matrix *const x = &e->value[s->input[0]];
  attcert_status status = ATTCERT_OK;
  double norm = 1.0;
  int from = s->input[0];
  if (s->kind == &step_sum) {
    *constant = e->constant[s->input[0]] + e->constant[s->input[1]];
    return ATTCERT_OK;
  }
  if (s->kind == &step_attention) {
    status = attention_norm(&norm, e, s->layer, err);
    from = e->network.steps.step[s->input[1] - 1].input[0]; /* what the keys are made from */
  } else if (s->kind == &step_layernorm) {
    norm = layernorm_norm(s->of, x);
  } else if (s->kind == &step_activation) {
    norm = activation_norm(s->of, x);
  } else if (number == e->network.steps.count - 1) {
    status = score_norm(&norm, e, weight_of(s), x->cols, err);
  } else if (s->kind == &step_affine && !is_projection(e, s)) {
    status = spectral_norm(&norm, weight_of(s), s->cols, x->cols, err);
  }
  *constant = norm * e->constant[from];
  return status;
}

/* ---- the network ------------------------------------------------------------------------------------------------- */

static attcert_status follow(experiment *e, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  e->constant[0] = 1.0;
  for (int i = 0; i < e->network.steps.count && status == ATTCERT_OK; i++) {
    status = network_value(e->value, &e->network.steps, i, err);
    if (status == ATTCERT_OK) status = step_constant(&e->constant[i + 1], e, i, err);
  }
  return status;
}

static attcert_status multiply(experiment *e, attcert_error *err) {
  const size_t values = (size_t)e->network.steps.count + 1;
  const array_table table = {{ARRAY(e->value, values), ARRAY(e->constant, values)}};
  attcert_status status = array_table_allocate(&table, err, "the values of %d steps", e->network.steps.count);
  if (status != ATTCERT_OK) return status;
  e->value[0] = e->hidden;
  status = follow(e, err);
  if (status == ATTCERT_OK) printf("%.6g\n", e->constant[values - 1]);
  for (size_t v = 1; v < values; v++) attcert_matrix_clear(&e->value[v]);
  array_table_release(&table);
  return status;
}

static attcert_status open_network(experiment *e, attcert_error *err) {
  const int n = e->hidden.rows;
  model_head head;
  int token = 0;
  attcert_status status = model_head_open(&head, e->model, NULL, err);
  if (status == ATTCERT_OK) status = model_head_token(&token, &head, HEAD_TOKEN_UNASKED, n, err);
  if (status == ATTCERT_OK) status = robust_network_open(&e->network, e->model, &head, n, token, err);
  model_head_clear(&head);
  return status;
}

static attcert_status run(experiment *e, char **word, attcert_error *err) {
  attcert_matrix stored = {0};
  attcert_status status = model_open(&e->model, word[1], 0, err);
  if (status == ATTCERT_OK) status = npy_read(&stored, NULL, word[2], err);
  if (status == ATTCERT_OK) status = model_hidden_states_from(&e->hidden, e->model, &stored, err);
  attcert_matrix_clear(&stored);
  if (status == ATTCERT_OK) status = argument_int(&e->label, "LABEL", word[3], 0, err);
  if (status == ATTCERT_OK) status = argument_int(&e->rival, "RIVAL", word[4], 0, err);
  if (status == ATTCERT_OK) status = open_network(e, err);
  const int classes = status == ATTCERT_OK ? robust_network_classes(&e->network) : 0;
  if (status == ATTCERT_OK && (e->label >= classes || e->rival >= classes))
    status = attcert_fail(err, ATTCERT_INPUT, "LABEL and RIVAL: expected classes from 0 to %d", classes - 1);
  return status == ATTCERT_OK ? multiply(e, err) : status;
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  experiment e = {0};
  const attcert_status status =
      argc == 5 ? run(&e, argv, &err) : attcert_fail(&err, ATTCERT_INPUT, "expected MODEL HIDDEN.npy LABEL RIVAL");
  robust_network_clear(&e.network);
  attcert_matrix_clear(&e.hidden);
  model_close(e.model);
  return program_end("layer_constants", status, &err);
}
