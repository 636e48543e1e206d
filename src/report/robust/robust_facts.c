/* Which operation costs how much of the margin. */
#include "report/robust/robust_facts.h"

/* Which of its layer's steps with that name step s is. */
static int number_of(const network_steps *network, int s) {
  const step *const of = &network->step[s];
  int before = 0, all = 0;
  for (int t = 0; t < network->count; t++) {
    const bool same = network->step[t].layer == of->layer && network->step[t].kind == of->kind;
    all += same;
    before += same && t < s;
  }
  return all > 1 ? before + 1 : 0;
}

int robust_facts_shares(robust_share *share, int most, const robust_facts *r) {
  const robust_margin *const bound = &r->verdict->bound;
  const int steps = r->network->steps.count;
  double total = bound->first_order;
  int count = 0;
  if (bound->loss == NULL || bound->rival < 0) return 0;
  for (int s = 0; s < steps + 2; s++) total += bound->loss[s];
  if (!(total > 0.0)) return 0;
  share[count++] = (robust_share){.operation = "gradient", .layer = -1, .share = bound->first_order / total};
  for (int s = 0; s < steps + 2 && count < most; s++) {
    const double part = bound->loss[s] / total;
    if (part < 1e-9) continue;
    const bool of_step = s < steps;
    share[count++] = (robust_share){.operation = of_step      ? r->network->steps.step[s].kind->name
                                                 : s == steps ? "rounding"
                                                              : "merging",
                                    .layer = of_step ? r->network->steps.step[s].layer : -1,
                                    .number = of_step ? number_of(&r->network->steps, s) : 0,
                                    .share = part};
  }
  return count;
}
