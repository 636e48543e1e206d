/* See table_entry.h. */
#include "theory/table_entry.h"

#include <stdio.h>
#include <stdlib.h>

void table_entry_set(theory_bound *entry, const interval *value) {
  entry->available = true;
  mpfr_set(entry->value, entry->lower ? value->lo : value->hi, entry->lower ? MPFR_RNDD : MPFR_RNDU);
}

void table_entry_refuse(theory_bound *entry, const char *reason) {
  entry->available = false;
  snprintf(entry->applies, sizeof entry->applies, "%s", reason);
}

/* x in few digits where they are exact, else in 17. */
static void print_exactly(char text[32], double x) {
  snprintf(text, 32, "%.6g", x);
  if (strtod(text, NULL) != x) snprintf(text, 32, "%.17g", x);
}

void table_entry_say_ball(theory_bound *entry, double radius, bool centred, const char *rest) {
  char number[32];
  print_exactly(number, radius);
  entry->radius = radius;
  entry->centred = centred;
  snprintf(entry->applies, sizeof entry->applies, "%s = %s%s, %s", centred ? "tokens within R" : "B_R^n, R", number,
           centred ? " of a centre" : "", rest);
}
