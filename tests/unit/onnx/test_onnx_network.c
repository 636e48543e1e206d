/* Networks of stored ONNX files (tests/fuzz/corpus/onnx, of tests/cli/onnx_graphs.py): their outputs are numpy's, and
 * so they are where the input is a point of a box. */
#include "onnx/onnx_network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OUTPUTS = 3 };

/* At x_k = (k mod 7 - 3) / 4. */
static const struct {
  const char *file;
  int inputs;
  double output[OUTPUTS];
} known[] = {
    {"good-linear", 4, {-1.5, -1.5, -1.5}},
    {"good-cast", 4, {-0.75, -0.75, -0.75}},
    {"good-gelu-erf", 4, {0.07700972349493948, 1.5756043220882718, -0.7894272656024157}},
    {"good-gelu-tanh", 4, {-2.848899969091186, 0.9358688976607015, 0.5131929353102441}},
    {"good-masked", 12, {1.4927739742320916, -0.29902866335740674, 0.014961483684872379}},
    {"good-where", 12, {2.437867949931103, -1.4833386142054892, -0.26044020013652125}},
    {"good-transformer-136", 15, {-10.23769903945464, -3.0424232806827001, 1.8395647004593001}},
    {"good-transformer-222", 48, {1.7739397531671823, -5.214210723841477, 1.986052163333905}},
    {"good-transformer-383", 15, {5.9520267095945663, -5.6532899274689381, -0.7067611151978852}},
};

static void open_stored(onnx_network *network, const char *name, const onnx_box *box) {
  char path[256];
  attcert_error err = {.message = ""};
  snprintf(path, sizeof path, "tests/fuzz/corpus/onnx/%s", name);
  if (onnx_network_open(network, path, box, NULL, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

static void check_outputs(const onnx_network *network, const attcert_matrix *x, const double *expected) {
  const network_steps *const steps = &network->steps;
  attcert_matrix *const value = calloc((size_t)steps->count + 1, sizeof *value);
  assert_non_null(value);
  value[0] = *x;
  for (int s = 0; s < steps->count; s++) assert_int_equal(network_value(value, steps, s, NULL), ATTCERT_OK);
  assert_int_equal(network_entries(steps, steps->count), OUTPUTS);
  for (int k = 0; k < OUTPUTS; k++) {
    const double got = value[steps->count].data[k];
    if (!(fabs(got - expected[k]) <= 1e-12 * (1.0 + fabs(expected[k]))))
      fail_msg("output %d: %.17g, %.17g", k, got, expected[k]);
  }
  for (int s = 1; s <= steps->count; s++) attcert_matrix_clear(&value[s]);
  free(value);
}

static void outputs_are_those_of_numpy(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    const size_t inputs = (size_t)known[i].inputs;
    onnx_network network;
    attcert_matrix x, zero;
    double *const half = calloc(inputs, sizeof *half);
    assert_non_null(half);
    assert_int_equal(attcert_matrix_init(&x, 1, known[i].inputs, NULL), ATTCERT_OK);
    assert_int_equal(attcert_matrix_init(&zero, 1, known[i].inputs, NULL), ATTCERT_OK);
    for (size_t k = 0; k < inputs; k++) x.data[k] = ((double)(k % 7) - 3.0) / 4.0;
    open_stored(&network, known[i].file, NULL);
    assert_int_equal(network.steps.tokens, 1);
    assert_int_equal(network.steps.dim, known[i].inputs);
    check_outputs(&network, &x, known[i].output);
    onnx_network_clear(&network);
    for (size_t k = 0; k < inputs; k++) half[k] = 0.5;
    open_stored(&network, known[i].file, &(onnx_box){x.data, half, known[i].inputs});
    check_outputs(&network, &zero, known[i].output);
    onnx_network_clear(&network);
    /* center + half t with t = x / half */
    for (size_t k = 0; k < inputs; k++) zero.data[k] = x.data[k] / half[k];
    double *const none = calloc(inputs, sizeof *none);
    open_stored(&network, known[i].file, &(onnx_box){none, half, known[i].inputs});
    check_outputs(&network, &zero, known[i].output);
    onnx_network_clear(&network);
    free(none);
    free(half);
    attcert_matrix_clear(&x);
    attcert_matrix_clear(&zero);
  }
}

static void a_box_has_as_many_numbers(void **state) {
  (void)state;
  const double numbers[3] = {0};
  onnx_network network;
  attcert_error err;
  assert_int_equal(
      onnx_network_open(&network, "tests/fuzz/corpus/onnx/good-linear", &(onnx_box){numbers, numbers, 3}, NULL, &err),
      ATTCERT_INPUT);
  onnx_network_clear(&network);
}

/* The sum of x, 0 and that sum with another sign, z added to each; x is on the left of a product, where a constant is
 * not understood. */
static void one_of_two_inputs_moves(void **state) {
  (void)state;
  static const char path[] = "tests/fuzz/corpus/onnx/two-inputs-added";
  double x[4] = {1.0, -2.0, 0.5, 3.0}, z = 0.25;
  const onnx_given given[] = {{"z", 1, &z, 1}, {"x=", 1, x, 4}, {"zz", 2, &z, 1}, {"z", 1, x, 4}};
  const struct {
    onnx_inputs inputs;
    const char *words; /* of the refusal; NULL: there is none */
  } cases[] = {
      {{.given = &given[0], .count = 1}, NULL},
      {{.name = "x=of a file", .length = 1, .given = &given[0], .count = 1}, NULL},
      {{.given = &given[1], .count = 1}, "a constant on the left"},
      {{.name = "x", .length = 1}, "inputs x and z, expected one that moves"},
      {{.given = &given[0], .count = 2}, "beside those that are given"},
      {{.name = "z", .length = 1, .given = &given[0], .count = 1}, "beside those that are given"},
      {{.given = &given[2], .count = 1}, "no input zz, expected x and z"},
      {{.name = "y", .length = 1, .given = &given[0], .count = 1}, "no input y, expected x and z"},
      {{.given = &given[3], .count = 1}, "input z: 4 numbers, expected 1"},
      {{.given = (onnx_given[]){given[0], given[0]}, .count = 2}, "input z is given twice"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    onnx_network network;
    attcert_error err = {.message = ""};
    const attcert_status status = onnx_network_open(&network, path, NULL, &cases[i].inputs, &err);
    assert_int_equal(status, cases[i].words == NULL ? ATTCERT_OK : ATTCERT_INPUT);
    if (cases[i].words == NULL) {
      assert_int_equal(network.steps.dim, 4);
      check_outputs(&network, &(attcert_matrix){1, 4, x}, (double[]){2.75, 0.25, -2.25});
    } else if (strstr(err.message, cases[i].words) == NULL) {
      fail_msg("%s", err.message);
    }
    onnx_network_clear(&network);
  }
}

static void refused(const char *name, const char *words) {
  char path[256];
  onnx_network network;
  attcert_error err = {.message = ""};
  snprintf(path, sizeof path, "tests/fuzz/corpus/onnx/%s", name);
  assert_int_equal(onnx_network_open(&network, path, NULL, NULL, &err), ATTCERT_INPUT);
  if (strstr(err.message, words) == NULL) fail_msg("%s", err.message);
  onnx_network_clear(&network);
}

static void what_is_not_read_is_refused(void **state) {
  (void)state;
  refused("unread-input", "input 1 (");
  refused("rounding-cast", "which is no number of type 1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_are_those_of_numpy), cmocka_unit_test(a_box_has_as_many_numbers),
      cmocka_unit_test(one_of_two_inputs_moves), cmocka_unit_test(what_is_not_read_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
