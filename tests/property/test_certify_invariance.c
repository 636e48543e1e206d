/* What certificates must have in common, without any oracle: exact transformations of a layer keep its enclosure (or
 * scale it by a power of two), heads and prefixes fit together, and no engine's lower bound exceeds another's upper
 * bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "attcert.h"
#include "layer_transform.h"

enum { CASES = 4, ENGINES = 6 };

static const attcert_engine ENGINE[ENGINES] = {ATTCERT_ENGINE_MPFR,      ATTCERT_ENGINE_DENSE,
                                               ATTCERT_ENGINE_DEFLATED,  ATTCERT_ENGINE_POINTWISE,
                                               ATTCERT_ENGINE_FROBENIUS, ATTCERT_ENGINE_AUTO};

typedef struct {
  mpfr_t lower, upper;
} enclosure;

static attcert_options options_of(attcert_engine engine) {
  attcert_options options;
  attcert_options_default(&options);
  options.engine = engine;
  options.threads = 1;
  return options;
}

static void enclosure_init_with(enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                const attcert_options *options) {
  attcert_certificate certificate;
  attcert_certificate_init(&certificate);
  assert_int_equal(attcert_certify(&certificate, layer, x, options, NULL), ATTCERT_OK);
  mpfr_inits2(53, e->lower, e->upper, (mpfr_ptr)NULL);
  mpfr_set(e->lower, certificate.lower, MPFR_RNDD);
  mpfr_set(e->upper, certificate.upper, MPFR_RNDU);
  attcert_certificate_clear(&certificate);
}

static void enclosure_init(enclosure *e, const attcert_layer *layer, const attcert_matrix *x, attcert_engine engine) {
  const attcert_options options = options_of(engine);
  enclosure_init_with(e, layer, x, &options);
}

static void enclosure_clear(enclosure *e) {
  mpfr_clears(e->lower, e->upper, (mpfr_ptr)NULL);
}

static void enclosure_scale(enclosure *e, long exponent) {
  mpfr_mul_2si(e->lower, e->lower, exponent, MPFR_RNDD);
  mpfr_mul_2si(e->upper, e->upper, exponent, MPFR_RNDU);
}

/* Both can hold one and the same norm. */
static void assert_same_norm(const enclosure *a, const enclosure *b, const char *what, const char *family,
                             uint64_t index) {
  if (mpfr_cmp(a->lower, b->upper) > 0 || mpfr_cmp(b->lower, a->upper) > 0)
    fail_msg("%s, index %llu: %s changes the norm", family, (unsigned long long)index, what);
}

/* ---- transformations --------------------------------------------------------------------------------------------- */

static void assert_invariant(const layer_transform *t, const layer_case *c, const char *family, uint64_t index,
                             random_source *r) {
  layer_case changed;
  const int exponent = t->apply(&changed, c, r);
  if (exponent == NOT_APPLICABLE) return;
  for (int e = 0; e < ENGINES; e++) {
    enclosure before, after;
    enclosure_init(&before, &c->layer, &c->x, ENGINE[e]);
    enclosure_init(&after, &changed.layer, &changed.x, ENGINE[e]);
    enclosure_scale(&after, -exponent);
    assert_same_norm(&before, &after, t->name, family, index);
    enclosure_clear(&before);
    enclosure_clear(&after);
  }
  layer_case_clear(&changed);
}

static void test_transformation(void **state) {
  const layer_transform *t = *state;
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < CASES; index++) {
      layer_case c;
      layer_case_init(&c, family, 41, index);
      random_source r = random_source_make(42, (uint64_t)family, index);
      assert_invariant(t, &c, random_layer_family(family), index, &r);
      layer_case_clear(&c);
    }
}

/* ---- heads and prefixes ------------------------------------------------------------------------------------------ */

/* W_O = [0 ... I ... 0], which shows head h alone. */
static void selector_init(attcert_matrix *selector, const attcert_layer *layer, int h) {
  const int k = layer->head_dim;
  assert_int_equal(attcert_matrix_init(selector, k, layer->heads * k, NULL), ATTCERT_OK);
  for (int r = 0; r < k; r++) selector->data[r * selector->cols + h * k + r] = 1;
}

static void assert_head_selected(const layer_case *c, int h, const char *family, uint64_t index) {
  attcert_layer head, selected = c->layer;
  attcert_matrix selector;
  selector_init(&selector, &c->layer, h);
  selected.out_dim = selector.rows;
  selected.output_weight = selector.data;
  selected.output_bias = NULL;
  assert_int_equal(attcert_layer_head(&head, &c->layer, h, NULL), ATTCERT_OK);
  for (int e = 0; e < ENGINES; e++) {
    enclosure alone, shown;
    enclosure_init(&alone, &head, &c->x, ENGINE[e]);
    enclosure_init(&shown, &selected, &c->x, ENGINE[e]);
    assert_same_norm(&alone, &shown, "selecting a head", family, index);
    enclosure_clear(&alone);
    enclosure_clear(&shown);
  }
  attcert_layer_clear(&head);
  attcert_matrix_clear(&selector);
}

static void test_head_alone_is_head_selected(void **state) {
  (void)state;
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < CASES; index++) {
      layer_case c;
      layer_case_init(&c, family, 43, index);
      assert_head_selected(&c, (int)(index % (uint64_t)c.layer.heads), random_layer_family(family), index);
      layer_case_clear(&c);
    }
}

/* Under the causal mask the Jacobian of the first tokens is a corner of the whole one, so its norm is not larger. */
static void test_prefix_is_not_larger(void **state) {
  (void)state;
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < CASES; index++) {
      layer_case c;
      layer_case_init(&c, family, 44, index);
      c.layer.mask = ATTCERT_MASK_CAUSAL;
      attcert_matrix prefix = c.x;
      prefix.rows = (c.x.rows + 1) / 2;
      for (int e = 0; e < ENGINES; e++) {
        enclosure part, whole;
        enclosure_init(&part, &c.layer, &prefix, ENGINE[e]);
        enclosure_init(&whole, &c.layer, &c.x, ENGINE[e]);
        assert_true(mpfr_cmp(part.lower, whole.upper) <= 0);
        enclosure_clear(&part);
        enclosure_clear(&whole);
      }
      layer_case_clear(&c);
    }
}

/* With one token attention is the token itself: f(x) = V x, and ||V|| = ||V^T||. */
static void test_one_token_sees_value_alone(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 30; index++) {
    random_source r = random_source_make(45, 0, index);
    const int d = random_integer(&r, 1, 7), k = random_integer(&r, 1, 7);
    const layer_shape tall = {1, d, 1, k, 0, true, ATTCERT_MASK_NONE},
                      wide = {1, k, 1, d, 0, true, ATTCERT_MASK_CAUSAL};
    layer_case a, b;
    layer_case_init_gaussian(&a, &tall, &r);
    layer_case_init_gaussian(&b, &wide, &r);
    for (int i = 0; i < k; i++)
      for (int j = 0; j < d; j++) b.layer.value_weight[j * k + i] = a.layer.value_weight[i * d + j];
    for (int e = 0; e < ENGINES; e++) {
      enclosure straight, transposed;
      enclosure_init(&straight, &a.layer, &a.x, ENGINE[e]);
      enclosure_init(&transposed, &b.layer, &b.x, ENGINE[e]);
      assert_same_norm(&straight, &transposed, "transposing V", "one token", index);
      enclosure_clear(&straight);
      enclosure_clear(&transposed);
    }
    layer_case_clear(&a);
    layer_case_clear(&b);
  }
}

/* ---- engines ----------------------------------------------------------------------------------------------------- */

static void test_engines_agree(void **state) {
  (void)state;
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < CASES; index++) {
      layer_case c;
      enclosure by[ENGINES];
      layer_case_init(&c, family, 46, index);
      for (int e = 0; e < ENGINES; e++) enclosure_init(&by[e], &c.layer, &c.x, ENGINE[e]);
      for (int a = 1; a < ENGINES; a++)
        for (int b = 0; b < a; b++)
          assert_same_norm(&by[a], &by[b], "another engine", random_layer_family(family), index);
      for (int e = 0; e < ENGINES; e++) enclosure_clear(&by[e]);
      layer_case_clear(&c);
    }
}

/* Bits, threads and an asked width change the work, not the truth. */
static void test_options_keep_the_norm(void **state) {
  (void)state;
  static const struct {
    int precision, threads;
    double tolerance;
  } variant[] = {{53, 1, 0}, {1000, 1, 0}, {128, 3, 0}, {128, 1, 1e-14}};
  for (int family = 0; family < random_layer_families(); family++) {
    layer_case c;
    layer_case_init(&c, family, 48, 0);
    for (int e = 0; e < ENGINES; e++) {
      enclosure plain;
      enclosure_init(&plain, &c.layer, &c.x, ENGINE[e]);
      for (size_t v = 0; v < sizeof variant / sizeof variant[0]; v++) {
        enclosure varied;
        attcert_options options = options_of(ENGINE[e]);
        options.precision = variant[v].precision;
        options.threads = variant[v].threads;
        options.tolerance = variant[v].tolerance;
        enclosure_init_with(&varied, &c.layer, &c.x, &options);
        assert_same_norm(&plain, &varied, "another choice of options", random_layer_family(family), 0);
        enclosure_clear(&varied);
      }
      enclosure_clear(&plain);
    }
    layer_case_clear(&c);
  }
}

/* A certificate that holds one layer's enclosure is free to take another's, and ends up as a fresh one would. */
static void test_certificate_can_be_used_again(void **state) {
  (void)state;
  for (int e = 0; e < ENGINES; e++) {
    attcert_certificate used;
    attcert_certificate_init(&used);
    for (uint64_t index = 0; index < 10; index++) {
      layer_case c;
      enclosure fresh;
      layer_case_init(&c, random_layer_family_find("extreme-weights"), 47, index);
      const attcert_options options = options_of(ENGINE[e]);
      assert_int_equal(attcert_certify(&used, &c.layer, &c.x, &options, NULL), ATTCERT_OK);
      enclosure_init(&fresh, &c.layer, &c.x, ENGINE[e]);
      assert_true(mpfr_equal_p(used.lower, fresh.lower) && mpfr_equal_p(used.upper, fresh.upper));
      enclosure_clear(&fresh);
      layer_case_clear(&c);
    }
    attcert_certificate_clear(&used);
  }
}

int main(void) {
  enum { MOST = 32 };
  struct CMUnitTest tests[MOST] = {
      cmocka_unit_test(test_head_alone_is_head_selected), cmocka_unit_test(test_prefix_is_not_larger),
      cmocka_unit_test(test_one_token_sees_value_alone),  cmocka_unit_test(test_engines_agree),
      cmocka_unit_test(test_options_keep_the_norm),       cmocka_unit_test(test_certificate_can_be_used_again),
  };
  size_t count = 0;
  while (tests[count].name != NULL) count++;
  for (int t = 0; t < layer_transforms() && count < MOST; t++) {
    const layer_transform *transform = layer_transform_get(t);
    tests[count++] = (struct CMUnitTest){transform->name, test_transformation, NULL, NULL, (void *)transform};
  }
  return _cmocka_run_group_tests("certify_invariance", tests, count, NULL, NULL);
}
