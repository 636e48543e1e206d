#include "certify/enclosure/jacobian_enclosure.h"
#include "interval/interval_arith.h"
#include "kernel/linear/index.h"

/*@ predicate encloses_gradient{L1, L2}(interval *g, interval *z, point *transposed, interval *root, integer k,
      integer d,
                                        integer c) =
      \forall rvec x, w, real r; 0.0 < r ==> in{L1}(root, r) ==> in_vec{L1}(z, x, 0, k) ==>
      is_transposed{L1}(transposed, w, k, d) ==>
      \forall integer t; 0 <= t < c ==> in{L2}(g + t, entry(real_gradient(x, w, r, k, d), t)); */

void gradient_enclosure(interval *g, const interval *z, const point *transposed, const interval *root, int k, int d,
                        interval_scratch *ws) {
  /*@ loop invariant range: 0 <= c <= d;
      loop invariant contains: encloses_gradient{Pre, Here}(g, z, transposed, root, k, d, c);
      loop assigns c, g[0 .. d - 1], *ws;
      loop variant d - c; */
  for (int c = 0; c < d; c++) {
    const int start = row_offset(c, k, d);
    //@ ghost Before:;
    //@ assert inside: 0 <= start && start + k <= row(d, k);
    //@ assert vector: kept{Pre, Here}(z, 0, k);
    //@ assert divisor: \forall real r; in{Pre}(root, r) ==> in(root, r);
    //@ assert points: points{Pre}(transposed + start, k);
    //@ assert points_here: points(transposed + start, k);
    /*@ assert column: \forall rvec w; is_transposed{Pre}(transposed, w, k, d) ==>
          is_vec{Pre}(transposed + start, matrix_column(w, d, c), 0, k); */
    /*@ assert column_here: \forall rvec x; is_vec{Pre}(transposed + start, x, 0, k) ==>
          is_vec(transposed + start, x, 0, k); */
    /*@ assert factors: \forall rvec x, w; in_vec{Pre}(z, x, 0, k) ==> is_transposed{Pre}(transposed, w, k, d) ==>
          in_vec(z, x, 0, k) && is_vec(transposed + start, matrix_column(w, d, c), 0, k); */
    interval_dot_mixed(&g[c], z, transposed + start, (size_t)k, ws);
    /*@ assert product: \forall rvec x, w; in_vec{Pre}(z, x, 0, k) ==> is_transposed{Pre}(transposed, w, k, d) ==>
          in(g + c, real_dot(x, matrix_column(w, d, c), 0, k)); */
    //@ assert divisor_kept: \forall real r; in{Pre}(root, r) ==> in(root, r);
    //@ assert others_product: kept{Before, Here}(g, 0, c);
    //@ ghost Product:;
    interval_div(&g[c], &g[c], root, ws);
    //@ assert others_quotient: kept{Product, Here}(g, 0, c);
    /*@ assert quotient: \forall rvec x, w, real r; 0.0 < r ==> in{Pre}(root, r) ==> in_vec{Pre}(z, x, 0, k) ==>
          is_transposed{Pre}(transposed, w, k, d) ==> in(g + c, entry(real_gradient(x, w, r, k, d), c)); */
    //@ assert others: kept{Before, Here}(g, 0, c);
  }
}
