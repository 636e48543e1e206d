/* Every error term of a certificate covers the distance that it stands for, measured in Arb: tau's slack would hide
 * most mistakes here from a look at the certificate alone.
 *   radius of the explicit Jacobian      >= ||J - mid||,      at precisions where it matters
 *   radius of the factored Jacobian      >= ||J' - J~||,      J~ multiplied out from its doubles exactly; from
 *                                           intervals, and from double arithmetic with the lower
 *                                           bound that goes with it
 *   error of the structured Gram matrix  >= ||G~ - J~ J~^T||
 *   error of the explicit Gram matrix    >= ||G~ - A A^T||,   and its certified largest eigenvalue for guesses a few
 *                                           units in the last place beside the truth */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "certify/enclosure/layer_enclosure.h"
#include "certify/explicit/explicit_gram.h"
#include "certify/explicit/explicit_jacobian_init.h"
#include "certify/jacobian/block_gram.h"
#include "certify/jacobian/factored_jacobian.h"
#include "certify/jacobian/factored_jacobian_direction.h"
#include "certify/jacobian/factored_jacobian_from_doubles.h"
#include "certify/jacobian/factored_jacobian_from_enclosure.h"
#include "certify/jacobian/factored_jacobian_radius.h"
#include "certify/jacobian/jacobian_errors.h"
#include "certify/jacobian/structured_jacobian.h"
#include "jacobian_oracle.h"
#include "linalg/operator/lanczos.h"
#include "panel_entry.h"
#include "random_layer.h"
#include "spectral_oracle.h"

enum { CASES = 5, SEED = 51 };
enum { ARB_PRECISION = 4096, NORM_PRECISION = 256 };

/* ||a||_2 <= bound, as far as the oracle can tell. */
static bool norm_is_within(const arb_mat_t a, const arf_t bound) {
  arf_t lower, upper;
  arf_init(lower);
  arf_init(upper);
  spectral_oracle(lower, upper, a, NORM_PRECISION);
  const bool within = arf_cmp(lower, bound) <= 0;
  arf_clear(lower);
  arf_clear(upper);
  return within;
}

static void assert_norm_within_d(const arb_mat_t a, double bound, const char *family, uint64_t index) {
  arf_t limit;
  arf_init(limit);
  arf_set_d(limit, bound);
  if (!norm_is_within(a, limit)) fail_msg("%s:%d:%llu exceeds %g", family, SEED, (unsigned long long)index, bound);
  arf_clear(limit);
}

static void assert_norm_within_fr(const arb_mat_t a, mpfr_srcptr bound, const char *family, uint64_t index) {
  arf_t limit;
  arf_init(limit);
  arf_set_mpfr(limit, bound);
  if (!norm_is_within(a, limit)) fail_msg("%s:%d:%llu exceeds its radius", family, SEED, (unsigned long long)index);
  arf_clear(limit);
}

/* One case at one precision, with the exact Jacobian. */
typedef struct {
  layer_case c;
  layer_enclosure e;
  arb_mat_t jacobian;
  const char *family;
  uint64_t index;
} setting;

static void setting_init(setting *s, int family, uint64_t index, mpfr_prec_t precision) {
  s->family = random_layer_family(family);
  s->index = index;
  layer_case_init(&s->c, family, SEED, index);
  assert_int_equal(layer_enclosure_init(&s->e, &s->c.layer, &s->c.x, precision, 1, NULL), ATTCERT_OK);
  arb_mat_init(s->jacobian, (slong)s->c.x.rows * s->c.layer.out_dim, (slong)s->c.x.rows * s->c.layer.dim);
  jacobian_oracle_matrix(s->jacobian, &s->c.layer, &s->c.x, ARB_PRECISION);
}

static void setting_clear(setting *s) {
  arb_mat_clear(s->jacobian);
  layer_enclosure_clear(&s->e);
  layer_case_clear(&s->c);
}

static void for_every_case(void (*check)(setting *s)) {
  static const mpfr_prec_t precisions[] = {53, 128};
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < CASES; index++)
      for (int p = 0; p < 2; p++) {
        setting s;
        setting_init(&s, family, index, precisions[p]);
        check(&s);
        setting_clear(&s);
      }
}

/* ---- the explicit Jacobian and its Gram matrix ------------------------------------------------------------------- */

static void set_points(arb_mat_t a, const point *p) {
  for (slong i = 0; i < arb_mat_nrows(a); i++)
    for (slong j = 0; j < arb_mat_ncols(a); j++)
      arf_set_mpfr(arb_midref(arb_mat_entry(a, i, j)), p[i * arb_mat_ncols(a) + j].v);
}

/* gram = A A^T for A = a or its transpose, whichever has fewer rows. */
static void smaller_gram(arb_mat_t gram, const arb_mat_t a) {
  arb_mat_t t;
  arb_mat_init(t, arb_mat_ncols(a), arb_mat_nrows(a));
  arb_mat_transpose(t, a);
  if (arb_mat_nrows(a) <= arb_mat_ncols(a))
    arb_mat_mul(gram, a, t, ARB_PRECISION);
  else
    arb_mat_mul(gram, t, a, ARB_PRECISION);
  arb_mat_clear(t);
}

/* upper >= ||A||_2^2 whatever the guess: within some units 2^e ||A||_2 below the truth the factorisation may succeed on
 * a matrix that is not positive definite, which only the residual and the error make up for. */
static void check_explicit_upper(const setting *s, const explicit_gram *g, const arb_mat_t mid) {
  attcert_options options;
  arf_t lower, above, value;
  mpfr_t guess, upper;
  attcert_options_default(&options);
  options.threads = 1;
  arf_init(lower);
  arf_init(above);
  arf_init(value);
  mpfr_inits2(NORM_PRECISION, guess, upper, (mpfr_ptr)NULL);
  spectral_oracle(lower, above, mid, NORM_PRECISION);
  arf_mul(lower, lower, lower, NORM_PRECISION, ARF_RND_DOWN);
  for (long units = -64; units <= 64; units += 16) {
    arf_sqrt(value, lower, NORM_PRECISION, ARF_RND_DOWN);
    arf_mul_si(value, value, units, NORM_PRECISION, ARF_RND_DOWN);
    arf_mul_2exp_si(value, value, g->g.exponent / 2);
    arf_add(value, value, lower, NORM_PRECISION, ARF_RND_DOWN);
    arf_get_mpfr(guess, value, MPFR_RNDN);
    assert_int_equal(explicit_gram_upper(upper, g, guess, 0x1p-200, NULL, &options, NULL), ATTCERT_OK);
    arf_set_mpfr(value, upper);
    if (arf_cmp(value, lower) < 0) fail_msg("%s:%d:%llu: below", s->family, SEED, (unsigned long long)s->index);
  }
  arf_clear(lower);
  arf_clear(above);
  arf_clear(value);
  mpfr_clears(guess, upper, (mpfr_ptr)NULL);
}

/* mid: the explicit Jacobian's midpoints. */
static void check_explicit_gram(const setting *s, const explicit_jacobian *j, const arb_mat_t mid) {
  attcert_options options;
  explicit_gram g;
  arb_mat_t gram;
  attcert_options_default(&options);
  options.threads = 1;
  assert_int_equal(explicit_gram_init(&g, j, &options, NULL), ATTCERT_OK);
  arb_mat_init(gram, g.n, g.n);
  smaller_gram(gram, mid);
  arf_t entry;
  mpz_t integer;
  arf_init(entry);
  mpz_init(integer);
  for (int row = 0; row < g.n; row++)
    for (int column = 0; column < g.n; column++) {
      fixed_matrix_get(integer, &g.g, explicit_gram_index(FLINT_MAX(row, column), FLINT_MIN(row, column)), 0);
      arf_set_mpz(entry, integer);
      arf_mul_2exp_si(entry, entry, g.g.exponent);
      arb_sub_arf(arb_mat_entry(gram, row, column), arb_mat_entry(gram, row, column), entry, ARB_PRECISION);
    }
  assert_norm_within_fr(gram, g.error, s->family, s->index);
  check_explicit_upper(s, &g, mid);
  arf_clear(entry);
  mpz_clear(integer);
  arb_mat_clear(gram);
  explicit_gram_clear(&g);
}

static void check_explicit_jacobian(setting *s) {
  explicit_jacobian j;
  arb_mat_t mid, difference;
  assert_int_equal(explicit_jacobian_init(&j, &s->c.layer, &s->e, 1, NULL), ATTCERT_OK);
  arb_mat_init(mid, j.rows, j.cols);
  arb_mat_init(difference, j.rows, j.cols);
  set_points(mid, j.mid);
  arb_mat_sub(difference, s->jacobian, mid, ARB_PRECISION);
  assert_norm_within_fr(difference, j.radius, s->family, s->index);
  if (mpfr_number_p(j.radius)) check_explicit_gram(s, &j, mid);
  arb_mat_clear(mid);
  arb_mat_clear(difference);
  explicit_jacobian_clear(&j);
}

static void test_explicit_jacobian(void **state) {
  (void)state;
  for_every_case(check_explicit_jacobian);
}

/* ---- the factored Jacobian and its Gram matrix ------------------------------------------------------------------- */

/* out (k x d) = P~_il V' + w~_il g~_i^T + delta_il C~_i Q' of head h. */
static void expanded_block(arb_mat_t out, const factored_jacobian *m, int h, int i, int l) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, at = factored_jacobian_token(m, h, i);
  arb_t a, b;
  arb_init(a);
  arb_init(b);
  for (size_t r = 0; r < k; r++)
    for (size_t c = 0; c < d; c++) {
      arb_ptr entry = arb_mat_entry(out, (slong)r, (slong)c);
      arb_zero(entry);
      for (size_t s = 0; s < k && i == l; s++) {
        arb_set_d(a, m->covariance[(at * k + r) * k + s]);
        arb_set_d(b, m->q[((size_t)h * k + s) * d + c]);
        arb_addmul(entry, a, b, ARB_PRECISION);
      }
      arb_set_d(a, m->p[at * n + (size_t)l]);
      arb_set_d(b, m->v[((size_t)h * k + r) * d + c]);
      arb_addmul(entry, a, b, ARB_PRECISION);
      arb_set_d(a, m->w[(at * k + r) * n + (size_t)l]);
      arb_set_d(b, m->g[at * d + c]);
      arb_addmul(entry, a, b, ARB_PRECISION);
    }
  arb_clear(a);
  arb_clear(b);
}

/* W'^h (out_dim x k), or the rows of the identity that place head h in the concatenation. */
static void expanded_output(arb_mat_t output, const factored_jacobian *m, int h) {
  const int k = m->head_dim, width = m->heads * k;
  for (int o = 0; o < m->out_dim; o++)
    for (int r = 0; r < k; r++)
      arb_set_d(arb_mat_entry(output, o, r), m->output ? m->output[o * width + h * k + r] : (o == h * k + r));
}

/* jacobian = J~, exactly. */
static void multiply_out(arb_mat_t jacobian, const factored_jacobian *m) {
  const slong rows = m->out_dim, cols = m->dim;
  arb_mat_t output, block, product, window;
  arb_mat_init(output, rows, m->head_dim);
  arb_mat_init(block, m->head_dim, cols);
  arb_mat_init(product, rows, cols);
  arb_mat_zero(jacobian);
  for (int h = 0; h < m->heads; h++) {
    expanded_output(output, m, h);
    for (int i = 0; i < m->n; i++)
      for (int l = 0; l < m->n; l++) {
        expanded_block(block, m, h, i, l);
        arb_mat_mul(product, output, block, ARB_PRECISION);
        arb_mat_window_init(window, jacobian, i * rows, l * cols, (i + 1) * rows, (l + 1) * cols);
        arb_mat_add(window, window, product, ARB_PRECISION);
        arb_mat_window_clear(window);
      }
  }
  arb_mat_clear(output);
  arb_mat_clear(block);
  arb_mat_clear(product);
}

static void check_structured_gram(const setting *s, const factored_jacobian *m, const arb_mat_t jacobian) {
  attcert_options options;
  attcert_options_default(&options);
  options.threads = 1;
  const slong side = block_gram_side(m);
  double error = 0;
  jacobian_errors errors;
  panels g;
  block_gram blocks;
  assert_int_equal(whole_panels_init(&g, (int)side), ATTCERT_OK);
  assert_int_equal(block_gram_init(&blocks, m, NULL), ATTCERT_OK);
  assert_int_equal(block_gram_fill(&blocks, &g, &options, NULL), ATTCERT_OK);
  assert_int_equal(jacobian_errors_of(&errors, m, NULL), ATTCERT_OK);
  assert_int_equal(block_gram_error(&error, &blocks, errors.absolute, NULL), ATTCERT_OK);
  block_gram_clear(&blocks);
  arb_mat_t gram, t;
  arb_t entry;
  arb_init(entry);
  arb_mat_init(gram, side, side);
  arb_mat_init(t, arb_mat_ncols(jacobian), side);
  arb_mat_transpose(t, jacobian);
  arb_mat_mul(gram, jacobian, t, ARB_PRECISION);
  for (slong row = 0; row < side; row++)
    for (slong column = 0; column < side; column++) {
      arb_set_d(entry, panel_entry(&g, (int)row, (int)column));
      arb_sub(arb_mat_entry(gram, row, column), arb_mat_entry(gram, row, column), entry, ARB_PRECISION);
    }
  assert_norm_within_d(gram, error, s->family, s->index);
  arb_clear(entry);
  arb_mat_clear(t);
  arb_mat_clear(gram);
  panels_clear(&g);
}

/* J' is within the radius of J~, or 0 when that is claimed. Returns the radius. */
static double check_radius(const setting *s, const factored_jacobian *m, arb_mat_t doubles) {
  double radius = 0;
  arb_mat_init(doubles, arb_mat_nrows(s->jacobian), arb_mat_ncols(s->jacobian));
  if (m->zero) {
    assert_norm_within_d(s->jacobian, 0, s->family, s->index);
    return radius;
  }
  assert_int_equal(factored_jacobian_radius(&radius, m, NULL), ATTCERT_OK);
  arb_mat_t difference;
  arb_mat_init(difference, arb_mat_nrows(s->jacobian), arb_mat_ncols(s->jacobian));
  multiply_out(doubles, m);
  arb_mat_scalar_mul_2exp_si(difference, s->jacobian, -m->exponent);
  arb_mat_sub(difference, difference, doubles, ARB_PRECISION);
  assert_norm_within_d(difference, radius, s->family, s->index);
  arb_mat_clear(difference);
  return radius;
}

static void check_from_enclosure(setting *s) {
  factored_jacobian m;
  arb_mat_t doubles;
  assert_int_equal(factored_jacobian_from_enclosure(&m, &s->c.layer, &s->e, 1, NULL), ATTCERT_OK);
  check_radius(s, &m, doubles);
  if (!m.zero) check_structured_gram(s, &m, doubles);
  arb_mat_clear(doubles);
  factored_jacobian_clear(&m);
}

static void test_from_enclosure(void **state) {
  (void)state;
  for_every_case(check_from_enclosure);
}

/* ---- the layer in double ----------------------------------------------------------------------------------------- */

static int usable_layers, sharp_layers;

/* The lower bound of a top direction is at most ||J||; *sharp: and near it. */
static void check_direction(const setting *s, const factored_jacobian *m, bool *sharp) {
  double *const u = malloc((size_t)m->n * (size_t)m->dim * sizeof *u), sigma;
  structured_jacobian jacobian;
  jacobian_errors errors;
  arf_t lower, norm, above;
  mpfr_t bound;
  assert_non_null(u);
  arf_init(lower);
  arf_init(norm);
  arf_init(above);
  mpfr_init2(bound, 128);
  assert_int_equal(structured_jacobian_init(&jacobian, m, 1, NULL), ATTCERT_OK);
  const linear_operator op = structured_jacobian_operator(&jacobian);
  assert_int_equal(lanczos_top(u, &sigma, &op, NULL, NULL), ATTCERT_OK);
  assert_int_equal(jacobian_errors_of(&errors, m, NULL), ATTCERT_OK);
  assert_int_equal(factored_jacobian_direction_lower(bound, m, &errors, u, NULL), ATTCERT_OK);
  spectral_oracle(norm, above, s->jacobian, NORM_PRECISION);
  arf_set_mpfr(lower, bound);
  if (arf_cmp(lower, above) > 0) fail_msg("%s:%d:%llu: lower bound", s->family, SEED, (unsigned long long)s->index);
  arf_mul_2exp_si(above, above, -30);
  arf_sub(norm, norm, lower, NORM_PRECISION, ARF_RND_UP);
  *sharp = arf_cmp(norm, above) <= 0;
  structured_jacobian_clear(&jacobian);
  mpfr_clear(bound);
  arf_clear(above);
  arf_clear(norm);
  arf_clear(lower);
  free(u);
}

static void check_from_doubles(setting *s) {
  factored_jacobian m;
  arb_mat_t doubles;
  bool usable, sharp = true;
  assert_int_equal(factored_jacobian_from_doubles(&m, &usable, &s->c.layer, &s->c.x, 1, NULL), ATTCERT_OK);
  if (!usable) return;
  check_radius(s, &m, doubles);
  if (!m.zero) check_direction(s, &m, &sharp);
  usable_layers++;
  sharp_layers += sharp;
  arb_mat_clear(doubles);
  factored_jacobian_clear(&m);
}

/* Not only the hopeless cases take part. */
static void test_from_doubles(void **state) {
  (void)state;
  for_every_case(check_from_doubles);
  print_message("%d layers in double, %d sharp\n", usable_layers, sharp_layers);
  assert_true(2 * usable_layers >= random_layer_families() * CASES);
  assert_true(2 * sharp_layers >= usable_layers);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_explicit_jacobian), cmocka_unit_test(test_from_enclosure),
                                     cmocka_unit_test(test_from_doubles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
