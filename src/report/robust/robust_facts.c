/* Which operation costs how much of the margin. */
#include "report/robust/robust_facts.h"

int robust_facts_shares(robust_share *share, int most, const robust_facts *r) {
  const robust_margin *const bound = &r->verdict->bound;
  const int steps = r->network->steps.count;
  double total = bound->first_order;
  int count = 0;
  if (bound->loss == NULL || bound->rival < 0) return 0;
  for (int s = 0; s < steps + 2; s++) total += bound->loss[s];
  if (!(total > 0.0)) return 0;
  share[count++] = (robust_share){"gradient", -1, bound->first_order / total};
  for (int s = 0; s < steps + 2 && count < most; s++) {
    const double part = bound->loss[s] / total;
    if (part < 1e-9) continue;
    const bool of_step = s < steps;
    share[count++] = (robust_share){of_step      ? r->network->steps.step[s].kind->name
                                    : s == steps ? "rounding"
                                                 : "merging",
                                    of_step ? r->network->steps.step[s].layer : -1, part};
  }
  return count;
}
