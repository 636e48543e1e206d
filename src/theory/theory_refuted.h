/* A certified value against the theory. */
#ifndef ATTCERT_THEORY_THEORY_REFUTED_H
#define ATTCERT_THEORY_THEORY_REFUTED_H

#include "theory/theory_table.h"

/* The first upper bound of the table that a certified lower end at an input exceeds; NULL: none. All upper bounds of
 * the table hold at its input. T3 and T10, which bound a whole ball from below, say nothing about one input in it. */
const theory_bound *theory_refuted(const theory_table *table, mpfr_srcptr lower);

/* The smallest of the bounds of the Lipschitz constant on the table's ball around 0 (T1, T2, T4, T5, T9); NULL: none is
 * available. */
const theory_bound *theory_smallest_on_ball(const theory_table *table);

#endif
