/* The theory's bounds of one head on B_R^n by their formulas alone, for any n: theory/theory.h evaluates them at an
 * input, which for 10^4 tokens would first take 10^8 attention weights. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_BALL_VALUES_H
#define ATTCERT_BOUNDS_PROGRAMS_BALL_VALUES_H

#include "theory/ball_bounds.h"

/* Bounds that do not apply (T2 under a mask, T5 without one, T3 under a mask or without a verified eigenvalue, T10 for
 * n < 3 or d = 1) are `available` = false. */
typedef enum { BALL_T1, BALL_T2, BALL_T3, BALL_T4, BALL_T5, BALL_T9, BALL_T10, BALL_COUNT } ball_value_id;

typedef struct {
  bool available;
  bool lower; /* T3 and T10 */
  interval value;
} ball_value;

typedef struct {
  ball_value bound[BALL_COUNT];
} ball_values;

const char *ball_value_name(ball_value_id id);

void ball_values_init(ball_values *b);
void ball_values_clear(ball_values *b);

/* One head without W_O and query bias. Errors: ATTCERT_RESOURCE. */
attcert_status ball_values_set(ball_values *b, const attcert_layer *head, int n, double radius, attcert_error *err);

/* The smallest upper bound. */
ball_value_id ball_values_smallest(const ball_values *b);

#endif
