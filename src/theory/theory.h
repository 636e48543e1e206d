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
#include "theory/layer_norms.h"
#include "theory/theory_table.h"

/* Fills the table; e is the layer's enclosure at x, norms are the layer's (layer_norms_init), whatever x is.
 * radius > 0: T1 - T5, T9 and T10 on the ball of that radius around 0.
 * radius = 0: on the smallest ball around 0 that holds the tokens of x, or, where that gives the smaller bound, on a
 * smaller one around another point (T3, T10: around 0); T4 then takes the column sums of the attention weights at x,
 * and holds there.
 * Errors: ATTCERT_INPUT (a radius that is negative or no number), ATTCERT_RESOURCE. */
attcert_status theory_evaluate(theory_table *table, const attcert_layer *layer, const layer_norms *norms,
                               const attcert_matrix *x, const layer_enclosure *e, double radius, attcert_error *err);

#endif
