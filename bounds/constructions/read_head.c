/* See read_head.h. */
#include "read_head.h"

#include "model/model.h"

attcert_status read_layer(attcert_layer *layer, const char *spec, uint64_t seed, int l, attcert_error *err) {
  model *m;
  attcert_status status = model_open(&m, spec, seed, err);
  if (status != ATTCERT_OK) return status;
  status = model_layer(layer, m, l, err);
  model_close(m);
  return status;
}

attcert_status check_head(const attcert_layer *layer, int h, attcert_error *err) {
  if (h < layer->heads) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "HEAD: expected an integer from 0 to %d, got %d", layer->heads - 1, h);
}

attcert_status read_head(attcert_layer *head, const char *spec, uint64_t seed, int l, int h, attcert_error *err) {
  attcert_layer layer;
  attcert_status status = read_layer(&layer, spec, seed, l, err);
  if (status != ATTCERT_OK) return status;
  status = check_head(&layer, h, err);
  if (status == ATTCERT_OK) status = attcert_layer_head(head, &layer, h, err);
  attcert_layer_clear(&layer);
  return status;
}
