#include "certify/jacobian/factored_jacobian_scale.h"

#include "base/arrays.h"
#include "linalg/rounding/binary_exponent.h"

#include <stdlib.h>

/* Channels whose scale is within 2^CHANNEL_SPREAD of the largest share its shift; rho below 2^SMALLEST_RHO counts as
 * 0. */
enum { CHANNEL_SPREAD = 16, SMALLEST_RHO = -1000 };

void factored_jacobian_scale_token(factored_jacobian *m, size_t token, long gradient, long factored) {
  const long s = exponent_max(gradient, factored);
  m->scale[token] = s == EXPONENT_OF_ZERO ? SMALLEST_EXPONENT : s; /* g_i = 0 and F_i = 0: w_i. does not matter */
  const bool negligible = factored == EXPONENT_OF_ZERO || factored - m->scale[token] < SMALLEST_RHO;
  m->rho[token] = negligible ? 0.0 : scale_double(1.0, factored - m->scale[token]);
}

/* Exponent of channel (h, r) of the Jacobian: of V's row and of every w g^T. */
static long exponent_of_channel(const factored_jacobian *m, const attcert_layer *layer, const long *row_exponent,
                                size_t channel) {
  const size_t d = (size_t)m->dim, k = (size_t)m->head_dim;
  long exponent = exponent_of_doubles(layer->value_weight + channel * d, d);
  for (int i = 0; i < m->n; i++)
    exponent =
        exponent_max(exponent, row_exponent[factored_jacobian_token(m, (int)(channel / k), i) * k + channel % k]);
  return exponent;
}

/* Chooses shift[]: the largest exponent for the channels near it and those that are exactly 0, without W_O for all. */
static void scale_values(factored_jacobian *m, const attcert_layer *layer, const long *exponent) {
  const size_t d = (size_t)m->dim, channels = (size_t)m->heads * (size_t)m->head_dim;
  long largest = EXPONENT_OF_ZERO;
  for (size_t c = 0; c < channels; c++) largest = exponent_max(largest, exponent[c]);
  for (size_t c = 0; c < channels; c++) {
    const long own = exponent[c];
    m->shift[c] = m->output == NULL || own == EXPONENT_OF_ZERO || own >= largest - CHANNEL_SPREAD ? largest : own;
    for (size_t j = 0; j < d; j++) m->v[c * d + j] = scale_double(layer->value_weight[c * d + j], -m->shift[c]);
  }
  m->exponent = largest; /* of J without W_O */
}

/* Fills W' and the exponent of J; a column that meets a channel of zeros stays 0. */
static void scale_output(factored_jacobian *m, const attcert_layer *layer, const long *exponent) {
  const double *const weight = layer->output_weight;
  const size_t channels = (size_t)m->heads * (size_t)m->head_dim, count = (size_t)m->out_dim * channels;
  m->exponent = EXPONENT_OF_ZERO;
  for (size_t at = 0; at < count; at++) {
    const size_t c = at % channels;
    const long shift = exponent[c] == EXPONENT_OF_ZERO ? EXPONENT_OF_ZERO : m->shift[c];
    m->exponent = exponent_max(m->exponent, exponent_product(exponent_of_doubles(&weight[at], 1), shift));
  }
  for (size_t at = 0; m->exponent != EXPONENT_OF_ZERO && at < count; at++) {
    const size_t c = at % channels;
    if (exponent[c] != EXPONENT_OF_ZERO) m->output[at] = scale_double(weight[at], m->shift[c] - m->exponent);
  }
}

attcert_status factored_jacobian_scale_channels(factored_jacobian *m, const attcert_layer *layer,
                                                const long *row_exponent, attcert_error *err) {
  const size_t channels = (size_t)m->heads * (size_t)m->head_dim;
  long *const exponent = array_new(channels, sizeof *exponent, err, "the scale of the Jacobian's channels");
  if (exponent == NULL) return ATTCERT_RESOURCE;
  for (size_t c = 0; c < channels; c++) exponent[c] = exponent_of_channel(m, layer, row_exponent, c);
  scale_values(m, layer, exponent);
  if (m->output != NULL) scale_output(m, layer, exponent);
  m->zero = m->exponent == EXPONENT_OF_ZERO;
  free(exponent);
  return ATTCERT_OK;
}
