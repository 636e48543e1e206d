/* The product of two deviations in a score, where nothing else moves: q = k = eps for one token, so that its score is
 * eps^2, between 0 and r^2, and its output 1 / (1 + e^(-eps^2)), with no linear part: at |eps| = r nearly all of the
 * bound is used. */
#include "network/attention/step_attention.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TOKENS = 2 };

/* A column of two tokens at these centers; the first one is eps besides where `moves`. */
static void column(form *f, double first, double second, bool moves, const form_symbols *symbols) {
  const int id = 0;
  form_layout layout = {0};
  assert_int_equal(form_init(f, TOKENS, 1, NULL), ATTCERT_OK);
  f->center[0] = first;
  f->center[1] = second;
  for (int i = 0; i < TOKENS; i++) f->row[i].token = i;
  if (moves) {
    assert_int_equal(form_layout_set(&layout, &id, 1, symbols, NULL), ATTCERT_OK);
    assert_int_equal(form_set_layout(f, 0, &layout, NULL), ATTCERT_OK);
    f->row[0].linear[0] = 1.0;
  }
  assert_int_equal(form_measure(f, symbols, NULL), ATTCERT_OK);
}

/* The part of its bound that the output uses at eps, its linear part left out, which is 0. */
static double used(const form *out, double eps) {
  const double y = 1.0 / (1.0 + exp(-eps * eps)), bound = out->support[0].other + out->radius[0];
  assert_true(out->support[0].input <= 1e-15);
  return fabs(y - out->center[0]) / bound;
}

static void the_product_reaches_its_bound(void **state) {
  (void)state;
  const attention_heads heads = step_attention_plain(1, 1);
  const step s = {.kind = &step_attention, .of = &heads, .inputs = 3, .rows = TOKENS, .cols = 1};
  for (double radius = 0.01; radius < 0.5; radius *= 2.0) {
    form_symbols symbols = {0};
    form query, key, value, out = {0};
    int id;
    const form_segment eps = {.width = 1, .radius = radius, .input = true, .origin = -1};
    assert_int_equal(form_symbols_add(&id, &symbols, &eps, NULL), ATTCERT_OK);
    column(&query, 0.0, 0.0, true, &symbols);
    column(&key, 0.0, 0.0, true, &symbols);
    column(&value, 1.0, 0.0, false, &symbols);
    const form *const in[] = {&query, &key, &value};
    assert_int_equal(step_attention.forms(&out, &s, in, &symbols, 0, NULL), ATTCERT_OK);
    assert_int_equal(form_measure(&out, &symbols, NULL), ATTCERT_OK);
    const double none = used(&out, 0.0), all = used(&out, radius);
    assert_true(none <= 1.0 + 1e-12 && all <= 1.0 + 1e-12);
    if (radius < 0.1) assert_true(all > 0.9);
    form_clear(&query);
    form_clear(&key);
    form_clear(&value);
    form_clear(&out);
    form_symbols_clear(&symbols);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_product_reaches_its_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
