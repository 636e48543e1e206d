/* Softmax mean of the values, head by head: inputs query, key, value. */
#include "base/arrays.h"
#include "robust/step/step.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const operation_attention_input input = {in[0], in[1], in[2], s->heads, s->causal};
  return operation_attention(out, &input, symbols, origin, err);
}

/* weight[0 .. count - 1] = softmax of q . k_j / sqrt(dim). */
static void softmax_weights(double *weight, const double *q, const double *k, int stride, int dim, int count) {
  double largest = -INFINITY, sum = 0.0;
  for (int j = 0; j < count; j++) {
    weight[j] = cblas_ddot(dim, q, 1, k + (size_t)j * (size_t)stride, 1) / sqrt(dim);
    largest = fmax(largest, weight[j]);
  }
  for (int j = 0; j < count; j++) sum += weight[j] = exp(weight[j] - largest);
  for (int j = 0; j < count; j++) weight[j] /= sum;
}

static int attended(const step *s, int row, int keys) {
  const int token = s->token >= 0 ? s->token : row;
  return s->causal ? token + 1 : keys;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const int d = y->cols, dim = d / s->heads;
  double *const weight = array_new((size_t)x[1]->rows, sizeof *weight, err, "the weights of %d tokens", x[1]->rows);
  if (weight == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < y->rows; i++) {
    const int count = attended(s, i, x[1]->rows);
    for (int h = 0; h < s->heads; h++) {
      const size_t at = (size_t)(h * dim), to = (size_t)i * (size_t)d + at;
      softmax_weights(weight, x[0]->data + to, x[1]->data + at, d, dim, count);
      cblas_dgemv(CblasRowMajor, CblasTrans, count, dim, 1.0, x[2]->data + at, d, weight, 1, 0.0, y->data + to, 1);
    }
  }
  free(weight);
  return ATTCERT_OK;
}

/* One head of one token: dv_j += P_j dy, ds_j = P_j (dy . v_j - sum_m P_m dy . v_m), dq += sum_j ds_j k_j / sqrt(dim),
 * dk_j += ds_j q / sqrt(dim). scratch: 2 count numbers. */
static void pull_back_head(attcert_matrix *const *dx, const attcert_matrix *const *x, const double *dy, size_t query,
                           size_t head, int dim, int count, double *scratch) {
  const int d = x[0]->cols;
  const double *const q = x[0]->data + query, *const k = x[1]->data + head, *const v = x[2]->data + head;
  double *const weight = scratch, *const score = scratch + count, mean = 0.0;
  softmax_weights(weight, q, k, d, dim, count);
  for (int j = 0; j < count; j++) {
    score[j] = cblas_ddot(dim, dy, 1, v + (size_t)j * (size_t)d, 1);
    mean += weight[j] * score[j];
    cblas_daxpy(dim, weight[j], dy, 1, dx[2]->data + head + (size_t)j * (size_t)d, 1);
  }
  for (int j = 0; j < count; j++) {
    const double change = weight[j] * (score[j] - mean) / sqrt(dim);
    cblas_daxpy(dim, change, k + (size_t)j * (size_t)d, 1, dx[0]->data + query, 1);
    cblas_daxpy(dim, change, q, 1, dx[1]->data + head + (size_t)j * (size_t)d, 1);
  }
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const int dim = dy->cols / s->heads;
  double *const scratch = array_new(2 * (size_t)x[1]->rows, sizeof *scratch, err, "weights of %d tokens", x[1]->rows);
  if (scratch == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < dy->rows; i++) {
    for (int h = 0; h < s->heads; h++) {
      const size_t head = (size_t)(h * dim), query = (size_t)i * (size_t)dy->cols + head;
      pull_back_head(dx, x, dy->data + query, query, head, dim, attended(s, i, x[1]->rows), scratch);
    }
  }
  free(scratch);
  return ATTCERT_OK;
}

const step_kind step_attention = {"attention", forms, value, pull_back};
