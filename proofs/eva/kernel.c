/* The double kernel at fixed sizes, for Eva: every function of src/kernel/ on inputs that range over whole intervals of
 * doubles, under both masks. Eva follows the C code in IEEE arithmetic and reports every division by zero, NaN,
 * infinity, invalid access, uninitialized read or integer overflow that it cannot exclude; none may be left.
 *
 *   tokens, directions and cotangents in [-1, 1]^d, weights and biases in [-1/2, 1/2]; eps = 2^-40 in LayerNorm
 *
 * This file is analysed, not run. */
#include "kernel/layer/attention.h"
#include "kernel/layernorm/layernorm.h"

#include "any_vector.h"

enum { N = 3, D = 4, K = 2, HEADS = 2, WIDTH = HEADS * K, OUT = 3 }; /* OUT <= WIDTH */

static double query_weight[WIDTH * D], key_weight[WIDTH * D], value_weight[WIDTH * D], output_weight[OUT * WIDTH];
static double query_bias[WIDTH], key_bias[WIDTH], value_bias[WIDTH], output_bias[OUT];
static double x[N * D], dx[N * D], y[N * WIDTH], dy[N * WIDTH], jacobian[N * WIDTH * N * D];
static double storage[1024], scratch[1024];
static double gamma[D], beta[D], z[D], normed[N * D], derivative[D * D];

static void check_attention(attcert_mask mask, int biases, int output) {
  const attcert_layer layer = {.dim = D,
                               .heads = HEADS,
                               .head_dim = K,
                               .out_dim = output ? OUT : WIDTH,
                               .mask = mask,
                               .query_weight = query_weight,
                               .key_weight = key_weight,
                               .value_weight = value_weight,
                               .query_bias = biases ? query_bias : NULL,
                               .key_bias = biases ? key_bias : NULL,
                               .value_bias = biases ? value_bias : NULL,
                               .output_weight = output ? output_weight : NULL,
                               .output_bias = output ? output_bias : NULL};
  attention_state state;
  any_vector(dx, N * D, 1.0);
  attention_forward(y, &layer, x, N, scratch);
  attention_state_init(&state, &layer, x, N, storage);
  attention_jacobian(jacobian, &state, scratch);
  attention_jvp(dy, &state, dx, scratch);
  attention_vjp(dx, &state, y, scratch);
}

static void check_layernorm(void) {
  const double eps = 0x1p-40, s = layernorm_standardize(z, x, eps, D);
  layernorm_rows(normed, x, N, D, gamma, beta, eps);
  layernorm_jacobian(derivative, gamma, z, s, D);
  layernorm_jvp(dx, gamma, z, s, x, D);
  layernorm_vjp(dx, gamma, z, s, x, D);
}

int main(void) {
  any_vector(query_weight, WIDTH * D, 0.5);
  any_vector(key_weight, WIDTH * D, 0.5);
  any_vector(value_weight, WIDTH * D, 0.5);
  any_vector(output_weight, OUT * WIDTH, 0.5);
  any_vector(query_bias, WIDTH, 0.5);
  any_vector(key_bias, WIDTH, 0.5);
  any_vector(value_bias, WIDTH, 0.5);
  any_vector(output_bias, OUT, 0.5);
  any_vector(gamma, D, 0.5);
  any_vector(beta, D, 0.5);
  any_vector(x, N * D, 1.0);
  check_layernorm();
  check_attention(ATTCERT_MASK_NONE, 1, 1);
  check_attention(ATTCERT_MASK_CAUSAL, 0, 1);
  check_attention(ATTCERT_MASK_NONE, 0, 0);
  return 0;
}
