/* The transposed weights of every head as exact numbers: what score gradients are inner products with. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_TRANSPOSED_WEIGHT_H
#define ATTCERT_CERTIFY_EXPLICIT_TRANSPOSED_WEIGHT_H

#include "certify/enclosure/jacobian_enclosure.h"
#include "interval/point_vec.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/transposed_weight_lemmas.acsl"
#include "matrix/row_product_lemmas.acsl"
#endif

/* out [H][d][k]: entry (h, c, r) is entry (h, r, c) of weight [H][k][d]; the precision of out is at least 53. */
/*@ requires sides: side(heads) && side(head_dim) && side(dim);
    requires valid: \valid(out + (0 .. row(heads, row(dim, head_dim)) - 1)) &&
      \valid_read(weight + (0 .. row(heads, row(head_dim, dim)) - 1));
    requires live: live_points(out, row(heads, row(dim, head_dim)));
    requires separated: \separated(out + (0 .. row(heads, row(dim, head_dim)) - 1),
                                   weight + (0 .. row(heads, row(head_dim, dim)) - 1));
    requires precise: precise_points(out, row(heads, row(dim, head_dim)));
    requires finite: finite_weights(weight, row(heads, row(head_dim, dim)));
    terminates \true;
    assigns out[0 .. row(heads, row(dim, head_dim)) - 1];
    ensures points: heads_of_points(out, heads, head_dim, dim);
    ensures transposed: \forall rvec x; weights_are{Pre}(weight, x, row(heads, row(head_dim, dim))) ==>
      heads_transposed(out, x, heads, head_dim, dim); */
void transposed_weight_load(point *out, const double *weight, int heads, int head_dim, int dim);

#endif
