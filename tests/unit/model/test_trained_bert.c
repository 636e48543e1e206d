/* A trained BERT classifier of sentiment, on embedded sentences: what it says, and that it has no embedding table. */
#include "model/format/npy.h"
#include "model/model_maps.h"
#include "network/activation/step_activation.h"
#include "network/select/step_select.h"
#include "test_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define assert_ok(call)                                    \
  do {                                                     \
    if ((call) != ATTCERT_OK) fail_msg("%s", err.message); \
  } while (0)

static model *open_bert_tiny(void) {
  char path[512];
  attcert_error err;
  model *m;
  assert_ok(model_open(&m, test_data_path(path, "models/bert-tiny-sst2"), 0, &err));
  return m;
}

static attcert_matrix read_input(int i) {
  char path[512], name[64];
  attcert_error err;
  attcert_matrix hidden;
  snprintf(name, sizeof name, "models/bert-tiny-sst2/input_%d.npy", i);
  assert_ok(npy_read(&hidden, NULL, test_data_path(path, name), &err));
  return hidden;
}

/* Log-odds of the positive class: classifier(tanh(pooler(first token's last hidden state))). */
static double sentiment(const model *m, attcert_matrix *x) {
  attcert_error err;
  network_steps network;
  assert_int_equal(m->config.dim, 128);
  assert_ok(model_run_blocks(x, m, m->config.layers, &err));
  network_builder b = network_run(&network, x, &err);
  int y = step_select_add(&b, 0, 0);
  y = step_activation_add(&b, model_map(&b, y, &m->source, linear_read, "pooler.dense", true, 128), &curve_tanh);
  y = model_map(&b, y, &m->source, linear_read, "classifier", true, 2);
  assert_ok(network_run_end(x, &b, y));
  return x->data[1] - x->data[0];
}

/* A classifier trained on SST-2 is rarely undecided on a sentence of SST-2: log-odds beyond ln 3, more than 3 to 1. */
static void classifier_is_decided(void **state) {
  (void)state;
  model *m = open_bert_tiny();
  for (int i = 0; i < 5; i++) {
    attcert_matrix hidden = read_input(i);
    const double odds = sentiment(m, &hidden);
    print_message("input_%d.npy: log-odds of the positive class %+.3f\n", i, odds);
    attcert_matrix_clear(&hidden);
    assert_true(fabs(odds) > log(3));
  }
  model_close(m);
}

static void no_embedding_table(void **state) {
  (void)state;
  attcert_error err;
  attcert_matrix x;
  const int token = 7;
  model *m = open_bert_tiny();
  assert_int_equal(model_get_shape(m).vocabulary, 0);
  assert_int_equal(model_layer_input(&x, m, 0, &token, 1, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "embedding table"));
  assert_null(x.data);
  model_close(m);
}

/* Layer 0's input is the hidden state that was given, exactly. */
static void first_layer_reads_its_input(void **state) {
  (void)state;
  attcert_error err;
  attcert_matrix x, hidden = read_input(0);
  model *m = open_bert_tiny();
  assert_ok(model_layer_input_from(&x, m, 0, &hidden, &err));
  assert_int_equal(x.rows, hidden.rows);
  assert_memory_equal(x.data, hidden.data, (size_t)x.rows * (size_t)x.cols * sizeof(double));
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&hidden);
  model_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(classifier_is_decided),
      cmocka_unit_test(no_embedding_table),
      cmocka_unit_test(first_layer_reads_its_input),
  };
  return cmocka_run_group_tests_name("trained_bert", tests, NULL, NULL);
}
