/* What attcert and its peers are both given: a layer of a model, at an input that attcert saved. A peer's time is that
 * of its own work; what it is given (the Jacobian, its products or its Gram matrix) is computed by the library and not
 * timed. */
#ifndef ATTCERT_BOUNDS_BENCH_PEERS_GIVEN_LAYER_H
#define ATTCERT_BOUNDS_BENCH_PEERS_GIVEN_LAYER_H

#include "certify/explicit/explicit_jacobian_init.h"
#include "certify/jacobian/factored_jacobian.h"

/* The models that the experiments of "How Smooth Is Attention?" are about, each with a rule of its own. */
typedef enum { PUBLISHED_BERT, PUBLISHED_GPT2, PUBLISHED_RANDOM_GPT2 } published_model;

typedef struct {
  attcert_layer layer;
  attcert_matrix x; /* n x d */
  int threads;
  published_model like; /* by the model's own mask, whatever MASK is */
} given_layer;

/* From the words of a command line. MODEL, LAYER, HEADS (all or one head's index) and MASK: as of attcert certify, a
 * random model with seed 0; X.npy: the input of the layer's attention. */
#define GIVEN_LAYER_USAGE "MODEL LAYER HEADS MASK X.npy"
enum { GIVEN_LAYER_WORDS = 5 };
attcert_status given_layer_open(given_layer *g, char **word, int threads, attcert_error *err);
void given_layer_clear(given_layer *g);

/* The Jacobian's factors, rounded to doubles: ||J|| = 2^m->exponent ||J'||, ||J' - J~|| of the order of the unit
 * roundoff. Errors: ATTCERT_INPUT for J = 0, which leaves nothing to measure. factored_jacobian_clear is due in any
 * case. */
attcert_status given_layer_factors(factored_jacobian *m, const given_layer *g, attcert_error *err);

/* The Jacobian as an explicit matrix of 128-bit numbers, an exact matrix to a peer. explicit_jacobian_clear is due on
 * success. */
attcert_status given_layer_jacobian(explicit_jacobian *j, const given_layer *g, attcert_error *err);

#endif
