/* Rotary embeddings: values and their enclosures against Arb at angles up to 10^6 and of numbers of all sizes; the
 * gradient turns back; forms at members of theirs, also where the cosines are known badly; a row that is alone. */
#include "network/rotary/step_rotary.h"

#include "form_member.h"
#include "network_oracle.h"
#include "spectrum_oracle.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 3, COLS = 12, COUNT = ROWS * COLS, POINTS = 40, BITS = NETWORK_ORACLE_BITS };

/* Two heads of 6 entries or three of 4; angles of 10^6 and more by the token or by a base below 1. */
static const struct {
  const char *name;
  int heads, dim;
  rotary_pairing pairing;
  double base;
  int token;
} cases[] = {{"halves", 2, 6, ROTARY_HALVES, 10000.0, -1},
             {"neighbours", 2, 6, ROTARY_NEIGHBOURS, 500000.0, -1},
             {"halves of a part", 2, 4, ROTARY_HALVES, 3.0, -1},
             {"neighbours of a part", 3, 2, ROTARY_NEIGHBOURS, 10000.0, -1},
             {"one row", 2, 6, ROTARY_HALVES, 10000.0, 1000000},
             {"one row of neighbours", 3, 4, ROTARY_NEIGHBOURS, 10.5, 131071},
             {"growing frequencies", 2, 6, ROTARY_HALVES, 0x1p-30, -1},
             {"hardly any turn", 2, 6, ROTARY_HALVES, 1e300, 1},
             {"the first row", 2, 6, ROTARY_NEIGHBOURS, 10000.0, 0}};

enum { CASES = sizeof cases / sizeof cases[0] };

static rotary_heads heads_of(size_t k) {
  return (rotary_heads){.heads = cases[k].heads,
                        .head_dim = COLS / cases[k].heads,
                        .pairing = cases[k].pairing,
                        .rule = rotary_rule_powers(cases[k].base, cases[k].dim),
                        .token = cases[k].token};
}

/* The network of the step of case k alone; returns the step. */
static const step *open_case(network_steps *network, size_t k) {
  const rotary_heads of = heads_of(k);
  *network = (network_steps){.tokens = cases[k].token >= 0 ? 1 : ROWS, .dim = COLS};
  network_builder b = {.network = network, .layer = -1};
  assert_int_equal(step_rotary_add(&b, 0, &of), 1);
  return &network->step[0];
}

/* Zeros, subnormal numbers and others between 10^-300 and 10^300, or of one size. */
static void fill(double *x, uint64_t stream) {
  static const double hostile[] = {0.0, -0.0, 0x1p-1074, -1e300, 1e300, 1e-300, -0x1p-1022, 0x1p1022};
  random_source r = random_source_make(8, 1, stream);
  for (int k = 0; k < COUNT; k++) x[k] = stream % 2 == 0 ? hostile[random_integer(&r, 0, 7)] : random_gaussian(&r);
}

static void enclosure_of(step_enclosure *e, const double *x, int rows, const step_scratch *scratch) {
  assert_int_equal(step_enclosure_init(e, rows, COLS, scratch->precision, NULL), ATTCERT_OK);
  for (int k = 0; k < rows * COLS && x != NULL; k++) {
    mpfr_set_d(e->entry[k].lo, x[k], MPFR_RNDD);
    mpfr_set_d(e->entry[k].hi, x[k], MPFR_RNDU);
  }
}

/* hi - lo <= factor * largest. */
static void assert_narrow(const interval *x, double largest, int bits, const char *name) {
  mpfr_t width;
  mpfr_init2(width, 64);
  mpfr_sub(width, x->hi, x->lo, MPFR_RNDU);
  mpfr_mul_2si(width, width, bits, MPFR_RNDU);
  if (mpfr_cmp_d(width, largest) > 0) fail_msg("%s: wide", name);
  mpfr_clear(width);
}

static double largest_of(const double *x, int count) {
  double largest = 0.0;
  for (int k = 0; k < count; k++) largest = fmax(largest, fabs(x[k]));
  return largest;
}

/* Value and enclosure of one input, at a precision. */
static void check_value(const network_steps *network, const double *at, mpfr_prec_t precision, const char *name) {
  const step *const s = &network->step[0];
  const attcert_matrix x = {s->rows, COLS, (double *)at}, *const in[] = {&x};
  const double largest = largest_of(at, s->rows * COLS);
  step_scratch scratch;
  step_enclosure from, to;
  network_values exact;
  attcert_matrix y;
  step_scratch_init(&scratch, precision);
  network_values_init(&exact, network, &x);
  enclosure_of(&from, at, s->rows, &scratch);
  enclosure_of(&to, NULL, s->rows, &scratch);
  assert_int_equal(attcert_matrix_init(&y, s->rows, COLS, NULL), ATTCERT_OK);
  assert_int_equal(step_rotary.value(&y, s, in, NULL), ATTCERT_OK);
  assert_int_equal(step_rotary.enclose(&to, s, (const step_enclosure *const[]){&from}, &scratch, NULL), ATTCERT_OK);
  for (int k = 0; k < s->rows * COLS; k++) {
    const arb_ptr expected = arb_mat_entry(exact.value[1], k / COLS, k % COLS);
    const double off = fabs(y.data[k] - arf_get_d(arb_midref(expected), ARF_RND_NEAR));
    if (!(off <= 0x1p-51 * largest + 0x1p-1072)) fail_msg("%s: entry %d is %g, off by %g", name, k, y.data[k], off);
    assert_true(spectrum_oracle_contains(name, &to.entry[k], expected));
    assert_narrow(&to.entry[k], largest, (int)precision - 4, name);
  }
  attcert_matrix_clear(&y);
  step_enclosure_clear(&from);
  step_enclosure_clear(&to);
  network_values_clear(&exact);
  step_scratch_clear(&scratch);
}

static void values_are_enclosed(void **state) {
  (void)state;
  static const mpfr_prec_t precisions[] = {64, 160};
  for (size_t k = 0; k < CASES; k++) {
    network_steps network;
    double x[COUNT];
    open_case(&network, k);
    for (uint64_t stream = 0; stream < 10; stream++) {
      fill(x, stream);
      check_value(&network, x, precisions[stream / 2 % 2], cases[k].name);
    }
    network_clear(&network);
  }
}

/* Turning there and back is the identity, as the gradient is the transpose: of intervals up to their width. */
static void the_gradient_turns_back(void **state) {
  (void)state;
  step_scratch scratch;
  step_scratch_init(&scratch, 160);
  for (size_t k = 0; k < CASES; k++) {
    network_steps network;
    step_enclosure from, to, back;
    double x[COUNT], turned[COUNT] = {0.0}, again[COUNT] = {0.0};
    const step *const s = open_case(&network, k);
    fill(x, 2 * k + 1);
    attcert_matrix a = {s->rows, COLS, x}, b = {s->rows, COLS, turned}, c = {s->rows, COLS, again};
    const attcert_matrix *const in[] = {&a};
    enclosure_of(&from, x, s->rows, &scratch);
    enclosure_of(&to, NULL, s->rows, &scratch);
    enclosure_of(&back, NULL, s->rows, &scratch);
    assert_int_equal(step_rotary.value(&b, s, in, NULL), ATTCERT_OK);
    assert_int_equal(step_rotary.pull_back((attcert_matrix *const[]){&c}, s, in, &b, NULL), ATTCERT_OK);
    const step_enclosure *const at[] = {&from};
    assert_int_equal(step_rotary.enclose(&to, s, at, &scratch, NULL), ATTCERT_OK);
    assert_int_equal(step_rotary.enclose_pull_back((step_enclosure *const[]){&back}, s, at, &to, &scratch, NULL),
                     ATTCERT_OK);
    for (int e = 0; e < s->rows * COLS; e++) {
      assert_true(fabs(again[e] - x[e]) <= 1e-14);
      assert_true(mpfr_cmp_d(back.entry[e].lo, x[e]) <= 0 && mpfr_cmp_d(back.entry[e].hi, x[e]) >= 0);
      assert_narrow(&back.entry[e], 10.0, 150, cases[k].name);
    }
    step_enclosure_clear(&from);
    step_enclosure_clear(&to);
    step_enclosure_clear(&back);
    network_clear(&network);
  }
  step_scratch_clear(&scratch);
}

/* Entry by entry: dx_b += dy_a for the derivative of y_a by x_b, the value being linear. */
static void gradients_are_differences(void **state) {
  (void)state;
  for (size_t k = 0; k < CASES; k++) {
    network_steps network;
    const step *const s = open_case(&network, k);
    for (int e = 0; e < s->rows * COLS; e++) {
      double unit[COUNT] = {0.0}, dx[COUNT] = {0.0};
      attcert_matrix dy = {s->rows, COLS, unit}, to = {s->rows, COLS, dx};
      unit[e] = 1.0;
      assert_int_equal(step_rotary.pull_back((attcert_matrix *const[]){&to}, s, NULL, &dy, NULL), ATTCERT_OK);
      for (int b = 0; b < s->rows * COLS; b++) {
        double moved[COUNT] = {0.0}, value[COUNT] = {0.0};
        const attcert_matrix x = {s->rows, COLS, moved}, *const in[] = {&x};
        attcert_matrix y = {s->rows, COLS, value};
        moved[b] = 1.0;
        assert_int_equal(step_rotary.value(&y, s, in, NULL), ATTCERT_OK);
        assert_true(value[e] == dx[b]);
      }
    }
    network_clear(&network);
  }
}

/* The largest part of a bound used; the turns are off by up to `off`, of which they say so. */
static double check_forms(size_t k, double size, double miss, double off) {
  network_steps network;
  const step *const s = open_case(&network, k);
  rotary_heads of = *(const rotary_heads *)s->of;
  step wrong = *s;
  rotary_turn turn[ROWS * COLS / 2];
  double used = 0.0;
  const int turns = s->rows * rotary_heads_pairs(&of);
  random_source r = random_source_make(4, 2, k);
  for (int e = 0; e < turns; e++) {
    turn[e] = of.turn[e];
    turn[e].cosine += off;
    turn[e].cosine_miss += off;
    turn[e].sine -= off;
    turn[e].sine_miss += off;
  }
  of.turn = turn;
  wrong.of = &of;
  form_member m;
  form x, y;
  form_member_init(&m, 0x1p-4, 0x1p-5);
  form_member_form(&x, &m, s->rows, COLS, size, miss * size, &r);
  const form *const in[] = {&x};
  assert_int_equal(step_rotary.forms(&y, &wrong, in, &m.symbols, 0, NULL), ATTCERT_OK);
  assert_int_equal(form_measure(&y, &m.symbols, NULL), ATTCERT_OK);
  for (int p = 0; p < POINTS; p++) {
    double at[COUNT];
    const attcert_matrix input = {s->rows, COLS, at};
    network_values v;
    form_member_draw(&m, &r);
    form_member_point(at, &m, &x, &r);
    network_values_init(&v, &network, &input);
    used = fmax(used, form_member_used(&m, &y, v.value[1], cases[k].name));
    network_values_clear(&v);
  }
  form_clear(&x);
  form_clear(&y);
  form_member_clear(&m);
  network_clear(&network);
  return used;
}

static void forms_contain_every_value(void **state) {
  (void)state;
  for (size_t k = 0; k < CASES; k++) {
    const double by_miss = check_forms(k, 1.0, 0x1p-6, 0.0), by_turns = check_forms(k, 1.0, 0.0, 0x1p-10);
    const double huge = check_forms(k, 0x1p200, 0.0, 0.0), tiny = check_forms(k, 0x1p-500, 1.0, 0.0);
    print_message("%s: largest part of a bound used %.3f, by turns %.3f, of roundings %.3f, tiny %.3f\n", cases[k].name,
                  by_miss, by_turns, huge, tiny);
    assert_true(by_miss > 0.9 && by_turns > 0.7);
  }
}

/* Row 2 of three, and the same alone as token 2. */
static void a_row_alone_keeps_its_position(void **state) {
  (void)state;
  double x[COUNT], all[COUNT] = {0.0}, alone[COLS] = {0.0};
  network_steps network, reduced = {.tokens = 1, .dim = COLS};
  const step *const s = open_case(&network, 0);
  network_builder b = {.network = &reduced, .layer = -1};
  rotary_heads of = heads_of(0);
  of.token = ROWS - 1;
  assert_int_equal(step_rotary_add(&b, 0, &of), 1);
  fill(x, 1);
  const attcert_matrix from = {ROWS, COLS, x}, last = {1, COLS, x + (ROWS - 1) * COLS};
  attcert_matrix to = {ROWS, COLS, all}, to_last = {1, COLS, alone};
  assert_int_equal(step_rotary.value(&to, s, (const attcert_matrix *const[]){&from}, NULL), ATTCERT_OK);
  assert_int_equal(step_rotary.value(&to_last, &reduced.step[0], (const attcert_matrix *const[]){&last}, NULL),
                   ATTCERT_OK);
  assert_memory_equal(alone, all + (ROWS - 1) * COLS, sizeof alone);
  network_clear(&network);
  network_clear(&reduced);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_enclosed),       cmocka_unit_test(the_gradient_turns_back),
      cmocka_unit_test(gradients_are_differences),

      cmocka_unit_test(forms_contain_every_value), cmocka_unit_test(a_row_alone_keeps_its_position),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
