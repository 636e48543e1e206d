/* The initialisation rule of random_tensor.h: which distribution a tensor's name implies,
 * then addressed normal numbers. */
#include "model/random_tensor.h"

#include "base/gaussian.h"
#include "model/family/family.h"

#include <math.h>
#include <string.h>

static const double initializer_range = 0.02; /* the default of config.json */

static bool ends_with(const char *name, const char *suffix) {
  const size_t n = strlen(name), s = strlen(suffix);
  return n >= s && strcmp(name + n - s, suffix) == 0;
}

static bool is_layer_norm(const model_family *family, const char *name) {
  const char *const norms[] = {family->embedding_norm,           family->attention.norm,
                               family->norm_behind.attention,    family->feed_forward.norm,
                               family->norm_behind.feed_forward, family->final_norm,
                               family->heads_norm.query,         family->heads_norm.key};
  for (size_t i = 0; i < sizeof norms / sizeof norms[0]; i++) {
    if (norms[i] != NULL && strstr(name, norms[i]) != NULL) return true;
  }
  return false;
}

static double standard_deviation(const model_config *config, const char *name) {
  const char *const residual = config->family->random.residual;
  return residual != NULL && ends_with(name, residual) ? initializer_range / sqrt(2.0 * config->layers)
                                                       : initializer_range;
}

static void fill_constant(double *out, double value, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = value;
}

void random_tensor_fill(double *out, const model_config *config, uint64_t seed, const char *name, uint64_t first,
                        size_t count) {
  if (ends_with(name, ".bias")) {
    fill_constant(out, 0.0, count);
    return;
  }
  if (is_layer_norm(config->family, name)) {
    fill_constant(out, config->family->gain_from_one ? 0.0 : 1.0, count);
    return;
  }
  const double deviation = standard_deviation(config, name);
  const model_family *const family = config->family;
  const bool padded = family->random.padding && strcmp(name, family->word_table) == 0;
  const uint64_t padding = padded ? (uint64_t)config->embedding_dim : 0;
  gaussian_fill(out, seed, gaussian_stream(name), first, count);
  for (size_t i = 0; i < count; i++) out[i] = first + i < padding ? 0.0 : (double)(float)(deviation * out[i]);
}
