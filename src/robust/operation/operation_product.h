/* The product of two quantities less its middle, over the ball. */
#ifndef ATTCERT_ROBUST_OPERATION_OPERATION_PRODUCT_H
#define ATTCERT_ROBUST_OPERATION_OPERATION_PRODUCT_H

#include "robust/range/range_rounding.h"

#ifdef __FRAMAC__
#include "robust/product_remainder.acsl"
#endif

/* An upper bound of |x y - c| over the ball, for x = a . eps + (a rest), y likewise: x_in, y_in bound the parts that
 * are linear in the perturbation, x_all - x_in, y_all - y_in the rests. (a . eps)(b . eps) is within r^2 |a| |b| / 2 of
 * c = r^2 a . b / 2, which halves the product of the linear parts. For vectors x likewise, with ||eps|| <= r:
 * ||eps (b . eps) - r^2 b / 2|| <= r^2 |b| / 2, as ||eps||^2 (b . eps)^2 - r^2 (b . eps)^2 <= 0. */
/*@ terminates \true;
    assigns \nothing;
    ensures bounds: finite_double(x_all) ==> finite_double(x_in) ==> finite_double(y_all) ==> finite_double(y_in) ==>
      0.0 <= prod(x_in, y_in) ==> upper_end(\result, product_remainder(x_all, x_in, y_all, y_in));
    ensures unbounded: product_unbounded_above(x_all, y_all) || nan_double(x_all) || nan_double(y_all) ==>
      claims_nothing_above(\result); */
double operation_product(double x_all, double x_in, double y_all, double y_in);

#endif
