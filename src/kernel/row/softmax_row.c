#include "kernel/linear/arithmetic.h"
#include "kernel/linear/libm.h"
#include "kernel/row/softmax.h"

#include "kernel/linear/vector.h"

#ifdef __FRAMAC__
#include "arithmetic/product_law_lemmas.acsl"
#endif

/* p_j becomes exp(p_j - shift); returns their sum. */
/*@ requires size: 1 <= n;
    requires valid: \valid(p + (0 .. n - 1));
    terminates \true;
    assigns p[0 .. n - 1];
    ensures value: \forall integer j; 0 <= j < n ==> p[j] == rexp_shifted(\at(p[j], Pre), shift);
    ensures total: \result == sum_exp_shifted{Pre}(p, shift, n); */
static double exponentials(double *p, double shift, int n) {
  double total = 0.0;
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant done: \forall integer q; 0 <= q < j ==> p[q] == rexp_shifted(\at(p[q], Pre), shift);
      loop invariant rest: \forall integer q; j <= q < n ==> p[q] == \at(p[q], Pre);
      loop invariant partial: total == sum_exp_shifted{Pre}(p, shift, j);
      loop assigns j, total, p[0 .. n - 1];
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const double e = exp(p[j] - shift);
    //@ assert shifted: e == rexp_shifted(\at(p[\at(j, Here)], Pre), shift);
    p[j] = e;
    total += e;
  }
  return total;
}

/* p /= z. */
/*@ requires size: 1 <= n;
    requires divisor: 0.0 < z;
    requires valid: \valid(p + (0 .. n - 1));
    requires positive: \forall integer j; 0 <= j < n ==> 0.0 < p[j];
    terminates \true;
    assigns p[0 .. n - 1];
    ensures product: \forall integer j; 0 <= j < n ==> prod(p[j], z) == \at(p[j], Pre);
    ensures positive: \forall integer j; 0 <= j < n ==> 0.0 < p[j]; */
static void divide_row(double *p, double z, int n) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant done: \forall integer q; 0 <= q < j ==> prod(p[q], z) == \at(p[q], Pre) && 0.0 < p[q];
      loop invariant rest: \forall integer q; j <= q < n ==> p[q] == \at(p[q], Pre);
      loop assigns j, p[0 .. n - 1];
      loop variant n - j; */
  for (int j = 0; j < n; j++) p[j] = divide(p[j], z);
}

void softmax_row(double *p, int n) {
  const double shift = vector_max(p, n);
  const double total = exponentials(p, shift, n);
  //@ assert positive: 0.0 < total;

  divide_row(p, total, n);
  //@ assert unshifted: prod(total, rexp(shift)) == sum_exp{Pre}(p, n);
  //@ assert scaled: \forall integer j; 0 <= j < n ==> prod(p[j], total) == rexp_shifted(\at(p[j], Pre), shift);
  //@ assert weighed: \forall integer j; 0 <= j < n ==> prod(p[j], sum_exp{Pre}(p, n)) == rexp(\at(p[j], Pre));
  //@ assert normal: prod(sum(p, n), total) == total;
}
