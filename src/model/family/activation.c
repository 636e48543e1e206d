#include "model/family/activation.h"

#include <string.h>

const range_curve *activation_named(const char *name) {
  static const struct {
    const char *name;
    const range_curve *curve;
  } known[] = {{"gelu", &curve_gelu},
               {"gelu_python", &curve_gelu},
               {"gelu_new", &curve_gelu_tanh},
               {"gelu_pytorch_tanh", &curve_gelu_tanh},
               {"relu", &curve_relu},
               {"silu", &curve_silu},
               {"quick_gelu", &curve_quick_gelu}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(name, known[i].name) == 0) return known[i].curve;
  }
  return NULL;
}
