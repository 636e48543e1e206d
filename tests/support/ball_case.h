/* Random heads with a region around their input, for the tests of src/ball. */
#ifndef ATTCERT_TESTS_SUPPORT_BALL_CASE_H
#define ATTCERT_TESTS_SUPPORT_BALL_CASE_H

#include "ball/ball_geometry.h"
#include "random_layer.h"

typedef struct {
  layer_case layer;
  bool *moves;
  ball_region region;
  layer_enclosure enclosure;
  ball_products products;
  ball_geometry geometry; /* of head 0, its value and score set */
} ball_case;

/* A Gaussian head of a random small shape, masked or not, with biases and W_O or without; scores about 1, or tokens
 * close to each other. The region:
 * either kind, all tokens or some of them; its radius is up to `radius`. Aborts when memory runs out. */
void ball_case_init(ball_case *c, double radius, random_source *r);
void ball_case_clear(ball_case *c);

/* e (n x d) := a displacement of the region, along `direction` (n x d) if that is not NULL, else a random one; as long
 * as the region allows. */
void ball_case_displacement(long double *e, const ball_case *c, const long double *direction, random_source *r);

/* x + e in long double. */
void ball_case_moved(long double *x, const ball_case *c, const long double *e);

#endif
