/* Two affine maps with the model's activation between them; the weights are in memory only while they are used. */
#include "model/feed_forward.h"

attcert_status feed_forward(attcert_matrix *y, const attcert_matrix *x, const tensor_source *source,
                            linear_reader *read, const char *up, const char *down, attcert_error *err) {
  attcert_matrix hidden;
  attcert_status status = attcert_matrix_init(&hidden, x->rows, source->config->hidden_dim, err);
  if (status != ATTCERT_OK) return status;
  status = linear_apply_stored(&hidden, x, source, read, up, err);
  if (status == ATTCERT_OK) {
    activation_apply(source->config->act, hidden.data, (size_t)hidden.rows * (size_t)hidden.cols);
    status = linear_apply_stored(y, &hidden, source, read, down, err);
  }
  attcert_matrix_clear(&hidden);
  return status;
}
