/* One run: the network's Jacobian in double, and how its norm, or that of a part of it, is bounded. */
#ifndef ATTCERT_LIPSCHITZ_LIPSCHITZ_RUN_H
#define ATTCERT_LIPSCHITZ_LIPSCHITZ_RUN_H

#include "network/network_linear.h"
#include "randomized/randomized_upper.h"

/* Vectors that a product is given. */
enum { LIPSCHITZ_VECTORS = RANDOMIZED_STARTS_MOST };

/* Sides up to which a dense Jacobian takes seconds. */
enum { LIPSCHITZ_DENSE_SIDE = 4096 };

typedef struct {
  attcert_certificate *certificate;
  const attcert_options *options;
  attcert_error *err;
  const network_steps *network;
  network_linear jacobian; /* but of the engine mpfr */
  double failure_log2;     /* of each upper end from random starts */
} lipschitz_run;

static inline size_t lipschitz_rows(const lipschitz_run *r, const network_part *part) {
  return network_entries(r->jacobian.network, part->to);
}

static inline size_t lipschitz_cols(const lipschitz_run *r, const network_part *part) {
  return network_entries(r->jacobian.network, part->from);
}

/* upper >= ||J|| of the part, to about this relative width, and u (as many entries as its first value), a direction
 * that is stretched by about that much. Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
typedef attcert_status lipschitz_bound(double *upper, double *u, lipschitz_run *r, const network_part *part,
                                       double width);
lipschitz_bound lipschitz_dense, lipschitz_random;

/* What is asked of every run. Errors: ATTCERT_INPUT. */
attcert_status lipschitz_check(const network_steps *network, const attcert_matrix *x, const attcert_options *options,
                               attcert_error *err);

/* Bounds of the parts' norms by an engine itself, where roundings that grow by the steps' norms would widen the
 * enclosure. Each may be wrong with the run's probability, and all together with that of the claim. u: as many entries
 * as the largest value. Errors: those of the bound. */
attcert_status lipschitz_refine_parts(lipschitz_run *r, lipschitz_bound *bound, double *u);

/* Both ends from an explicit Jacobian in intervals, with more bits while they limit the width. Errors: those, and
 * ATTCERT_FAULT. */
attcert_status lipschitz_mpfr(lipschitz_run *r, const attcert_matrix *x);

/* ATTCERT_RESOURCE where that would take too long. */
attcert_status lipschitz_mpfr_check(const network_steps *network, attcert_error *err);

/* What products miss of a dense matrix of m of them, in the 2-norm. */
double lipschitz_dense_error(const lipschitz_run *r, const network_part *part);

/* Bytes that the engines take for a matrix of these sides, products apart; UINT64_MAX beyond counting. */
uint64_t lipschitz_mpfr_bytes(size_t rows, size_t cols);
uint64_t lipschitz_dense_bytes(size_t rows, size_t cols);
uint64_t lipschitz_random_bytes(size_t rows, size_t cols);

#endif
