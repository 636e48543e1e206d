/* The oracle's Jacobian against layers whose Jacobian is known, and against differences of the layer itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "arb_head.h"
#include "jacobian_oracle.h"
#include "layer_transform.h"
#include "random_layer.h"
#include "test_setting.h"

enum { PRECISION = 512 };

static void jacobian_init(arb_mat_t j, const layer_case *c) {
  arb_mat_init(j, (slong)c->x.rows * c->layer.out_dim, (slong)c->x.rows * c->layer.dim);
  jacobian_oracle_matrix(j, &c->layer, &c->x, PRECISION);
}

/* out (n out_dim x 1) = f(x) without b_O, from the definition. */
static void forward(arb_mat_t out, const attcert_layer *layer, const attcert_matrix *x) {
  arb_t weight;
  arb_init(weight);
  arb_mat_zero(out);
  for (int h = 0; h < layer->heads; h++) {
    arb_head head;
    arb_head_init(&head, layer, x, h, PRECISION);
    for (slong i = 0; i < x->rows; i++)
      for (int o = 0; o < layer->out_dim; o++)
        for (int s = 0; s < layer->head_dim; s++) {
          int column = h * layer->head_dim + s;
          if (layer->output_weight)
            arb_set_d(weight, layer->output_weight[o * layer->heads * layer->head_dim + column]);
          else
            arb_set_si(weight, o == column);
          arb_addmul(arb_mat_entry(out, i * layer->out_dim + o, 0), weight, arb_mat_entry(head.y, i, s), PRECISION);
        }
    arb_head_clear(&head);
  }
  arb_clear(weight);
}

/* The central difference (f(x + e step) - f(x - e step)) / (2 step) in coordinate e. */
static void central_difference(arb_mat_t out, layer_case *c, int coordinate, int step_exponent) {
  arb_mat_t behind;
  arb_mat_init(behind, arb_mat_nrows(out), 1);
  const double centre = c->x.data[coordinate], step = ldexp(1, step_exponent);
  c->x.data[coordinate] = centre + step;
  forward(out, &c->layer, &c->x);
  c->x.data[coordinate] = centre - step;
  forward(behind, &c->layer, &c->x);
  c->x.data[coordinate] = centre;
  arb_mat_sub(out, out, behind, PRECISION);
  arb_mat_scalar_mul_2exp_si(out, out, -1 - step_exponent);
  arb_mat_clear(behind);
}

/* Column by column, |J e - difference| <= 1e-12 (1 + ||J||_F): the difference's error is step^2 / 6 times a third
 * derivative, with step^2 = 2^-56, and Arb's arithmetic adds nothing visible. */
static void assert_matches_differences(layer_case *c) {
  for (int i = 0; i < c->x.rows * c->x.cols; i++) c->x.data[i] = ldexp(rint(ldexp(c->x.data[i], 20)), -20);
  arb_mat_t j, difference;
  arb_t scale, error;
  jacobian_init(j, c);
  arb_mat_init(difference, arb_mat_nrows(j), 1);
  arb_init(scale);
  arb_init(error);
  arb_mat_frobenius_norm(scale, j, PRECISION);
  const double tolerance = 1e-12 * (1 + arf_get_d(arb_midref(scale), ARF_RND_NEAR));
  for (slong column = 0; column < arb_mat_ncols(j); column++) {
    central_difference(difference, c, (int)column, -28);
    for (slong row = 0; row < arb_mat_nrows(j); row++) {
      arb_sub(error, arb_mat_entry(j, row, column), arb_mat_entry(difference, row, 0), PRECISION);
      assert_true(arf_cmpabs_d(arb_midref(error), tolerance) <= 0);
    }
  }
  arb_clear(scale);
  arb_clear(error);
  arb_mat_clear(difference);
  arb_mat_clear(j);
}

static void test_differences(void **state) {
  (void)state;
  static const char *const families[] = {"gaussian", "many-heads", "one-token", "orthogonal-tokens", "equal-heads",
                                         "integers", "sparse",     "low-rank",  "zero-query-or-key"};
  for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
    for (uint64_t index = 0; index < 8; index++) {
      layer_case c;
      layer_case_init(&c, random_layer_family_find(families[f]), 1, index);
      assert_matches_differences(&c);
      layer_case_clear(&c);
    }
}

/* Q = 0: attention is uniform over the keys attended to, and J_il = V / |N(i)|. */
static void test_uniform_attention(void **state) {
  (void)state;
  for (int mask = ATTCERT_MASK_NONE; mask <= ATTCERT_MASK_CAUSAL; mask++) {
    random_source r = random_source_make(2, 0, 0);
    layer_case c;
    layer_shape shape = {.n = 4, .dim = 3, .heads = 1, .head_dim = 2, .mask = (attcert_mask)mask};
    layer_case_init_gaussian(&c, &shape, &r);
    for (int i = 0; i < 6; i++) c.layer.query_weight[i] = 0;
    arb_mat_t j;
    arb_t expected;
    arb_init(expected);
    jacobian_init(j, &c);
    for (slong i = 0; i < 4; i++)
      for (slong l = 0; l < 4; l++)
        for (slong s = 0; s < 2; s++)
          for (slong a = 0; a < 3; a++) {
            slong attended = arb_head_attended_keys(&c.layer, 4, i);
            arb_set_d(expected, l < attended ? c.layer.value_weight[s * 3 + a] : 0);
            arb_div_si(expected, expected, attended, PRECISION);
            assert_true(arb_overlaps(arb_mat_entry(j, i * 2 + s, l * 3 + a), expected));
          }
    arb_clear(expected);
    arb_mat_clear(j);
    layer_case_clear(&c);
  }
}

static void test_masked_blocks_are_exact_zeros(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 20; index++) {
    layer_case c;
    layer_case_init(&c, random_layer_family_find("large-scores"), 3, index);
    c.layer.mask = ATTCERT_MASK_CAUSAL;
    arb_mat_t j;
    jacobian_init(j, &c);
    for (slong row = 0; row < arb_mat_nrows(j); row++)
      for (slong column = 0; column < arb_mat_ncols(j); column++)
        if (column / c.layer.dim > row / c.layer.out_dim) assert_true(arb_is_zero(arb_mat_entry(j, row, column)));
    arb_mat_clear(j);
    layer_case_clear(&c);
  }
}

/* Families that vanish by construction: the oracle finds 0, or a bound far below anything a double can resolve. */
static void test_vanishing_families(void **state) {
  (void)state;
  static const char *const families[] = {"zero-value", "zero-output", "cancelling-heads"};
  for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
    for (uint64_t index = 0; index < 20; index++) {
      layer_case c;
      layer_case_init(&c, random_layer_family_find(families[f]), 4, index);
      norm_oracle norm;
      norm_oracle_init(&norm, &c.layer, &c.x, 512);
      assert_true(arf_is_zero(norm.lower));
      assert_true(arf_cmpabs_2exp_si(norm.upper, -200) < 0);
      assert_true(norm.tight || c.norm_is_zero);
      norm_oracle_clear(&norm);
      layer_case_clear(&c);
    }
}

/* Every other case of every family is enclosed to 1e-27 within 4,096 bits. */
static void test_every_family_is_resolved(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", 10);
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < cases; index++) {
      layer_case c;
      layer_case_init(&c, family, 5, index);
      norm_oracle norm;
      norm_oracle_init(&norm, &c.layer, &c.x, 4096);
      if (!norm.tight && !c.norm_is_zero)
        fail_msg("%s, index %d, is not resolved", random_layer_family(family), (int)index);
      norm_oracle_clear(&norm);
      layer_case_clear(&c);
    }
}

/* The oracle's norm is what each exact transformation makes of it. */
static void assert_transformed(const layer_transform *t, const layer_case *c, const norm_oracle *norm,
                               random_source *r) {
  layer_case changed;
  norm_oracle after;
  const int exponent = t->apply(&changed, c, r);
  if (exponent == NOT_APPLICABLE) return;
  norm_oracle_init(&after, &changed.layer, &changed.x, 4096);
  arf_mul_2exp_si(after.lower, after.lower, -exponent);
  arf_mul_2exp_si(after.upper, after.upper, -exponent);
  if (arf_cmp(after.lower, norm->upper) > 0 || arf_cmp(norm->lower, after.upper) > 0)
    fail_msg("the norm changes under: %s", t->name);
  norm_oracle_clear(&after);
  layer_case_clear(&changed);
}

static void test_transformations(void **state) {
  (void)state;
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < 5; index++) {
      layer_case c;
      norm_oracle norm;
      layer_case_init(&c, family, 6, index);
      norm_oracle_init(&norm, &c.layer, &c.x, c.norm_is_zero ? 256 : 4096);
      random_source r = random_source_make(7, (uint64_t)family, index);
      for (int t = 0; t < layer_transforms(); t++) assert_transformed(layer_transform_get(t), &c, &norm, &r);
      norm_oracle_clear(&norm);
      layer_case_clear(&c);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_differences),
      cmocka_unit_test(test_uniform_attention),
      cmocka_unit_test(test_masked_blocks_are_exact_zeros),
      cmocka_unit_test(test_vanishing_families),
      cmocka_unit_test(test_every_family_is_resolved),
      cmocka_unit_test(test_transformations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
