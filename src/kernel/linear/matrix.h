/* Products of row-major matrices with vectors and with rows. */
#ifndef ATTCERT_KERNEL_LINEAR_MATRIX_H
#define ATTCERT_KERNEL_LINEAR_MATRIX_H

#ifdef __FRAMAC__
#include "matrix/matrix_lemmas.acsl"
#endif

/* out = W x + b, W is rows x cols; b may be NULL for zero. */
/*@ requires sides: side(rows) && side(cols);
    requires valid: \valid(out + (0 .. rows - 1)) && \valid_read(x + (0 .. cols - 1));
    requires valid_weights: \valid_read(w + (0 .. row(rows, cols) - 1));
    requires valid_bias: b == \null || \valid_read(b + (0 .. rows - 1));
    requires separated: \separated(out + (0 .. rows - 1), x + (0 .. cols - 1));
    requires separated_weights: \separated(out + (0 .. rows - 1), w + (0 .. row(rows, cols) - 1));
    requires separated_bias: b == \null || \separated(out + (0 .. rows - 1), b + (0 .. rows - 1));
    terminates \true;
    assigns out[0 .. rows - 1];
    ensures result: \forall integer i; 0 <= i < rows ==> out[i] == affine{Pre}(w, b, x, cols, i); */
void affine_map(double *out, const double *w, const double *b, const double *x, int rows, int cols);

/* Row i of out (n x rows) = W x_i + b for every row x_i of x (n x cols): X W^T + 1 b^T. */
/*@ requires sides: side(n) && side(rows) && side(cols);
    requires valid: \valid(out + (0 .. row(n, rows) - 1)) && \valid_read(x + (0 .. row(n, cols) - 1));
    requires valid_weights: \valid_read(w + (0 .. row(rows, cols) - 1));
    requires valid_bias: b == \null || \valid_read(b + (0 .. rows - 1));
    requires separated: \separated(out + (0 .. row(n, rows) - 1), x + (0 .. row(n, cols) - 1));
    requires separated_weights: \separated(out + (0 .. row(n, rows) - 1), w + (0 .. row(rows, cols) - 1));
    requires separated_bias: b == \null || \separated(out + (0 .. row(n, rows) - 1), b + (0 .. rows - 1));
    terminates \true;
    assigns out[0 .. row(n, rows) - 1];
    ensures result: \forall integer i, r; 0 <= i < n ==> 0 <= r < rows ==>
                    out[row(i, rows) + r] == affine{Pre}(w, b, x + row(i, cols), cols, r); */
void affine_rows(double *out, const double *w, const double *b, const double *x, int n, int rows, int cols);

/* out += a^T M, M is rows x cols. */
/*@ requires sides: side(rows) && side(cols);
    requires valid: \valid(out + (0 .. cols - 1)) && \valid_read(a + (0 .. rows - 1));
    requires valid_matrix: \valid_read(m + (0 .. row(rows, cols) - 1));
    requires separated: \separated(out + (0 .. cols - 1), a + (0 .. rows - 1));
    requires separated_matrix: \separated(out + (0 .. cols - 1), m + (0 .. row(rows, cols) - 1));
    terminates \true;
    assigns out[0 .. cols - 1];
    ensures result: \forall integer j; 0 <= j < cols ==>
                    out[j] == \at(out[j], Pre) + vec_mat{Pre}(a, m, cols, j, rows); */
void vector_matrix_add(double *out, const double *a, const double *m, int rows, int cols);

/* out = a^T M, M is rows x cols. */
/*@ requires sides: side(rows) && side(cols);
    requires valid: \valid(out + (0 .. cols - 1)) && \valid_read(a + (0 .. rows - 1));
    requires valid_matrix: \valid_read(m + (0 .. row(rows, cols) - 1));
    requires separated: \separated(out + (0 .. cols - 1), a + (0 .. rows - 1));
    requires separated_matrix: \separated(out + (0 .. cols - 1), m + (0 .. row(rows, cols) - 1));
    terminates \true;
    assigns out[0 .. cols - 1];
    ensures result: \forall integer j; 0 <= j < cols ==> out[j] == vec_mat{Pre}(a, m, cols, j, rows); */
void vector_matrix(double *out, const double *a, const double *m, int rows, int cols);

/* Row i of out (n x cols) = M^T a_i for every row a_i of a (n x rows), M is rows x cols. */
/*@ requires sides: side(n) && side(rows) && side(cols);
    requires valid: \valid(out + (0 .. row(n, cols) - 1)) && \valid_read(a + (0 .. row(n, rows) - 1));
    requires valid_matrix: \valid_read(m + (0 .. row(rows, cols) - 1));
    requires separated: \separated(out + (0 .. row(n, cols) - 1), a + (0 .. row(n, rows) - 1));
    requires separated_matrix: \separated(out + (0 .. row(n, cols) - 1), m + (0 .. row(rows, cols) - 1));
    terminates \true;
    assigns out[0 .. row(n, cols) - 1];
    ensures result: \forall integer i, j; 0 <= i < n ==> 0 <= j < cols ==>
                    out[row(i, cols) + j] == vec_mat{Pre}(a + row(i, rows), m, cols, j, rows); */
void vector_matrix_rows(double *out, const double *a, const double *m, int n, int rows, int cols);

/* M += a b^T, M is rows x cols. */
/*@ requires sides: side(rows) && side(cols);
    requires valid: \valid(m + (0 .. row(rows, cols) - 1));
    requires valid_read: \valid_read(a + (0 .. rows - 1)) && \valid_read(b + (0 .. cols - 1));
    requires separated: \separated(m + (0 .. row(rows, cols) - 1), a + (0 .. rows - 1));
    requires separated_row: \separated(m + (0 .. row(rows, cols) - 1), b + (0 .. cols - 1));
    terminates \true;
    assigns m[0 .. row(rows, cols) - 1];
    ensures result: \forall integer i, j; 0 <= i < rows ==> 0 <= j < cols ==>
                    m[row(i, cols) + j] == \at(m[row(i, cols) + j], Pre) + prod(\at(a[i], Pre), \at(b[j], Pre)); */
void rank_one_add(double *m, const double *a, const double *b, int rows, int cols);

#endif
