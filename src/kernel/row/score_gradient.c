#include "kernel/linear/arithmetic.h"
#include "kernel/row/jacobian_block.h"
#include "kernel/linear/matrix.h"

void score_gradient(double *g, const double *w, const double *z, double root, int k, int d) {
  vector_matrix(g, z, w, k, d);
  /*@ loop invariant range: 0 <= c <= d;
      loop invariant done: \forall integer q; 0 <= q < c ==> g[q] == score_gradient{Pre}(w, z, root, k, d, q);
      loop invariant rest: \forall integer q; c <= q < d ==> g[q] == vec_mat{Pre}(z, w, d, q, k);
      loop assigns c, g[0 .. d - 1];
      loop variant d - c; */
  for (int c = 0; c < d; c++) g[c] = divide(g[c], root);
}
