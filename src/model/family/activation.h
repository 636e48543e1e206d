/* Activation functions of the feed-forward part, by the names transformers gives them in config.json:
 *   gelu, gelu_python               x Phi(x), Phi the normal distribution function
 *   gelu_new, gelu_pytorch_tanh     x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
 *   quick_gelu                      x / (1 + exp(-1.702 x))
 *   silu                            x / (1 + exp(-x))
 *   relu                            max(x, 0)
 * D. Hendrycks, K. Gimpel, Gaussian Error Linear Units, 2016. */
#ifndef ATTCERT_MODEL_FAMILY_ACTIVATION_H
#define ATTCERT_MODEL_FAMILY_ACTIVATION_H

#include "robust/range/range_line.h"

/* The names above, as an error message would list them. */
#define ACTIVATION_NAMES "gelu, gelu_python, gelu_new, gelu_pytorch_tanh, quick_gelu, silu or relu"

/* NULL when the name is none of the above. */
const range_curve *activation_named(const char *name);

#endif
