/* Operations on vectors of doubles. */
#ifndef ATTCERT_KERNEL_LINEAR_VECTOR_H
#define ATTCERT_KERNEL_LINEAR_VECTOR_H

#ifdef __FRAMAC__
#include "matrix/dot_lemmas.acsl"
#include "matrix/index_lemmas.acsl"
#include "matrix/sum_lemmas.acsl"
#endif

/* out = 0. */
/*@ requires size: 0 <= n;
    requires valid: \valid(out + (0 .. n - 1));
    terminates \true;
    assigns out[0 .. n - 1];
    ensures result: \forall integer t; 0 <= t < n ==> vanishes(out[t]); */
void vector_zero(double *out, int n);

/* out = a. */
/*@ requires size: 0 <= n;
    requires valid: \valid(out + (0 .. n - 1)) && \valid_read(a + (0 .. n - 1));
    requires separated: \separated(out + (0 .. n - 1), a + (0 .. n - 1));
    terminates \true;
    assigns out[0 .. n - 1];
    ensures result: \forall integer t; 0 <= t < n ==> out[t] == \at(a[t], Pre); */
void vector_copy(double *out, const double *a, int n);

/* out += w a. */
/*@ requires size: 0 <= n;
    requires valid: \valid(out + (0 .. n - 1)) && \valid_read(a + (0 .. n - 1));
    requires separated: \separated(out + (0 .. n - 1), a + (0 .. n - 1));
    terminates \true;
    assigns out[0 .. n - 1];
    ensures result: \forall integer t; 0 <= t < n ==> out[t] == \at(out[t], Pre) + prod(w, \at(a[t], Pre)); */
void vector_add_scaled(double *out, double w, const double *a, int n);

/* The sum of the entries of a. */
/*@ requires size: 0 <= n;
    requires valid: \valid_read(a + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures result: \result == sum{Pre}(a, n); */
double vector_sum(const double *a, int n);

/* The inner product of a and b. */
/*@ requires size: 0 <= n;
    requires valid: \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures result: \result == dot{Pre}(a, b, n); */
double vector_dot(const double *a, const double *b, int n);

/* The largest entry of a. */
/*@ requires size: 1 <= n;
    requires valid: \valid_read(a + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures bound: \forall integer t; 0 <= t < n ==> a[t] <= \result;
    ensures attained: \exists integer t; 0 <= t < n && \result == a[t]; */
double vector_max(const double *a, int n);

#endif
