/* Directions of ascent from a few past gradients: L-BFGS (J. Nocedal, S. Wright, Numerical Optimization, 2nd ed.,
 * algorithm 7.4). It follows a narrow ridge, where plain gradient ascent zigzags. */
#ifndef ATTCERT_SEARCH_WORST_LBFGS_H
#define ATTCERT_SEARCH_WORST_LBFGS_H

#include "attcert.h"

enum { WORST_LBFGS_PAIRS = 8 };

typedef struct {
  int size;                        /* of the vectors */
  int count;                       /* pairs known, at most WORST_LBFGS_PAIRS; the newest is the last */
  bool started;                    /* a position and its gradient are known */
  double *position, *gradient;     /* the last ones */
  double *move[WORST_LBFGS_PAIRS]; /* differences of positions */
  double *gradient_change
      [WORST_LBFGS_PAIRS]; /* and of gradients, old less new: along move positive where the function is concave */
} worst_lbfgs;

/* Errors: ATTCERT_RESOURCE; worst_lbfgs_clear is due in both cases. */
attcert_status worst_lbfgs_init(worst_lbfgs *l, int size, attcert_error *err);
void worst_lbfgs_clear(worst_lbfgs *l);

/* Doubles that worst_lbfgs_init allocates. */
size_t worst_lbfgs_doubles(int size);

/* Empties the memory. */
void worst_lbfgs_reset(worst_lbfgs *l);

/* direction := H gradient at this position, H > 0 an estimate of the inverse of the negative Hessian;
 * gradient itself where nothing is known. Its inner product with gradient is positive. Keeps position and
 * gradient for the next time. */
void worst_lbfgs_direction(double *direction, worst_lbfgs *l, const double *position, const double *gradient);

#endif
