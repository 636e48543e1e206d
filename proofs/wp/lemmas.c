/* The lemmas of spec/, proved here and in the other lemmas_*.c beside; every other proof assumes them.
 *
 * Those about sums need induction: session/script/ says over which variable. The others follow from the definitions. A
 * lemma is proved from those above it; the laws of products and of ratios, and what needs them, have files of their
 * own, since in scope elsewhere they lead the provers astray. */
#include <mpfr.h>

#include "attcert.h"
#include "interval/interval_vec.h"

#include "attention/attention_lemmas.acsl"
#include "attention/covariance_lemmas.acsl"
#include "matrix/dot_lemmas.acsl"

#include "arithmetic/exponential.acsl"
#include "head_framing/head_jvp_frame_lemmas.acsl"
#include "matrix/index_lemmas.acsl"

#include "interval/interval.acsl"
#include "interval/interval_member_lemmas.acsl"
#include "interval/interval_vec_lemmas.acsl"

#include "attention/jacobian.acsl"
#include "attention/jvp.acsl"
#include "attention/layernorm_lemmas.acsl"

#include "arithmetic/logarithm.acsl"
#include "matrix/matrix_lemmas.acsl"

#include "arithmetic/monotone_lemmas.acsl"
#include "interval/mpfr.acsl"

#include "arithmetic/power_of_two_lemmas.acsl"
#include "arithmetic/product_lemmas.acsl"
#include "arithmetic/product_range_lemmas.acsl"

#include "arithmetic/product_order_lemmas.acsl"
#include "arithmetic/quotient_range_lemmas.acsl"
#include "arithmetic/square_root_lemmas.acsl"
#include "matrix/sum_lemmas.acsl"

#include "format/tensor_shape_step_lemmas.acsl"

#include "format/tensor_shape_frame_lemmas.acsl"

#include "format/tensor_matrix_lemmas.acsl"

#include "theorems/upward_lemmas.acsl"

#include "attention/vjp_lemmas.acsl"
