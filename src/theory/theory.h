/* The bounds of "How Smooth Is Attention?" (Castin, Ablin, Peyre, ICML 2024) and their sharpenings,
 * T1 - T7, T9 and T10, evaluated with outward rounding for a given layer: each `value` is >= the theorem's
 * right-hand side (T3, T10: <=).
 *
 * T1 - T5 and T9 bound the Lipschitz constant on a ball for each token; T6 and T7 the local one at the input x; T10
 * says what no bound of T9's kind can go below. T8 is a limit, not a bound. Biases enter as in ball_bounds.h, heads are
 * combined as in layer_norms.h. */
#ifndef ATTCERT_THEORY_THEORY_H
#define ATTCERT_THEORY_THEORY_H

#include "attcert.h"
#include "certify/enclosure/layer_enclosure.h"

typedef enum {
  THEORY_T1,
  THEORY_T2,
  THEORY_T3,
  THEORY_T4,
  THEORY_T5,
  THEORY_T6,
  THEORY_T7,
  THEORY_T9,
  THEORY_T10,
  THEORY_COUNT
} theory_id;

typedef struct {
  const char *id;    /* "T1" */
  const char *title; /* "sqrt(n) bound [Castin et al., Theorem 3.3]" */
  bool lower;        /* T3 and T10 bound a Lipschitz constant on the ball from below; the others from above */
  bool available;    /* false: the theorem does not cover this layer, or its constant could not be certified */
  mpfr_t value;      /* 53 bits, rounded outward; may be +inf */
  double radius;     /* of the ball it was evaluated on; 0 for T6 and T7 */
  bool centred;      /* the ball is around a point other than 0, found near the middle of the tokens */
  char applies[256]; /* where it holds ("B_R^n, R = 12.5, n = 8"), or why it is not available */
} theory_bound;

typedef struct {
  theory_bound bound[THEORY_COUNT];
} theory_table;

void theory_table_init(theory_table *table);
void theory_table_clear(theory_table *table);

/* Fills the table; e is the layer's enclosure at x.
 * radius > 0: T1 - T5, T9 and T10 on the ball of that radius around 0.
 * radius = 0: on the smallest ball around 0 that holds the tokens of x, or, where that gives the smaller bound, on a
 * smaller one around another point (T3, T10: around 0); T4 then takes the column sums of the attention weights at x,
 * and holds there.
 * Errors: ATTCERT_INPUT (a radius that is negative or no number), ATTCERT_RESOURCE. */
attcert_status theory_evaluate(theory_table *table, const attcert_layer *layer, const attcert_matrix *x,
                               const layer_enclosure *e, double radius, attcert_error *err);

#endif
