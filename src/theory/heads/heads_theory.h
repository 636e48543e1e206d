/* The bounds of theory/theory.h for a layer whose heads are of any kind: T1, T2, T4 to T7 and T9 where they hold
 * (spec/theorems/general_heads.md); T3 and T10 have inputs made for plain heads. */
#ifndef ATTCERT_THEORY_HEADS_HEADS_THEORY_H
#define ATTCERT_THEORY_HEADS_HEADS_THEORY_H

#include "network/network.h"
#include "theory/theory_table.h"

/* Fills the table for an attention of steps at x; radius and what is refused as in theory_evaluate.
 * memory_limit: bytes that it may take; 0: any. Errors: ATTCERT_INPUT (a radius that is negative or no number),
 * ATTCERT_RESOURCE (memory; a network that is no such attention, or of another kind: the message says why). */
attcert_status heads_theory_evaluate(theory_table *table, const network_steps *network, const attcert_matrix *x,
                                     double radius, const attcert_options *options, attcert_error *err);

#endif
