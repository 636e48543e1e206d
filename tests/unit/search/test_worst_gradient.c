/* The search's attention against the kernel, and its gradient against finite differences of the kernel. */
#include "kernel_case.h"
#include "search/worst_attention.h"
#include "search/worst_gradient.h"

#include <cblas.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* A random layer and input with a direction u and cotangents c. */
typedef struct {
  kernel_case k;
  worst_attention a;
  size_t inputs, outputs;
  double *u, *c;
} fixture;

static void fixture_init(fixture *f, int index) {
  random_source r = random_source_make(41, 0, (uint64_t)index);
  kernel_case_init(&f->k, index);
  f->inputs = (size_t)(f->k.n * f->k.dim);
  f->outputs = (size_t)(f->k.n * f->k.out_dim);
  f->u = new_doubles(f->inputs);
  f->c = new_doubles(f->outputs);
  random_fill_gaussian(f->u, f->inputs, 1.0, &r);
  random_fill_gaussian(f->c, f->outputs, 1.0, &r);
  assert_int_equal(worst_attention_init(&f->a, &f->k.input.layer, f->k.n, NULL), ATTCERT_OK);
  worst_attention_evaluate(&f->a, f->k.input.x.data);
}

static void fixture_clear(fixture *f) {
  worst_attention_clear(&f->a);
  kernel_case_clear(&f->k);
  free(f->u);
  free(f->c);
}

static void assert_close(const double *got, const double *expected, size_t count, int index) {
  double distance = 0.0, norm = 0.0;
  for (size_t i = 0; i < count; i++) {
    distance = fmax(distance, fabs(got[i] - expected[i]));
    norm = fmax(norm, fabs(expected[i]));
  }
  if (!(distance <= 1e-11 * norm + 1e-300)) fail_msg("case %d: off by %g of %g", index, distance, norm);
}

static void products_agree_with_the_kernel(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index++) {
    fixture f;
    fixture_init(&f, index);
    const linear_operator jacobian = worst_attention_jacobian(&f.a);
    double *const y = new_doubles(f.outputs), *const x = new_doubles(f.inputs);
    double *const jvp = kernel_case_jvp(&f.k, f.u), *const vjp = kernel_case_vjp(&f.k, f.c);
    assert_int_equal(jacobian.rows, (int)f.outputs);
    assert_int_equal(jacobian.cols, (int)f.inputs);
    jacobian.apply(jacobian.context, y, f.u, false);
    jacobian.apply(jacobian.context, x, f.c, true);
    assert_close(y, jvp, f.outputs, index);
    assert_close(x, vjp, f.inputs, index);
    f.a.scale = 0x1p-70;
    jacobian.apply(jacobian.context, y, f.u, false);
    for (size_t i = 0; i < f.outputs; i++) y[i] *= 0x1p-70;
    assert_close(y, jvp, f.outputs, index);
    free(x);
    free(y);
    free(jvp);
    free(vjp);
    fixture_clear(&f);
  }
}

/* <c, J(x + t w) u> in the kernel. */
static double phi(const fixture *f, const double *w, double t) {
  const attcert_layer *const layer = &f->k.input.layer;
  double *const x = new_doubles(f->inputs), *const y = new_doubles(f->outputs);
  double *const storage = new_doubles(attention_state_size(layer, f->k.n));
  attention_state s;
  for (size_t i = 0; i < f->inputs; i++) x[i] = f->k.input.x.data[i] + t * w[i];
  attention_state_init(&s, layer, x, f->k.n, storage);
  double *const scratch = new_doubles(attention_product_scratch(&s));
  attention_jvp(y, &s, f->u, scratch);
  const double value = cblas_ddot((int)f->outputs, f->c, 1, y, 1);
  free(scratch);
  free(storage);
  free(y);
  free(x);
  return value;
}

/* Central differences with one step of Richardson's extrapolation, relative to the gradient's length and phi's
 * curvature. */
static void gradient_is_the_derivative(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index++) {
    fixture f;
    fixture_init(&f, index);
    random_source r = random_source_make(42, 0, (uint64_t)index);
    double *const gradient = new_doubles(f.inputs), *const w = new_doubles(f.inputs);
    worst_gradient(gradient, &f.a, f.u, f.c);
    for (int trial = 0; trial < 4; trial++) {
      random_fill_gaussian(w, f.inputs, 1.0, &r);
      const double size = 1.0 / cblas_dnrm2((int)f.inputs, w, 1), h = 1e-3 * size;
      const double coarse = (phi(&f, w, 2 * h) - phi(&f, w, -2 * h)) / (4 * h);
      const double fine = (phi(&f, w, h) - phi(&f, w, -h)) / (2 * h), best = (4 * fine - coarse) / 3;
      const double slope = cblas_ddot((int)f.inputs, gradient, 1, w, 1);
      const double unit = cblas_dnrm2((int)f.inputs, gradient, 1) / size + 1e-9 * fabs(phi(&f, w, 0.0)) / h;
      if (!(fabs(slope - best) <= 1e-2 * fabs(fine - coarse) + 1e-7 * unit))
        fail_msg("case %d: the gradient says %.17g, differences say %.17g (and %.17g)", index, slope, best, coarse);
    }
    free(w);
    free(gradient);
    fixture_clear(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_agree_with_the_kernel),
      cmocka_unit_test(gradient_is_the_derivative),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
