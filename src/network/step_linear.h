/* The derivative of a step at an input that is enclosed: doubles that products with it and its transpose go through,
 * bounds of its norm, and of what these products miss. */
#ifndef ATTCERT_NETWORK_STEP_LINEAR_H
#define ATTCERT_NETWORK_STEP_LINEAR_H

#include "network/step_enclosure.h"

enum { STEP_MAX_INPUTS = 3 };

struct step;

/* Of the partial derivative D by one input, for every member of the enclosure. Products fl are off by
 *     ||fl(sum_k D_k v_k) - sum_k D_k v_k|| <= sum_k (pushed_k + missed_k) ||v_k||,
 *     ||fl(D_k^T w) - D_k^T w|| <= (pulled_k + missed_k) ||w||,
 * but for underflow. All are upper bounds; +inf where there is none. */
typedef struct {
  double norm;           /* of ||D||_2 */
  double pushed, pulled; /* what arithmetic in double loses, by direction */
  double missed;         /* what the doubles that stand for D do */
} step_linear_size;

typedef struct {
  const struct step *step;
  int inputs; /* of the step */
  step_linear_size size[STEP_MAX_INPUTS];
  int rows[STEP_MAX_INPUTS], cols[STEP_MAX_INPUTS]; /* of the inputs */
  double *number;                                   /* as the step's kind orders them; freed with the derivative */
  int parts, ranks;                                 /* of step_linear_rows_init */
  size_t scratch;                                   /* doubles that a product takes besides, of each vector */
  int threads;
} step_linear;

/* count zeros as l->number. Errors: ATTCERT_RESOURCE. */
attcert_status step_linear_numbers(step_linear *l, size_t count, attcert_error *err);

/* mid[c] := doubles for n intervals, about them; the result bounds the length of what they miss. */
double step_linear_row(double *mid, const interval *row, int n, interval_scratch *ws);

/* Vectors of numbers from here on are too long for what underflows to stay small (network_linear.c): products with them
 * have no bound. */
#define STEP_LINEAR_TOO_LONG 0x1p100

/* ---- derivatives that act on each row, or each part of one, by itself --------------------------------------------
 *
 * Rows fall into parts of as many numbers, which are counted as rows from here on: row i of input k enters as D x = a x
 * + sum_r u_r (w_r . x), a, u_r, w_r rows that belong to it. A product takes at most cols + 2 inputs (1 + ranks)
 * roundings on a path, of an expression whose absolute value has a norm of at most
 *     max_i (max_c |a_ic| + sum_r ||u_ir|| ||w_ir||)
 * (Coq: `rounded_expression`), and what the doubles miss is bounded alike. */

/* Room for `ranks` pairs (u_r, w_r) in each of the parts of a row. Errors: ATTCERT_RESOURCE. */
attcert_status step_linear_rows_init(step_linear *l, int parts, int ranks, attcert_error *err);

/* The part of input k in row i: a, and in pairs u_0, w_0, u_1, ..., each a row of intervals. */
void step_linear_rows_set(step_linear *l, int k, int i, const interval *diagonal, const interval *const *pairs,
                          interval_scratch *ws);

/* The sizes of input k once its rows are set. Its norm is what a product's absolute value is bounded by unless
 * something less is known: `norm`, NaN: nothing. */
void step_linear_rows_finish(step_linear *l, int k, double norm);

/* `linearize` of a step that multiplies column c by a number, whatever the row: column(f, s, c, scratch) makes f
 * contain it, and may use t[0]. Errors: ATTCERT_RESOURCE. */
typedef void step_linear_column(interval *f, const struct step *s, int c, step_scratch *scratch);
attcert_status step_linear_columns(step_linear *l, step_linear_column *column, step_scratch *scratch,
                                   attcert_error *err);

/* `push` and `pull` of step_kind. */
void step_linear_rows_push(double *y, const step_linear *l, const double *const *x, int count, double *scratch);
void step_linear_rows_pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch);

#endif
