/* Writes a small head of attention, for experiments on a ball.
 *
 *   write_head negative FILE                four dimensions, Q = -2 diag(1, 1/2, 1/4, 1/8), K = V = I: A = K^T Q / 2 is
 *                                           negative, ||A|| = ||V|| = 1
 *   write_head random K D SEED FILE         Gaussian Q, K, V (K x D), scaled so that ||A|| and ||V|| are about 1
 *   write_head signs K POSITIVE SCALE FILE  Q = V = I, K diagonal with SCALE in the first POSITIVE of K entries, -SCALE
 *                                           in the others: tr W = (2 POSITIVE - K) SCALE, tr W^2 = K SCALE^2 */
#include "arguments.h"
#include "base/gaussian.h"
#include "interval/interval_convert.h"
#include "theory/layer_norms.h"
#include "weights_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static attcert_status negative_head(attcert_layer *head, char **word, attcert_error *err) {
  enum { D = 4 };
  (void)word;
  const attcert_status status = attcert_layer_init(head, D, 1, D, 0, false, err);
  for (int i = 0; status == ATTCERT_OK && i < D; i++) {
    head->query_weight[i * D + i] = -ldexp(2.0, -i);
    head->key_weight[i * D + i] = head->value_weight[i * D + i] = 1.0;
  }
  return status;
}

static void scale(double *a, int count, double factor) {
  for (int i = 0; i < count; i++) a[i] *= factor;
}

/* Q and V are divided by what makes the norms of A and V one, up to rounding. */
static attcert_status normalize(attcert_layer *head, attcert_error *err) {
  layer_norms norms;
  const int count = head->head_dim * head->dim;
  const attcert_status status = layer_norms_init(&norms, head, err);
  if (status != ATTCERT_OK) return status;
  scale(head->query_weight, count, 1.0 / interval_get_d_upper(&norms.head[0].score));
  scale(head->value_weight, count, 1.0 / interval_get_d_upper(&norms.head[0].value));
  layer_norms_clear(&norms);
  return ATTCERT_OK;
}

static attcert_status random_head(attcert_layer *head, char **word, attcert_error *err) {
  int k, d, seed;
  attcert_status status = argument_int(&k, "K", word[0], 1, err);
  if (status == ATTCERT_OK) status = argument_int(&d, "D", word[1], 1, err);
  if (status == ATTCERT_OK) status = argument_int(&seed, "SEED", word[2], 0, err);
  if (status == ATTCERT_OK) status = attcert_layer_init(head, d, 1, k, 0, false, err);
  if (status != ATTCERT_OK) return status;
  const size_t count = (size_t)k * (size_t)d;
  gaussian_fill(head->query_weight, (uint64_t)seed, gaussian_stream("query"), 0, count);
  gaussian_fill(head->key_weight, (uint64_t)seed, gaussian_stream("key"), 0, count);
  gaussian_fill(head->value_weight, (uint64_t)seed, gaussian_stream("value"), 0, count);
  return normalize(head, err);
}

static attcert_status signed_head(attcert_layer *head, char **word, attcert_error *err) {
  int k, positive;
  double scale;
  attcert_status status = argument_int(&k, "K", word[0], 1, err);
  if (status == ATTCERT_OK) status = argument_int(&positive, "POSITIVE", word[1], 0, err);
  if (status == ATTCERT_OK) status = argument_positive(&scale, "SCALE", word[2], err);
  if (status == ATTCERT_OK) status = attcert_layer_init(head, k, 1, k, 0, false, err);
  for (int i = 0; status == ATTCERT_OK && i < k; i++) {
    const size_t diagonal = (size_t)i * ((size_t)k + 1);
    head->query_weight[diagonal] = head->value_weight[diagonal] = 1.0;
    head->key_weight[diagonal] = i < positive ? scale : -scale;
  }
  return status;
}

static const struct {
  const char *name;
  int words; /* between the name and FILE */
  attcert_status (*make)(attcert_layer *head, char **word, attcert_error *err);
} kinds[] = {{"negative", 0, negative_head}, {"random", 3, random_head}, {"signs", 3, signed_head}};

static attcert_status run(attcert_layer *head, int argc, char **argv, attcert_error *err) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (argc != kinds[i].words + 3 || strcmp(argv[1], kinds[i].name) != 0) continue;
    const attcert_status status = kinds[i].make(head, argv + 2, err);
    return status == ATTCERT_OK ? weights_file_write(argv[argc - 1], head, err) : status;
  }
  return attcert_fail(err, ATTCERT_INPUT,
                      "expected 'negative FILE', 'random K D SEED FILE' or 'signs K POSITIVE SCALE FILE'");
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  attcert_layer head = {0};
  const attcert_status status = run(&head, argc, argv, &err);
  attcert_layer_clear(&head);
  return program_end("write_head", status, &err);
}
