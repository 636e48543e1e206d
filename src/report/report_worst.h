/* The part of a report on the worst input found in a ball: what follows for the Lipschitz constant on the ball,
 * and what came of every start. */
#ifndef ATTCERT_REPORT_REPORT_WORST_H
#define ATTCERT_REPORT_REPORT_WORST_H

#include "report/fact_writer.h"
#include "search/worst_search.h"
#include "theory/theory.h"

typedef struct {
  const worst_options *search;
  const worst_result *result;
  double token_ball_radius; /* >= max_i ||x_i||, rounded up; at most the radius of the ball */
} report_worst;

/* bounds: on that ball; NULL when they are not evaluated. */
void report_worst_write(fact_writer *f, const report_worst *worst, const attcert_certificate *certificate,
                        const theory_table *bounds);

#endif
