/* The margin of a network over a ball: the smallest of score_label - score_other over all other classes, enclosed for
 * every input of the ball. Forms pass through every step (operation.h), and
 *
 *   margin >= min over the others of  center - max_E L E - sum_k |B_k| beta_k - radius      (T12),
 *
 * where E goes over the ball: r ||L||_2 in that of all words together.
 *
 * Bounds that are not positive are tried from the scores back, too (robust/lower.h), where memory lets all forms be
 * kept and nothing is executed: margin.lo is the better one. What the margin loses is told of the forms' bound.
 *
 * Radius 0 encloses the margin at X itself. */
#ifndef ATTCERT_ROBUST_MARGIN_H
#define ATTCERT_ROBUST_MARGIN_H

#include "robust/found.h"
#include "robust/plan.h"
#include "robust/watch.h"

typedef struct {
  const attcert_matrix *input; /* X, n x d */
  ball_region region;          /* around X */
  int label;                   /* -1: the class with the largest score at X, by estimate */
  const step_format *format;   /* the execution that is certified; NULL: exact arithmetic */
  uint64_t memory;             /* bytes that the forms of a run may take (robust/plan.h); 0: no limit */
  const robust_watch *watch;   /* sees every step; NULL: nobody does */
  bool thorough;               /* narrow ranges and search slopes, which takes several times as long */
  const robust_found *found;   /* bounds that are tried before others are searched for; NULL: none */
} robust_ball;

typedef struct {
  range margin;       /* over the ball; not finite ends: nothing is known */
  int label, rival;   /* the class, and the other one whose difference has the lowest bound */
  double center;      /* of that difference's form: a point of it, not a bound */
  double first_order; /* what that difference loses to first order, rounded upward */
  double *loss;       /* [steps + 2]: what it loses to the symbols of each step, to radii and to symbols that were
                         merged; rounded upward */
  robust_plan plan;   /* of the run */
  robust_found found; /* what its bounds rest on that a search has found */
  int ended;          /* the step where no finite bound was found; -1: none */
} robust_margin;

/* result->loss is allocated; robust_margin_clear is due in every case. A step without a finite bound is no error:
 * `ended` names it. Errors: ATTCERT_RESOURCE, also where the forms cannot be brought below ball->memory;
 * ATTCERT_CANCELLED. */
attcert_status robust_margin_evaluate(robust_margin *result, const network_steps *network, const robust_ball *ball,
                                      attcert_error *err);
void robust_margin_clear(robust_margin *result);

/* The same, thorough at once, or as a last resort where no positive bound was found; a run that does not keep its forms
 * has none. ball->thorough is not looked at. */
attcert_status robust_margin_improve(robust_margin *result, const network_steps *network, const robust_ball *ball,
                                     bool at_once, bool last, attcert_error *err);

/* Sees every form of a run, measured, as it is made: value 0 is the input. */
typedef attcert_status (*robust_observer)(void *context, int value, const form *f, const form_symbols *symbols);
attcert_status robust_margin_observe(robust_margin *result, const network_steps *network, const robust_ball *ball,
                                     robust_observer observer, void *context, attcert_error *err);

#endif
