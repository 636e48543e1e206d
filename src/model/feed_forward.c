/* Two affine maps with the model's activation between them; the weights are in memory only while they are used. */
#include "model/feed_forward.h"

/* y = W x + b with the weights read for this one use. */
static attcert_status apply_stored(attcert_matrix *y, const attcert_matrix *x, const tensor_source *source,
                                   linear_reader *read, const char *name, attcert_error *err) {
  attcert_matrix weight = {0}, bias = {0};
  attcert_status status = attcert_matrix_init(&weight, y->cols, x->cols, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&bias, 1, y->cols, err);
  if (status == ATTCERT_OK) status = read(weight.data, bias.data, source, name, y->cols, x->cols, err);
  if (status == ATTCERT_OK) linear_apply(y->data, x->data, x->rows, weight.data, bias.data, y->cols, x->cols);
  attcert_matrix_clear(&weight);
  attcert_matrix_clear(&bias);
  return status;
}

attcert_status feed_forward(attcert_matrix *y, const attcert_matrix *x, const tensor_source *source,
                            linear_reader *read, const char *up, const char *down, attcert_error *err) {
  attcert_matrix hidden;
  attcert_status status = attcert_matrix_init(&hidden, x->rows, source->config->hidden_dim, err);
  if (status != ATTCERT_OK) return status;
  status = apply_stored(&hidden, x, source, read, up, err);
  if (status == ATTCERT_OK) {
    activation_apply(source->config->act, hidden.data, (size_t)hidden.rows * (size_t)hidden.cols);
    status = apply_stored(y, &hidden, source, read, down, err);
  }
  attcert_matrix_clear(&hidden);
  return status;
}
