/* Random initialisation: its specification strings, its distributions, and that it is a function of the seed alone. */
#include "model/model.h"
#include "model/random_model.h"
#include "model/random_tensor.h"
#include "model/tensor_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static model *open_random(const char *spec, uint64_t seed) {
  model *m;
  attcert_error err;
  if (model_open(&m, spec, seed, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  return m;
}

static void default_shapes(void **state) {
  (void)state;
  const struct {
    const char *spec;
    model_shape shape;
  } known[] = {
      {"random:bert", {"bert", 768, 12, 12, 30522, 512, 3072, false, false, 12, 64, ATTCERT_MASK_NONE}},
      {"random:gpt2", {"gpt2", 768, 12, 12, 50257, 1024, 3072, true, true, 12, 64, ATTCERT_MASK_CAUSAL}},
      {"random:llama", {"llama", 768, 12, 12, 32000, 2048, 2048, false, true, 12, 64, ATTCERT_MASK_CAUSAL}},
      {"random:llama:64,8,2,3", {"llama", 64, 8, 3, 32000, 2048, 256, false, true, 2, 8, ATTCERT_MASK_CAUSAL}},
      {"random:llama:64,8,3", {"llama", 64, 8, 3, 32000, 2048, 256, false, true, 8, 8, ATTCERT_MASK_CAUSAL}},
      {"random:qwen3:64,8,2,3", {"qwen3", 64, 8, 3, 151936, 32768, 256, false, true, 2, 8, ATTCERT_MASK_CAUSAL}},
      {"random:gemma2:64,8,3", {"gemma2", 64, 8, 3, 256000, 8192, 256, false, true, 8, 8, ATTCERT_MASK_CAUSAL}},
      {"random:bert:128,4,2", {"bert", 128, 4, 2, 30522, 512, 512, false, false, 4, 32, ATTCERT_MASK_NONE}},
      {"random:gpt2:6,6,1", {"gpt2", 6, 6, 1, 50257, 1024, 24, true, true, 6, 1, ATTCERT_MASK_CAUSAL}}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    model *m = open_random(known[i].spec, 0);
    const model_shape shape = model_get_shape(m), expected = known[i].shape;
    assert_string_equal(shape.family, expected.family);
    assert_int_equal(shape.dim, expected.dim);
    assert_int_equal(shape.heads, expected.heads);
    assert_int_equal(shape.layers, expected.layers);
    assert_int_equal(shape.hidden_dim, expected.hidden_dim);
    assert_int_equal(shape.key_heads, expected.key_heads);
    assert_int_equal(shape.head_dim, expected.head_dim);
    assert_int_equal(shape.mask, expected.mask);
    assert_int_equal(shape.vocabulary, expected.vocabulary);
    assert_int_equal(shape.positions, expected.positions);
    assert_true(shape.transposed == expected.transposed && shape.decoder == expected.decoder);
    assert_int_equal(model_file_count(m), 0);
    model_close(m);
  }
}

static void configuration_of_each_family(void **state) {
  (void)state;
  model_config config;
  assert_int_equal(random_model_config(&config, "random:bert:10,2,3", NULL), ATTCERT_OK);
  assert_int_equal(config.hidden_dim, 40);
  assert_ptr_equal(config.act, &curve_gelu);
  assert_int_equal(config.mask, ATTCERT_MASK_NONE);
  assert_true(config.epsilon == 1e-12);
  assert_int_equal(random_model_config(&config, "random:gpt2:10,2,3", NULL), ATTCERT_OK);
  assert_int_equal(config.hidden_dim, 40);
  assert_ptr_equal(config.act, &curve_gelu_tanh);
  assert_int_equal(config.mask, ATTCERT_MASK_CAUSAL);
  assert_true(config.epsilon == 1e-5);
}

static void bad_specifications(void **state) {
  (void)state;
  const char *const bad[] = {"random:",
                             "random:gpt",
                             "random:gpt3",
                             "random:bertx",
                             "random:bert:",
                             "random:bert:8",
                             "random:bert:8,2",
                             "random:bert:8,2,",
                             "random:bert:8,2,1,",
                             "random:bert:8,2,1 ",
                             "random:bert: 8,2,1",
                             "random:bert:0,1,1",
                             "random:bert:8,0,1",
                             "random:bert:8,2,0",
                             "random:bert:-8,2,1",
                             "random:bert:+8,2,1",
                             "random:bert:8,3,1",
                             "random:bert:4097,1,1",
                             "random:bert:99999999999999999999,1,1",
                             "random:bert:8,2,2147483648"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    attcert_error err = {0};
    model *m;
    if (model_open(&m, bad[i], 0, &err) != ATTCERT_INPUT) fail_msg("%s was accepted", bad[i]);
    assert_null(m);
    assert_non_null(strstr(err.message, bad[i]));
  }
}

static attcert_layer layer_of(const model *m, int l) {
  attcert_layer layer;
  attcert_error err;
  if (model_layer(&layer, m, l, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  return layer;
}

static bool same(const double *a, const double *b, size_t count) {
  return memcmp(a, b, count * sizeof *a) == 0;
}

static void a_function_of_the_seed(void **state) {
  (void)state;
  const char *const specs[] = {"random:bert:32,4,2", "random:gpt2:32,4,2"};
  for (int i = 0; i < 2; i++) {
    model *m = open_random(specs[i], 1), *again = open_random(specs[i], 1), *other = open_random(specs[i], 2);
    attcert_layer last = layer_of(m, 1), first = layer_of(again, 0), repeat = layer_of(again, 1),
                  changed = layer_of(other, 1);
    assert_true(same(last.query_weight, repeat.query_weight, 32 * 32));
    assert_true(same(last.output_weight, repeat.output_weight, 32 * 32));
    assert_false(same(last.query_weight, changed.query_weight, 32));
    assert_false(same(last.query_weight, first.query_weight, 32));
    assert_false(same(last.query_weight, last.key_weight, 32));
    attcert_layer_clear(&last);
    attcert_layer_clear(&first);
    attcert_layer_clear(&repeat);
    attcert_layer_clear(&changed);
    model_close(m);
    model_close(again);
    model_close(other);
  }
}

/* Mean 0 and the given deviation within 6 standard errors; every number a binary32. */
static void assert_gaussian(const double *a, size_t count, double deviation) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    assert_true(a[i] == (double)(float)a[i]);
    sum += a[i] / deviation;
    squares += a[i] / deviation * (a[i] / deviation);
  }
  const double n = (double)count;
  assert_true(fabs(sum / n) < 6 / sqrt(n));
  assert_true(fabs(squares / n - 1) < 6 * sqrt(2 / n));
}

static void assert_all(const double *a, size_t count, double value) {
  for (size_t i = 0; i < count; i++) assert_true(a[i] == value);
}

static void layers_are_gaussian(void **state) {
  (void)state;
  enum { D = 64, LAYERS = 8 };
  const char *const specs[] = {"random:bert:64,4,8", "random:gpt2:64,4,8"};
  const double output_deviation[] = {0.02, 0.02 / 4}; /* gpt2: 0.02 / sqrt(2 * 8) */
  for (int i = 0; i < 2; i++) {
    model *m = open_random(specs[i], 3);
    attcert_layer layer = layer_of(m, 5);
    assert_gaussian(layer.query_weight, D * D, 0.02);
    assert_gaussian(layer.key_weight, D * D, 0.02);
    assert_gaussian(layer.value_weight, D * D, 0.02);
    assert_gaussian(layer.output_weight, D * D, output_deviation[i]);
    assert_all(layer.query_bias, D, 0);
    assert_all(layer.output_bias, D, 0);
    attcert_layer_clear(&layer);
    model_close(m);
  }
}

static void rules_by_name(void **state) {
  (void)state;
  enum { D = 64 };
  model_config bert, gpt2;
  double a[4 * D];
  assert_int_equal(random_model_config(&bert, "random:bert:64,4,2", NULL), ATTCERT_OK);
  assert_int_equal(random_model_config(&gpt2, "random:gpt2:64,4,2", NULL), ATTCERT_OK);
  random_tensor_fill(a, &bert, 1, "encoder.layer.0.output.LayerNorm.weight", 0, D);
  assert_all(a, D, 1);
  random_tensor_fill(a, &bert, 1, "encoder.layer.0.output.LayerNorm.bias", 0, D);
  assert_all(a, D, 0);
  random_tensor_fill(a, &gpt2, 1, "h.1.ln_2.weight", 0, D);
  assert_all(a, D, 1);
  random_tensor_fill(a, &gpt2, 1, "h.1.mlp.c_proj.weight", 0, 4 * D);
  assert_gaussian(a, 4 * D, 0.02 / 2);
  random_tensor_fill(a, &gpt2, 1, "h.1.mlp.c_fc.weight", 0, 4 * D);
  assert_gaussian(a, 4 * D, 0.02);
  /* Only BERT's word table has a padding row. */
  random_tensor_fill(a, &bert, 1, "embeddings.word_embeddings.weight", D - 2, 4);
  assert_all(a, 2, 0);
  assert_true(a[2] != 0 && a[3] != 0);
  random_tensor_fill(a, &bert, 1, "embeddings.position_embeddings.weight", 0, 1);
  assert_true(a[0] != 0);
  random_tensor_fill(a, &gpt2, 1, "wte.weight", 0, 1);
  assert_true(a[0] != 0);
}

/* A row asked for alone is that row of the whole table. */
static void rows_of_the_table(void **state) {
  (void)state;
  enum { D = 6, ROWS = 9 };
  model_config config;
  double table[ROWS * D], row[D];
  assert_int_equal(random_model_config(&config, "random:gpt2:6,2,1", NULL), ATTCERT_OK);
  const tensor_source source = {.files = NULL, .prefix = "", .config = &config, .seed = 6};
  assert_int_equal(tensor_source_matrix(table, &source, "wte.weight", ROWS, D, NULL), ATTCERT_OK);
  for (int i = ROWS - 1; i >= 0; i--) {
    assert_int_equal(tensor_source_row(row, &source, "wte.weight", i, D, NULL), ATTCERT_OK);
    assert_true(same(row, table + i * D, D));
  }
}

static attcert_matrix input_of(const model *m, int l, const int *tokens, int n) {
  attcert_error err;
  attcert_matrix x;
  if (model_layer_input(&x, m, l, tokens, n, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  return x;
}

/* LayerNorm with gamma 1, beta 0: each token has mean 0 and, variance being far above epsilon, |x|^2 = d v / (v +
 * epsilon). */
static void inputs_are_normalized(void **state) {
  (void)state;
  enum { D = 32, N = 7 };
  const int tokens[N] = {1, 5, 30000, 5, 2, 9, 100};
  const char *const specs[] = {"random:bert:32,4,3", "random:gpt2:32,4,3"};
  for (int i = 0; i < 2; i++) {
    model *m = open_random(specs[i], 4);
    for (int l = 0; l < 3; l++) {
      attcert_matrix x = input_of(m, l, tokens, N);
      for (int t = 0; t < N; t++) {
        double sum = 0, squares = 0;
        for (int c = 0; c < D; c++) {
          sum += x.data[t * D + c];
          squares += x.data[t * D + c] * x.data[t * D + c];
        }
        assert_true(fabs(sum) < 1e-12);
        assert_true(squares <= D * (1 + 1e-12));
        assert_true(squares > 0.95 * D);
      }
      attcert_matrix_clear(&x);
    }
    model_close(m);
  }
}

/* The first and the last id of a big vocabulary are there, and different. */
static void whole_vocabulary(void **state) {
  (void)state;
  const int first = 0, last = 50256, beyond = 50257;
  model *m = open_random("random:gpt2:8,2,1", 5);
  attcert_matrix x = input_of(m, 0, &first, 1), y = input_of(m, 0, &last, 1);
  attcert_error err;
  assert_false(same(x.data, y.data, 8));
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&y);
  assert_int_equal(model_layer_input(&x, m, 0, &beyond, 1, &err), ATTCERT_INPUT);
  model_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(default_shapes),      cmocka_unit_test(configuration_of_each_family),
      cmocka_unit_test(bad_specifications),  cmocka_unit_test(a_function_of_the_seed),
      cmocka_unit_test(layers_are_gaussian), cmocka_unit_test(rules_by_name),
      cmocka_unit_test(rows_of_the_table),   cmocka_unit_test(inputs_are_normalized),
      cmocka_unit_test(whole_vocabulary),
  };
  return cmocka_run_group_tests_name("random_model", tests, NULL, NULL);
}
