/* The Gram matrix from its block structure against J~ J~^T multiplied out in Arb: off by no more than it says, and it
 * does not say much more than it must. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certify/jacobian/block_gram.h"
#include "certify/jacobian/jacobian_errors.h"
#include "certify_case.h"
#include "kernel_case.h"
#include "panel_entry.h"

static void fill(const panels *g, double *error, const factored_jacobian *m, const attcert_options *options) {
  block_gram t;
  assert_int_equal(block_gram_init(&t, m, NULL), ATTCERT_OK);
  assert_int_equal(block_gram_fill(&t, g, options, NULL), ATTCERT_OK);
  jacobian_errors errors;
  assert_int_equal(jacobian_errors_of(&errors, m, NULL), ATTCERT_OK);
  assert_int_equal(block_gram_error(error, &t, errors.absolute, NULL), ATTCERT_OK);
  block_gram_clear(&t);
}

/* G~ and its error as computed. */
static panels gram_of(const certify_case *c, double *error, int threads) {
  const size_t side = (size_t)block_gram_side(&c->m);
  panels g;
  attcert_options options;
  attcert_options_default(&options);
  options.threads = threads;
  assert_int_equal(side, certify_case_rows(c));
  assert_int_equal(whole_panels_init(&g, (int)side), ATTCERT_OK);
  fill(&g, error, &c->m, &options);
  return g;
}

/* difference := G~ - J~ J~^T, returns || J~ ||_F. */
static double subtract_product(arb_mat_t difference, const certify_case *c, const panels *g) {
  arb_mat_t a, t;
  arb_t entry;
  arb_init(entry);
  expanded_jacobian_init(a, &c->m);
  const slong side = arb_mat_nrows(a);
  arb_mat_init(t, arb_mat_ncols(a), side);
  arb_mat_init(difference, side, side);
  arb_mat_transpose(t, a);
  arb_mat_mul(difference, a, t, CERTIFY_CASE_BITS);
  for (slong i = 0; i < side; i++)
    for (slong j = 0; j < side; j++) {
      arb_set_d(entry, panel_entry(g, (int)i, (int)j));
      arb_sub(arb_mat_entry(difference, i, j), arb_mat_entry(difference, i, j), entry, CERTIFY_CASE_BITS);
    }
  const double norm = frobenius_norm(a);
  arb_clear(entry);
  arb_mat_clear(a);
  arb_mat_clear(t);
  return norm;
}

/* The error is of the spectral norm, which the Frobenius norm may exceed by sqrt(side); random errors stay far
 * below. */
static void check_error(const certify_case *c, const char *name) {
  double error = NAN;
  panels g = gram_of(c, &error, 1);
  arb_mat_t difference;
  const double norm = subtract_product(difference, c, &g);
  if (!frobenius_norm_is_within(difference, error))
    fail_msg("%s: off by %g, claimed %g", name, frobenius_norm(difference), error);
  if (!(error <= 1e-12 * norm * norm)) fail_msg("%s: claimed %g of %g", name, error, norm * norm);
  arb_mat_clear(difference);
  panels_clear(&g);
}

static void test_error(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES; index++) {
    certify_case c;
    certify_case_init(&c, index);
    check_error(&c, "gaussian");
    certify_case_clear(&c);
  }
}

static void test_error_of_hostile_layers(void **state) {
  (void)state;
  for (int index = 0; index < HOSTILE_CASES; index++) {
    certify_case c;
    const char *const name = hostile_case_init(&c, index);
    check_error(&c, name);
    certify_case_clear(&c);
  }
}

/* More tokens, heads and channels than fit one register tile of a GEMM. */
static void larger_case_init(certify_case *c, int index) {
  const layer_shape shape = {.n = 11,
                             .dim = 10,
                             .heads = 3,
                             .head_dim = 5,
                             .out_dim = index % 2 ? 13 : 0,
                             .biases = true,
                             .mask = index < 2 ? ATTCERT_MASK_NONE : ATTCERT_MASK_CAUSAL};
  certify_case_init_shape(c, &shape, index);
}

static void test_error_of_larger_layers(void **state) {
  (void)state;
  for (int index = 0; index < 4; index++) {
    certify_case c;
    larger_case_init(&c, index);
    check_error(&c, "larger");
    certify_case_clear(&c);
  }
}

/* ---- sums that lose their small terms ---------------------------------------------------------------------------- */

enum { TERMS = 1200 };

/* One token, J = V: a row of 1 and small numbers whose squares, added to 1 one by one, are all rounded away. */
static void test_long_rows(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = TERMS, .heads = 1, .head_dim = 1};
  certify_case c;
  layer_case_init_zero(&c.input, &shape);
  for (int i = 0; i < TERMS; i++) c.input.layer.value_weight[i] = i == 0 ? 1 : 0x1p-27;
  certify_case_evaluate(&c, 128);
  check_error(&c, "long rows");
  certify_case_clear(&c);
}

/* The same in the products with W_O: 1 and many 2^-15 through 1 and many 2^-39. */
static void test_many_channels(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 1, .heads = 1, .head_dim = TERMS, .out_dim = 1};
  certify_case c;
  layer_case_init_zero(&c.input, &shape);
  for (int i = 0; i < TERMS; i++) {
    c.input.layer.value_weight[i] = i == 0 ? 1 : 0x1p-15;
    c.input.layer.output_weight[i] = i == 0 ? 1 : 0x1p-39;
  }
  certify_case_evaluate(&c, 128);
  check_error(&c, "many channels");
  certify_case_clear(&c);
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

/* Blocks so large that one fills a tile on its way to panels, and some few do otherwise: several tiles, the last ones
 * smaller. */
static void wide_case_init(certify_case *c, attcert_mask mask) {
  const layer_shape shape = {.n = 11, .dim = 3, .heads = 4, .head_dim = 64, .out_dim = 13, .mask = mask};
  certify_case_init_shape(c, &shape, 0);
}

/* Blocks as panels have them. */
typedef struct {
  const panels *whole;
  double *block, tolerance;
  int size;
} block_comparison;

static double *place_to_compare(void *context, int row, int column, int first, int *count, int *stride) {
  const block_comparison *const b = context;
  (void)row, (void)column, (void)first, (void)count;
  *stride = b->size;
  return b->block;
}

static void compare_block(void *context, int row, int column) {
  const block_comparison *const b = context;
  for (int i = 0; i < b->size; i++)
    for (int j = 0; j < b->size; j++) {
      const double other = panel_entry(b->whole, row * b->size + j, column * b->size + i);
      assert_true(fabs(b->block[i * b->size + j] - other) <= b->tolerance);
    }
}

static void test_tiles(void **state) {
  (void)state;
  for (int mask = 0; mask < 2; mask++) {
    certify_case c;
    block_gram t;
    attcert_options options;
    double error;
    attcert_options_default(&options);
    wide_case_init(&c, mask ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE);
    panels whole = gram_of(&c, &error, 1);
    arb_mat_t difference;
    subtract_product(difference, &c, &whole);
    assert_true(frobenius_norm_is_within(difference, error));
    arb_mat_clear(difference);
    block_comparison b = {&whole, new_doubles((size_t)c.m.out_dim * (size_t)c.m.out_dim), error, c.m.out_dim};
    const gram_blocks blocks = {.place = place_to_compare, .take = compare_block, .context = &b};
    assert_int_equal(block_gram_init(&t, &c.m, NULL), ATTCERT_OK);
    assert_int_equal(block_gram_blocks(&t, &blocks, &options, NULL), ATTCERT_OK);
    block_gram_clear(&t);
    free(b.block);
    panels_clear(&whole);
    certify_case_clear(&c);
  }
}

/* ---- some rows at a time ----------------------------------------------------------------------------------------- */

/* 200 token rows of 3: panels begin within a token, and 85 tokens at a time end within a panel. */
static void windows_case_init(certify_case *c, bool output) {
  const layer_shape shape = {
      .n = 200, .dim = 3, .heads = 1, .head_dim = 3, .out_dim = output ? 3 : 0, .mask = ATTCERT_MASK_CAUSAL};
  certify_case_init_shape(c, &shape, 1);
}

/* Fills the panels of every window and process in turn, and compares them with `whole`. */
static void check_windows(block_gram *t, const panels *whole, int window, int processes) {
  attcert_options options;
  attcert_options_default(&options);
  for (int rank = 0; rank < processes; rank++) {
    const attcert_process_group group = {.rank = rank, .size = processes};
    panels part;
    assert_int_equal(panels_init(&part, whole->n, &group, NULL), ATTCERT_OK);
    for (int first = 0; first < part.count; first += window) {
      const int end = first + window < part.count ? first + window : part.count;
      assert_int_equal(panels_hold(&part, first, end, NULL), ATTCERT_OK);
      assert_int_equal(block_gram_fill(t, &part, &options, NULL), ATTCERT_OK);
      for (int p = first; p < end; p++) {
        assert_true((part.panel[p] != NULL) == (p % processes == rank));
        if (part.panel[p] != NULL) assert_memory_equal(part.panel[p], whole->panel[p], panels_bytes(whole, p));
      }
    }
    panels_clear(&part);
  }
}

/* To the last bit, and with the same error. */
static void test_windows_do_not_matter(void **state) {
  (void)state;
  for (int output = 0; output < 2; output++) {
    certify_case c;
    double whole_error, error;
    windows_case_init(&c, output);
    panels whole = gram_of(&c, &whole_error, 1);
    assert_int_equal(whole.count, 3);
    for (int window = 1; window <= 3; window++)
      for (int processes = 1; processes <= 3; processes++) {
        block_gram t;
        assert_int_equal(block_gram_init(&t, &c.m, NULL), ATTCERT_OK);
        check_windows(&t, &whole, window, processes);
        jacobian_errors errors;
        assert_int_equal(jacobian_errors_of(&errors, &c.m, NULL), ATTCERT_OK);
        assert_int_equal(block_gram_error(&error, &t, errors.absolute, NULL), ATTCERT_OK);
        assert_true(error == whole_error);
        block_gram_clear(&t);
      }
    panels_clear(&whole);
    certify_case_clear(&c);
  }
}

typedef struct {
  double *block;
  int size, seen;
  int last_token;
} block_reader;

static bool only_the_last(void *context, int first, int rows) {
  const block_reader *const r = context;
  return first + rows > r->last_token;
}

static double *place_somewhere(void *context, int row, int column, int first, int *count, int *stride) {
  const block_reader *const r = context;
  (void)row, (void)column, (void)first, (void)count;
  *stride = r->size;
  return r->block;
}

static void count_block(void *context, int row, int column) {
  block_reader *const r = context;
  (void)row, (void)column;
  r->seen++;
}

/* Rows that are not wanted are not computed: of 85 tokens at a time, the last of 200 brings 170 ... 199, to the
 * diagonal. */
static void test_unwanted_rows_cost_nothing(void **state) {
  (void)state;
  certify_case c;
  block_gram t;
  attcert_options options;
  attcert_options_default(&options);
  windows_case_init(&c, false);
  block_reader r = {new_doubles(9), 3, 0, c.m.n - 1};
  const gram_blocks blocks = {place_somewhere, count_block, only_the_last, &r};
  assert_int_equal(block_gram_init(&t, &c.m, NULL), ATTCERT_OK);
  assert_int_equal(block_gram_blocks(&t, &blocks, &options, NULL), ATTCERT_OK);
  assert_int_equal(r.seen, 30 * 31 / 2);
  block_gram_clear(&t);
  free(r.block);
  certify_case_clear(&c);
}

/* ---- the rest of the contract ------------------------------------------------------------------------------------ */

static void test_threads_do_not_matter(void **state) {
  (void)state;
  certify_case c;
  double error[2];
  larger_case_init(&c, 3);
  panels one = gram_of(&c, &error[0], 1), four = gram_of(&c, &error[1], 4);
  const int side = (int)certify_case_rows(&c);
  assert_true(error[0] == error[1]);
  for (int i = 0; i < side; i++)
    for (int j = 0; j <= i; j++) assert_true(panel_entry(&one, i, j) == panel_entry(&four, i, j));
  panels_clear(&one);
  panels_clear(&four);
  certify_case_clear(&c);
}

static double *place_block(void *context, int row, int column, int first, int *count, int *stride) {
  const block_reader *const r = context;
  (void)count;
  assert_true(row <= column);
  assert_int_equal(first, 0);
  *stride = r->size;
  return r->block;
}

static void take_block(void *context, int row, int column) {
  block_reader *const r = context;
  r->seen++;
  if (row != column) return;
  for (int i = 0; i < r->size; i++)
    for (int j = 0; j < i; j++) assert_true(r->block[i * r->size + j] == r->block[j * r->size + i]);
}

/* Diagonal blocks are symmetric to the last bit: their two triangles are one claim. */
static void test_diagonal_blocks_are_symmetric(void **state) {
  (void)state;
  for (int index = 0; index < 4; index++) {
    certify_case c;
    block_gram t;
    attcert_options options;
    attcert_options_default(&options);
    larger_case_init(&c, index);
    block_reader r = {new_doubles((size_t)c.m.out_dim * (size_t)c.m.out_dim), c.m.out_dim, 0, c.m.n - 1};
    const gram_blocks blocks = {.place = place_block, .take = take_block, .context = &r};
    assert_int_equal(block_gram_init(&t, &c.m, NULL), ATTCERT_OK);
    assert_int_equal(block_gram_blocks(&t, &blocks, &options, NULL), ATTCERT_OK);
    assert_int_equal(r.seen, c.m.n * (c.m.n + 1) / 2);
    block_gram_clear(&t);
    free(r.block);
    certify_case_clear(&c);
  }
}

static int record_progress(void *context, const char *stage, double done) {
  double *const last = context;
  assert_true(strlen(stage) > 0 && done >= *last && done <= 1);
  *last = done;
  return 0;
}

static void test_progress_line(void **state) {
  (void)state;
  certify_case c;
  double last = 0, error;
  wide_case_init(&c, ATTCERT_MASK_NONE);
  const size_t side = certify_case_rows(&c);
  attcert_options options;
  attcert_options_default(&options);
  options.progress = record_progress;
  options.progress_context = &last;
  panels g;
  assert_int_equal(whole_panels_init(&g, (int)side), ATTCERT_OK);
  fill(&g, &error, &c.m, &options);
  assert_true(last > 0.5);
  panels_clear(&g);
  certify_case_clear(&c);
}

static int cancel(void *context, const char *stage, double done) {
  (void)stage, (void)done;
  ++*(int *)context;
  return 1;
}

/* At the first tile of several. */
static void test_cancelled(void **state) {
  (void)state;
  certify_case c;
  int calls = 0;
  block_gram t;
  wide_case_init(&c, ATTCERT_MASK_NONE);
  attcert_options options;
  attcert_options_default(&options);
  options.progress = cancel;
  options.progress_context = &calls;
  panels g;
  assert_int_equal(whole_panels_init(&g, (int)certify_case_rows(&c)), ATTCERT_OK);
  assert_int_equal(block_gram_init(&t, &c.m, NULL), ATTCERT_OK);
  assert_int_equal(block_gram_fill(&t, &g, &options, NULL), ATTCERT_CANCELLED);
  assert_int_equal(calls, 1);
  block_gram_clear(&t);
  panels_clear(&g);
  certify_case_clear(&c);
}

/* The largest arrays: P P^T and G G^T of all tokens, F V^T, and two blocks of W_O's width, which one of the rows has at
 * a time. */
static void test_bytes(void **state) {
  (void)state;
  double weight;
  attcert_layer layer = {.dim = 11, .heads = 3, .head_dim = 5, .out_dim = 9};
  const uint64_t n = 20, width = 15;
  const uint64_t without = block_gram_bytes(&layer, 20);
  assert_true(without >= 8 * (2 * 9 * n * n + width * n * width + 2 * n * width * width));
  layer.output_weight = &weight;
  assert_true(block_gram_bytes(&layer, 20) >= without + 8 * (n * width * 9 - 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error),
      cmocka_unit_test(test_error_of_hostile_layers),
      cmocka_unit_test(test_error_of_larger_layers),
      cmocka_unit_test(test_long_rows),
      cmocka_unit_test(test_many_channels),
      cmocka_unit_test(test_windows_do_not_matter),
      cmocka_unit_test(test_unwanted_rows_cost_nothing),
      cmocka_unit_test(test_threads_do_not_matter),
      cmocka_unit_test(test_diagonal_blocks_are_symmetric),
      cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_progress_line),
      cmocka_unit_test(test_cancelled),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
