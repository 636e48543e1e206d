/* The Jacobian of a network at a point, in double: products with it and its transpose, step by step, and a bound of
 * everything that these miss. */
#ifndef ATTCERT_NETWORK_NETWORK_LINEAR_H
#define ATTCERT_NETWORK_NETWORK_LINEAR_H

#include "network/network.h"

/* A stretch of the network between two values, such that whatever comes after the first depends on it alone: J of the
 * second one by the first. Products are off by
 *     ||computed - J x|| <= error[0] ||x||,   ||computed - J^T y|| <= error[1] ||y||,   where ||x||, ||y|| >= 1/2. */
typedef struct {
  int from, to;
  double norm;     /* >= ||J||_2: along the steps, and so mostly far too large, unless something better is known */
  double error[2]; /* +inf: no bound */
} network_part;

typedef struct {
  const network_steps *network;
  step_linear *step;  /* [steps] */
  int vectors;        /* that a product is given at most */
  int precision;      /* bits of the intervals that the derivatives come from */
  bool in_double;     /* and whether matrix products of these were BLAS's */
  network_part *part; /* [parts], in their order */
  int parts;
  double **tangent; /* [steps + 1]: of each value, [vectors][rows][cols] */
  bool *reached;    /* [steps + 1]: on the way back, whether a value has a gradient yet */
  double *arriving; /* what a step sends back to each of its inputs */
  double *scratch;  /* of the steps' products */
} network_linear;

/* Of the network at x, with as many bits as it takes for the derivatives' doubles to be off by no more than products
 * are; in_double: with matrix products through BLAS instead, in much less time, and off by more in long networks. The
 * network must outlive it; network_linear_clear is due in every case. Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED by
 * the options' callback. */
attcert_status network_linear_init(network_linear *l, const network_steps *network, const attcert_matrix *x,
                                   int vectors, bool in_double, const attcert_options *options, attcert_error *err);
void network_linear_clear(network_linear *l);

/* Doubles that it takes, intervals apart. */
uint64_t network_linear_bytes(const network_steps *network, int vectors);

/* The larger of both errors. */
double network_part_error(const network_part *part);

/* All parts together, with what their norms say now. */
network_part network_linear_whole(const network_linear *l);

/* y_b := J x_b of a part, or of the whole, or J^T x_b, b < count, vectors one after the other. */
void network_linear_multiply(const network_linear *l, const network_part *part, double *y, const double *x, int count,
                             bool transpose);

#endif
