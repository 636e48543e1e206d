/* Head by head: S = Q_h K_h^T / sqrt(k), P = softmax of its rows, Y_h = P V_h; the products by BLAS, each head a block
 * of columns of the n x H k matrices. Entries of P outside the mask are 0. */
#include "model/attention_block.h"

#include "kernel/row/attended_keys.h"
#include "kernel/row/softmax.h"
#include "model/linear.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { QUERY, KEY, VALUE, MIXED, PARTS };

static void softmax_rows(attcert_matrix *p, attcert_mask mask) {
  const int n = p->rows;
  for (int i = 0; i < n; i++) {
    double *const row = p->data + (size_t)i * (size_t)n;
    const int attended = attended_keys(mask, i, n);
    softmax_row(row, attended);
    memset(row + attended, 0, (size_t)(n - attended) * sizeof(double));
  }
}

/* Fills the columns of head h in MIXED from those in QUERY, KEY and VALUE; p is n x n scratch. */
static void mix_head(attcert_matrix part[PARTS], attcert_matrix *p, const attcert_layer *layer, int h) {
  const int n = p->rows, k = layer->head_dim, width = layer->heads * k;
  const size_t first = (size_t)h * (size_t)k;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, k, 1.0 / sqrt(k), part[QUERY].data + first, width,
              part[KEY].data + first, width, 0.0, p->data, n);
  softmax_rows(p, layer->mask);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, k, n, 1.0, p->data, n, part[VALUE].data + first, width, 0.0,
              part[MIXED].data + first, width);
}

static void project(attcert_matrix part[PARTS], const attcert_layer *layer, const attcert_matrix *x) {
  const double *const weight[] = {layer->query_weight, layer->key_weight, layer->value_weight};
  const double *const bias[] = {layer->query_bias, layer->key_bias, layer->value_bias};
  for (int i = QUERY; i <= VALUE; i++)
    linear_apply(part[i].data, x->data, x->rows, weight[i], bias[i], part[i].cols, layer->dim);
}

/* f(X) from the heads' outputs: W_O and b_O, or the concatenation itself. */
static void project_output(attcert_matrix *y, const attcert_layer *layer, const attcert_matrix *mixed) {
  if (layer->output_weight == NULL)
    memcpy(y->data, mixed->data, (size_t)y->rows * (size_t)y->cols * sizeof(double));
  else
    linear_apply(y->data, mixed->data, y->rows, layer->output_weight, layer->output_bias, y->cols, mixed->cols);
}

attcert_status attention_block(attcert_matrix *y, const attcert_layer *layer, const attcert_matrix *x,
                               attcert_error *err) {
  attcert_matrix part[PARTS] = {{0}}, p = {0};
  attcert_status status = attcert_matrix_init(&p, x->rows, x->rows, err);
  for (int i = 0; i < PARTS && status == ATTCERT_OK; i++)
    status = attcert_matrix_init(&part[i], x->rows, layer->heads * layer->head_dim, err);
  if (status == ATTCERT_OK) {
    project(part, layer, x);
    for (int h = 0; h < layer->heads; h++) mix_head(part, &p, layer, h);
    project_output(y, layer, &part[MIXED]);
  }
  for (int i = 0; i < PARTS; i++) attcert_matrix_clear(&part[i]);
  attcert_matrix_clear(&p);
  return status;
}
