/* Steps whose results inside are stored in a narrow format, where that is nearly all of their bound: see
 * test_execution_terms.c. */
#include "executed_step.h"
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network/attention/step_attention.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ENTRIES = 64 };

/* Results that are stored in bfloat16 and float16 inside GELU: 1 and the function inside cancel where x < 0, and what
 * is left is less than what storing the function is off, times x / 2. */
static void stored_results_cancel_inside_gelu(void **state) {
  (void)state;
  static const range_curve *const curves[] = {&curve_gelu, &curve_gelu_tanh};
  for (int k = 0; k < 4; k++) {
    const char *const name = k < 2 ? "bfloat16" : "float16";
    const step s = {
        .kind = &step_activation, .of = curves[k % 2], .layer = -1, .inputs = 1, .rows = 1, .cols = ENTRIES};
    double x[ENTRIES], used[2];
    for (int far = 0; far < 2; far++) {
      for (int a = 0; a < ENTRIES; a++) x[a] = far ? -3.0 - a / 9.0 : -1.0 - a / 67.0;
      used[far] = executed_step_used(name, &s, x, ENTRIES, 0, ENTRIES - 1);
    }
    print_message("%s: part of GELU's bound used %.3f, far from 0 %.3f\n", name, used[0], used[1]);
    assert_true(used[0] > 0.2 && used[1] > 0.3);
  }
}

/* exp(-t) beyond the largest number of float16 makes SiLU 0, which it is not. */
static void exponentials_overflow_inside_silu(void **state) {
  (void)state;
  static const range_curve *const curves[] = {&curve_silu, &curve_quick_gelu};
  for (int k = 0; k < 2; k++) {
    const step s = {.kind = &step_activation, .of = curves[k], .layer = -1, .inputs = 1, .rows = 1, .cols = ENTRIES};
    double x[ENTRIES];
    for (int a = 0; a < ENTRIES; a++) x[a] = (-11.1 - a / 97.0) / (k == 0 ? 1.0 : 1.702);
    const double used = executed_step_used("float16", &s, x, ENTRIES, 0, ENTRIES - 1);
    print_message("%s: overflow, part of the bound used %.3f\n", curves[k]->name, used);
    assert_true(used > (k == 0 ? 0.2 : 0.04));
  }
}

/* Queries, or queries and keys, that are scaled by 1 / sqrt(3) and stored, for two keys whose scores are about the
 * same: the mean of what they point to moves by how much each product is off, more than by the sum's own rounding. */
static void stored_queries_move_scores(void **state) {
  (void)state;
  enum { DIM = 3, CASES = 400 };
  const attention_heads heads = step_attention_plain(1, DIM);
  const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = DIM};
  random_source r = random_source_make(5, 6, 7);
  double used = 0.0;
  for (int k = 0; k < CASES; k++) {
    double x[2 * DIM];
    for (int c = 0; c < DIM; c++) x[c] = random_uniform(&r, 1.0, 4.0);
    x[DIM] = x[0] + 4.0 * x[1];
    x[DIM + 1] = x[1] - 4.0 * x[0];
    x[DIM + 2] = x[2];
    used = fmax(used, executed_step_used("bfloat16", &s, x, DIM, 0, DIM - 1));
  }
  print_message("stored queries: part of the bound used %.3f\n", used);
  assert_true(used > 0.1);
}

/* Two keys of equal scores, one of large products that cancel, and queries and keys that are scaled, stored and rounded
 * the worst way: up where a product is positive, down where it is negative. */
static void stored_factors_all_go_one_way(void **state) {
  (void)state;
  enum { DIM = 16 };
  static const char *const formats[] = {"bfloat16", "float16"};
  const attention_heads heads = step_attention_plain(1, DIM);
  const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = DIM};
  for (int k = 0; k < 2; k++) {
    double x[2 * DIM], bound[2 * DIM], score = 0.0;
    const step_format format = step_format_of(float_format_named(formats[k]), 0.5);
    const double more = pow(1.0 + format.store.unit, 4.0);
    for (int c = 0; c < 2 * DIM; c++) x[c] = c < DIM ? 0.375 : 0.375 + (c % 2 == 0 ? 16.0 : -16.0);
    for (int c = DIM; c < 2 * DIM; c++) score += 0.375 * x[c] / sqrt(DIM) * (x[c] > 0.0 ? more : 1.0 / more);
    executed_step_bound(bound, &format, &s, x, DIM);
    const double weight = 1.0 / (1.0 + exp(DIM * 0.375 * 0.375 / sqrt(DIM) - score));
    const double used = (weight - 0.5) * (x[DIM] - x[0]) / bound[0];
    print_message("%s: stored factors, part of the bound used %.3f\n", formats[k], used);
    assert_true(used > 0.3 && used <= 1.0);
  }
}

/* Two keys of equal scores, up to a power of two, and all that is stored on the way through a softcap rounded the worst
 * way, up for one key and down for the other: scaled queries and keys, two constants each, and their sum; the cap, by
 * which that is divided, the quotient, tanh, the cap once more, and the product. */
static void results_stored_in_a_softcap_all_go_one_way(void **state) {
  (void)state;
  static const struct {
    const char *format;
    double query, cap, least;
  } cases[] = {{"bfloat16", 2.0, 16.0, 0.7}, {"float16", 4.0, 64.0, 0.85}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const double query = cases[k].query, cap = cases[k].cap;
    attention_heads heads = step_attention_plain(1, 2);
    heads.divided_by = 1.0;
    heads.curve = &curve_tanh;
    heads.cap = cap;
    const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = 2};
    double x[] = {query, 0.0, query, 2.0}, bound[4], score[2];
    const step_format format = step_format_of(float_format_named(cases[k].format), 0.5);
    for (int j = 0; j < 2; j++) {
      const double more = j == 1 ? 1.0 + format.store.unit : 1.0 / (1.0 + format.store.unit);
      const double argument = query * query * pow(more, 5.0) / cap * pow(more, 2.0);
      score[j] = tanh(argument) * more * cap * pow(more, 2.0);
    }
    executed_step_bound(bound, &format, &s, x, 2);
    const double used = (2.0 / (1.0 + exp(score[0] - score[1])) - 1.0) / bound[1];
    print_message("%s: stored in a softcap, part of the bound used %.3f\n", cases[k].format, used);
    assert_true(used > cases[k].least && used <= 1.0);
  }
}

/* A product W x that is stored before a bias takes most of it back. */
static void a_stored_product_is_off_before_its_bias(void **state) {
  (void)state;
  const double weight[] = {1.0, 0.0078125}, bias[] = {-1.0}, x[] = {1.0, 0.4921875};
  const step s = {
      .kind = &step_affine, .of = &(affine_weights){weight, bias}, .layer = -1, .inputs = 1, .rows = 1, .cols = 1};
  const double used = executed_step_used("bfloat16", &s, x, 2, 0, 0);
  print_message("stored product: part of the bound used %.3f\n", used);
  assert_true(used > 0.4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stored_results_cancel_inside_gelu),
      cmocka_unit_test(exponentials_overflow_inside_silu),
      cmocka_unit_test(stored_queries_move_scores),
      cmocka_unit_test(stored_factors_all_go_one_way),
      cmocka_unit_test(results_stored_in_a_softcap_all_go_one_way),
      cmocka_unit_test(a_stored_product_is_off_before_its_bias),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
