/* A layer and input with what the certifier makes of it before any bound: the enclosure and the factored Jacobian with
 * its diagonal blocks; and the matrices these doubles stand for, multiplied out in Arb. */
#ifndef ATTCERT_TESTS_SUPPORT_CERTIFY_CASE_H
#define ATTCERT_TESTS_SUPPORT_CERTIFY_CASE_H

#include <arb_mat.h>

#include "certify/enclosure/layer_enclosure.h"
#include "certify/jacobian/factored_jacobian.h"
#include "random_layer.h"

typedef struct {
  layer_case input;
  layer_enclosure e;
  factored_jacobian m;
} certify_case;

/* Gaussian layers of every kind in turn: both masks, with and without biases and W_O, 1 to 3 heads, n from 1. */
enum { CERTIFY_CASES = 48 };
void certify_case_init(certify_case *c, int index);
void certify_case_init_shape(certify_case *c, const layer_shape *shape, int index);

/* Layers that strain the scaling; the name says how. */
enum { HOSTILE_CASES = 9 };
const char *hostile_case_init(certify_case *c, int index);

/* The Gaussian ones, then the hostile ones. */
enum { ANY_CASES = CERTIFY_CASES + HOSTILE_CASES };
const char *any_case_init(certify_case *c, int index);

/* Evaluates c->input, which the caller has set, in intervals of this precision (128 bits above). */
void certify_case_evaluate(certify_case *c, mpfr_prec_t precision);
void certify_case_clear(certify_case *c);

/* Rows and columns of the Jacobian. */
size_t certify_case_rows(const certify_case *c);
size_t certify_case_cols(const certify_case *c);

enum { CERTIFY_CASE_BITS = 300 }; /* of the matrices below: far more than doubles, exact or not */

/* The concatenated heads P V' + w g^T + F (n H k x n d), or the same with every factor in absolute value. */
void expanded_heads_init(arb_mat_t heads, const factored_jacobian *m, bool absolute);

/* J~ = (I (x) W') times the heads (n out_dim x n d). */
void expanded_jacobian_init(arb_mat_t jacobian, const factored_jacobian *m);

/* ||a||_F <= bound, as far as the balls can tell. */
bool frobenius_norm_is_within(const arb_mat_t a, double bound);
double frobenius_norm(const arb_mat_t a);

#endif
