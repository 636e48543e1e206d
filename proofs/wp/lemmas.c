/* The lemmas of spec/, proved here and in the other lemmas_*.c beside; every other proof assumes them.
 *
 * Those about sums need induction: session/script/ says over which variable. The others follow from the definitions. A
 * lemma is proved from those above it; the laws of products and of ratios, and what needs them, have files of their
 * own, since in scope elsewhere they lead the provers astray. */
#include <mpfr.h>

#include "attcert.h"
#include "interval/interval_vec.h"

#include "attention.acsl"
#include "covariance.acsl"
#include "dot.acsl"
#include "exponential.acsl"
#include "head_jvp_same.acsl"
#include "index.acsl"
#include "interval.acsl"
#include "interval_member.acsl"
#include "interval_vec.acsl"
#include "jacobian.acsl"
#include "jvp.acsl"
#include "layernorm.acsl"
#include "logarithm.acsl"
#include "matrix.acsl"
#include "monotone.acsl"
#include "mpfr.acsl"
#include "power_of_two.acsl"
#include "product.acsl"
#include "product_ends.acsl"
#include "product_order.acsl"
#include "quotient_order.acsl"
#include "square_root.acsl"
#include "sum.acsl"
#include "tensor_shape_step.acsl"

#include "tensor_shape_same.acsl"
#include "tensor_sides.acsl"
#include "upward.acsl"
#include "vjp.acsl"
