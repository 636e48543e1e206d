/* What a run of the certifier is planned to take, and which engine is chosen: decided from sizes alone, so the layers
 * here have no data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "certify/engine/deflated.h"
#include "certify/engine/dense.h"
#include "certify/engine/engine.h"
#include "certify/plan.h"

static double weight; /* stands for W_O: only whether there is one matters */

/* Two heads of dimension 8 on tokens in R^32, W_O with `out` rows. */
static attcert_layer layer_with(int out) {
  return (attcert_layer){.dim = 32, .heads = 2, .head_dim = 8, .out_dim = out, .output_weight = &weight};
}

static attcert_options options_with(attcert_engine engine, uint64_t memory) {
  attcert_options options;
  attcert_options_default(&options);
  options.engine = engine;
  options.memory_limit = memory;
  return options;
}

static const attcert_options PLAIN = {0}; /* alone, in memory */

static const uint64_t PLENTY = UINT64_C(1) << 50;

/* A plan that must succeed, with its line. */
static plan plan_of(const attcert_layer *layer, int n, const attcert_options *options, char *text, size_t size) {
  plan p;
  assert_int_equal(plan_make(&p, text, size, layer, n, options, NULL), ATTCERT_OK);
  assert_true(strlen(text) > 0 && strchr(text, '\n') == NULL);
  assert_true(p.bytes <= p.limits.memory && p.seconds >= 0 && isfinite(p.seconds));
  assert_true(strstr(text, attcert_engine_name(p.engine)) != NULL);
  return p;
}

/* ---- the engine -------------------------------------------------------------------------------------------------- */

static void test_asked_engine(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(16);
  char text[300];
  for (attcert_engine e = ATTCERT_ENGINE_MPFR; attcert_engine_name(e) != NULL; e++) {
    const attcert_options options = options_with(e, PLENTY);
    const plan p = plan_of(&layer, 10, &options, text, sizeof text);
    assert_int_equal(p.engine, e);
    assert_int_equal(p.side, 160);
    assert_true(p.bytes == engine_bytes(e, &layer, 10, options.precision, &PLAIN));
  }
}

/* The mpfr engine may take J^T J, the dense engine forms J J^T. */
static void test_side(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(50);
  char text[300];
  const attcert_options mpfr = options_with(ATTCERT_ENGINE_MPFR, PLENTY),
                        dense = options_with(ATTCERT_ENGINE_DENSE, PLENTY);
  assert_int_equal(plan_of(&layer, 10, &mpfr, text, sizeof text).side, 320);
  assert_int_equal(plan_of(&layer, 10, &dense, text, sizeof text).side, 500);
}

/* auto takes dense while it fits, to the byte, then deflated, then the pointwise bound, saying why. */
static void test_automatic_engine_by_memory(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(16);
  char text[300];
  const uint64_t dense = engine_bytes(ATTCERT_ENGINE_DENSE, &layer, 100, 128, &PLAIN);
  const attcert_options enough = options_with(ATTCERT_ENGINE_AUTO, dense);
  assert_int_equal(plan_of(&layer, 100, &enough, text, sizeof text).engine, ATTCERT_ENGINE_DENSE);
  assert_null(strstr(text, "pointwise"));
  const attcert_options less = options_with(ATTCERT_ENGINE_AUTO, dense - 1);
  assert_int_equal(plan_of(&layer, 100, &less, text, sizeof text).engine, ATTCERT_ENGINE_DEFLATED);
  assert_non_null(strstr(text, "deflation"));
  const uint64_t deflated = engine_bytes(ATTCERT_ENGINE_DEFLATED, &layer, 100, 128, &PLAIN);
  assert_true(deflated < dense);
  attcert_options short_of = options_with(ATTCERT_ENGINE_AUTO, deflated - 1);
  short_of.failure = 0.0;
  assert_int_equal(plan_of(&layer, 100, &short_of, text, sizeof text).engine, ATTCERT_ENGINE_POINTWISE);
  assert_non_null(strstr(text, "loose"));
}

/* A group of this process alone. */
static void broadcast(void *context, void *data, size_t bytes, int root) {
  (void)context, (void)data, (void)bytes, (void)root;
}

static void sum(void *context, double *x, size_t count) {
  (void)context, (void)x, (void)count;
}

/* Random starts take the place of an engine that would take too long, or is loose; never where a probability, or a
 * group's other processes, or a width beyond them rule that out. */
static void test_random_in_place_of_longer(void **state) {
  (void)state;
  const attcert_layer bert = {.dim = 768, .heads = 12, .head_dim = 64, .out_dim = 768, .output_weight = &weight};
  const attcert_process_group alone = {.rank = 0, .size = 1, .broadcast = broadcast, .sum = sum};
  char text[600];
  attcert_options options = options_with(ATTCERT_ENGINE_AUTO, PLENTY);
  const plan p = plan_of(&bert, 100, &options, text, sizeof text);
  assert_int_equal(p.engine, ATTCERT_ENGINE_RANDOM);
  assert_int_equal(p.certain, ATTCERT_ENGINE_DENSE);
  assert_non_null(strstr(text, "but for a probability of 2^-100; without one (--failure 0), dense would take about"));
  options.memory_limit = UINT64_C(2) << 30;
  assert_int_equal(plan_of(&bert, 100, &options, text, sizeof text).certain, ATTCERT_ENGINE_DEFLATED);
  options.memory_limit = engine_bytes(ATTCERT_ENGINE_RANDOM, &bert, 100, 128, &options);
  assert_int_equal(plan_of(&bert, 100, &options, text, sizeof text).engine, ATTCERT_ENGINE_RANDOM);
  assert_non_null(strstr(text, "pointwise alone fits into memory"));
  options.memory_limit--;
  assert_int_equal(plan_of(&bert, 100, &options, text, sizeof text).engine, ATTCERT_ENGINE_POINTWISE);
  options.memory_limit = PLENTY;
  assert_int_equal(plan_of(&bert, 2, &options, text, sizeof text).engine, ATTCERT_ENGINE_DENSE);
  options.tolerance = 1e-8;
  assert_int_not_equal(plan_of(&bert, 100, &options, text, sizeof text).engine, ATTCERT_ENGINE_RANDOM);
  options.tolerance = 1e-2;
  assert_int_equal(plan_of(&bert, 100, &options, text, sizeof text).engine, ATTCERT_ENGINE_RANDOM);
  options.failure = 0.0;
  assert_int_not_equal(plan_of(&bert, 100, &options, text, sizeof text).engine, ATTCERT_ENGINE_RANDOM);
  options.failure = 0x1p-20;
  options.group = &alone;
  assert_int_not_equal(plan_of(&bert, 100, &options, text, sizeof text).engine, ATTCERT_ENGINE_RANDOM);
}

/* A wide tolerance on a large side is met by deflation, whatever the memory; on a small one dense is as fast. */
static void test_automatic_engine_by_size(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(16);
  char text[300];
  attcert_options options = options_with(ATTCERT_ENGINE_AUTO, PLENTY);
  options.failure = 0.0;
  options.tolerance = 1e-2;
  assert_int_equal(plan_of(&layer, 10, &options, text, sizeof text).engine, ATTCERT_ENGINE_DENSE);
  const plan large = plan_of(&layer, 300, &options, text, sizeof text);
  assert_true(large.side >= 4096 && large.engine == ATTCERT_ENGINE_DEFLATED && large.preferred == large.engine);
  assert_true(large.bytes < engine_bytes(ATTCERT_ENGINE_DENSE, &layer, 300, options.precision, &PLAIN));
  assert_null(strstr(text, "would need"));
  options.tolerance = 1e-9;
  assert_int_equal(plan_of(&layer, 300, &options, text, sizeof text).engine, ATTCERT_ENGINE_DENSE);
}

/* A deflation in place of dense costs no more, so that both together take twice dense's time at most; one head takes it
 * for nine digits. */
static void test_deflation_is_held_to_dense(void **state) {
  (void)state;
  static const int sizes[] = {256, 300, 512, 1000, 4000};
  attcert_layer layer = layer_with(16);
  attcert_options options = options_with(ATTCERT_ENGINE_AUTO, PLENTY);
  options.failure = 0.0; /* a slow machine would take random starts in place of both */
  char text[300];
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    options.tolerance = 1e-2;
    const plan p = plan_of(&layer, sizes[i], &options, text, sizeof text);
    const int vectors = p.limits.deflated_vectors;
    assert_int_equal(p.engine, vectors > 0 ? ATTCERT_ENGINE_DEFLATED : ATTCERT_ENGINE_DENSE);
    assert_true(deflated_flops(&layer, sizes[i], vectors) <= dense_flops(&layer, sizes[i]) || vectors == 0);
    assert_true(deflated_flops(&layer, sizes[i], vectors > 0 ? 2 * vectors : 128) > dense_flops(&layer, sizes[i]) ||
                2 * vectors > p.side);
    assert_true(p.most >= p.seconds && (strstr(text, "at most") != NULL) == (vectors > 0));
  }
  options.tolerance = 1e-9;
  layer.heads = 1;
  assert_int_equal(plan_of(&layer, 1000, &options, text, sizeof text).engine, ATTCERT_ENGINE_DEFLATED);
  options.tolerance = 1e-10;
  assert_int_equal(plan_of(&layer, 1000, &options, text, sizeof text).engine, ATTCERT_ENGINE_DENSE);
  const attcert_options asked = options_with(ATTCERT_ENGINE_DEFLATED, PLENTY);
  assert_int_equal(plan_of(&layer, 1000, &asked, text, sizeof text).limits.deflated_vectors, 0);
}

/* A tolerance that double cannot meet asks for mpfr, where that is feasible. */
static void test_automatic_engine_by_tolerance(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(16);
  attcert_options options = options_with(ATTCERT_ENGINE_AUTO, PLENTY);
  char text[300];
  options.tolerance = 1e-9;
  assert_int_equal(plan_of(&layer, 10, &options, text, sizeof text).engine, ATTCERT_ENGINE_DENSE);
  options.tolerance = 1e-15;
  assert_int_equal(plan_of(&layer, 10, &options, text, sizeof text).engine, ATTCERT_ENGINE_MPFR);
  const plan large = plan_of(&layer, 1000, &options, text, sizeof text);
  assert_true(engine_fits(ATTCERT_ENGINE_MPFR, &layer, 1000, &options, PLENTY));
  assert_false(engine_is_feasible(ATTCERT_ENGINE_MPFR, &layer, 1000, &options, PLENTY));
  assert_int_equal(large.engine, ATTCERT_ENGINE_DENSE);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* An engine that was asked for and does not fit, or a layer that does not: how much is needed and how much there is. */
static void test_out_of_memory(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(16);
  for (attcert_engine e = ATTCERT_ENGINE_AUTO; attcert_engine_name(e) != NULL; e++) {
    const uint64_t needed =
        engine_bytes(e == ATTCERT_ENGINE_AUTO ? ATTCERT_ENGINE_POINTWISE : e, &layer, 100, 128, &PLAIN);
    const attcert_options options = options_with(e, needed - 1);
    attcert_error err = {0};
    plan p;
    char text[300], number[32];
    assert_int_equal(plan_make(&p, text, sizeof text, &layer, 100, &options, &err), ATTCERT_RESOURCE);
    snprintf(number, sizeof number, "%llu", (unsigned long long)needed);
    assert_non_null(strstr(err.message, number));
    snprintf(number, sizeof number, "%llu", (unsigned long long)needed - 1);
    assert_non_null(strstr(err.message, number));
  }
}

/* With a scratch folder the dense engine takes what it may, down to one panel; the line says what goes through the
 * file. */
static void test_scratch(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(16);
  const uint64_t all = engine_bytes(ATTCERT_ENGINE_DENSE, &layer, 100, 128, &PLAIN);
  attcert_options options = options_with(ATTCERT_ENGINE_DENSE, PLENTY);
  char text[300];
  options.scratch = "/";
  const uint64_t least = engine_bytes(ATTCERT_ENGINE_DENSE, &layer, 100, 128, &options);
  const plan roomy = plan_of(&layer, 100, &options, text, sizeof text);
  assert_int_equal(dense_windows_of(PLENTY, &layer, 100, 128, &options).count, 1);
  assert_true(roomy.bytes >= all);
  assert_null(strstr(text, "scratch"));
  assert_true(least < all);
  options.memory_limit = least;
  const plan tight = plan_of(&layer, 100, &options, text, sizeof text);
  assert_true(tight.bytes == least);
  /* of 7 panels, two of the shorter ones fit where the first one does, twice */
  assert_int_equal(dense_windows_of(least, &layer, 100, 128, &options).count, 5);
  assert_non_null(strstr(text, "5 windows, a scratch file of 0.01 GiB"));
  for (uint64_t memory = least; memory < all + (1 << 22); memory += 200000) {
    options.memory_limit = memory;
    const dense_windows w = dense_windows_of(memory, &layer, 100, 128, &options);
    assert_true(plan_of(&layer, 100, &options, text, sizeof text).bytes >= least);
    assert_true((strstr(text, "scratch") != NULL) == (w.count > 1) && w.count >= 1 && w.count <= 5);
    assert_true(dense_windows_of(memory, &layer, 100, 256, &options).bytes <= w.bytes);
  }
  options.memory_limit = least - 1;
  plan p;
  assert_int_equal(plan_make(&p, text, sizeof text, &layer, 100, &options, NULL), ATTCERT_RESOURCE);
}

/* Sides beyond int, and beyond what their products can be counted in. */
static void test_beyond_the_index_range(void **state) {
  (void)state;
  static const int dims[][2] = {{1 << 14, 16}, {32, 1 << 14}, {INT32_MAX, INT32_MAX}};
  const attcert_options options = options_with(ATTCERT_ENGINE_AUTO, PLENTY);
  for (int i = 0; i < 3; i++) {
    attcert_layer layer = layer_with(dims[i][1]);
    layer.dim = dims[i][0];
    attcert_error err = {0};
    plan p;
    char text[300];
    assert_int_equal(plan_make(&p, text, sizeof text, &layer, 1 << 20, &options, &err), ATTCERT_RESOURCE);
    assert_non_null(strstr(err.message, "index range"));
  }
}

/* The free memory of the machine, when no limit is given. */
static void test_memory_of_the_machine(void **state) {
  (void)state;
  const attcert_options given = options_with(ATTCERT_ENGINE_AUTO, 12345), none = options_with(ATTCERT_ENGINE_AUTO, 0);
  assert_int_equal(plan_memory(&given), 12345);
  assert_true(plan_memory(&none) > UINT64_C(1) << 20);
}

static void test_bytes_grow(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(16);
  for (attcert_engine e = ATTCERT_ENGINE_MPFR; attcert_engine_name(e) != NULL; e++) {
    assert_true(engine_bytes(e, &layer, 11, 128, &PLAIN) > engine_bytes(e, &layer, 10, 128, &PLAIN));
    assert_true(engine_bytes(e, &layer, 10, 4096, &PLAIN) > engine_bytes(e, &layer, 10, 128, &PLAIN));
    assert_true(engine_bytes(e, &layer, 10, 128, &PLAIN) >=
                engine_bytes(ATTCERT_ENGINE_POINTWISE, &layer, 10, 128, &PLAIN));
  }
}

/* ---- precision --------------------------------------------------------------------------------------------------- */

static bool is_doubling(int from, int to) {
  while (from < to) from *= 2;
  return from == to;
}

/* Caps are the asked precision doubled some times, at least itself; a larger layer is granted no more. */
static void test_precision_caps(void **state) {
  (void)state;
  static const int precisions[] = {53, 100, 128, 4096, 65536};
  const attcert_layer layer = layer_with(16);
  char text[300];
  for (size_t i = 0; i < sizeof precisions / sizeof precisions[0]; i++) {
    attcert_options options = options_with(ATTCERT_ENGINE_MPFR, PLENTY);
    options.precision = precisions[i];
    const plan p = plan_of(&layer, 4, &options, text, sizeof text);
    assert_true(is_doubling(precisions[i], p.limits.layer_precision_cap));
    assert_true(is_doubling(precisions[i], engine_precision_cap(precisions[i], 1e9)));
    assert_true(engine_precision_cap(precisions[i], 1e9) <= engine_precision_cap(precisions[i], 1e8));
    assert_true(p.limits.layer_precision_cap >= CERTIFY_ZERO_PRECISION);
    assert_int_equal(p.limits.layer_precision_cap, plan_layer_precision_cap(&layer, 4, precisions[i]));
    assert_true(plan_layer_precision_cap(&layer, 4000, precisions[i]) <= p.limits.layer_precision_cap);
  }
}

/* A short buffer gets a cut line, not a longer one. */
static void test_short_text(void **state) {
  (void)state;
  const attcert_layer layer = layer_with(16);
  const attcert_options options =
      options_with(ATTCERT_ENGINE_AUTO, engine_bytes(ATTCERT_ENGINE_POINTWISE, &layer, 100, 128, &PLAIN));
  for (size_t size = 1; size < 120; size++) {
    char text[128];
    plan p;
    memset(text, '!', sizeof text);
    assert_int_equal(plan_make(&p, text, size, &layer, 100, &options, NULL), ATTCERT_OK);
    assert_true(memchr(text, '\0', size) != NULL && text[size] == '!');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_asked_engine),
      cmocka_unit_test(test_side),
      cmocka_unit_test(test_automatic_engine_by_memory),
      cmocka_unit_test(test_random_in_place_of_longer),
      cmocka_unit_test(test_automatic_engine_by_size),
      cmocka_unit_test(test_deflation_is_held_to_dense),
      cmocka_unit_test(test_automatic_engine_by_tolerance),
      cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_scratch),
      cmocka_unit_test(test_beyond_the_index_range),
      cmocka_unit_test(test_memory_of_the_machine),
      cmocka_unit_test(test_bytes_grow),
      cmocka_unit_test(test_precision_caps),
      cmocka_unit_test(test_short_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
