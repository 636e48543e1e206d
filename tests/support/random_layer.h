/* Random attention layers with inputs, in named families: ordinary ones, and ones that try to break a certifier.
 * A case is given by (family, seed, index) and is the same on every machine. */
#ifndef ATTCERT_TESTS_SUPPORT_RANDOM_LAYER_H
#define ATTCERT_TESTS_SUPPORT_RANDOM_LAYER_H

#include "attcert.h"
#include "random_source.h"

typedef struct {
  attcert_layer layer;
  attcert_matrix x;
  bool norm_is_zero; /* D_X f = 0 by construction, though not visible to finite precision */
} layer_case;

int random_layer_families(void);
const char *random_layer_family(int family);
int random_layer_family_find(const char *name); /* -1 when there is none */

/* Aborts when memory runs out, as only a test may. */
void layer_case_init(layer_case *c, int family, uint64_t seed, uint64_t index);
void layer_case_clear(layer_case *c);

/* The shape of a case; n tokens, the rest as in attcert_layer. */
typedef struct {
  int n, dim, heads, head_dim, out_dim; /* out_dim = 0: no W_O */
  bool biases;
  attcert_mask mask;
} layer_shape;

void layer_case_init_zero(layer_case *c, const layer_shape *shape);

/* A case of that shape with Gaussian entries: weights about 1/sqrt(d), times a few powers of two. */
void layer_case_init_gaussian(layer_case *c, const layer_shape *shape, random_source *r);

/* An independent copy. */
void layer_case_copy(layer_case *copy, const layer_case *c);

#endif
