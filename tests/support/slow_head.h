/* One head of a layer in long double, straight from the definitions and vector by vector: what src/ball derives from
 * Gram matrices and bounds is held against it. */
#ifndef ATTCERT_TESTS_SUPPORT_SLOW_HEAD_H
#define ATTCERT_TESTS_SUPPORT_SLOW_HEAD_H

#include "attcert.h"

/* v_j stands for W_h v_j, and so for y_i; `height` numbers each. */
typedef struct {
  int n, dim, height;
  attcert_mask mask;
  long double *p;   /* [n][n]: P, 0 outside N(i) */
  long double *y;   /* [n][height] */
  long double *w;   /* [n][n][height]: v_j - y_i */
  long double *g;   /* [n][d]: K^T q_i / sqrt(k) */
  long double *key; /* [n][n][d]: h_j - sum_m P_im h_m */
  long double *phi; /* [n][n][n][d]: the form phi_ij */
} slow_head;

/* Head h at the input x (n x d). Aborts when memory runs out. */
void slow_head_init(slow_head *s, const attcert_layer *layer, int h, const long double *x, int n);
void slow_head_clear(slow_head *s);

/* The l2 norm and the inner product of count numbers. */
long double slow_norm(const long double *a, size_t count);
long double slow_dot(const long double *a, const long double *b, size_t count);

/* The spectral norm of a rows x cols matrix, by power iteration: from below, to about 1e-6. */
long double slow_matrix_norm(const long double *a, int rows, int cols);

/* Relative rounding of what is evaluated here: 1e-15, or 1e-9 where long double is no wider than double, as it is
 * under valgrind. */
long double slow_head_tolerance(void);

#endif
