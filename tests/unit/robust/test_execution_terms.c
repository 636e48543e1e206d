/* One step executed in float32 where a single term of its bound is nearly all of it: what the step adds stays below the
 * bound, and uses enough of it that the step without that term would be noticed. Inputs are numbers of the format. */
#include "executed_network.h"
#include "layernorm_step.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ENTRIES = 64, LONG_ROW = LAYERNORM_STEP_MOST };

/* The bounds of the symbols that the network's first step leaves for its execution. */
typedef struct {
  double bound[LONG_ROW];
} own_bounds;

static attcert_status note(void *context, int value, const form *f, const form_symbols *symbols) {
  own_bounds *const own = context;
  assert_true(f->rows * f->cols <= LONG_ROW);
  for (int at = 0; value == 1 && at < f->rows * f->cols; at++) {
    const form_layout *const layout = &f->row[at / f->cols].layout;
    own->bound[at] = symbols->segment[layout->id[layout->count - 1]].bound[at % f->cols];
  }
  return ATTCERT_OK;
}

/* The network of the step `s` alone, which every row of x (rows x cols) enters, and its first row's scores. */
static void build(network_case *c, const step *s, const double *x, int cols) {
  const step first_row = {.kind = &step_select, .layer = -1, .input = {1}, .inputs = 1, .rows = 1, .cols = s->cols};
  int value;
  *c = (network_case){.name = "a step", .network = {.tokens = s->rows, .dim = cols, .classes = s->cols}};
  assert_int_equal(robust_network_add(&value, &c->network, s, NULL), ATTCERT_OK);
  if (s->rows > 1) assert_int_equal(robust_network_add(&value, &c->network, &first_row, NULL), ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&c->x, s->rows, cols, NULL), ATTCERT_OK);
  for (int k = 0; k < s->rows * cols; k++) c->x.data[k] = (double)(float)x[k];
  c->ball = (robust_ball){.input = &c->x, .label = -1};
}

/* The same, and what they bound if functions are within `ulp` units. */
static void build_bounded(network_case *c, own_bounds *own, double ulp, const step *s, const double *x, int cols) {
  robust_margin margin;
  step_format format;
  build(c, s, x, cols);
  assert_true(step_format_named(&format, "float32", ulp));
  c->ball.format = &format;
  assert_int_equal(robust_margin_observe(&margin, &c->network, &c->ball, note, own, NULL), ATTCERT_OK);
  robust_margin_clear(&margin);
  c->ball.format = NULL;
}

/* The largest part of its bound that an entry in [first, last] uses, over all executions with functions within `ulp`
 * units. */
static double part_used_within(double ulp, const step *s, const double *x, int cols, int first, int last) {
  network_case c;
  own_bounds own;
  attcert_matrix exact;
  double largest = 0.0;
  build_bounded(&c, &own, ulp, s, x, cols);
  const attcert_matrix *const in[STEP_MAX_INPUTS] = {&c.x, &c.x, &c.x};
  assert_int_equal(attcert_matrix_init(&exact, s->rows, s->cols, NULL), ATTCERT_OK);
  assert_int_equal(s->kind->value(&exact, s, in, NULL), ATTCERT_OK);
  for (int k = 0; k < EXECUTED_MANNERS; k++) {
    executed_manner m = executed_network_manner("float32", k);
    m.wrong *= (ulp - 1.0) / (EXECUTED_ULP - 1.0);
    executed_network e;
    executed_network_run(&e, &c, c.x.data, &m);
    for (int at = first; at <= last; at++) {
      const double off = fabs(e.value[1][at] - exact.data[at]);
      if (!(off <= own.bound[at])) fail_msg("%s: entry %d off by %g, bound %g", s->kind->name, at, off, own.bound[at]);
      largest = fmax(largest, off / own.bound[at]);
    }
    executed_network_clear(&e, &c);
  }
  attcert_matrix_clear(&exact);
  network_case_clear(&c);
  return largest;
}

static double part_used(const step *s, const double *x, int cols, int first, int last) {
  return part_used_within(EXECUTED_ULP, s, x, cols, first, last);
}

/* Two scores near 10^4, each rounded on its own, of values 1 and -1 in the second column: what the scores are off moves
 * the mean by as much, and the rounding of weights and means, 1e-7, is nothing beside it. */
static void scores_move_the_mean(void **state) {
  (void)state;
  const step s = {.kind = &step_attention, .layer = -1, .inputs = 3, .rows = 2, .cols = 2, .heads = 1, .token = -1};
  double used = 0.0;
  for (int k = 0; k < 64; k++) {
    const double x[] = {100.0 + k / 63.0, 1.0, 100.01 + k / 61.0, -1.0};
    used = fmax(used, part_used(&s, x, 2, 1, 1));
  }
  print_message("scores: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.05);
}

/* One number, then many that are a little less than half of its last unit: a sum that begins with it loses each. */
static void a_sum_loses_every_small_term(void **state) {
  (void)state;
  double x[ENTRIES], ones[ENTRIES];
  for (int a = 0; a < ENTRIES; a++) {
    x[a] = a == 0 ? 1.0 : 0.984375 * 0x1p-24;
    ones[a] = 1.0;
  }
  const step s = {.kind = &step_affine, .layer = -1, .inputs = 1, .rows = 1, .cols = 1, .weight = ones};
  const double used = part_used(&s, x, ENTRIES, 0, 0);
  print_message("sum: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.9);
}

/* The same in q . k: a first term of 2^12, then 30 that are lost in one score and doubled in the other, so that the
 * mean of 1 and -1 moves by what both are off; the rounding of their difference is nothing beside that. */
static void sums_in_scores_move_the_mean(void **state) {
  (void)state;
  enum { DIM = ENTRIES / 2 };
  double x[ENTRIES];
  for (int a = 0; a < DIM; a++) {
    x[a] = a == 0 ? 64.0 : 0.992 * 0x1p-6;
    x[DIM + a] = a == 0 ? 64.0 : 1.04 * 0x1p-6;
  }
  x[DIM - 1] = 1.0;
  x[2 * DIM - 1] = -1.0;
  const step s = {.kind = &step_attention, .layer = -1, .inputs = 3, .rows = 2, .cols = DIM, .heads = 1, .token = -1};
  const double used = part_used(&s, x, DIM, DIM - 1, DIM - 1);
  print_message("sums in scores: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.3);
}

/* Two products that cancel, each rounded five times the worst way: nothing is lost in their sum. */
static void products_are_rounded_five_times(void **state) {
  (void)state;
  step_format format;
  step_summands sum = {0};
  double met;
  assert_true(step_format_named(&format, "float32", EXECUTED_ULP));
  step_summands_add(&sum, 1.0, 0.0);
  step_summands_add(&sum, -1.0, 0.0);
  const double off = pow(1.0 + 0x1p-24, 5.0) - pow(1.0 - 0x1p-24, 5.0);
  const double bound = step_summands_error(&met, &sum, 5.0, &format);
  print_message("products: part of the bound used %.3f\n", off / bound);
  assert_true(off <= bound && off > 0.8 * bound);
}

/* Entries at the mean of a row far from 0: normalised they are 0, so that no relative error counts, but what the mean
 * and the difference are off, over s. */
static void a_mean_far_away_moves_every_entry(void **state) {
  (void)state;
  enum { DIM = 8 };
  double used = 0.0;
  const step s = layernorm_step(DIM, 0x1p-30);
  for (int k = 0; k < 64; k++) {
    const double middle = (double)(float)(1000.0 + k / 7.0);
    const double x[DIM] = {middle + 1.0, middle - 1.0, middle, middle, middle, middle, middle, middle};
    used = fmax(used, part_used(&s, x, DIM, 2, DIM - 1));
  }
  print_message("mean: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.05);
}

/* 64 equal numbers, but for two: half of the partial sums lose nearly half of their last unit, so that the mean is off
 * by 16 units of an entry, which is rounded four times. */
static void a_mean_that_is_rounded_down(void **state) {
  (void)state;
  double x[ENTRIES];
  for (int a = 0; a < ENTRIES; a++) {
    x[a] = 1.0 + 15.0 * 0x1p-23 + (a == 0 ? 0.125 : a == 1 ? -0.125 : 0.0);
  }
  const step s = layernorm_step(ENTRIES, 0x1p-30);
  const double used = part_used(&s, x, ENTRIES, 2, ENTRIES - 1);
  print_message("mean's sum: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.15);
}

/* A long row of equal numbers but for one far below. Where the sum is in [d / 2, d), half of its additions, each loses
 * 0.49 of its last unit: the mean is off by a fifth of s. That makes s larger by a fiftieth of it, which moves the one
 * entry, -sqrt(d) when normalised, by four times as much as the mean does. */
static void a_mean_that_moves_the_root(void **state) {
  (void)state;
  double x[LONG_ROW];
  const double unit = LONG_ROW * 0x1p-24, middle = 1.0 + 0.49 * unit;
  for (int a = 0; a < LONG_ROW; a++) x[a] = a < LONG_ROW - 1 ? middle : middle - 1.25 * unit * sqrt(LONG_ROW);
  const step s = layernorm_step(LONG_ROW, 0x1p-60);
  const double used = part_used(&s, x, LONG_ROW, LONG_ROW - 1, LONG_ROW - 1);
  print_message("mean in the root: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.04);
}

/* Two squares of 1, then 62 that are nearly half of the last unit of 2: their sum loses each; the mean is exactly 0. */
static void squares_that_are_lost_move_the_scale(void **state) {
  (void)state;
  double x[ENTRIES];
  for (int a = 0; a < ENTRIES; a++) {
    x[a] = (a % 2 == 0 ? 1.0 : -1.0) * (a < 2 ? 1.0 : 1.4 * 0x1p-12);
  }
  const step s = layernorm_step(ENTRIES, 0x1p-30);
  const double used = part_used(&s, x, ENTRIES, 0, 1);
  print_message("squares: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.5);
}

/* Functions within 64 units: the inverse root's error is that of every entry; exponentials of two scores that are
 * nearly 0, on both sides of 1, are off by 63 units of 2^-23 and of 2^-24, and half of the difference moves the mean.
 */
static void inaccurate_functions_move_the_rest(void **state) {
  (void)state;
  const double apart[] = {0.96, -0.96}, near[] = {0x1p-10, -0x1p-10};
  const step layernorm = layernorm_step(2, 0x1p-30);
  const step attention = {
      .kind = &step_attention, .layer = -1, .inputs = 3, .rows = 2, .cols = 1, .heads = 1, .token = -1};
  const double root = part_used_within(64.0, &layernorm, apart, 2, 0, 1);
  const double weights = part_used_within(64.0, &attention, near, 1, 0, 0);
  print_message("inverse root: largest part of the bound used %.3f; exponentials: %.3f\n", root, weights);
  assert_true(root > 0.5 && weights > 0.2);
}

/* Where a term of an activation's error is largest beside the others: both roundings behind the function inside GELU
 * where x is small, and that function's own error where it is nearly 1. */
static void activations_err_where_their_terms_are_large(void **state) {
  (void)state;
  static const struct {
    const range_curve *curve;
    double from, least;
  } cases[] = {{&curve_gelu, 0x1p-9, 0.5},
               {&curve_gelu, 3.0, 0.5},
               {&curve_gelu_tanh, 0x1p-9, 0.5},
               {&curve_gelu_tanh, 3.0, 0.5},
               {&curve_tanh, 0.5, 0.5}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const step s = {
        .kind = &step_activation, .layer = -1, .inputs = 1, .rows = 1, .cols = ENTRIES, .curve = cases[k].curve};
    double x[ENTRIES];
    for (int a = 0; a < ENTRIES; a++) x[a] = cases[k].from * (1.0 + a / 67.0);
    const double used = part_used(&s, x, ENTRIES, 0, ENTRIES - 1);
    print_message("case %zu from %g: largest part of the bound used %.3f\n", k, cases[k].from, used);
    assert_true(used > cases[k].least);
  }
}

/* GELU of x < 0 with every rounding the worst way: those of the argument, and the function's, away from 0, where 1 and
 * the function cancel; the last two towards it. f: the relative error of the function, and of a power. */
static double gelu_rounded_worst(const range_curve *curve, double x, double f) {
  const double more = 1.0 + 0x1p-24, less = 1.0 - 0x1p-24;
  double inner;
  if (curve == &curve_gelu) {
    inner = erf(x * sqrt(0.5) * pow(more, 2.0));
  } else {
    const double cube = 0.044715 * pow(x, 3.0) * (1.0 + f) * pow(more, 2.0);
    inner = tanh(0.79788456080286536 * (x + cube) * pow(more, 3.0));
  }
  return 0.5 * x * (1.0 + inner * (1.0 + f)) * pow(less, 2.0);
}

/* Where the argument's roundings count most beside the others: |t phi'(t)| is largest and 1 + phi(t) small. */
static void roundings_inside_gelu_all_go_one_way(void **state) {
  (void)state;
  static const struct {
    const range_curve *curve;
    double ulp, least;
  } cases[] = {{&curve_gelu, 0.5, 0.9}, {&curve_gelu_tanh, 0.5, 0.5}, {&curve_gelu_tanh, 4096.0, 0.5}};
  for (int k = 0; k < 3; k++) {
    const range_curve *const curve = cases[k].curve;
    const step s = {.kind = &step_activation, .layer = -1, .inputs = 1, .rows = 1, .cols = ENTRIES, .curve = curve};
    const double f = 2.0 * cases[k].ulp * 0x1p-24;
    double x[ENTRIES], used = 0.0;
    network_case c;
    own_bounds own;
    for (int a = 0; a < ENTRIES; a++) x[a] = -0.5 - a / 24.0;
    build_bounded(&c, &own, cases[k].ulp, &s, x, ENTRIES);
    for (int a = 0; a < ENTRIES; a++) {
      const double off = fabs(gelu_rounded_worst(curve, x[a], f) - curve->estimate(x[a]));
      if (!(off <= own.bound[a])) fail_msg("case %d: at %g off by %g, bound %g", k, x[a], off, own.bound[a]);
      used = fmax(used, off / own.bound[a]);
    }
    network_case_clear(&c);
    print_message("inside GELU: largest part of the bound used %.3f\n", used);
    assert_true(used > cases[k].least);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scores_move_the_mean),
      cmocka_unit_test(a_sum_loses_every_small_term),
      cmocka_unit_test(sums_in_scores_move_the_mean),
      cmocka_unit_test(products_are_rounded_five_times),
      cmocka_unit_test(a_mean_far_away_moves_every_entry),
      cmocka_unit_test(a_mean_that_is_rounded_down),
      cmocka_unit_test(a_mean_that_moves_the_root),
      cmocka_unit_test(squares_that_are_lost_move_the_scale),
      cmocka_unit_test(inaccurate_functions_move_the_rest),
      cmocka_unit_test(activations_err_where_their_terms_are_large),
      cmocka_unit_test(roundings_inside_gelu_all_go_one_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
