/* BatchNorm with moments of every size: values, gradients, products and forms against its definition in Arb; the
 * factor's own error where it is most of a bound; what is no BatchNorm is refused. */
#include "executed_step.h"
#include "form_member.h"
#include "interval/interval_convert.h"
#include "network/batchnorm/step_batchnorm.h"
#include "network_oracle.h"
#include "spectrum_oracle.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 2, COLS = 3, COUNT = ROWS * COLS, CASES = 100, POINTS = 10, BITS = 1200 };

static const double weight[COLS] = {1.5, -0.3, 0.0}, bias[COLS] = {0.1, -2.0, 5.0};
static const double mean[COLS] = {0.7, -1e3, 1e-30}, variance[COLS] = {0.3, 0.0, 1e10};
static const double below[COLS] = {-0.25, -0x1p-30, 0.3}, tiny[COLS] = {0x1p-1074, 1e-300, 0x1p-1000};
static const double huge_weight[COLS] = {0x1p100, -0x1p100, 1.0}, ones[COLS] = {1.0, 1.0, 1.0};

static const struct {
  const char *name;
  step_batchnorm_parameters of;
} cases[] = {
    {"usual", {weight, bias, mean, variance, 1e-5, COLS}},
    {"neither weight nor bias", {NULL, NULL, mean, variance, 0x1p-20, COLS}},
    {"a sum that cancels", {weight, NULL, mean, below, 0.25 + 0x1p-40, COLS}},
    {"no epsilon", {NULL, bias, mean, ones, 0.0, COLS}},
    {"variances that hardly count", {ones, bias, mean, tiny, 0x1p-60, COLS}},
    {"large factors", {huge_weight, bias, mean, variance, 1e-12, COLS}},
};
enum { PARAMETERS = sizeof cases / sizeof cases[0] };

static const double input[COUNT] = {1.0, -1e3, 0.0, -0x1p-1074, 1.0 / 3.0, 1e20};
static const double back[COUNT] = {1.0, -2.0, 0.5, 1e-3, 3.0, -1.0};

static step step_of(const step_batchnorm_parameters *of) {
  return (step){.kind = &step_batchnorm, .of = of, .layer = -1, .inputs = 1, .rows = ROWS, .cols = COLS};
}

/* (x - mean) weight / sqrt(variance + epsilon) + bias; of the derivative: neither mean nor bias. */
static void exact_entry(arb_t y, const step_batchnorm_parameters *of, int c, double x, bool derivative) {
  arb_t t;
  arb_init(t);
  arb_set_d(y, of->variance[c]);
  arb_set_d(t, of->epsilon);
  arb_add(y, y, t, BITS);
  arb_rsqrt(y, y, BITS);
  arb_set_d(t, of->weight != NULL ? of->weight[c] : 1.0);
  arb_mul(y, y, t, BITS);
  arb_set_d(t, derivative ? 0.0 : of->mean[c]);
  arb_neg(t, t);
  arb_mul(t, t, y, BITS);
  arf_t exact;
  arf_init(exact);
  arf_set_d(exact, x);
  arb_mul_arf(y, y, exact, BITS);
  arf_clear(exact);
  arb_add(y, y, t, BITS);
  arb_set_d(t, of->bias != NULL && !derivative ? of->bias[c] : 0.0);
  arb_add(y, y, t, BITS);
  arb_clear(t);
}

static double middle(const arb_t x) {
  return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* |f| (|x| + |mean|) + |bias|. */
static double terms_of(const step_batchnorm_parameters *of, int c, double x) {
  arb_t factor;
  arb_init(factor);
  exact_entry(factor, of, c, 1.0, true);
  const double size = fabs(middle(factor)), shift = of->bias != NULL ? fabs(of->bias[c]) : 0.0;
  arb_clear(factor);
  return size * (fabs(x) + fabs(of->mean[c])) + shift;
}

/* ---- values and gradients ---------------------------------------------------------------------------------------- */

static void values_and_gradients_are_close_in_double(void **state) {
  (void)state;
  arb_t exact;
  arb_init(exact);
  for (int i = 0; i < PARAMETERS; i++) {
    const step_batchnorm_parameters *const of = &cases[i].of;
    const step s = step_of(of);
    double out[COUNT], slope[COUNT] = {0.0};
    attcert_matrix y = {ROWS, COLS, out}, dx = {ROWS, COLS, slope}, *const to[] = {&dx};
    const attcert_matrix x = {ROWS, COLS, (double *)input}, dy = {ROWS, COLS, (double *)back}, *const in[] = {&x};
    assert_int_equal(step_batchnorm.value(&y, &s, in, NULL), ATTCERT_OK);
    assert_int_equal(step_batchnorm.pull_back(to, &s, in, &dy, NULL), ATTCERT_OK);
    assert_int_equal(step_batchnorm.pull_back(to, &s, in, &dy, NULL), ATTCERT_OK);
    for (int k = 0; k < COUNT; k++) {
      const int c = k % COLS;
      exact_entry(exact, of, c, back[k], true);
      assert_true(fabs(slope[k] - 2.0 * middle(exact)) <= 0x1p-50 * fabs(slope[k]));
      exact_entry(exact, of, c, input[k], false);
      if (!(fabs(out[k] - middle(exact)) <= 0x1p-50 * terms_of(of, c, input[k])))
        fail_msg("%s: entry %d is %g, expected %g", cases[i].name, k, out[k], middle(exact));
    }
  }
  arb_clear(exact);
}

static void point_enclosure(step_enclosure *e, const double *x, const step_scratch *scratch) {
  assert_int_equal(step_enclosure_init(e, ROWS, COLS, scratch->precision, NULL), ATTCERT_OK);
  for (int k = 0; k < COUNT && x != NULL; k++) {
    mpfr_set_d(e->entry[k].lo, x[k], MPFR_RNDD);
    mpfr_set_d(e->entry[k].hi, x[k], MPFR_RNDU);
  }
}

/* As closely as so many bits allow, whatever the double for the factor is. */
static void assert_enclosed(const char *name, const interval *e, const arb_t exact, double terms,
                            mpfr_prec_t precision) {
  mpfr_t width, size;
  mpfr_inits2(precision, width, size, (mpfr_ptr)0);
  assert_true(spectrum_oracle_contains(name, e, exact));
  mpfr_sub(width, e->hi, e->lo, MPFR_RNDU);
  mpfr_set_d(size, terms, MPFR_RNDU);
  mpfr_mul_2si(size, size, 4 - (long)precision, MPFR_RNDU);
  assert_true(mpfr_lessequal_p(width, size));
  mpfr_clears(width, size, (mpfr_ptr)0);
}

static void values_and_gradients_are_enclosed(void **state) {
  (void)state;
  arb_t exact;
  arb_init(exact);
  for (int i = 0; i < PARAMETERS; i++) {
    for (mpfr_prec_t precision = 53; precision <= 424; precision *= 2) {
      const step s = step_of(&cases[i].of);
      step_scratch scratch;
      step_enclosure x, y, dx, dy;
      const step_enclosure *const in[] = {&x};
      step_enclosure *const to[] = {&dx};
      step_scratch_init(&scratch, precision);
      point_enclosure(&x, input, &scratch);
      point_enclosure(&y, NULL, &scratch);
      point_enclosure(&dx, NULL, &scratch);
      point_enclosure(&dy, back, &scratch);
      assert_int_equal(step_batchnorm.enclose(&y, &s, in, &scratch, NULL), ATTCERT_OK);
      assert_int_equal(step_batchnorm.enclose_pull_back(to, &s, in, &dy, &scratch, NULL), ATTCERT_OK);
      for (int k = 0; k < COUNT; k++) {
        exact_entry(exact, &cases[i].of, k % COLS, input[k], false);
        const double terms = terms_of(&cases[i].of, k % COLS, fmax(fabs(input[k]), fabs(back[k])));
        assert_enclosed(cases[i].name, &y.entry[k], exact, terms, precision);
        exact_entry(exact, &cases[i].of, k % COLS, back[k], true);
        assert_enclosed(cases[i].name, &dx.entry[k], exact, terms, precision);
      }
      step_enclosure *const all[] = {&x, &y, &dx, &dy};
      for (int k = 0; k < 4; k++) step_enclosure_clear(all[k]);
      step_scratch_clear(&scratch);
    }
  }
  arb_clear(exact);
}

/* Of a difference of values in intervals, as the step is affine. */
static void gradients_are_differences(void **state) {
  (void)state;
  for (int i = 0; i < PARAMETERS; i++) {
    const step s = step_of(&cases[i].of);
    double moved[COUNT], unit[COUNT], slope[COUNT] = {0.0};
    attcert_matrix dx = {ROWS, COLS, slope}, *const to[] = {&dx};
    const attcert_matrix dy = {ROWS, COLS, unit};
    step_scratch scratch;
    step_enclosure x[2], y[2];
    step_scratch_init(&scratch, 400);
    for (int k = 0; k < COUNT; k++) {
      moved[k] = input[k] + fmax(1.0, fabs(input[k]));
      unit[k] = 1.0;
    }
    assert_int_equal(step_batchnorm.pull_back(to, &s, NULL, &dy, NULL), ATTCERT_OK);
    for (int side = 0; side < 2; side++) {
      const step_enclosure *const in[] = {&x[side]};
      point_enclosure(&x[side], side ? moved : input, &scratch);
      point_enclosure(&y[side], NULL, &scratch);
      assert_int_equal(step_batchnorm.enclose(&y[side], &s, in, &scratch, NULL), ATTCERT_OK);
    }
    for (int k = 0; k < COUNT; k++) {
      mpfr_sub(y[1].entry[k].lo, y[1].entry[k].lo, y[0].entry[k].lo, MPFR_RNDN);
      mpfr_sub(x[1].entry[k].lo, x[1].entry[k].lo, x[0].entry[k].lo, MPFR_RNDN);
      mpfr_div(y[1].entry[k].lo, y[1].entry[k].lo, x[1].entry[k].lo, MPFR_RNDN);
      assert_true(fabs(mpfr_get_d(y[1].entry[k].lo, MPFR_RNDN) - slope[k]) <= 0x1p-50 * fabs(slope[k]));
    }
    for (int side = 0; side < 2; side++) {
      step_enclosure_clear(&x[side]);
      step_enclosure_clear(&y[side]);
    }
    step_scratch_clear(&scratch);
  }
}

/* Products are as close as their sizes say, and the norm is the largest factor. */
static void products_are_within_their_bound(void **state) {
  (void)state;
  arb_t exact;
  arb_init(exact);
  for (int i = 0; i < PARAMETERS; i++) {
    const step s = step_of(&cases[i].of);
    step_linear l = {.step = &s, .inputs = 1, .rows = {ROWS}, .cols = {COLS}, .threads = 1};
    step_scratch scratch;
    step_enclosure x;
    const step_enclosure *const in[] = {&x};
    double to[COUNT], returned[COUNT], off = 0.0, off_back = 0.0, length = 0.0, most = 0.0;
    const double *const vectors[] = {back};
    double *const slopes[] = {returned};
    step_scratch_init(&scratch, 128);
    point_enclosure(&x, input, &scratch);
    assert_int_equal(step_batchnorm.linearize(&l, in, &scratch, NULL), ATTCERT_OK);
    step_batchnorm.push(to, &l, vectors, 1, NULL);
    step_batchnorm.pull(slopes, &l, back, 1, NULL);
    for (int k = 0; k < COUNT; k++) {
      arb_t t;
      arb_init(t);
      exact_entry(exact, &cases[i].of, k % COLS, back[k], true);
      arb_set_d(t, to[k]);
      arb_sub(t, t, exact, BITS);
      off += middle(t) * middle(t);
      arb_set_d(t, returned[k]);
      arb_sub(t, t, exact, BITS);
      off_back += middle(t) * middle(t);
      length += back[k] * back[k];
      exact_entry(exact, &cases[i].of, k % COLS, 1.0, true);
      most = fmax(most, fabs(middle(exact)));
      arb_clear(t);
    }
    const step_linear_size *const size = &l.size[0];
    assert_true(sqrt(off) <= (size->pushed + size->missed) * sqrt(length));
    assert_true(sqrt(off_back) <= (size->pulled + size->missed) * sqrt(length));
    assert_true(size->norm >= most * (1.0 - 0x1p-52) && size->norm <= most * (1.0 + 0x1p-48));
    assert_true(size->missed <= 0x1p-52 * most && size->pushed <= 0x1p-49 * most);
    step_enclosure_clear(&x);
    step_scratch_clear(&scratch);
    free(l.number);
  }
  arb_clear(exact);
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* The largest part of a bound that members use; their sizes and what they miss, and how far from its mean x is. */
static double check_forms(const step_batchnorm_parameters *of, double size, double miss, uint64_t stream) {
  const step s = step_of(of);
  double used = 0.0;
  arb_mat_t exact;
  arb_mat_init(exact, ROWS, COLS);
  for (uint64_t k = 0; k < CASES; k++) {
    random_source r = random_source_make(43, stream, k);
    form_member m;
    form x, out;
    form_member_init(&m, 1.0, 1.0);
    form_member_form(&x, &m, ROWS, COLS, size, miss * size, &r);
    const form *const in[] = {&x};
    assert_int_equal(step_batchnorm.forms(&out, &s, in, &m.symbols, 0, NULL), ATTCERT_OK);
    assert_int_equal(form_measure(&out, &m.symbols, NULL), ATTCERT_OK);
    for (int p = 0; p < POINTS; p++) {
      double at[COUNT];
      form_member_draw(&m, &r);
      form_member_point(at, &m, &x, &r);
      for (int e = 0; e < COUNT; e++) exact_entry(arb_mat_entry(exact, e / COLS, e % COLS), of, e % COLS, at[e], false);
      used = fmax(used, form_member_used(&m, &out, exact, "batchnorm"));
    }
    form_clear(&x);
    form_clear(&out);
    form_member_clear(&m);
  }
  arb_mat_clear(exact);
  return used;
}

static void forms_contain_every_member(void **state) {
  (void)state;
  for (int i = 0; i < PARAMETERS; i++) {
    static const struct {
      double size, miss, least;
    } sizes[] = {{1.0, 0.0, 0.0}, {1.0, 0x1p-8, 0.9}, {0x1p30, 1.0, 0.9}, {0x1p-20, 1.0, 0.0}, {0x1p-300, 0.0, 0.0}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
      const double used = check_forms(&cases[i].of, sizes[k].size, sizes[k].miss, 10 * (uint64_t)i + k);
      print_message("%s, case %zu: largest part of a bound used %.3f\n", cases[i].name, k, used);
      assert_true(used >= sizes[k].least);
    }
  }
}

/* 1 / sqrt(variance + epsilon) whose sum, root and quotient round the same way, by nearly half an ulp each; x moves far
 * around its mean. */
static void a_factor_that_is_off_counts(void **state) {
  (void)state;
  static const double zeros[COLS] = {0.0};
  double used = 0.0;
  for (uint64_t k = 0; k < 40; k++) {
    random_source r = random_source_make(43, 999, k);
    double spread[COLS];
    for (int c = 0; c < COLS; c++) spread[c] = random_uniform(&r, 0.5, 2.0);
    const step_batchnorm_parameters of = {NULL, NULL, zeros, spread, 1e-5, COLS};
    used = fmax(used, check_forms(&of, 1.0, 0.0, 1000 + k));
  }
  print_message("factor: largest part of a bound used %.3f\n", used);
  assert_true(used > 0.3 && used <= 1.0);
}

/* No form says anything where a number is beyond the doubles. */
static void factors_beyond_the_doubles_have_no_bound(void **state) {
  (void)state;
  static const double most[COLS] = {DBL_MAX, 1.0, 1.0}, least[COLS] = {0x1p-1074, 1.0, 1.0};
  const step_batchnorm_parameters of = {most, NULL, mean, least, 0.0, COLS};
  const step s = step_of(&of);
  form_symbols symbols = {0};
  form x, y;
  const form *const in[] = {&x};
  assert_int_equal(form_init(&x, ROWS, COLS, NULL), ATTCERT_OK);
  assert_int_equal(form_measure(&x, &symbols, NULL), ATTCERT_OK);
  assert_int_equal(step_batchnorm.forms(&y, &s, in, &symbols, 0, NULL), ATTCERT_OK);
  assert_int_equal(form_measure(&y, &symbols, NULL), ATTCERT_UNDECIDED);
  form_clear(&x);
  form_clear(&y);
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

static void what_is_no_batchnorm_is_refused(void **state) {
  (void)state;
  static const double negative[COLS] = {1.0, -0.5, 1.0}, none[COLS] = {1.0, 1.0, NAN};
  static const double most[COLS] = {DBL_MAX, 1.0, 1.0}, endless[COLS] = {1.0, -INFINITY, 1.0};
  static const struct {
    step_batchnorm_parameters of;
    const char *message;
  } bad[] = {
      {{NULL, NULL, mean, negative, 0.5, COLS},
       "column 1 of a BatchNorm has variance + epsilon = -0.5 + 0.5, expected a positive number"},
      {{NULL, NULL, mean, negative, 0.25, COLS},
       "column 1 of a BatchNorm has variance + epsilon = -0.5 + 0.25, expected a positive number"},
      {{NULL, NULL, mean, most, DBL_MAX, COLS},
       "column 0 of a BatchNorm has variance + epsilon = 1.79769e+308 + 1.79769e+308, expected a positive number"},
      {{NULL, NULL, mean, ones, NAN, COLS},
       "column 0 of a BatchNorm has variance + epsilon = 1 + nan, expected a positive number"},
      {{NULL, NULL, mean, none, 1.0, COLS}, "column 2 of a BatchNorm has a variance that is not finite"},
      {{NULL, NULL, none, ones, 1.0, COLS}, "column 2 of a BatchNorm has a mean that is not finite"},
      {{endless, NULL, mean, ones, 1.0, COLS}, "column 1 of a BatchNorm has a weight that is not finite"},
      {{NULL, endless, mean, ones, 1.0, COLS}, "column 1 of a BatchNorm has a bias that is not finite"},
      {{NULL, NULL, mean, ones, 1.0, COLS - 1}, "a BatchNorm of 2 columns, expected 3"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    attcert_error err;
    network_steps network = {.tokens = ROWS, .dim = COLS};
    network_builder b = {.network = &network, .layer = -1, .err = &err};
    assert_int_equal(step_batchnorm_add(&b, 0, &bad[i].of), 0);
    assert_int_equal(b.status, ATTCERT_INPUT);
    assert_string_equal(err.message, bad[i].message);
    network_clear(&network);
  }
}

/* ---- executed ---------------------------------------------------------------------------------------------------- */

/* All four arrays are weights, epsilon is not. */
static void parameters_are_rounded_to_the_format(void **state) {
  (void)state;
  const step_format half = step_format_of(float_format_named("float16"), EXECUTED_ULP);
  const step s = step_of(&cases[0].of), plain = step_of(&cases[1].of);
  void *memory, *without;
  assert_int_equal(step_batchnorm.round(&memory, &s, COLS, &half, NULL), ATTCERT_OK);
  assert_int_equal(step_batchnorm.round(&without, &plain, COLS, &half, NULL), ATTCERT_OK);
  const step_batchnorm_parameters *const of = memory;
  for (int c = 0; c < COLS; c++) {
    assert_true(of->weight[c] == step_format_nearest(&half, weight[c]));
    assert_true(of->bias[c] == step_format_nearest(&half, bias[c]));
    assert_true(of->mean[c] == step_format_nearest(&half, mean[c]));
    assert_true(of->variance[c] == step_format_nearest(&half, variance[c]));
  }
  assert_true(of->epsilon == 1e-5 && of->cols == COLS);
  assert_true(((step_batchnorm_parameters *)without)->weight == NULL);
  assert_true(((step_batchnorm_parameters *)without)->bias == NULL);
  free(memory);
  free(without);
}

static step row_of(const step_batchnorm_parameters *of) {
  return (step){.kind = &step_batchnorm, .of = of, .layer = -1, .inputs = 1, .rows = 1, .cols = of->cols};
}

/* Rows next to their mean and far from it, of every size, in all manners. */
static void rows_of_every_size_are_executed(void **state) {
  (void)state;
  static const char *const formats[] = {"float32", "bfloat16", "float16"};
  static const double gain[COLS] = {1.5, -0.25, 0x1p-10}, shift[COLS] = {0.5, 0.0, -3.0};
  static const double center[COLS] = {1.0, -8.0, 0.0}, square[COLS] = {1.0, 0.0, 0x1p-12};
  for (int f = 0; f < 3; f++) {
    double used = 0.0;
    for (int scale = -12; scale <= 12; scale += 4) {
      const double x[COLS] = {ldexp(1.0, scale), -8.0 + ldexp(1.0, -3), ldexp(-3.0, scale)};
      const step_batchnorm_parameters of = {gain, scale % 8 == 0 ? shift : NULL, center, square, 0x1p-10, COLS};
      const step s = row_of(&of);
      used = fmax(used, executed_step_used(formats[f], &s, x, COLS, 0, COLS - 1));
    }
    print_message("%s: largest part of the bound used %.3f\n", formats[f], used);
    assert_true(used > 0.25 && used <= 1.0);
  }
}

/* The largest part of the bound in float32 where x is about its mean, of such sizes. */
static double search(double center, double apart, double shift, uint64_t stream) {
  static const double spread = 0.7;
  double used = 0.0;
  for (uint64_t k = 0; k < 60; k++) {
    random_source r = random_source_make(43, 2000 + stream, k);
    const step_format single = step_format_of(float_format_named("float32"), EXECUTED_ULP);
    const double gain = step_format_nearest(&single, random_uniform(&r, 1.0, 2.0));
    const double middle_of = step_format_nearest(&single, center * random_uniform(&r, 1.0, 2.0));
    const double moved = step_format_nearest(&single, shift * random_uniform(&r, 1.0, 2.0));
    const double x = middle_of + apart * random_uniform(&r, -1.0, 1.0), square = step_format_nearest(&single, spread);
    const step_batchnorm_parameters of = {&gain, &moved, &middle_of, &square, 1e-5, 1};
    const step s = row_of(&of);
    used = fmax(used, executed_step_used("float32", &s, &x, 1, 0, 0));
  }
  return used;
}

/* Where one term of the bound is nearly all of it: an inverse root within 64 units; an epsilon that is off by two
 * roundings and mostly taken away; x and mean that nearly cancel, multiplied before; a bias that rounds twice. */
static void each_term_of_an_execution_counts(void **state) {
  (void)state;
  static const double zero = 0.0, one = 1.0, less = -1.0 + 0x1p-12;
  const step_batchnorm_parameters root = {NULL, NULL, &zero, &one, 0x1p-30, 1};
  const step_batchnorm_parameters constant = {NULL, NULL, &zero, &less, 1.0 + 0x1.8p-25, 1};
  const step of_root = row_of(&root), of_constant = row_of(&constant);
  const step_format inaccurate = step_format_of(float_format_named("float32"), 64.0);
  const double by_root = executed_step_part_used(&inaccurate, &of_root, (const double[]){0.96}, 1, 0, 0);
  const double by_constant = executed_step_used("float32", &of_constant, (const double[]){0.96}, 1, 0, 0);
  const double by_cancelling = search(1e4, 0.5, 0.0, 0), by_bias = search(1.0, 0.1, 1e6, 1);
  print_message("largest parts of the bounds used: root %.3f, epsilon %.3f, cancelling %.3f, bias %.3f\n", by_root,
                by_constant, by_cancelling, by_bias);
  assert_true(by_root > 0.5 && by_constant > 0.4 && by_cancelling > 0.1 && by_bias > 0.6);
}

/* A result below the normal numbers may be 0, and with it all of y: weight / s; (x - mean) weight before 1 / s;
 * (x - mean) / s before weight; x - mean. */
static void what_underflows_is_off_times_what_follows(void **state) {
  (void)state;
  static const struct {
    double x, mean, weight, variance;
  } rows[] = {{0x1p60, 0.0, 0x1p-120, 0x1p20},
              {0x1p-100, 0.0, 0x1p-30, 0x1p-60},
              {0x1p-87, 0.0, 0x1p60, 0x1p80},
              {0x1.8p-126, 0x1p-126, 0x1p60, 1.0}};
  const step_format single = step_format_of(float_format_named("float32"), EXECUTED_ULP);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const step_batchnorm_parameters of = {&rows[i].weight, NULL, &rows[i].mean, &rows[i].variance, 0.0, 1};
    const step s = row_of(&of);
    const double y = (rows[i].x - rows[i].mean) * rows[i].weight / sqrt(rows[i].variance);
    double bound, x = rows[i].x;
    executed_step_bound(&bound, &single, &s, &x, 1);
    print_message("row %zu: %g of the bound used\n", i, fabs(y) / bound);
    assert_true(fabs(y) <= bound && bound <= 0x1p8 * fabs(y));
  }
}

/* A variance that float16 does not have, a factor that float32 has not, a sum that vanishes. */
static void what_overflows_has_no_bound(void **state) {
  (void)state;
  static const double zero = 0.0, one = 1.0, large = INFINITY, least = 0x1p-140, most = 0x1p100, under = -1.0;
  const double x[] = {1.0};
  const step_batchnorm_parameters bad[] = {{NULL, NULL, &zero, &large, 1e-5, 1},
                                           {&most, NULL, &zero, &least, 0.0, 1},
                                           {&zero, &one, &zero, &least, 0.0, 1},
                                           {NULL, NULL, &zero, &under, 1.0 + 0x1p-40, 1}};
  const step_format single = step_format_of(float_format_named("float32"), EXECUTED_ULP);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const step s = row_of(&bad[i]);
    assert_false(executed_step_bounded(&single, &s, x, 1));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_and_gradients_are_close_in_double),
      cmocka_unit_test(values_and_gradients_are_enclosed),
      cmocka_unit_test(gradients_are_differences),
      cmocka_unit_test(products_are_within_their_bound),
      cmocka_unit_test(forms_contain_every_member),
      cmocka_unit_test(a_factor_that_is_off_counts),
      cmocka_unit_test(factors_beyond_the_doubles_have_no_bound),
      cmocka_unit_test(what_is_no_batchnorm_is_refused),
      cmocka_unit_test(parameters_are_rounded_to_the_format),
      cmocka_unit_test(rows_of_every_size_are_executed),
      cmocka_unit_test(each_term_of_an_execution_counts),
      cmocka_unit_test(what_underflows_is_off_times_what_follows),
      cmocka_unit_test(what_overflows_has_no_bound),
  };
  return cmocka_run_group_tests_name("batchnorm", tests, NULL, NULL);
}
