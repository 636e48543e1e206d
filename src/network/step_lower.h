/* Linear functionals of a step's output bounded from below by such of its inputs: with w given, w_k and a constant
 * so that
 *
 *   <w, y> >= sum_k <w_k, x_k> + constant     for all x_k and y of the ball that the forms of the run are over.
 *
 * A bound that is seen from the end of a network takes each remainder along the one direction that counts, instead of
 * entry by entry (robust/functional.h). */
#ifndef ATTCERT_NETWORK_STEP_LOWER_H
#define ATTCERT_NETWORK_STEP_LOWER_H

#include "network/step_linear.h"
#include "robust/form/form.h"

/* Lines of an activation, one below its curve and one above for each entry. */
typedef struct {
  double *slope[2]; /* [entries]: below, above; NaN: the step chooses, and says here what it took */
  double *touch[2]; /* [entries]: about where the curve meets that line */
  double *factor;   /* [entries]: what functional 0 multiplied by it; 0: no other slope would be better */
} step_slopes;

/* What an affine step is, found once and kept from one call to the next; step_lower_kept_clear is due in every case. */
typedef struct {
  step_linear linear;
  attcert_matrix offset; /* the step of zeros; no entries: nothing is known yet */
  double error;          /* what products with the derivative miss, in all that the inputs are over the ball */
} step_lower_kept;

void step_lower_kept_clear(step_lower_kept *kept);

typedef struct {
  const form *const *in; /* of the inputs, measured */
  const form *out;
  const form_symbols *symbols;
  int count;                   /* functionals */
  const double *from;          /* [count][entries of y]: w */
  double *to[STEP_MAX_INPUTS]; /* [count][entries of x_k]: w_k, zeros at first */
  double *constant;            /* [count]: zeros at first; NaN or -inf: no bound */
  step_slopes *slopes;         /* of steps that draw lines */
  step_lower_kept *kept;       /* of steps that are affine: zeros at first, of these inputs */
} step_lower;

/* *sum := a double <= *sum + term. */
void step_lower_add(double *sum, double term);

/* A double <= factor sum_i a_i b_i, of n terms; factor: 1 or -1. */
double step_lower_dot(const double *a, const double *b, size_t n, double factor);

/* `lower` of a step that is affine, whose value at zeros is exact in double, by the products with its derivative. */
attcert_status step_lower_affine(step_lower *l, const struct step *s, attcert_error *err);

#endif
