/* Matrices of intervals that enclose the values and gradients of a network at a point. */
#ifndef ATTCERT_NETWORK_STEP_ENCLOSURE_H
#define ATTCERT_NETWORK_STEP_ENCLOSURE_H

#include "attcert.h"
#include "interval/interval.h"
#include "interval/point_vec.h"

enum { STEP_SCRATCH = 5 };

typedef struct {
  int rows, cols;
  interval *entry; /* [rows, cols] */
} step_enclosure;

/* What the operations on intervals need. */
typedef struct {
  mpfr_prec_t precision;    /* bits of every interval */
  mpfr_prec_t product_bits; /* > 0: matrix products go through BLAS, which is trusted then, with so many of x */
  interval_scratch ws;
  interval t[STEP_SCRATCH];
} step_scratch;

void step_scratch_init(step_scratch *scratch, mpfr_prec_t precision);
void step_scratch_clear(step_scratch *scratch);

/* Zeros. Errors: ATTCERT_RESOURCE. */
attcert_status step_enclosure_init(step_enclosure *e, int rows, int cols, mpfr_prec_t precision, attcert_error *err);
void step_enclosure_clear(step_enclosure *e);

/* Entry (i, c). */
static inline interval *step_entry(const step_enclosure *e, int i, int c) {
  return &e->entry[(size_t)i * (size_t)e->cols + (size_t)c];
}

/* count exact numbers, transposed from rows x cols where asked; NULL and a message when out of memory. */
point *step_points(const double *x, int rows, int cols, bool transposed, attcert_error *err);

#endif
