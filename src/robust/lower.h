/* Linear functionals of a value of a network bounded from below over the ball, seen from that value: step by step back
 * (network/step_lower.h) each is bounded by functionals of the values before it and a constant, so that what a step
 * loses is what it loses along these directions. Where only one value is left to look at, and at the end, what there is
 * is bounded by the forms of those values together:
 *
 *   sum_v <w_v, x_v> + constant >= sum_v <w_v, center_v> - max over the symbols - sum_v |w_v| radius_v + constant.
 *
 * Affine steps lose nothing, so that behind them alone forms are not looked at. The best of these bounds counts. Steps
 * that draw lines (activations) may draw any: robust_lower_search looks for slopes, each of which gives a bound. */
#ifndef ATTCERT_ROBUST_LOWER_H
#define ATTCERT_ROBUST_LOWER_H

#include "network/network.h"
#include "robust/watch.h"

/* Entries of outputs of steps that draw lines along corners, by step: they stay as they are. */
typedef struct {
  int count;
  int *step;     /* [count], increasing */
  size_t *entry; /* [count] */
} robust_open;

typedef struct {
  const network_steps *network;
  const form *value; /* [steps + 1], measured, of a run in exact arithmetic */
  const form_symbols *symbols;
  form_layout all;    /* of all symbols */
  double **direction; /* [steps + 1]: of each value, those of the functionals that are still to be bounded, or NULL */
  step_lower_kept *kept;   /* [steps] */
  step_slopes *slopes;     /* [steps]: of steps that draw lines */
  int count;               /* functionals, of those that there is room for */
  double *constant;        /* [count] */
  double *along;           /* [count, all symbols]: of the last place where forms were looked at */
  double *best, *worst;    /* [count]: the bounds; [all symbols]: `along` of the best one of functional 0 */
  const robust_open *open; /* NULL: none */
  double *aside;           /* [count, open->count], the caller's: what the functionals multiply them by */
} robust_lower;

/* For so many functionals at a time. Errors: ATTCERT_RESOURCE, as below. robust_lower_clear is due in every case. */
attcert_status robust_lower_init(robust_lower *l, const network_steps *network, const form *value,
                                 const form_symbols *symbols, int count, attcert_error *err);
void robust_lower_clear(robust_lower *l);

/* l->best := lower ends of <w, x_value>, [count][entries of the value]; -inf: none is known. */
attcert_status robust_lower_bound(robust_lower *l, int value, const double *w, attcert_error *err);

/* With the open entries y of steps before the value, <w, x_value> >= l->best + along . symbols + aside . y, [count]
 * each; `along` of the symbols of the input, the first ones. -inf: no such functional is known. */
attcert_status robust_lower_rows(robust_lower *l, int value, const double *w, attcert_error *err);

/* *bound := the best lower end that was found for one functional, by so many steps of ascent in the slopes, or until
 * it is positive: the lines of the last walk are then those of it. Slopes are the steps' own choice at first. Errors:
 * also ATTCERT_CANCELLED. */
attcert_status robust_lower_search(double *bound, robust_lower *l, int value, const double *w, int steps,
                                   const robust_watch *watch, attcert_error *err);

#endif
