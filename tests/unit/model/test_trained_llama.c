/* A trained LLaMA (rotary positions, shared keys, RMSNorm, a gated feed-forward part): every logit is the published
 * one. */
#include "model/format/matrix_file.h"
#include "model/format/npy_integers.h"
#include "model/model_maps.h"
#include "test_data.h"

#include <cblas.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define assert_ok(call)                                    \
  do {                                                     \
    if ((call) != ATTCERT_OK) fail_msg("%s", err.message); \
  } while (0)

/* The final norm of the last hidden states. */
static attcert_matrix final_states(const model *m, const int *tokens, int n) {
  attcert_error err;
  attcert_matrix x;
  network_steps network;
  assert_ok(model_embed(&x, m, tokens, n, &err));
  assert_ok(model_run_blocks(&x, m, m->config.layers, &err));
  network_builder b = network_run(&network, &x, &err);
  assert_ok(network_run_end(&x, &b, model_norm(&b, 0, m, m->config.family->final_norm)));
  return x;
}

static void logits_are_the_published_ones(void **state) {
  (void)state;
  char path[512];
  attcert_error err;
  attcert_matrix expected, table, logits;
  int *tokens, n;
  model *m;
  assert_ok(npy_integers_read(&tokens, &n, NULL, test_data_path(path, "models/stories260k/ids.npy"), &err));
  assert_ok(matrix_file_read(&expected, NULL, test_data_path(path, "models/stories260k/logits_expected.npy"), &err));
  (void)test_data_path(path, "models/stories260k");
  assert_ok(model_open(&m, path, 0, &err));
  attcert_matrix x = final_states(m, tokens, n);
  assert_ok(attcert_matrix_init(&table, m->config.vocabulary, x.cols, &err));
  assert_ok(attcert_matrix_init(&logits, n, table.rows, &err));
  assert_ok(tensor_source_matrix(table.data, &m->source, m->config.family->word_table, table.rows, table.cols, &err));
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, table.rows, x.cols, 1.0, x.data, x.cols, table.data, x.cols,
              0.0, logits.data, logits.cols);
  assert_int_equal(expected.rows, n);
  assert_int_equal(expected.cols, logits.cols);
  double worst = 0.0;
  for (size_t i = 0; i < (size_t)n * (size_t)logits.cols; i++)
    worst = fmax(worst, fabs(logits.data[i] - expected.data[i]));
  print_message("%d x %d logits, off by at most %.1e\n", n, logits.cols, worst);
  assert_true(worst <= 1e-5);
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&table);
  attcert_matrix_clear(&logits);
  attcert_matrix_clear(&expected);
  free(tokens);
  model_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(logits_are_the_published_ones)};
  return cmocka_run_group_tests_name("trained_llama", tests, NULL, NULL);
}
