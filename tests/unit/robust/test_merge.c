/* Merged symbols stand for what they replace: for values of the old symbols in which the sum of theirs is as long as it
 * can be, that sum lies within the bounds of the entries and of the norm, and the bound of the norm is no more than a
 * few percent larger; the perturbation and newer symbols stay as they are. */
#include "random_source.h"
#include "robust/operation/operation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { DIM = 8, SEGMENTS = 4, COLUMNS = DIM * SEGMENTS, OLD = 2, CASES = 50 };

/* Entry (a, b) of an orthogonal symmetric matrix: Hadamard's, scaled. */
static double rotation(int a, int b) {
  return (__builtin_popcount((unsigned)(a & b)) % 2 == 0 ? 1.0 : -1.0) / sqrt(DIM);
}

typedef struct {
  form_symbols symbols;
  form f;
  double radius[SEGMENTS];
} setting;

/* One row over the perturbation, two segments that will be merged and a newer one; each a rotation of a ball. */
static void setting_init(setting *s, random_source *r) {
  form_layout layout = {0};
  int id[SEGMENTS];
  *s = (setting){0};
  for (int k = 0; k < SEGMENTS; k++) {
    s->radius[k] = random_uniform(r, 0.1, 2.0);
    const form_segment segment = {.width = DIM, .radius = s->radius[k], .input = k == 0, .origin = k - 1};
    assert_int_equal(form_symbols_add(&id[k], &s->symbols, &segment, NULL), ATTCERT_OK);
  }
  assert_int_equal(form_init(&s->f, 1, DIM, NULL), ATTCERT_OK);
  assert_int_equal(form_layout_set(&layout, id, SEGMENTS, &s->symbols, NULL), ATTCERT_OK);
  assert_int_equal(form_set_layout(&s->f, 0, &layout, NULL), ATTCERT_OK);
  for (int a = 0; a < DIM; a++) {
    for (int k = 0; k < COLUMNS; k++) s->f.row[0].linear[a * COLUMNS + k] = rotation(a, k % DIM);
  }
  assert_int_equal(form_measure(&s->f, &s->symbols, NULL), ATTCERT_OK);
}

static void setting_clear(setting *s) {
  form_clear(&s->f);
  form_symbols_clear(&s->symbols);
}

/* Both old segments at the unit vector u, on their spheres: the sum is (radius 1 + radius 2) times the rotated u. */
static void assert_stands_for(const setting *s, const form_segment *merged, const double u[DIM]) {
  double squares = 0.0;
  for (int a = 0; a < DIM; a++) {
    double sum = 0.0;
    for (int k = 0; k < DIM; k++) sum += rotation(a, k) * u[k];
    sum *= s->radius[1] + s->radius[2];
    squares += sum * sum;
    assert_true(fabs(sum) <= merged->bound[a] * (1.0 + 1e-14));
  }
  assert_true(sqrt(squares) <= merged->radius * (1.0 + 1e-14));
}

static void merged_symbols_stand_for_the_old_ones(void **state) {
  (void)state;
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(5, 61, index);
    setting s;
    setting_init(&s, &r);
    assert_int_equal(operation_merge(&s.f, OLD + 1, &s.symbols, 9, NULL), ATTCERT_OK);
    const form_layout *const layout = &s.f.row[0].layout;
    assert_int_equal(layout->count, 3); /* the perturbation, the newer segment, the merged one */
    assert_int_equal(layout->id[0], 0);
    assert_int_equal(layout->id[1], OLD + 1);
    const form_segment *const merged = &s.symbols.segment[layout->id[2]];
    assert_int_equal(merged->width, DIM);
    assert_int_equal(merged->origin, 9);
    for (int point = 0; point < 2 * DIM; point++) {
      double u[DIM] = {0}, squares = 0.0;
      for (int k = 0; k < DIM; k++) { /* an axis of the sum, a column of the rotation; or any direction */
        u[k] = point < DIM ? rotation(point, k) : random_gaussian(&r);
        squares += u[k] * u[k];
      }
      for (int k = 0; k < DIM; k++) u[k] /= sqrt(squares);
      assert_stands_for(&s, merged, u);
    }
    assert_true(merged->radius <= 1.05 * (s.radius[1] + s.radius[2]));
    for (int a = 0; a < DIM; a++) {
      const double *const row = s.f.row[0].linear + a * 3 * DIM;
      for (int k = 0; k < DIM; k++) {
        assert_true(row[k] == rotation(a, k) && row[DIM + k] == rotation(a, k));
        assert_true(row[2 * DIM + k] == (a == k ? 1.0 : 0.0));
      }
    }
    setting_clear(&s);
  }
}

static void few_symbols_are_kept(void **state) {
  (void)state;
  random_source r = random_source_make(5, 62, 0);
  setting s;
  setting_init(&s, &r);
  assert_int_equal(operation_merge(&s.f, OLD, &s.symbols, 9, NULL), ATTCERT_OK);
  assert_int_equal(s.symbols.count, SEGMENTS);
  assert_int_equal(s.f.row[0].layout.count, SEGMENTS);
  setting_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(merged_symbols_stand_for_the_old_ones),
      cmocka_unit_test(few_symbols_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
