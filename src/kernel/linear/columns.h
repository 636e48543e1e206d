/* Columns of a row-major matrix, taken out and put back. */
#ifndef ATTCERT_KERNEL_LINEAR_COLUMNS_H
#define ATTCERT_KERNEL_LINEAR_COLUMNS_H

#ifdef __FRAMAC__
#include "matrix/index_lemmas.acsl"
#endif

/* Columns first .. first + k - 1 of m (n x width) become a (n x k). */
/*@ requires sides: side(n) && side(width) && side(k) && 0 <= first && first + k <= width;
    requires valid: \valid(m + (0 .. row(n, width) - 1)) && \valid_read(a + (0 .. row(n, k) - 1));
    requires separated: \separated(m + (0 .. row(n, width) - 1), a + (0 .. row(n, k) - 1));
    terminates \true;
    assigns m[0 .. row(n, width) - 1];
    ensures inside: \forall integer i, e; 0 <= i < n ==> first <= e < first + k ==>
                    m[row(i, width) + e] == \at(a[row(i, k) + (e - first)], Pre);
    ensures before: \forall integer i, e; 0 <= i < n ==> 0 <= e < first ==>
                    m[row(i, width) + e] == \at(m[row(i, width) + e], Pre);
    ensures after: \forall integer i, e; 0 <= i < n ==> first + k <= e < width ==>
                   m[row(i, width) + e] == \at(m[row(i, width) + e], Pre); */
void columns_put(double *m, int width, int first, const double *a, int n, int k);

/* a (n x k) becomes columns first .. first + k - 1 of m (n x width). */
/*@ requires sides: side(n) && side(width) && side(k) && 0 <= first && first + k <= width;
    requires valid: \valid(a + (0 .. row(n, k) - 1)) && \valid_read(m + (0 .. row(n, width) - 1));
    requires separated: \separated(a + (0 .. row(n, k) - 1), m + (0 .. row(n, width) - 1));
    terminates \true;
    assigns a[0 .. row(n, k) - 1];
    ensures result: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                    a[row(i, k) + r] == \at(m[row(i, width) + (first + r)], Pre); */
void columns_take(double *a, const double *m, int width, int first, int n, int k);

#endif
