/* Are the axioms of spec/ consistent? Every axiomatised symbol stands in one equation with a number about which nothing
 * is known. If the provers found it, the axioms and lemmas would contradict each other; it must stay unproved. */
#include "lemmas.c"
#include "lemmas_enclosed.c"
#include "lemmas_entropy.c"
#include "lemmas_explicit_norm.c"
#include "lemmas_integer_norm.c"
#include "lemmas_real.c"
#include "lemmas_softmax_remainder.c"
#include "lemmas_token_distances.c"

#include "real/real_layer_jacobian.acsl"
#include "theorems/layer_direction.acsl"
#include "theorems/stored_layer.acsl"

/*@ axiomatic Unknown { logic real unknown(real x); } */

/*@ check lemma smoke{L}: \forall rvec v, point *p, double *a, real_layer f, real x, z, c, integer i, j;
      prod(x, z) + quo(x, z) + rexp(x) + rexp_shifted(x, c) + rlog(x) + rroot(x) + row(i, j) +
      entry(real_output(v, i, j, v), i) + entry(head_values(f, i), j) + entry(head_maps(f, i), j) +
      layer_tokens(real_layer_of(i, i, i, i, i, i, i, v, v, v, v, v, v, v)) + power_of_two(i) + double_infinity +
      gram_form(x, v, i, j) + gram_trace(x, i) + image_squares(v, v, i, j) + entry(remainder_vector(x, z, c), i) +
      entry(layer_projected(f, v, v), i) + entry(layer_derivative(f, v), i) + entry(layer_image(f, v), i) +
      entry(doubles_of(a, i), j) +
      entry(projection_of(a, a, a, i, i, i, i), j) + entry(real_jacobian(f), i) + entry(token_distances(v, v, i), j) +
      entry(point_values(p, i), j) +
      entry(v, i) + entry(matrix_row(v, i, j), j) + entry(matrix_column(v, i, j), j) + entry(real_weights(v, i), j) +
      entry(real_scores(v, v, x, i), j) + entry(real_mean(v, v, i, j), j) + entry(real_gradient(v, v, x, i, j), j) +
      entry(real_gradients(v, v, x, i, j), j) + entry(images(v, v, i, j), j) == unknown(0.0); */
