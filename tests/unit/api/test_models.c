/* Models, files and whole networks through handles, against the modules beneath and the files themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attcert.h"
#include "ball/region/ball_kind.h"
#include "lipschitz/lipschitz.h"
#include "model/format/npy.h"
#include "model/model.h"
#include "robust/network.h"

enum { TOKENS = 3, DIM = 8 };

static attcert_model *opened(const char *spec) {
  attcert_model *m;
  assert_int_equal(attcert_model_open(&m, spec, 7, NULL), ATTCERT_OK);
  return m;
}

static void test_layer_of_a_model(void **state) {
  (void)state;
  const char *const spec = "random:gpt2:8,2,2";
  attcert_model *const m = opened(spec);
  attcert_problem *const p = attcert_problem_new();
  attcert_result *r;
  int tokens[TOKENS];
  double hidden[TOKENS * DIM], x[TOKENS * DIM];
  assert_int_equal(attcert_model_read_text(tokens, TOKENS, m, NULL, "src/cli/demo.txt", 5, NULL), ATTCERT_OK);
  assert_int_equal(attcert_model_hidden_states(hidden, m, tokens, TOKENS, NULL), ATTCERT_OK);
  assert_int_equal(attcert_model_layer_input(x, m, 1, hidden, TOKENS, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_load_layer(p, m, 1, NULL), ATTCERT_OK);
  attcert_model_close(m); /* the layer was copied */
  assert_int_equal(attcert_problem_set_array(p, "input", x, TOKENS, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_certify(&r, p, NULL, NULL), ATTCERT_OK);

  model *same;
  attcert_layer layer;
  attcert_matrix input;
  attcert_certificate c;
  attcert_options options;
  attcert_certificate_init(&c);
  attcert_options_default(&options);
  assert_int_equal(model_open(&same, spec, 7, NULL), ATTCERT_OK);
  assert_int_equal(model_layer(&layer, same, 1, NULL), ATTCERT_OK);
  assert_int_equal(model_layer_input(&input, same, 1, tokens, TOKENS, NULL), ATTCERT_OK);
  assert_memory_equal(input.data, x, sizeof x);
  assert_int_equal(attcert_certify(&c, &layer, &input, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_equal_p(c.lower, attcert_result_certificate(r)->lower) &&
              mpfr_equal_p(c.upper, attcert_result_certificate(r)->upper));
  assert_non_null(strstr(attcert_result_text(r), "layer      random:gpt2:8,2,2, layer 1, seed 7\n"));
  assert_non_null(strstr(attcert_result_text(r), "mask causal\n"));
  attcert_certificate_clear(&c);
  attcert_layer_clear(&layer);
  attcert_matrix_clear(&input);
  model_close(same);
  attcert_result_free(r);
  attcert_problem_free(p);
}

/* Functions of a layer: the ends of lipschitz_certify; of standard heads' attention, those of a problem. */
static void test_functions_of_a_layer(void **state) {
  (void)state;
  attcert_model *const m = opened("random:llama:8,2,1,2");
  model *same;
  double hidden[TOKENS * DIM], x[TOKENS * DIM];
  attcert_result *r;
  attcert_error err;
  for (int i = 0; i < TOKENS * DIM; i++) hidden[i] = sin(i + 1);
  assert_int_equal(model_open(&same, "random:llama:8,2,1,2", 7, NULL), ATTCERT_OK);
  for (int f = 0; f < MODEL_FUNCTIONS; f++) {
    const char *const name = model_function_names[f];
    const robust_function of = {
        .function = (model_function)f, .layer = 1, .tokens = TOKENS, .token = HEAD_TOKEN_UNASKED};
    const double slack = f == MODEL_LOGITS ? 1e-13 : 0.0; /* sums of many rows may be in an order of BLAS's own */
    network_steps steps;
    model_head head;
    attcert_certificate c;
    attcert_options options;
    attcert_certificate_init(&c);
    attcert_options_default(&options);
    assert_int_equal(attcert_model_function_input(x, m, name, 1, hidden, TOKENS, NULL), ATTCERT_OK);
    assert_int_equal(attcert_model_certify(&r, m, name, 1, x, TOKENS, NULL, NULL), ATTCERT_OK);
    const attcert_matrix input = {TOKENS, DIM, x};
    assert_int_equal(robust_function_open(&steps, &head, same, &of, NULL), ATTCERT_OK);
    assert_int_equal(lipschitz_certify(&c, &steps, &input, &options, NULL), ATTCERT_OK);
    const double lower = mpfr_get_d(c.lower, MPFR_RNDN), upper = mpfr_get_d(c.upper, MPFR_RNDN);
    const attcert_certificate *const found = attcert_result_certificate(r);
    assert_true(fabs(mpfr_get_d(found->lower, MPFR_RNDN) - lower) <= slack * upper);
    assert_true(fabs(mpfr_get_d(found->upper, MPFR_RNDN) - upper) <= slack * upper);
    assert_non_null(strstr(attcert_result_text(r), name));
    attcert_result_free(r);
    attcert_certificate_clear(&c);
    network_clear(&steps);
    model_head_clear(&head);
  }
  assert_int_equal(attcert_model_certify(&r, m, "layer", 1, x, TOKENS, NULL, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "function: expected attention, sublayer, block, network or logits, got 'layer'"));
  assert_null(r);
  assert_int_equal(attcert_model_certify(&r, m, "block", 2, x, TOKENS, NULL, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_model_certify(&r, NULL, "block", 1, x, TOKENS, NULL, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_model_certify(&r, m, "block", 1, NULL, TOKENS, NULL, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_model_certify(&r, m, "block", 1, x, 0, NULL, &err), ATTCERT_INPUT);
  x[DIM + 1] = INFINITY;
  assert_int_equal(attcert_model_certify(&r, m, "block", 1, x, TOKENS, NULL, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "entry [1, 1]"));
  model_close(same);
  attcert_model_close(m);
}

/* A function's value is the input of what comes next. */
static void test_values_of_functions(void **state) {
  (void)state;
  attcert_model *const m = opened("random:llama:8,2,1,2");
  double hidden[TOKENS * DIM], x[TOKENS * DIM], y[TOKENS * DIM], sum[TOKENS * DIM], next[TOKENS * DIM];
  attcert_error err;
  for (int i = 0; i < TOKENS * DIM; i++) hidden[i] = sin(i + 1);
  assert_int_equal(attcert_model_function_input(next, m, "block", 1, hidden, TOKENS, NULL), ATTCERT_OK);
  assert_int_equal(attcert_model_function_value(y, m, "block", 0, hidden, TOKENS, NULL), ATTCERT_OK);
  assert_memory_equal(y, next, sizeof y);
  assert_int_equal(attcert_model_function_value(y, m, "network", 0, hidden, TOKENS, NULL), ATTCERT_OK);
  assert_memory_equal(y, next, sizeof y);
  assert_int_equal(attcert_model_function_input(x, m, "attention", 1, hidden, TOKENS, NULL), ATTCERT_OK);
  assert_int_equal(attcert_model_function_value(y, m, "attention", 1, x, TOKENS, NULL), ATTCERT_OK);
  assert_int_equal(attcert_model_function_value(sum, m, "sublayer", 1, next, TOKENS, NULL), ATTCERT_OK);
  for (int i = 0; i < TOKENS * DIM; i++) assert_true(fabs(next[i] + y[i] - sum[i]) <= 1e-15 * (1.0 + fabs(next[i])));
  assert_int_equal(attcert_model_function_value(y, m, "layer", 1, x, TOKENS, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_model_function_value(y, m, "block", 2, x, TOKENS, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_model_function_value(y, NULL, "block", 1, x, TOKENS, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_model_function_value(y, m, "block", 1, x, 0, &err), ATTCERT_INPUT);
  x[DIM + 1] = NAN;
  assert_int_equal(attcert_model_function_value(y, m, "block", 1, x, TOKENS, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "entry [1, 1]"));
  attcert_model_close(m);
}

/* Attention of standard heads is that of a problem. */
static void test_attention_of_standard_heads(void **state) {
  (void)state;
  attcert_model *const m = opened("random:gpt2:8,2,2");
  attcert_problem *const p = attcert_problem_new();
  attcert_result *found, *expected;
  double x[TOKENS * DIM];
  for (int i = 0; i < TOKENS * DIM; i++) x[i] = sin(i + 1);
  assert_int_equal(attcert_problem_load_layer(p, m, 1, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_set_array(p, "input", x, TOKENS, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_certify(&expected, p, NULL, NULL), ATTCERT_OK);
  assert_int_equal(attcert_model_certify(&found, m, "attention", 1, x, TOKENS, NULL, NULL), ATTCERT_OK);
  assert_true(attcert_result_lower(found) == attcert_result_lower(expected) &&
              attcert_result_upper(found) == attcert_result_upper(expected));
  attcert_result_free(found);
  attcert_result_free(expected);
  attcert_problem_free(p);
  attcert_model_close(m);
}

static void test_sizes_and_refusals(void **state) {
  (void)state;
  attcert_error err;
  attcert_model *m = opened("random:bert:8,2,3"), *none;
  attcert_problem *const p = attcert_problem_new();
  int token = 1 << 30;
  double x[DIM];
  assert_int_equal(attcert_model_size(m, "dim"), 8);
  assert_int_equal(attcert_model_size(m, "heads"), 2);
  assert_int_equal(attcert_model_size(m, "layers"), 3);
  assert_int_equal(attcert_model_size(m, "positions"), 512);
  assert_int_equal(attcert_model_size(m, "vocabulary"), 30522);
  assert_int_equal(attcert_model_size(m, "width"), -1);
  assert_int_equal(attcert_problem_load_layer(p, m, 3, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_load_layer(p, m, SIZE_MAX, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_size(p, "dim"), 0);
  assert_int_equal(attcert_model_hidden_states(x, m, &token, 1, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_model_hidden_states(x, m, &token, 0, &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "number of tokens is 0, expected 1 to 32768");
  assert_int_equal(attcert_model_open(&none, "/nonexistent", 0, &err), ATTCERT_INPUT);
  assert_null(none);
  assert_non_null(strstr(err.message, "/nonexistent"));
  assert_int_equal(attcert_problem_load_weights(p, "/nonexistent", 0, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_load_input(p, "/nonexistent", &err), ATTCERT_INPUT);
  attcert_problem_free(p);
  attcert_model_close(m);
  attcert_model_close(NULL);
}

/* A weights file of H = 2 heads in two dimensions, Q = K = V = the numbers given. */
static void write_weights(const char *path, const double numbers[4]) {
  const char *const header = "{\"__metadata__\":{\"num_heads\":\"2\"},\"query.weight\":{\"dtype\":\"F64\",\"shape\":[2,"
                             "2],\"data_offsets\":[0,32]},"
                             "\"key.weight\":{\"dtype\":\"F64\",\"shape\":[2,2],\"data_offsets\":[32,64]},"
                             "\"value.weight\":{\"dtype\":\"F64\",\"shape\":[2,2],\"data_offsets\":[64,96]}}";
  const uint64_t size = strlen(header);
  FILE *const file = fopen(path, "wb");
  assert_non_null(file);
  fwrite(&size, sizeof size, 1, file);
  fputs(header, file);
  for (int i = 0; i < 3; i++) fwrite(numbers, sizeof *numbers, 4, file);
  assert_int_equal(fclose(file), 0);
}

/* The files' names and digests go into the report; numbers set afterwards have neither. */
static void test_files(void **state) {
  (void)state;
  char folder[] = "/tmp/test_modelsXXXXXX", weights[64], input[64];
  double numbers[4] = {1, 2, 3, -1}, x[4] = {1, 0, -1, 2};
  assert_non_null(mkdtemp(folder));
  snprintf(weights, sizeof weights, "%s/w.safetensors", folder);
  snprintf(input, sizeof input, "%s/x.npy", folder);
  write_weights(weights, numbers);
  assert_int_equal(npy_write(input, &(attcert_matrix){2, 2, x}, NULL), ATTCERT_OK);
  attcert_problem *const p = attcert_problem_new(), *const memory = attcert_problem_new();
  attcert_result *from_files, *from_memory;
  double lower[2], upper[2];
  assert_int_equal(attcert_problem_load_weights(p, weights, 0, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_load_input(p, input, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_certify(&from_files, p, NULL, NULL), ATTCERT_OK);
  assert_non_null(strstr(attcert_result_json(from_files), "\"role\": \"weights\""));
  assert_non_null(strstr(attcert_result_json(from_files), "\"role\": \"input\""));
  assert_non_null(strstr(attcert_result_json(from_files), input));
  assert_int_equal(attcert_problem_set_array(p, "input", x, 2, 2, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_certify(&from_memory, p, NULL, NULL), ATTCERT_OK);
  assert_null(strstr(attcert_result_json(from_memory), "\"role\": \"input\""));
  assert_true(attcert_result_upper(from_memory) == attcert_result_upper(from_files));
  attcert_result_free(from_files);
  attcert_result_free(from_memory);
  static const char *const names[] = {"query.weight", "key.weight", "value.weight"};
  for (int i = 0; i < 3; i++) assert_int_equal(attcert_problem_set_array(memory, names[i], numbers, 2, 2, NULL), 0);
  assert_int_equal(attcert_problem_set_array(memory, "input", x, 2, 2, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_set_heads(memory, 2, NULL), ATTCERT_OK);
  assert_int_equal(attcert_enclose(&lower[0], &upper[0], p, NULL, NULL), ATTCERT_OK);
  assert_int_equal(attcert_enclose(&lower[1], &upper[1], memory, NULL, NULL), ATTCERT_OK);
  assert_true(lower[0] == lower[1] && upper[0] == upper[1]);
  attcert_problem_free(p);
  attcert_problem_free(memory);
  unlink(weights);
  unlink(input);
  rmdir(folder);
}

/* ---- a whole network --------------------------------------------------------------------------------------------- */

static attcert_robustness *asked(const double *hidden) {
  attcert_robustness *r;
  attcert_model *const m = opened("random:bert:8,2,1");
  assert_int_equal(attcert_robustness_new(&r, m, hidden, TOKENS, DIM, NULL), ATTCERT_OK);
  attcert_model_close(m);
  return r;
}

static void hidden_states(double hidden[TOKENS * DIM]) {
  const int tokens[TOKENS] = {101, 2000, 102};
  attcert_model *const m = opened("random:bert:8,2,1");
  assert_int_equal(attcert_model_hidden_states(hidden, m, tokens, TOKENS, NULL), ATTCERT_OK);
  attcert_model_close(m);
}

/* Certified in a small ball, refuted in a huge one whose margin bounds fail, all by the numbers of a search. */
static void test_robustness(void **state) {
  (void)state;
  double hidden[TOKENS * DIM];
  size_t rows = 9, cols = 9;
  hidden_states(hidden);
  attcert_robustness *const r = asked(hidden);
  assert_true(isnan(attcert_robustness_number(r, "label")) && attcert_robustness_json(r) == NULL);
  assert_int_equal(attcert_robustness_set_text(r, "words", "1", NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_set_number(r, "radius", 1e-3, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
  assert_true(attcert_robustness_number(r, "certified") == 1e-3 && isinf(attcert_robustness_number(r, "refuted")));
  assert_true(attcert_robustness_number(r, "margin_lower") > 0.0 &&
              attcert_robustness_number(r, "margin_upper") >= attcert_robustness_number(r, "margin_lower"));
  assert_true(attcert_robustness_number(r, "gradient_upper") >= attcert_robustness_number(r, "gradient_lower"));
  assert_true(attcert_robustness_number(r, "label") + attcert_robustness_number(r, "rival") == 1.0);
  assert_null(attcert_robustness_counterexample(r, &rows, &cols));
  assert_true(rows == 0 && cols == 0 && isnan(attcert_robustness_number(r, "radius")));
  assert_non_null(strstr(attcert_robustness_json(r), "\"schema\": \"attcert/robust/1\""));
  assert_non_null(strstr(attcert_robustness_text(r), "network    random:bert:8,2,1"));

  /* the box of that radius holds the ball */
  const double norm = attcert_robustness_number(r, "gradient_upper");
  assert_int_equal(attcert_robustness_set_text(r, "ball", "entry", NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_OK);
  assert_true(attcert_robustness_number(r, "gradient_lower") > norm);
  assert_non_null(strstr(attcert_robustness_json(r), "\"ball\": \"entry\""));

  /* the other class at the input itself: every radius is refuted, by the input */
  assert_int_equal(attcert_robustness_set_number(r, "label", attcert_robustness_number(r, "rival"), NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_NEGATIVE);
  assert_true(attcert_robustness_number(r, "certified") == 0.0 && attcert_robustness_number(r, "refuted") == 0.0);
  assert_memory_equal(attcert_robustness_counterexample(r, &rows, &cols), hidden, sizeof hidden);
  assert_true(rows == TOKENS && cols == DIM);
  assert_int_equal(attcert_robustness_set_number(r, "radius", 0.0, NULL), ATTCERT_OK); /* so of a search */
  assert_int_equal(attcert_robustness_decide(r, NULL, NULL), ATTCERT_NEGATIVE);
  attcert_robustness_free(r);
}

static int end_at_once(void *context, const char *stage, double done) {
  (void)stage, (void)done;
  return ++*(int *)context > 1;
}

static void test_robustness_cancelled_and_refused(void **state) {
  (void)state;
  double hidden[TOKENS * DIM];
  int calls = 0;
  attcert_error err;
  hidden_states(hidden);
  attcert_robustness *const r = asked(hidden);
  attcert_options *const options = attcert_options_new();
  attcert_options_set_progress(options, end_at_once, &calls);
  assert_int_equal(attcert_robustness_decide(r, options, &err), ATTCERT_CANCELLED);
  assert_true(calls == 2 && attcert_robustness_json(r) == NULL && isnan(attcert_robustness_number(r, "label")));
  static const struct {
    const char *name;
    double value;
  } refused[] = {{"radius", -1}, {"radius", INFINITY}, {"relative", 0}, {"label", 2},
                 {"label", 0.5}, {"attack", -1},       {"ulp", 2000},   {"steps", 1}};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
    assert_int_equal(attcert_robustness_set_number(r, refused[i].name, refused[i].value, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_text(r, "words", "3", &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "--words: 3 is outside of the sequence, expected 0 to 2");
  assert_int_equal(attcert_robustness_set_text(r, "ball", "cube", &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "ball: expected " BALL_KIND_LIST ", got 'cube'");
  assert_int_equal(attcert_robustness_set_text(r, "execution", "float8", &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_text(r, "execution", "float32", &err), ATTCERT_OK);
  assert_int_equal(attcert_robustness_set_text(r, "format", "json", &err), ATTCERT_INPUT);
  attcert_options_free(options);
  attcert_robustness_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layer_of_a_model),    cmocka_unit_test(test_functions_of_a_layer),
      cmocka_unit_test(test_values_of_functions), cmocka_unit_test(test_attention_of_standard_heads),
      cmocka_unit_test(test_sizes_and_refusals),  cmocka_unit_test(test_files),
      cmocka_unit_test(test_robustness),          cmocka_unit_test(test_robustness_cancelled_and_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
