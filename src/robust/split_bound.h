/* A row of a split_model from below where some of its open entries are known to lie on one side of 0. From the last
 * entry back each of its outputs y = max(x, 0), with the factor w that it has by then, is bounded by
 *
 *   w y >= s x + h     open, w >= 0:  0 <= s <= w, h = 0          open, w < 0:  the chord over the range of x
 *                      x >= 0:        s <= w,      h = 0          x <= 0:       s >= 0, h = 0,
 *
 * and x by its row. Every choice of these slopes gives a bound; an ascent looks for good ones: where a side is known,
 * s less w, or s, is the multiplier of that constraint. The best bound is that of the linear program in which an entry
 * lies in the triangle around its curve (Wang et al., Beta-CROWN, 2021). */
#ifndef ATTCERT_ROBUST_SPLIT_BOUND_H
#define ATTCERT_ROBUST_SPLIT_BOUND_H

#include "robust/split_model.h"

/* Slopes are multiples of this, so that a few bits say which. */
#define SPLIT_SLOPE 0x1p-8

typedef enum { SPLIT_OPEN, SPLIT_ABOVE, SPLIT_BELOW } split_side;

/* Sides of all entries of a model, and what slopes come from: s / w where it is open, or a multiplier. */
typedef struct {
  signed char *side; /* [count]: a split_side */
  double *slope;     /* [count] */
  double bound;
} split_node;

/* Room for bounds of a row of a model; one thread's. */
typedef struct {
  const split_model *model;
  const split_row *row;
  double scale;           /* of multipliers */
  double *factor, *s;     /* [count]: w and s */
  double *x, *y, *exact;  /* [count]: where the bound is attained: entries, the lines' outputs, the curve's */
  double *gradient;       /* [count]: of the bound by slopes */
  double *first, *second; /* [count]: moments of it */
  double *best;           /* [count]: slopes */
  double *sum, *eta;      /* [columns] */
} split_bound;

/* split_bound_clear is due in every case. Errors: ATTCERT_RESOURCE. */
attcert_status split_bound_init(split_bound *b, const split_model *model, attcert_error *err);
void split_bound_clear(split_bound *b);

/* The slope of entry k nearest to that one, which may be any. */
double split_bound_slope(const split_node *node, int k, double slope);

/* A double below the row for all entries with these sides; NaN or -inf: none is known. */
double split_bound_evaluate(split_bound *b, const split_node *node);

/* Where that bound is attained: fills what b has of it. Returns the model's value at those symbols of the input. */
double split_bound_attain(split_bound *b, const split_node *node);

/* node->bound and its slopes become the best of so many steps, or the first that is positive. */
void split_bound_ascend(split_bound *b, split_node *node, int steps);

/* Range in which entry k is known to lie within the model; narrows the model's range, by ascents of so many steps. */
void split_bound_narrow(split_bound *b, range *reach, const split_node *sides, int k, int steps);

#endif
