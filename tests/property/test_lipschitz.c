/* Random networks of every kind of step, some saturated, some with equal tokens: products with the Jacobian in double
 * are as close to the enclosed one as their bound says, row by row and column by column; the Jacobian is the derivative
 * of values computed in Arb; and what the engines certify contains the norm of the enclosed matrix.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "interval/interval_convert.h"
#include "interval/interval_set.h"
#include "linalg/norm/matrix_norm.h"
#include "linalg/rounding/rounding.h"
#include "lipschitz/lipschitz.h"
#include "network/network_linear.h"
#include "network_oracle.h"
#include "random_network.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 300, BITS = 400, VECTORS = 3 };

/* What the runs came to. */
typedef struct {
  double closest, width; /* the largest share of a bound that was used, the largest width of the dense engine */
  long products, refused;
} tally;

static void *zeros(size_t count, size_t element) {
  void *const memory = calloc(count, element);
  assert_non_null(memory);
  return memory;
}

static size_t rows_of(const network_case *c) {
  return network_entries(&c->network, c->network.count);
}

static size_t cols_of(const network_case *c) {
  return (size_t)c->x.rows * (size_t)c->x.cols;
}

static double distance(const double *a, const double *b, size_t n, size_t stride) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += (a[i] - b[i * stride]) * (a[i] - b[i * stride]);
  return sqrt(sum);
}

/* ---- the enclosed Jacobian --------------------------------------------------------------------------------------- */

static void go_forward(step_enclosure *value, const network_case *c, step_scratch *scratch) {
  assert_int_equal(network_enclose_values(value, &c->network, c->network.count, &c->x, scratch, NULL), ATTCERT_OK);
}

/* What intervals leave of an entry that is zero. */
#define ENTRY_MISS 0x1p-150

/* The row of output i, as doubles next to it. */
static void row_of(double *row, const step_enclosure *value, const network_steps *network, int i,
                   step_scratch *scratch) {
  step_enclosure *const slope = zeros((size_t)network->count + 1, sizeof *slope);
  const int last = network->count;
  assert_int_equal(
      step_enclosure_init(&slope[last], network_rows(network, last), network_cols(network, last), BITS, NULL),
      ATTCERT_OK);
  interval_set_si(&slope[last].entry[i], 1);
  assert_int_equal(network_enclose_slope(slope, value, network, scratch, NULL), ATTCERT_OK);
  for (int k = 0; k < network->tokens * network->dim; k++) {
    double miss;
    interval_get_midrad(&row[k], &miss, &slope[0].entry[k], &scratch->ws);
    assert_true(miss <= 0x1p-52 * fabs(row[k]) + ENTRY_MISS);
  }
  step_enclosure_clear(&slope[0]);
  free(slope);
}

static void enclose_jacobian(double *exact, size_t rows, size_t cols, const network_case *c) {
  step_enclosure *const value = zeros((size_t)c->network.count + 1, sizeof *value);
  step_scratch scratch;
  step_scratch_init(&scratch, BITS);
  go_forward(value, c, &scratch);
  for (size_t i = 0; i < rows; i++) row_of(exact + i * cols, value, &c->network, (int)i, &scratch);
  for (int v = 0; v <= c->network.count; v++) step_enclosure_clear(&value[v]);
  step_scratch_clear(&scratch);
  free(value);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* count unit vectors from the first-th on, and what is made of them: rows, or columns. */
static void check_products(tally *t, const network_linear *l, const double *exact, const network_case *c,
                           bool transpose) {
  const network_part whole = network_linear_whole(l);
  const double bound = whole.error[transpose];
  const size_t rows = rows_of(c), cols = cols_of(c);
  const size_t side = transpose ? rows : cols, other = transpose ? cols : rows;
  double *const unit = zeros(VECTORS * side, sizeof *unit), *const found = zeros(VECTORS * other, sizeof *found);
  for (size_t first = 0; first < side; first += VECTORS) {
    const size_t count = side - first < VECTORS ? side - first : VECTORS;
    memset(unit, 0, VECTORS * side * sizeof *unit);
    for (size_t b = 0; b < count; b++) unit[b * side + first + b] = 1.0;
    network_linear_multiply(l, &whole, found, unit, (int)count, transpose);
    for (size_t b = 0; b < count; b++) {
      const double *const expected = transpose ? exact + (first + b) * cols : exact + first + b;
      const double missed = distance(found + b * other, expected, other, transpose ? 1 : cols);
      const double slack = 0x1p-51 * whole.norm + ENTRY_MISS * (double)other; /* of row_of's doubles */
      if (!(missed <= bound + slack))
        fail_msg("%s: a product is off by %g, expected %g at most", c->name, missed, bound);
      if (bound > slack) t->closest = fmax(t->closest, missed / bound);
      t->products++;
    }
  }
  free(unit);
  free(found);
}

/* Central differences of values in Arb, of an error of about h^2, along one direction. */
static void check_derivative(const network_linear *l, const network_case *c, random_source *r) {
  const network_part whole = network_linear_whole(l);
  const size_t rows = rows_of(c), cols = cols_of(c);
  double *const u = zeros(cols, sizeof *u), *const image = zeros(rows, sizeof *image), h = 0x1p-18;
  attcert_matrix moved = {c->x.rows, c->x.cols, zeros(cols, sizeof(double))};
  network_values value[2];
  for (size_t k = 0; k < cols; k++) u[k] = ldexp(trunc(8.0 * random_uniform(r, -1.0, 1.0)), -3);
  for (int side = 0; side < 2; side++) {
    for (size_t k = 0; k < cols; k++) moved.data[k] = c->x.data[k] + (side ? -h : h) * u[k];
    network_values_init_paired(&value[side], &c->network, &c->pairs, &moved);
  }
  network_linear_multiply(l, &whole, image, u, 1, false);
  arb_t difference;
  arb_init(difference);
  for (size_t i = 0; i < rows; i++) {
    const arb_mat_struct *const plus = value[0].value[c->network.count], *const minus =
                                                                             value[1].value[c->network.count];
    const slong row = (slong)i / arb_mat_ncols(plus), col = (slong)i % arb_mat_ncols(plus);
    arb_sub(difference, arb_mat_entry(plus, row, col), arb_mat_entry(minus, row, col), NETWORK_ORACLE_BITS);
    const double slope = arf_get_d(arb_midref(difference), ARF_RND_NEAR) / (2.0 * h);
    if (!(fabs(slope - image[i]) <= 1e-4 * (1.0 + whole.norm)))
      fail_msg("%s: slope %zu is %.9g, expected %.9g", c->name, i, image[i], slope);
  }
  arb_clear(difference);
  for (int side = 0; side < 2; side++) network_values_clear(&value[side]);
  free(moved.data);
  free(u);
  free(image);
}

/* ---- certificates ------------------------------------------------------------------------------------------------ */

static void check_engine(tally *t, attcert_engine engine, const double *exact, size_t rows, size_t cols,
                         const network_case *c) {
  attcert_certificate found;
  attcert_options options;
  attcert_error err;
  mpfr_t lo, hi;
  attcert_options_default(&options);
  options.engine = engine;
  options.seeded = true;
  if (engine == ATTCERT_ENGINE_MPFR) options.precision = 53; /* few enough that what intervals miss counts */
  attcert_certificate_init(&found);
  mpfr_inits2(53, lo, hi, (mpfr_ptr)0);
  double size = 0.0;
  for (size_t k = 0; k < rows * cols; k++) size += exact[k] * exact[k];
  assert_int_equal(matrix_norm(lo, hi, exact, (int)rows, (int)cols, 0x1p-52 * sqrt(size) + 0x1p-140, NULL), ATTCERT_OK);
  if (lipschitz_certify(&found, &c->network, &c->x, &options, &err) != ATTCERT_OK)
    fail_msg("%s: %s", c->name, err.message);
  if (!mpfr_lessequal_p(found.lower, hi) || !mpfr_lessequal_p(lo, found.upper))
    fail_msg("%s: [%.17g, %.17g], expected about %.17g", c->name, mpfr_get_d(found.lower, MPFR_RNDN),
             mpfr_get_d(found.upper, MPFR_RNDN), mpfr_get_d(hi, MPFR_RNDN));
  assert_int_equal(found.engine, engine);
  assert_true(isfinite(found.failure_log2) == (engine == ATTCERT_ENGINE_RANDOM));
  /* Of a derivative that is zero, as where keys are masked, some intervals are [-r, r] at every precision. */
  if (engine == ATTCERT_ENGINE_MPFR && !(found.relative_width <= 1e-12) && mpfr_cmp_d(hi, 0x1p-139) > 0)
    fail_msg("%s: a norm of %g, a width of %g in intervals", c->name, mpfr_get_d(hi, MPFR_RNDN), found.relative_width);
  if (engine == ATTCERT_ENGINE_DENSE && mpfr_get_d(hi, MPFR_RNDN) > 1e-6)
    t->width = fmax(t->width, found.relative_width);
  mpfr_clears(lo, hi, (mpfr_ptr)0);
  attcert_certificate_clear(&found);
}

/* ---- networks ---------------------------------------------------------------------------------------------------- */

/* ||J u|| / ||u|| of a direction, some of whose entries are far smaller or larger than others. */
static void check_direction(const double *exact, size_t rows, size_t cols, const network_case *c, random_source *r) {
  attcert_matrix u = {c->x.rows, c->x.cols, zeros(cols, sizeof(double))};
  attcert_options options;
  attcert_error err;
  mpfr_t lo, hi;
  double image = 0.0, length = 0.0, size = 0.0;
  const double scale = random_chance(r, 0.3) ? exp2(random_integer(r, -40, 40)) : 1.0;
  attcert_options_default(&options);
  mpfr_inits2(53, lo, hi, (mpfr_ptr)0);
  for (size_t k = 0; k < cols; k++) u.data[k] = scale * (random_chance(r, 0.1) ? 1e-30 : random_gaussian(r));
  for (size_t k = 0; k < cols; k++) length += u.data[k] * u.data[k];
  for (size_t i = 0; i < rows; i++) {
    double entry = 0.0;
    for (size_t k = 0; k < cols; k++) {
      entry += exact[i * cols + k] * u.data[k];
      size += exact[i * cols + k] * exact[i * cols + k];
    }
    image += entry * entry;
  }
  const double ratio = sqrt(image / length), slack = 1e-13 * sqrt(size) + 0x1p-140;
  if (lipschitz_direction(lo, hi, &c->network, &c->x, &u, &options, &err) != ATTCERT_OK)
    fail_msg("%s: %s", c->name, err.message);
  if (mpfr_cmp_d(lo, ratio + slack) > 0 || mpfr_cmp_d(hi, ratio - slack) < 0)
    fail_msg("%s: a direction within [%.17g, %.17g], expected about %.17g", c->name, mpfr_get_d(lo, MPFR_RNDN),
             mpfr_get_d(hi, MPFR_RNDN), ratio);
  mpfr_clears(lo, hi, (mpfr_ptr)0);
  free(u.data);
}

/* Larger or smaller numbers, tokens that agree. */
static void vary_input(network_case *c, random_source *r) {
  const double scale = random_chance(r, 0.5) ? 1.0 : exp2(random_integer(r, -6, 6));
  for (int k = 0; k < c->x.rows * c->x.cols; k++) c->x.data[k] *= scale;
  if (c->x.rows > 1 && random_chance(r, 0.2))
    memcpy(c->x.data + c->x.cols, c->x.data, (size_t)c->x.cols * sizeof(double));
}

static void check_network(tally *t, network_case *c, random_source *r) {
  network_linear l;
  attcert_options options;
  attcert_options_default(&options);
  vary_input(c, r);
  const bool paired = random_chance(r, 0.4);
  if (paired) network_case_pair(c, r);
  assert_int_equal(network_linear_init(&l, &c->network, &c->x, VECTORS, random_chance(r, 0.5), &options, NULL),
                   ATTCERT_OK);
  const size_t rows = rows_of(c), cols = cols_of(c);
  double *const exact = zeros(rows * cols, sizeof *exact);
  enclose_jacobian(exact, rows, cols, c);
  check_products(t, &l, exact, c, false);
  check_products(t, &l, exact, c, true);
  check_engine(t, ATTCERT_ENGINE_DENSE, exact, rows, cols, c);
  if (random_chance(r, 0.1)) check_engine(t, ATTCERT_ENGINE_MPFR, exact, rows, cols, c);
  if (random_chance(r, 0.1)) check_engine(t, ATTCERT_ENGINE_RANDOM, exact, rows, cols, c);
  if (random_chance(r, paired ? 0.7 : 0.2)) check_derivative(&l, c, r);
  if (random_chance(r, 0.5)) check_direction(exact, rows, cols, c, r);
  network_linear_clear(&l);
  free(exact);
}

static void check_networks(void (*make)(network_case *c, uint64_t seed, uint64_t index), uint64_t stream) {
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  tally t = {0};
  for (uint64_t k = 0; k < cases; k++) {
    network_case c;
    random_source r = random_source_make(seed, stream, k);
    make(&c, seed, k);
    check_network(&t, &c, &r);
    network_case_clear(&c);
  }
  print_message("%ld products, off by up to %.2g of their bound; widths up to %.2g\n", t.products, t.closest, t.width);
}

static void certificates_contain_the_norm(void **state) {
  (void)state;
  check_networks(network_case_init, 2);
}

static void certificates_of_cross_attention_contain_it(void **state) {
  (void)state;
  check_networks(network_case_init_cross, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(certificates_contain_the_norm),
                                     cmocka_unit_test(certificates_of_cross_attention_contain_it)};
  return cmocka_run_group_tests_name("lipschitz", tests, NULL, NULL);
}
