/* GELU (erf and tanh forms) and ReLU, entry by entry. */
#include "model/activation.h"

#include <math.h>
#include <string.h>

bool activation_from_name(activation *kind, const char *name) {
  static const struct {
    const char *name;
    activation kind;
  } known[] = {{"gelu", ACTIVATION_GELU},
               {"gelu_python", ACTIVATION_GELU},
               {"gelu_new", ACTIVATION_GELU_TANH},
               {"gelu_pytorch_tanh", ACTIVATION_GELU_TANH},
               {"relu", ACTIVATION_RELU}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(name, known[i].name) == 0) {
      *kind = known[i].kind;
      return true;
    }
  }
  return false;
}

/* Phi(x) = erfc(-x / sqrt(2)) / 2 keeps its relative accuracy for x far below 0, where 1 + erf(x / sqrt(2)) cancels. */
static double gelu(double x) {
  static const double sqrt_half = 0x1.6a09e667f3bcdp-1;
  return 0.5 * x * erfc(-x * sqrt_half);
}

/* (1 + tanh u) / 2 = 1 / (1 + exp(-2u)), without the cancellation of the left-hand side. */
static double gelu_tanh(double x) {
  static const double sqrt_two_over_pi = 0x1.9884533d43651p-1;
  return x / (1.0 + exp(-2.0 * sqrt_two_over_pi * (x + 0.044715 * x * x * x)));
}

static double relu(double x) {
  return x > 0.0 ? x : 0.0;
}

void activation_apply(activation kind, double *x, size_t count) {
  double (*const apply[])(double) = {
      [ACTIVATION_GELU] = gelu, [ACTIVATION_GELU_TANH] = gelu_tanh, [ACTIVATION_RELU] = relu};
  for (size_t i = 0; i < count; i++) x[i] = apply[kind](x[i]);
}
