/* The matrix products that a head's derivatives are made of, by name. */
#ifndef ATTCERT_SEARCH_WORST_PRODUCTS_H
#define ATTCERT_SEARCH_WORST_PRODUCTS_H

#include "search/worst_attention.h"

/* A matrix of doubles, or its transpose: rows x cols as it lies in memory, `stride` from a row to the next. */
typedef struct {
  double *data;
  int rows, cols, stride;
  bool transposed;
} worst_factor;

worst_factor worst_transpose(worst_factor f);
worst_factor worst_square(const worst_attention *a, const double *s);      /* n x n */
worst_factor worst_head(const worst_attention *a, const double *v, int h); /* n x k: head h of n x H k */

/* c := alpha l r + beta c; nothing else is written. */
void worst_multiply(worst_factor c, double alpha, worst_factor l, worst_factor r, double beta);

/* P of head h, n x n. */
double *worst_weights(const worst_attention *a, int h);

/* out := U W_Q^T, U W_K^T, U W_V^T, n x H k each; u is n x d. */
void worst_project(const worst_projections *out, const worst_attention *a, const double *u);

/* u (n x d) := out_Q W_Q + out_K W_K + out_V W_V, the transposed map. */
void worst_pull_back(double *u, const worst_attention *a, const worst_projections *out);

/* y (n x out_dim) := channels W_O^T, and channels := y W_O; copies without W_O. */
void worst_join_output(double *y, const worst_attention *a);
void worst_split_output(const worst_attention *a, const double *y);

/* out_ij := P_ij (s_ij - sum_m P_im s_im) for head h: the softmax's derivative, a symmetric map. out may be s. */
void worst_softmax_derivative(double *out, const worst_attention *a, const double *s, int h);

/* s := dS of head h, from a->along. */
void worst_score_derivative(double *s, const worst_attention *a, int h);

/* s := C V^T of head h, from a->channels: the cotangent of P. */
void worst_weight_cotangent(double *s, const worst_attention *a, int h);

#endif
