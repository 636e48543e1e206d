/* The forward pass and the extracted attention layers of both families, on tiny random models, against an evaluation
 * from the definitions in long double; and what must not depend on anything: prefix, later tokens under the causal
 * mask, the way in. */
#include "kernel/layer/attention.h"
#include "model/model.h"
#include "tiny_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { D = TINY_DIM, MAX_N = TINY_POSITIONS };

static const int tokens[MAX_N] = {3, 10, 0, 3, 7};
static const tiny_family *const families[] = {&tiny_bert, &tiny_gpt2};

/* A model written to disk and opened, with its numbers at hand. */
typedef struct {
  const tiny_family *family;
  temp_folder folder;
  tensor_list tensors;
  model *m;
} fixture;

static void fixture_init(fixture *f, const tiny_family *family, const char *prefix, uint64_t seed) {
  attcert_error err;
  *f = (fixture){.family = family};
  random_source r = random_source_make(seed, 0, 0);
  temp_folder_init(&f->folder);
  family->init(&f->tensors, &r);
  tiny_model_write(&f->folder, family, &f->tensors, prefix);
  if (model_open(&f->m, f->folder.path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

static void fixture_clear(fixture *f) {
  model_close(f->m);
  tensor_list_clear(&f->tensors);
  temp_folder_clear(&f->folder);
}

static attcert_matrix input_of(const fixture *f, int l, int n) {
  attcert_matrix x;
  attcert_error err;
  if (model_layer_input(&x, f->m, l, tokens, n, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_int_equal(x.rows, n);
  assert_int_equal(x.cols, D);
  return x;
}

static attcert_layer layer_of(const fixture *f, int l) {
  attcert_layer layer;
  attcert_error err;
  if (model_layer(&layer, f->m, l, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  return layer;
}

static void reference_input(long double *x, const fixture *f, int l, int n) {
  f->family->embed(x, &f->tensors, tokens, n);
  for (int i = 0; i < l; i++) f->family->block(x, &f->tensors, i, n);
  f->family->attention_input(x, &f->tensors, l, n);
}

/* Some hundreds of roundings of numbers of order 1 each stay far below 1e-12 in total. */
static void assert_close(const double *x, const long double *expected, int count, const char *what) {
  for (int i = 0; i < count; i++) {
    if (!(fabsl(x[i] - expected[i]) <= 1e-12L * (1 + fabsl(expected[i]))))
      fail_msg("%s: entry %d is %.17g, expected %.17Lg", what, i, x[i], expected[i]);
  }
}

static void check_inputs(const tiny_family *family, uint64_t seed) {
  fixture f;
  fixture_init(&f, family, "", seed);
  for (int l = 0; l < TINY_LAYERS; l++) {
    for (int n = 1; n <= MAX_N; n++) {
      long double expected[MAX_N * D];
      attcert_matrix x = input_of(&f, l, n);
      reference_input(expected, &f, l, n);
      assert_close(x.data, expected, n * D, family->name);
      attcert_matrix_clear(&x);
    }
  }
  fixture_clear(&f);
}

static void inputs_match_the_definition(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++) {
    check_inputs(&tiny_bert, seed);
    check_inputs(&tiny_gpt2, seed);
  }
}

/* The layer handed to the certifier, evaluated by the kernel, is the model's attention. */
static void check_attention(const tiny_family *family, uint64_t seed) {
  fixture f;
  fixture_init(&f, family, "", seed);
  for (int l = 0; l < TINY_LAYERS; l++) {
    double y[MAX_N * D];
    long double exact_x[MAX_N * D], expected[MAX_N * D];
    attcert_layer layer = layer_of(&f, l);
    attcert_matrix x = input_of(&f, l, MAX_N);
    double *scratch = calloc(attention_forward_scratch(&layer, MAX_N) + 1, sizeof *scratch);
    assert_non_null(scratch);
    attention_forward(y, &layer, x.data, MAX_N, scratch);
    for (int i = 0; i < MAX_N * D; i++) exact_x[i] = x.data[i];
    family->attention(expected, exact_x, &f.tensors, l, MAX_N);
    assert_close(y, expected, MAX_N * D, family->name);
    free(scratch);
    attcert_matrix_clear(&x);
    attcert_layer_clear(&layer);
  }
  fixture_clear(&f);
}

static void layers_are_the_models_attention(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++) {
    check_attention(&tiny_bert, seed);
    check_attention(&tiny_gpt2, seed);
  }
}

static void assert_same(const double *a, const double *b, int count) {
  assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void prefix_does_not_matter(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    fixture bare, prefixed;
    fixture_init(&bare, families[i], "", 5);
    fixture_init(&prefixed, families[i], families[i]->prefix, 5);
    for (int l = 0; l < TINY_LAYERS; l++) {
      attcert_matrix x = input_of(&bare, l, MAX_N), y = input_of(&prefixed, l, MAX_N);
      attcert_layer a = layer_of(&bare, l), b = layer_of(&prefixed, l);
      assert_same(x.data, y.data, MAX_N * D);
      assert_same(a.query_weight, b.query_weight, D * D);
      assert_same(a.output_weight, b.output_weight, D * D);
      attcert_matrix_clear(&x);
      attcert_matrix_clear(&y);
      attcert_layer_clear(&a);
      attcert_layer_clear(&b);
    }
    fixture_clear(&bare);
    fixture_clear(&prefixed);
  }
}

/* Starting from the hidden states entering layer 0 (GPT-2: before ln_1) gives what starting from tokens gives. */
static void hidden_states_are_another_way_in(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    fixture f;
    fixture_init(&f, families[i], "", 6);
    long double exact[MAX_N * D];
    double numbers[MAX_N * D];
    families[i]->embed(exact, &f.tensors, tokens, MAX_N);
    for (int t = 0; t < MAX_N * D; t++) numbers[t] = (double)exact[t];
    const attcert_matrix hidden = {MAX_N, D, numbers};
    for (int l = 0; l < TINY_LAYERS; l++) {
      attcert_matrix x = input_of(&f, l, MAX_N), y;
      attcert_error err;
      if (model_layer_input_from(&y, f.m, l, &hidden, &err) != ATTCERT_OK) fail_msg("%s", err.message);
      for (int t = 0; t < MAX_N * D; t++) assert_true(fabs(x.data[t] - y.data[t]) <= 1e-12 * (1 + fabs(x.data[t])));
      attcert_matrix_clear(&x);
      attcert_matrix_clear(&y);
    }
    fixture_clear(&f);
  }
}

/* Whether the first token's state before the last layer is the same whatever follows it. */
static bool ignores_later_tokens(const fixture *f) {
  attcert_matrix alone = input_of(f, TINY_LAYERS - 1, 1), followed = input_of(f, TINY_LAYERS - 1, MAX_N);
  bool same = true;
  for (int i = 0; i < D; i++)
    same = same && fabs(alone.data[i] - followed.data[i]) <= 1e-12 * (1 + fabs(alone.data[i]));
  attcert_matrix_clear(&alone);
  attcert_matrix_clear(&followed);
  return same;
}

static void only_causal_models_ignore_later_tokens(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    fixture f;
    fixture_init(&f, families[i], "", 7);
    attcert_layer layer = layer_of(&f, 0);
    assert_int_equal(layer.mask, i == 1 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE);
    assert_int_equal(ignores_later_tokens(&f), i == 1);
    attcert_layer_clear(&layer);
    fixture_clear(&f);
  }
}

static void bert_as_decoder_ignores_later_tokens(void **state) {
  (void)state;
  static const char head[] = "{\"is_decoder\": true, ";
  char config[1024] = {0};
  strcat(strcat(config, head), tiny_bert.config + 1);
  tiny_family decoder = tiny_bert;
  decoder.config = config;
  fixture f;
  fixture_init(&f, &decoder, "", 8);
  assert_true(ignores_later_tokens(&f));
  fixture_clear(&f);
}

static void shape_and_files(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    fixture f;
    fixture_init(&f, families[i], "", 9);
    const model_shape shape = model_get_shape(f.m);
    assert_string_equal(shape.family, i == 0 ? "bert" : "gpt2");
    assert_int_equal(shape.dim, D);
    assert_int_equal(shape.heads, TINY_HEADS);
    assert_int_equal(shape.layers, TINY_LAYERS);
    assert_int_equal(shape.vocabulary, TINY_VOCABULARY);
    assert_int_equal(shape.positions, TINY_POSITIONS);
    char path[512];
    assert_int_equal(model_file_count(f.m), 2);
    assert_string_equal(model_file_path(f.m, 0), temp_folder_path(path, &f.folder, "config.json"));
    assert_string_equal(model_file_path(f.m, 1), temp_folder_path(path, &f.folder, "model.safetensors"));
    fixture_clear(&f);
  }
}

/* The rows of a layer number what the kernel is proved for at most. */
static void too_many_tokens(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, &tiny_bert, "", 10);
  attcert_matrix hidden, x;
  attcert_error err;
  assert_int_equal(attcert_matrix_init(&hidden, ATTCERT_SIDE_MAX + 1, D, &err), ATTCERT_OK);
  assert_int_equal(model_layer_input_from(&x, f.m, 1, &hidden, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, ": 32769 tokens, expected at most 32768"));
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&hidden);
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inputs_match_the_definition),
      cmocka_unit_test(layers_are_the_models_attention),
      cmocka_unit_test(prefix_does_not_matter),
      cmocka_unit_test(hidden_states_are_another_way_in),
      cmocka_unit_test(only_causal_models_ignore_later_tokens),
      cmocka_unit_test(bert_as_decoder_ignores_later_tokens),
      cmocka_unit_test(shape_and_files),
      cmocka_unit_test(too_many_tokens),
  };
  return cmocka_run_group_tests_name("forward", tests, NULL, NULL);
}
