/* Lanczos recurrences from several random starts at once, so that products go through BLAS in blocks, without
 * reorthogonalisation: T14 (randomized_bound.h) asks nothing of the vectors but their residuals. */
#ifndef ATTCERT_RANDOMIZED_RANDOMIZED_LANCZOS_H
#define ATTCERT_RANDOMIZED_RANDOMIZED_LANCZOS_H

#include "attcert.h"
#include "randomized/randomized_bits.h"
#include "randomized/randomized_bound.h"
#include "randomized/randomized_deflation.h"

enum { RANDOMIZED_STEPS_MOST = 512 };

/* A symmetric matrix, known by products in double; recurrences are with what `less` leaves of it. */
typedef struct {
  size_t length;
  /* y_b = G x_b for b < count: `count` vectors one after the other. */
  void (*apply)(void *context, double *y, const double *x, int count);
  void *context;
  double error; /* ||computed - G x|| <= error ||x|| + UNDERFLOW_ALLOWANCE */
  int threads;
  int parts; /* into which it divides vectors: a number of starts that is no multiple takes as long as the next one */
  const randomized_deflation *less; /* NULL: nothing is taken out */
} randomized_operator;

/* Recurrences under way: of start s the vectors w_j and w_j-1, all of about the norm of w_0 = 2^-exponent x. */
typedef struct {
  const randomized_operator *g;
  int starts, steps;
  double *w, *before, *image;          /* [starts][length]; image: scratch */
  double *size;                        /* [starts]: about ||w_0|| */
  double *sizes;                       /* [starts][2]: >= ||w_j||, ||w_j-1|| */
  int *exponent;                       /* [starts] */
  bool *ended;                         /* [starts]: it has no directions left */
  double *numbers;                     /* [starts][4][RANDOMIZED_STEPS_MOST] */
  randomized_recurrence *recurrence;   /* [starts] */
  double *kept[RANDOMIZED_STEPS_MOST]; /* w_j of start 0 */
} randomized_lanczos;

/* Draws the starts. randomized_lanczos_clear is due in every case. Errors: ATTCERT_RESOURCE. */
attcert_status randomized_lanczos_init(randomized_lanczos *l, const randomized_operator *g, int starts,
                                       randomized_bits *bits, attcert_error *err);
void randomized_lanczos_clear(randomized_lanczos *l);
uint64_t randomized_lanczos_bytes(size_t length, int starts, int steps);

/* One step of every recurrence. Errors: ATTCERT_RESOURCE. */
attcert_status randomized_lanczos_step(randomized_lanczos *l, attcert_error *err);

/* Whether all have. */
bool randomized_lanczos_ended(const randomized_lanczos *l);

/* The largest Ritz value of start s after its steps, an estimate of lambda from below, or the one after `rank` larger
 * ones (-inf: there are too few); weight (as many entries as steps, or NULL): its vector is sum_j weight_j w_j, up to
 * its length. Errors: ATTCERT_RESOURCE, from LAPACK. */
attcert_status randomized_lanczos_ritz(double *value, double *weight, const randomized_lanczos *l, int s, int rank,
                                       attcert_error *err);

/* vector (length entries) := that of start 0 with these weights, of length 1. */
void randomized_lanczos_combine(double *vector, const double *weight, const randomized_lanczos *l);

#endif
