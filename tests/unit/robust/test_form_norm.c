/* Norms of forms and of symmetric matrices against sampled symbols and known spectra. */
#include "linalg/norm/symmetric_norm.h"
#include "random_source.h"
#include "robust/form/form.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_ROWS = 8, MOST_COLUMNS = 40, MOST_SEGMENTS = 4 };

/* G = sum_k value_k q_k q_k^T for a random orthonormal q of two vectors: the norm is known. */
static void symmetric_norm_of_known_spectrum(void **state) {
  (void)state;
  random_source r = random_source_make(1, 4, 0);
  for (int i = 0; i < 300; i++) {
    const int n = random_integer(&r, 1, 30);
    double g[30 * 30] = {0}, scratch[30 * 30], v[30], squares = 0.0;
    const double scale = ldexp(1.0, random_integer(&r, -300, 300)), second = random_uniform(&r, 0.0, 1.0);
    for (int k = 0; k < n; k++) {
      v[k] = random_gaussian(&r);
      squares += v[k] * v[k];
    }
    /* norm scale: second I + (1 - second) v v^T / ||v||^2 */
    for (int k = 0; k < n * n; k++)
      g[k] = scale * ((k / n == k % n ? second : 0.0) + (1.0 - second) * v[k / n] * v[k % n] / squares);
    const double norm = symmetric_norm_upper(g, scratch, n);
    assert_true(norm >= scale * (1.0 - 1e-12) && norm <= scale * pow(n, 1.0 / 128.0) * (1.0 + 1e-9));
  }
}

static void symmetric_norm_refuses_what_is_not_finite(void **state) {
  (void)state;
  double scratch[4], nan[] = {1.0, NAN, NAN, 1.0}, infinite[] = {INFINITY, 0.0, 0.0, 1.0}, zero[4] = {0};
  assert_true(isinf(symmetric_norm_upper(nan, scratch, 2)));
  assert_true(isinf(symmetric_norm_upper(infinite, scratch, 2)));
  assert_true(symmetric_norm_upper(zero, scratch, 2) <= 0x1p-500);
}

typedef struct {
  form_symbols symbols;
  form_layout layout;
  int rows;
  double linear[MOST_ROWS * MOST_COLUMNS];
  form_support support[MOST_ROWS];
  double eta[MOST_COLUMNS];
} sample;

/* Segments of every kind: the perturbation in up to two, entries, norm, or both. */
static void make_sample(sample *s, random_source *r) {
  *s = (sample){.rows = random_integer(r, 1, MOST_ROWS)};
  const int count = random_integer(r, 1, MOST_SEGMENTS), input = random_integer(r, 0, count < 2 ? count : 2);
  const double radius = random_uniform(r, 0.1, 2.0);
  int id[MOST_SEGMENTS];
  for (int k = 0; k < count; k++) {
    double bound[10];
    form_segment segment = {.width = random_integer(r, 1, 10), .radius = radius, .input = k < input, .origin = -1};
    for (int b = 0; b < segment.width; b++) bound[b] = random_chance(r, 0.2) ? 0.0 : random_uniform(r, 0.0, 1.0);
    if (k >= input) {
      const int kind = random_integer(r, 0, 2);
      segment.bound = kind != 1 ? bound : NULL;
      segment.radius = kind != 0 ? random_uniform(r, 0.0, 1.5) : INFINITY;
    }
    assert_int_equal(form_symbols_add(&id[k], &s->symbols, &segment, NULL), ATTCERT_OK);
  }
  assert_int_equal(form_layout_set(&s->layout, id, count, &s->symbols, NULL), ATTCERT_OK);
  const int columns = form_layout_columns(&s->layout);
  random_fill_gaussian(s->linear, (size_t)(s->rows * columns), 1.0, r);
  for (int c = 0; c < s->rows; c++) s->support[c] = form_support_of(s->linear + c * columns, &s->layout, &s->symbols);
}

/* Symbols at the border of what is allowed, in the direction v of the rows where v is given. */
static void draw_symbols(sample *s, const double *v, random_source *r) {
  const int columns = form_layout_columns(&s->layout);
  double input = 0.0;
  for (int k = 0; k < columns; k++) {
    double along = 0.0;
    for (int c = 0; v != NULL && c < s->rows; c++) along += v[c] * s->linear[c * columns + k];
    s->eta[k] = v != NULL ? along : random_gaussian(r);
  }
  for (int g = 0; g < s->layout.count; g++) {
    const form_segment *const segment = &s->symbols.segment[s->layout.id[g]];
    double *const eta = s->eta + s->layout.start[g], squares = 0.0;
    for (int k = 0; k < segment->width; k++) {
      if (segment->bound != NULL)
        eta[k] = isinf(segment->radius) ? copysign(segment->bound[k], eta[k])
                                        : fmax(fmin(eta[k], segment->bound[k]), -segment->bound[k]);
      squares += eta[k] * eta[k];
    }
    if (segment->input) {
      input += squares;
      continue;
    }
    const double factor = isfinite(segment->radius) && squares > 0.0 ? segment->radius / sqrt(squares) : 1.0;
    /* entries at their bounds cannot be scaled up */
    for (int k = 0; k < segment->width; k++) eta[k] *= segment->bound != NULL ? fmin(factor, 1.0) : factor;
  }
  for (int g = 0; g < s->layout.count && s->symbols.segment[s->layout.id[g]].input; g++) {
    const double radius = s->symbols.segment[s->layout.id[0]].radius;
    for (int k = s->layout.start[g]; k < s->layout.start[g + 1]; k++) s->eta[k] *= radius / sqrt(input);
  }
}

static void check_symbols(const sample *s, const form_norm *norm, double *largest) {
  const int columns = form_layout_columns(&s->layout);
  const double slack = 1.0 + 1e-12;
  double squares = 0.0;
  for (int c = 0; c < s->rows; c++) {
    double z = 0.0;
    for (int k = 0; k < columns; k++) z += s->linear[c * columns + k] * s->eta[k];
    assert_true(fabs(z) <= (s->support[c].input + s->support[c].other) * slack);
    assert_true(s->support[c].magnitude * slack >= fabs(z));
    squares += z * z;
  }
  assert_true(sqrt(squares) <= (norm->input + norm->other) * slack);
  *largest = fmax(*largest, sqrt(squares) / (norm->input + norm->other));
}

static void norms_contain_sampled_symbols(void **state) {
  (void)state;
  random_source r = random_source_make(2, 4, 1);
  double largest = 0.0;
  for (int i = 0; i < 400; i++) {
    sample s;
    form_norm norm;
    make_sample(&s, &r);
    assert_int_equal(form_norm_of(&norm, s.linear, s.rows, &s.layout, s.support, &s.symbols, NULL), ATTCERT_OK);
    double v[MOST_ROWS];
    for (int k = 0; k < 30; k++) {
      for (int c = 0; c < s.rows; c++) v[c] = random_gaussian(&r);
      for (int power = 0; power < 4; power++) { /* towards the direction that grows most */
        draw_symbols(&s, v, &r);
        check_symbols(&s, &norm, &largest);
        const int columns = form_layout_columns(&s.layout);
        for (int c = 0; c < s.rows; c++) {
          v[c] = 0.0;
          for (int m = 0; m < columns; m++) v[c] += s.linear[c * columns + m] * s.eta[m];
        }
      }
      draw_symbols(&s, NULL, &r);
      check_symbols(&s, &norm, &largest);
    }
    form_layout_clear(&s.layout);
    form_symbols_clear(&s.symbols);
  }
  print_message("largest part of a norm used: %.4f\n", largest);
  assert_true(largest > 0.98);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(symmetric_norm_of_known_spectrum),
                                     cmocka_unit_test(symmetric_norm_refuses_what_is_not_finite),
                                     cmocka_unit_test(norms_contain_sampled_symbols)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
