/* The arithmetic of an emulated execution: numbers are doubles, rounded after each operation as the format has it. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_ARITHMETIC_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_ARITHMETIC_H

#include "random_source.h"

#include <stdbool.h>

/* At most EXECUTED_COLUMNS in a row. */
enum { EXECUTED_COLUMNS = 2048, EXECUTED_ULP = 4 };

/* What a narrow format stores of the results inside a step. */
typedef enum { STORES_ALL, STORES_NOTHING, STORES_SOME } executed_stores;

/* In which way LayerNorm finds mean and variance: from the centered row; by updates entry by entry; by merging parts,
 * in halves, with four lanes added to a rest, or with weighed means; mean of squares less squared mean. */
typedef enum {
  MOMENTS_CENTERED,
  MOMENTS_UPDATES,
  MOMENTS_HALVES,
  MOMENTS_LANES,
  MOMENTS_WEIGHED,
  MOMENTS_SQUARES,
  MOMENTS_WAYS
} executed_moments;

/* How one execution computes. */
typedef struct {
  const char *format;
  bool wide; /* computes in double */
  int order; /* of sums: forward, backward, in pairs, forward with FMA */
  executed_stores stores;
  bool fused;   /* softmax divides last, LayerNorm multiplies x and mean apart */
  bool off;     /* constants are off by two roundings instead of one */
  double wrong; /* which way functions err, and how much of EXECUTED_ULP - 1 units */
  int grouping; /* of activations, scores and the rest: any number */
  executed_moments moments;
} executed_manner;

typedef struct {
  executed_manner m;
  random_source r; /* which results STORES_SOME stores */
} execution;

execution execution_begin(const executed_manner *m);

/* The result x of one operation: rounded to the arithmetic that computes; to the number of the format nearest to that;
 * to either as the execution stores what is inside a step. */
double execution_computed(double x, const execution *e);
double execution_stored(double x, const execution *e);
double execution_kept(double x, execution *e);

/* The number of the format nearest to x: a weight. */
double execution_weight(double x, const execution *e);

/* x, off by one or two roundings, kept. */
double execution_constant(double x, execution *e);

/* A function's result y, EXECUTED_ULP - 1 units and the rounding away; not yet kept. */
double execution_function(double y, const execution *e);

/* count terms in the execution's order; term is overwritten. a . b, b[k stride]: products are exact where FMA adds
 * them. */
double execution_sum(double *term, int count, const execution *e);
double execution_dot(const double *a, const double *b, int stride, int count, const execution *e);

#endif
