/* A certificate and what goes with it, as text for people or JSON for programs. */
#ifndef ATTCERT_REPORT_REPORT_H
#define ATTCERT_REPORT_REPORT_H

#include "attcert.h"
#include "report/estimate_check.h"
#include "report/report_ball.h"
#include "report/report_worst.h"
#include "report/subject.h"
#include "theory/theory.h"

typedef struct {
  const char *command; /* "certify", "bounds", "check": names the JSON schema */
  const report_subject *subject;
  const attcert_options *options;
  const attcert_certificate *certificate;
  const char *incomplete;      /* why the run stopped early, with the best valid bound so far; NULL: it did not */
  const theory_table *bounds;  /* NULL: not evaluated */
  const char *bounds_missing;  /* why they were asked for but are not there; NULL otherwise */
  double bounds_seconds;       /* what they took */
  double radius;               /* R of the ball that the inputs are in, around 0; 0: the input alone */
  const report_ball *ball;     /* NULL: none was asked for */
  const char *ball_missing;    /* why it was asked for but is not there; NULL otherwise */
  const estimate_check *check; /* NULL: no estimate is checked */
  const report_worst *worst;   /* NULL: the input was given, not searched for */
} report;

report_writer report_write; /* of a report */

/* What it says, into an object that is open. */
void report_put(fact_writer *f, const report *r);

#endif
