/* Every interval of the layer enclosure holds Arb's value of the same quantity, on every family and at several
 * precisions; and where nothing is extreme the intervals are as narrow as the precision allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arb_head.h"
#include "certify/enclosure/layer_enclosure.h"
#include "interval/interval_query.h"
#include "interval_relation.h"
#include "kernel/row/attended_keys.h"
#include "random_layer.h"

enum { CASES = 6, ARB_PRECISION = 4096 };

/* What is being compared, for the message of a failure. */
typedef struct {
  const layer_enclosure *e;
  const char *family;
  uint64_t index;
  int head;
} context;

/* Some number is in both: the interval can hold the truth. Arb's ball is far narrower than the interval. */
static bool meets(const interval *x, const arb_t ball) {
  if (mpfr_nan_p(x->lo) || mpfr_nan_p(x->hi) || mpfr_cmp(x->lo, x->hi) > 0) return false;
  arf_t end, bound;
  arf_init(end);
  arf_init(bound);
  arf_set_mpfr(end, x->lo);
  arb_get_ubound_arf(bound, ball, ARB_PRECISION);
  bool meets = arf_cmp(end, bound) <= 0;
  arf_set_mpfr(end, x->hi);
  arb_get_lbound_arf(bound, ball, ARB_PRECISION);
  meets = meets && arf_cmp(end, bound) >= 0;
  arf_clear(end);
  arf_clear(bound);
  return meets;
}

static void assert_row(const context *c, const char *quantity, const interval *row, arb_srcptr exact, int count,
                       int i) {
  for (int j = 0; j < count; j++)
    if (!meets(&row[j], exact + j))
      fail_msg("%s, index %llu, %ld bits: %s of head %d, token %d, entry %d misses the truth", c->family,
               (unsigned long long)c->index, (long)c->e->precision, quantity, c->head, i, j);
}

static void assert_head(const context *c, const arb_head *head) {
  const layer_enclosure *e = c->e;
  for (int i = 0; i < e->n; i++) {
    const size_t vec = layer_enclosure_vec(e, c->head, i), row = layer_enclosure_row(e, c->head, i);
    assert_row(c, "q", e->q + vec, arb_mat_entry(head->q, i, 0), e->head_dim, i);
    assert_row(c, "k", e->k + vec, arb_mat_entry(head->k, i, 0), e->head_dim, i);
    assert_row(c, "v", e->v + vec, arb_mat_entry(head->v, i, 0), e->head_dim, i);
    assert_row(c, "y", e->y + vec, arb_mat_entry(head->y, i, 0), e->head_dim, i);
    assert_row(c, "P", e->p + row, arb_mat_entry(head->p, i, 0), e->n, i);
  }
}

/* [0, 0] where masked, within [0, 1] elsewhere. */
static void assert_probabilities(const layer_enclosure *e) {
  for (int h = 0; h < e->heads; h++)
    for (int i = 0; i < e->n; i++)
      for (int j = 0; j < e->n; j++) {
        const interval *p = &e->p[layer_enclosure_row(e, h, i) + (size_t)j];
        assert_true(mpfr_sgn(p->lo) >= 0);
        assert_true(mpfr_cmp_ui(p->hi, j < attended_keys(e->mask, i, e->n) ? 1 : 0) <= 0);
      }
}

/* The enclosure's v and y leave b_V out, which cancels in the Jacobian. */
static void assert_case(const layer_case *c, const char *family, uint64_t index, mpfr_prec_t precision) {
  attcert_layer without_value_bias = c->layer;
  without_value_bias.value_bias = NULL;
  layer_enclosure e;
  assert_int_equal(layer_enclosure_init(&e, &c->layer, &c->x, precision, 1, NULL), ATTCERT_OK);
  assert_probabilities(&e);
  for (int h = 0; h < c->layer.heads; h++) {
    arb_head head;
    arb_head_init(&head, &without_value_bias, &c->x, h, ARB_PRECISION);
    assert_head(&(context){&e, family, index, h}, &head);
    arb_head_clear(&head);
  }
  layer_enclosure_clear(&e);
}

static void test_contains_truth(void **state) {
  (void)state;
  static const mpfr_prec_t precisions[] = {53, 64, 128, 300};
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < CASES; index++) {
      layer_case c;
      layer_case_init(&c, family, 11, index);
      for (size_t p = 0; p < sizeof precisions / sizeof precisions[0]; p++)
        assert_case(&c, random_layer_family(family), index, precisions[p]);
      layer_case_clear(&c);
    }
}

/* The width of every interval is at most 2^(20 - precision) times (1 + its magnitude). */
static void assert_narrow(const interval *x, size_t count, mpfr_prec_t precision) {
  mpfr_t width, allowed;
  mpfr_inits2(64, width, allowed, (mpfr_ptr)NULL);
  for (size_t i = 0; i < count; i++) {
    mpfr_sub(width, x[i].hi, x[i].lo, MPFR_RNDU);
    mpfr_abs(allowed, x[i].hi, MPFR_RNDU);
    mpfr_add_ui(allowed, allowed, 1, MPFR_RNDU);
    mpfr_mul_2si(allowed, allowed, 20 - (long)precision, MPFR_RNDU);
    assert_true(mpfr_cmp(width, allowed) <= 0);
  }
  mpfr_clears(width, allowed, (mpfr_ptr)NULL);
}

static void test_is_narrow(void **state) {
  (void)state;
  for (mpfr_prec_t precision = 53; precision <= 1000; precision = precision * 2 + 1)
    for (uint64_t index = 0; index < 20; index++) {
      layer_case c;
      layer_enclosure e;
      layer_case_init(&c, random_layer_family_find("gaussian"), 12, index);
      assert_int_equal(layer_enclosure_init(&e, &c.layer, &c.x, precision, 1, NULL), ATTCERT_OK);
      const size_t rows = (size_t)(e.heads * e.n);
      assert_narrow(e.y, rows * (size_t)e.head_dim, precision);
      assert_narrow(e.p, rows * (size_t)e.n, precision);
      layer_enclosure_clear(&e);
      layer_case_clear(&c);
    }
}

static void test_threads_do_not_matter(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 10; index++) {
    layer_case c;
    layer_enclosure one, three;
    layer_case_init(&c, random_layer_family_find("larger"), 13, index);
    assert_int_equal(layer_enclosure_init(&one, &c.layer, &c.x, 128, 1, NULL), ATTCERT_OK);
    assert_int_equal(layer_enclosure_init(&three, &c.layer, &c.x, 128, 3, NULL), ATTCERT_OK);
    for (size_t i = 0; i < (size_t)(one.heads * one.n * one.head_dim); i++)
      assert_true(interval_relation_same_ends(&one.y[i], &three.y[i]));
    layer_enclosure_clear(&one);
    layer_enclosure_clear(&three);
    layer_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contains_truth),
      cmocka_unit_test(test_is_narrow),
      cmocka_unit_test(test_threads_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
