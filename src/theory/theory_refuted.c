#include "theory/theory_refuted.h"

const theory_bound *theory_refuted(const theory_table *table, mpfr_srcptr lower) {
  for (int i = 0; i < THEORY_COUNT; i++) {
    const theory_bound *const bound = &table->bound[i];
    if (bound->available && !bound->lower && mpfr_greater_p(lower, bound->value)) return bound;
  }
  return NULL;
}

const theory_bound *theory_smallest_on_ball(const theory_table *table) {
  const theory_bound *smallest = NULL;
  for (int i = 0; i < THEORY_COUNT; i++) {
    const theory_bound *const bound = &table->bound[i];
    if (!bound->available || bound->lower || bound->radius == 0 || bound->centred) continue; /* T6, T7: radius 0 */
    if (smallest == NULL || mpfr_less_p(bound->value, smallest->value)) smallest = bound;
  }
  return smallest;
}
