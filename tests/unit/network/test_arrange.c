/* Entries that move, are repeated or are constants: exact in double, in intervals, as a derivative and on forms, at
 * members whose rows share some symbols, for entries of any number; what is no arrangement is refused. A network that
 * cuts an image of one row into patches has the margin of its dual norm. */
#include "form_member.h"
#include "interval/interval_convert.h"
#include "network/affine/step_affine.h"
#include "network/arrange/step_arrange.h"
#include "network/attention/step_attention.h"
#include "network/mean/step_mean.h"
#include "network/select/step_select.h"
#include "robust/gradient.h"
#include "robust/margin.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 3, COLS = 2, COUNT = ROWS * COLS, MOST = 12, MEMBERS = 1000 };

/* Rows of a 3 x 2 input: one moved, two of them in a row; one repeated; all constants. */
static const struct {
  const char *name;
  step_arrangement of;
  int copies;  /* of the entry that is read most */
  int sources; /* of row 0 */
} cases[] = {
    {"transposed", {2, 3, (const int[]){0, 2, 4, 1, 3, 5}, NULL}, 1, 3},
    {"one row", {1, 6, (const int[]){0, 1, 2, 3, 4, 5}, NULL}, 1, 3},
    {"a token of constants before the others",
     {4, 2, (const int[]){-1, -1, 0, 1, 2, 3, 4, 5}, (const double[]){0.25, -3.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0}},
     1,
     0},
    {"repeated", {3, 4, (const int[]){5, 5, 0, -1, 1, 5, 0, -1, 0, 5, 5, 5}, NULL}, 6, 2},
    {"one entry", {1, 1, (const int[]){3}, NULL}, 1, 1},
    {"constants", {2, 1, (const int[]){-1, -1}, (const double[]){DBL_MAX, -0x1p-1074}}, 0, 0},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const double hostile[COUNT] = {0.0, -DBL_MAX, 0x1p-1074, 1.0 / 3.0, -1e-300, 7.0};

static step step_of(const step_arrangement *of) {
  return (step){.kind = &step_arrange, .of = of, .layer = -1, .inputs = 1, .rows = of->rows, .cols = of->cols};
}

/* By the definition. */
static double entry_of(const step_arrangement *of, int k, const double *x) {
  if (of->from[k] >= 0) return x[of->from[k]];
  return of->constant == NULL ? 0.0 : of->constant[k];
}

static int entries_of(const step_arrangement *of) {
  return of->rows * of->cols;
}

/* What comes back to entry j: small integers, so that their sums are exact. */
static double back_to(const step_arrangement *of, int j) {
  double sum = 0.0;
  for (int k = 0; k < entries_of(of); k++) sum += of->from[k] == j ? k + 1.0 : 0.0;
  return sum;
}

/* ---- values and gradients ---------------------------------------------------------------------------------------- */

static void values_and_gradients_are_exact_in_double(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) {
    const step_arrangement *const of = &cases[i].of;
    const step s = step_of(of);
    double out[MOST], back[MOST], slope[COUNT];
    for (int k = 0; k < MOST; k++) back[k] = k + 1.0;
    for (int j = 0; j < COUNT; j++) slope[j] = 100.0;
    attcert_matrix y = {of->rows, of->cols, out}, dx = {ROWS, COLS, slope}, *const to[] = {&dx};
    const attcert_matrix x = {ROWS, COLS, (double *)hostile}, dy = {of->rows, of->cols, back}, *const in[] = {&x};
    assert_int_equal(step_arrange.value(&y, &s, in, NULL), ATTCERT_OK);
    assert_int_equal(step_arrange.pull_back(to, &s, in, &dy, NULL), ATTCERT_OK);
    for (int k = 0; k < entries_of(of); k++) assert_true(out[k] == entry_of(of, k, hostile));
    for (int j = 0; j < COUNT; j++) assert_true(slope[j] == 100.0 + back_to(of, j));
  }
}

/* [x, x + width]. */
static void fill(step_enclosure *e, int rows, int cols, const double *x, double width, const step_scratch *scratch) {
  assert_int_equal(step_enclosure_init(e, rows, cols, scratch->precision, NULL), ATTCERT_OK);
  for (int k = 0; k < rows * cols && x != NULL; k++) {
    mpfr_set_d(e->entry[k].lo, x[k], MPFR_RNDD);
    mpfr_add_d(e->entry[k].hi, e->entry[k].lo, width, MPFR_RNDU);
  }
}

static void values_and_gradients_are_exact_in_intervals(void **state) {
  (void)state;
  step_scratch scratch;
  step_scratch_init(&scratch, 2200);
  for (int i = 0; i < CASES; i++) {
    const step_arrangement *const of = &cases[i].of;
    const step s = step_of(of);
    double back[MOST];
    step_enclosure x, y, dx, dy;
    const step_enclosure *const in[] = {&x};
    step_enclosure *const to[] = {&dx};
    for (int k = 0; k < MOST; k++) back[k] = k + 1.0;
    fill(&x, ROWS, COLS, hostile, 0.5, &scratch);
    fill(&y, of->rows, of->cols, back, 9.0, &scratch);
    fill(&dx, ROWS, COLS, NULL, 0.0, &scratch);
    fill(&dy, of->rows, of->cols, back, 0.0, &scratch);
    assert_int_equal(step_arrange.enclose(&y, &s, in, &scratch, NULL), ATTCERT_OK);
    assert_int_equal(step_arrange.enclose_pull_back(to, &s, in, &dy, &scratch, NULL), ATTCERT_OK);
    for (int k = 0; k < entries_of(of); k++) {
      const int from = of->from[k];
      assert_true(mpfr_cmp_d(y.entry[k].lo, entry_of(of, k, hostile)) == 0);
      assert_true(mpfr_equal_p(y.entry[k].hi, from >= 0 ? x.entry[from].hi : y.entry[k].lo));
    }
    for (int j = 0; j < COUNT; j++)
      assert_true(mpfr_cmp_d(dx.entry[j].lo, back_to(of, j)) == 0 && mpfr_equal_p(dx.entry[j].lo, dx.entry[j].hi));
    step_enclosure *const all[] = {&x, &y, &dx, &dy};
    for (int k = 0; k < 4; k++) step_enclosure_clear(all[k]);
  }
  step_scratch_clear(&scratch);
}

/* Two vectors at a time; the norm is attained by the entry that is read most, and no product is off but a sum of
 * copies. */
static void the_derivative_copies(void **state) {
  (void)state;
  step_scratch scratch;
  step_enclosure x;
  const step_enclosure *const in[] = {&x};
  step_scratch_init(&scratch, 64);
  fill(&x, ROWS, COLS, hostile, 0.0, &scratch);
  for (int i = 0; i < CASES; i++) {
    const step_arrangement *const of = &cases[i].of;
    const step s = step_of(of);
    const int out = entries_of(of);
    step_linear l = {.step = &s, .inputs = 1, .rows = {ROWS}, .cols = {COLS}, .threads = 1};
    double from[2 * COUNT], to[2 * MOST], back[2 * MOST], returned[2 * COUNT];
    const double *const vectors[] = {from};
    double *const slopes[] = {returned};
    assert_int_equal(step_arrange.linearize(&l, in, &scratch, NULL), ATTCERT_OK);
    for (int j = 0; j < 2 * COUNT; j++) from[j] = j < COUNT ? hostile[j] : j - 20.0;
    for (int k = 0; k < 2 * out; k++) back[k] = k < out ? k + 1.0 : 2.0 * (k - out + 1.0);
    step_arrange.push(to, &l, vectors, 2, NULL);
    step_arrange.pull(slopes, &l, back, 2, NULL);
    for (int k = 0; k < 2 * out; k++) {
      const int read = of->from[k % out];
      assert_true(to[k] == (read >= 0 ? from[k / out * COUNT + read] : 0.0));
    }
    for (int j = 0; j < 2 * COUNT; j++) assert_true(returned[j] == (j / COUNT + 1.0) * back_to(of, j % COUNT));
    const step_linear_size *const size = &l.size[0];
    assert_true(size->norm * size->norm >= cases[i].copies * (1.0 - 0x1p-51));
    assert_true(size->norm <= sqrt(cases[i].copies) * (1.0 + 0x1p-48));
    assert_true(size->pushed == 0.0 && size->missed == 0.0);
    assert_true(cases[i].copies > 1 ? size->pulled >= (cases[i].copies - 1) * 0x1p-53 * size->norm &&
                                          size->pulled <= cases[i].copies * 0x1p-52 * size->norm
                                    : size->pulled == 0.0);
    free(l.number);
  }
  step_enclosure_clear(&x);
  step_scratch_clear(&scratch);
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* Whatever row i reads, and nothing else, is in its layout. */
static void assert_layout(const form *out, int i, const form *in, const step_arrangement *of) {
  for (int id = 0; id < MEMBER_SEGMENTS; id++) {
    bool wanted = false, found = false;
    for (int c = 0; c < of->cols; c++) {
      const int from = of->from[i * of->cols + c];
      const form_layout *const layout = from >= 0 ? &in->row[from / COLS].layout : NULL;
      for (int k = 0; layout != NULL && k < layout->count; k++) wanted = wanted || layout->id[k] == id;
    }
    for (int k = 0; k < out->row[i].layout.count; k++) found = found || out->row[i].layout.id[k] == id;
    assert_true(wanted == found);
  }
}

/* Exactly the form of what an entry is from: a member's image is center, symbols and the same part of the radius. */
static void forms_are_copies(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) {
    const step_arrangement *const of = &cases[i].of;
    const step s = step_of(of);
    if (of->constant != NULL && of->constant[0] == DBL_MAX) continue;
    for (uint64_t n = 0; n < MEMBERS; n++) {
      random_source r = random_source_make(41, (uint64_t)i, n);
      double at[COUNT];
      form_member m;
      form x, out;
      arb_mat_t exact;
      form_member_init(&m, 1.0, 1.0);
      form_member_form(&x, &m, ROWS, COLS, 1.0, n % 2 == 0 ? 0.0 : 0x1p-6, &r);
      const form *const in[] = {&x};
      const int symbols = m.symbols.count;
      assert_int_equal(step_arrange.forms(&out, &s, in, &m.symbols, 0, NULL), ATTCERT_OK);
      assert_int_equal(form_measure(&out, &m.symbols, NULL), ATTCERT_OK);
      assert_true(out.rows == of->rows && out.cols == of->cols && m.symbols.count == symbols);
      arb_mat_init(exact, of->rows, of->cols);
      form_member_draw(&m, &r);
      form_member_point(at, &m, &x, &r);
      for (int k = 0; k < entries_of(of); k++) {
        arb_set_d(arb_mat_entry(exact, k / of->cols, k % of->cols), entry_of(of, k, at));
        assert_true(out.center[k] == entry_of(of, k, x.center));
        assert_true(out.radius[k] == (of->from[k] >= 0 ? x.radius[of->from[k]] : 0.0));
      }
      form_member_used(&m, &out, exact, cases[i].name);
      for (int row = 0; row < of->rows; row++) {
        assert_int_equal(out.row[row].token, row);
        assert_layout(&out, row, &x, of);
      }
      arb_mat_clear(exact);
      form_clear(&x);
      form_clear(&out);
      form_member_clear(&m);
    }
  }
}

/* Each row of the input once. */
static void a_row_names_what_it_reads(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) {
    const step s = step_of(&cases[i].of);
    const step_row row = {.row = 0, .in_cols = COLS};
    step_source from[ROWS];
    const int count = step_arrange.sources(from, &s, &row);
    assert_int_equal(count, cases[i].sources);
    for (int k = 0; k < count; k++) {
      assert_true(from[k].input == 0 && from[k].row >= 0 && from[k].row < ROWS);
      for (int l = 0; l < k; l++) assert_int_not_equal(from[k].row, from[l].row);
    }
  }
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

static void what_is_no_arrangement_is_refused(void **state) {
  (void)state;
  const struct {
    step_arrangement of;
    const char *message;
  } bad[] = {
      {{1, 2, (const int[]){0, 6}, NULL}, "entry 1 of an arrangement is entry 6 of the input, which has 6"},
      {{1, 2, (const int[]){-2, 0}, NULL}, "entry 0 of an arrangement is entry -2 of the input, which has 6"},
      {{1, 2, (const int[]){0, -1}, (const double[]){NAN, INFINITY}},
       "the constant of entry 1 of an arrangement is not finite"},
      {{0, 2, NULL, NULL}, "an arrangement has 0 rows and 2 columns, expected one or more"},
      {{1, -1, NULL, NULL}, "an arrangement has 1 rows and -1 columns, expected one or more"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    attcert_error err;
    network_steps network = {.tokens = ROWS, .dim = COLS};
    network_builder b = {.network = &network, .layer = -1, .err = &err};
    assert_int_equal(step_arrange_add(&b, 0, &bad[i].of), 0);
    assert_int_equal(b.status, ATTCERT_INPUT);
    assert_string_equal(err.message, bad[i].message);
    assert_int_equal(network.count, 0);
    network_clear(&network);
  }
}

/* Constants are weights of an execution; a constant that nothing reads may be anything. */
static void constants_are_rounded_to_the_format(void **state) {
  (void)state;
  static const double constant[] = {1.0 / 3.0, NAN, 1e6};
  const step_arrangement of = {1, 3, (const int[]){-1, 0, -1}, constant};
  const step s = step_of(&of), zeros = step_of(&cases[0].of);
  const step_format half = step_format_of(float_format_named("float16"), 4.0);
  void *rounded, *same;
  assert_int_equal(step_arrange.round(&rounded, &s, COLS, &half, NULL), ATTCERT_OK);
  assert_int_equal(step_arrange.round(&same, &zeros, COLS, &half, NULL), ATTCERT_OK);
  assert_true(((step_arrangement *)rounded)->constant[0] == step_format_nearest(&half, 1.0 / 3.0));
  assert_true(isinf(((step_arrangement *)rounded)->constant[2]));
  assert_true(((step_arrangement *)rounded)->from == of.from && ((step_arrangement *)same)->constant == NULL);
  free(rounded);
  free(same);
}

/* ---- networks ---------------------------------------------------------------------------------------------------- */

enum { PIXELS = 12, PATCH = 4, TOKENS = 1 + PIXELS / PATCH, CLASSES = 2 };

/* Patches of 2 x 2 from a row of 2 x 6 pixels, behind a token of constants. */
static const int patches[TOKENS * PATCH] = {-1, -1, -1, -1, 0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11};
static const double class_token[TOKENS * PATCH] = {1.0, -2.0, 0.5, 4.0};
static const double weight[CLASSES * PATCH] = {1.0, -4.0, 5.0, 2.0, -2.0, 0.0, -7.0, 3.0};
static const double pixels[PIXELS] = {1.0, 2.0, -1.0, 0.5, 3.0, 1.0, 0.25, 1.0, 1.5, -2.0, 1.0, 0.0};

/* (3, -4, 12, -1) . x of each patch and of the token of constants, added: of a multiple of 1/4 each. */
static int add_image(network_builder *b) {
  const step_arrangement of = {TOKENS, PATCH, patches, class_token};
  const int x = step_mean_add(b, step_arrange_add(b, 0, &of), 0);
  return step_affine_add(b, x, &(affine_weights){.weight = weight}, CLASSES);
}

static const double slope[PATCH] = {3.0, -4.0, 12.0, -1.0};

static double exact_margin(void) {
  double sum = 0.0;
  for (int k = 0; k < TOKENS * PATCH; k++)
    sum += slope[k % PATCH] * (patches[k] >= 0 ? pixels[patches[k]] : class_token[k]);
  return sum / TOKENS;
}

/* Its terms add up to 40 at most. */
static void an_image_has_the_margin_of_its_dual_norm(void **state) {
  (void)state;
  const double sequence = sqrt(3.0 * 170.0) / TOKENS, entry = 3.0 * 20.0 / TOKENS;
  const attcert_matrix x = {1, PIXELS, (double *)pixels};
  const struct {
    ball_kind_id kind;
    double dual;
  } balls[] = {{BALL_SEQUENCE, sequence}, {BALL_TOKEN, sequence}, {BALL_ENTRY, entry}};
  network_steps network = {.tokens = 1, .dim = PIXELS};
  network_builder b = {.network = &network, .layer = -1};
  add_image(&b);
  assert_int_equal(b.status, ATTCERT_OK);
  for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++) {
    robust_gradient found;
    const ball_region region = {.radius = 0.125, .kind = balls[i].kind};
    const robust_gradient_place at = {&x, &region, 0, NULL};
    assert_int_equal(robust_gradient_enclose(&found, &network, &at, NULL), ATTCERT_OK);
    assert_true(fabs(found.norm.hi - balls[i].dual) <= 1e-14 && fabs(found.norm.lo - balls[i].dual) <= 1e-14);
    assert_true(found.margin.lo <= exact_margin() && exact_margin() <= found.margin.hi);
    for (double radius = 0x1p-30; radius <= 1.0; radius *= 4.0) {
      robust_margin margin;
      const robust_ball ball = {&x, {.radius = radius, .kind = balls[i].kind}, .label = 0};
      const double truth = exact_margin() - radius * balls[i].dual;
      assert_int_equal(robust_margin_evaluate(&margin, &network, &ball, NULL), ATTCERT_OK);
      assert_true(margin.ended < 0 && fabs(margin.margin.lo - truth) <= 1e-14 * 40.0);
      if (balls[i].kind == BALL_ENTRY) assert_true(margin.margin.lo <= truth); /* an input has it, exactly */
      robust_margin_clear(&margin);
    }
  }
  network_clear(&network);
}

/* A query that was arranged is that of the token which attention says: of a single row, as forms and values have it. */
static void an_arranged_row_keeps_no_place_of_its_own(void **state) {
  (void)state;
  const attcert_matrix x = {ROWS, COLS, (double[]){1.0, -0.5, 0.25, 2.0, -1.0, 0.75}};
  network_steps network = {.tokens = ROWS, .dim = COLS};
  network_builder b = {.network = &network, .layer = -1};
  attention_heads heads = step_attention_plain(1, COLS);
  heads.after = 0;
  heads.token = ROWS - 1;
  const int query =
      step_arrange_add(&b, step_select_add(&b, 0, 1), &(step_arrangement){1, 2, (const int[]){1, 0}, NULL});
  step_attention_add(&b, (const int[]){query, 0, 0}, &heads);
  assert_int_equal(b.status, ATTCERT_OK);
  robust_margin margin;
  const robust_ball ball = {.input = &x, .label = 0};
  assert_int_equal(robust_margin_evaluate(&margin, &network, &ball, NULL), ATTCERT_OK);
  double sum = 0.0, difference = 0.0;
  for (int j = 0; j < ROWS; j++) {
    const double *const key = x.data + j * COLS;
    const double part = exp((2.0 * key[0] + 0.25 * key[1]) / sqrt(2.0));
    sum += part;
    difference += part * (key[0] - key[1]);
  }
  assert_true(fabs(margin.margin.lo - difference / sum) <= 1e-13 && fabs(margin.margin.hi - difference / sum) <= 1e-13);
  robust_margin_clear(&margin);
  network_clear(&network);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_and_gradients_are_exact_in_double),
      cmocka_unit_test(values_and_gradients_are_exact_in_intervals),
      cmocka_unit_test(the_derivative_copies),
      cmocka_unit_test(forms_are_copies),
      cmocka_unit_test(a_row_names_what_it_reads),
      cmocka_unit_test(what_is_no_arrangement_is_refused),
      cmocka_unit_test(constants_are_rounded_to_the_format),
      cmocka_unit_test(an_image_has_the_margin_of_its_dual_norm),
      cmocka_unit_test(an_arranged_row_keeps_no_place_of_its_own),
  };
  return cmocka_run_group_tests_name("arrange", tests, NULL, NULL);
}
