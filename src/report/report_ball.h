/* The part of a report on a ball around the input: what its largest local constant lies between. */
#ifndef ATTCERT_REPORT_REPORT_BALL_H
#define ATTCERT_REPORT_REPORT_BALL_H

#include "ball/ball.h"
#include "report/fact_writer.h"
#include "report/token_list.h"

typedef struct {
  const ball_region *region;
  const ball_enclosure *enclosure;
  int tokens;
  const token_list *list; /* of them; NULL: none */
} report_ball;

void report_ball_write(fact_writer *f, const report_ball *ball);

#endif
