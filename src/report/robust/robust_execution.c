#include "report/robust/robust_report.h"

double robust_report_execution_error(const robust_report *r) {
  const range executed = r->verdict->executed, exact = r->verdict->center.margin;
  if (!range_finite(executed)) return INFINITY;
  return range_larger(range_up(executed.hi - exact.lo), range_up(exact.hi - executed.lo));
}

const char *robust_report_claim_function(const robust_report *r) {
  return r->ball->format != NULL ? ROBUST_CLAIM_EXECUTION : ROBUST_CLAIM_FUNCTION;
}
