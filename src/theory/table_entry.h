/* Writing one entry of the table. */
#ifndef ATTCERT_THEORY_TABLE_ENTRY_H
#define ATTCERT_THEORY_TABLE_ENTRY_H

#include "interval/interval.h"
#include "theory/theory_table.h"

/* Available, with the end of the interval that the entry needs. */
void table_entry_set(theory_bound *entry, const interval *value);

/* Not available, and why. */
void table_entry_refuse(theory_bound *entry, const char *reason);

/* Keeps the ball, and says it: "B_R^n, R = 12.5, <rest>" or "tokens within R = 3.5 of a centre, <rest>". */
void table_entry_say_ball(theory_bound *entry, double radius, bool centred, const char *rest);

#endif
