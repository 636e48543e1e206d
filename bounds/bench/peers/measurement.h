/* What a peer reports: the seconds of each of its runs, its value of ||J||_2, and what only some of them have. */
#ifndef ATTCERT_BOUNDS_BENCH_PEERS_MEASUREMENT_H
#define ATTCERT_BOUNDS_BENCH_PEERS_MEASUREMENT_H

#include <stdbool.h>
#include <stdio.h>

enum { MEASUREMENT_RUNS = 100 };

typedef struct {
  int asked;                        /* runs, 1 to MEASUREMENT_RUNS */
  int runs;                         /* runs so far */
  double seconds[MEASUREMENT_RUNS]; /* of each, wall-clock */
  double started;
  double norm;           /* ||J||_2; NaN: it has no value for it */
  double rounding;       /* what rounding may have moved the norm by, relative: a rule of thumb, not a bound */
  int precision;         /* bits; 53 in double */
  int iterations;        /* of an iteration; 0: none */
  int most_iterations;   /* after which it ends in any case */
  bool converged;        /* whether that iteration stopped by its rule */
  double proved;         /* the bound of ||J||_2 it has proved; NaN: it proves nothing */
  double flops_a_second; /* of a matrix product; NaN: not measured */
} measurement;

void measurement_begin(measurement *m, int asked);

/* Whether another run is due. */
bool measurement_due(const measurement *m);

/* Around the work of one run. */
void measurement_start(measurement *m);
void measurement_stop(measurement *m);

/* One JSON object: the above, the peer's name, the most memory this process ever held, and the BLAS it is linked
 * with. */
void measurement_write(FILE *out, const measurement *m, const char *peer);

#endif
