#include "cli/source/onnx_input.h"

#include "model/format/npy_array.h"
#include "model/format/number_format.h"

static attcert_status check_input(const npy_array *a, const onnx_network *network, const char *path,
                                  attcert_error *err) {
  size_t count = 1;
  for (int i = 0; i < a->rank; i++) count *= (size_t)a->side[i];
  if (a->number == NULL || count != (size_t)network->steps.dim)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %zu %s, expected the %d numbers of the network's input %s", path,
                        count, a->number == NULL ? "booleans" : "numbers", network->steps.dim, network->input);
  const size_t bad = number_first_not_finite(a->number, count);
  if (bad == count) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: entry %zu is %g, expected a finite number", path, bad, a->number[bad]);
}

attcert_status onnx_input_read(attcert_matrix *x, char sha256[SHA256_HEX_SIZE], const onnx_network *network,
                               const char *path, attcert_error *err) {
  npy_array a;
  attcert_status status = npy_array_read(&a, sha256, path, err);
  if (status == ATTCERT_OK) status = check_input(&a, network, path, err);
  if (status == ATTCERT_OK) *x = (attcert_matrix){1, network->steps.dim, a.number};
  if (status == ATTCERT_OK) a.number = NULL;
  npy_array_clear(&a);
  return status;
}
