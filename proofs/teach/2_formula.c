/* Lesson 2: formulas in ACSL. WP proves these clauses for all arrays and sizes; here they run on one each.
 *
 *   inner     a . b
 *   affine    (W x + b)_i
 *   mean      y = sum_j P_j v_j
 *
 * mistake: kernel/linear/vector_dot.c | s/t = 0;/t = 1;/ | inner | the sum begins with its second term
 * mistake: kernel/linear/affine_map.c | s/b\[i\]/0.0/ | affine | the bias dropped */
#include "two_tokens.h"

#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"

/*@ requires three: n == 3;
    ensures inner: \result == dot(a, b, 3); */
static double inner(const double *a, const double *b, int n) {
  return vector_dot(a, b, n);
}

/*@ requires square: n == 2;
    ensures affine: out[0] == affine(w, b, x, 2, 0) && out[1] == affine(w, b, x, 2, 1); */
static void map(double *out, const double *w, const double *b, const double *x, int n) {
  affine_map(out, w, b, x, n, n);
}

/*@ requires two: n == 2;
    ensures mean: y[0] == attention_mean(p, values, 1, 0, 2); */
static void average(double *y, const double *p, const double *values, int n) {
  vector_matrix(y, p, values, n, 1);
}

int main(void) {
  const double a[] = {1.5, -2.0, 0.25}, b[] = {4.0, 0.5, 8.0}, w[] = {1.0, 2.0, 3.0, 4.0}, p[] = {0.25, 0.75};
  double out[2], y[1];
  printf("a . b = %g\n", inner(a, b, 3));
  map(out, w, b, a, 2);
  printf("W x + b = (%g, %g)\n", out[0], out[1]);
  average(y, p, a, 2);
  printf("0.25 v_1 + 0.75 v_2 = %g\n", y[0]);
  return 0;
}
