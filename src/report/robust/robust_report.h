/* What is known of a network's answer around an input, as text for people or JSON for programs. Both say the same;
 * radii are rounded so that the claim holds: certified ones down, refuted ones up. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_REPORT_H
#define ATTCERT_REPORT_ROBUST_ROBUST_REPORT_H

#include "report/subject.h"
#include "robust/network.h"
#include "robust/verdict.h"

#include <stdio.h>

typedef struct {
  const report_subject *subject;
  const model_head *head;
  int label; /* that was asked about; -1: none */
  const robust_network *network;
  const robust_ball *ball;       /* the words that move */
  const robust_verdict *verdict; /* of `gradient`: its center alone */
  double radius;                 /* asked about; 0: searched for */
  double seconds;
  const char *incomplete; /* why the run ended early, with what was found until then; NULL: it did not */
} robust_report;

void robust_report_text(FILE *out, const robust_report *r);
void robust_report_json(FILE *out, const robust_report *r);

/* The margin and gradient alone, for `attcert gradient`. */
void robust_report_gradient_text(FILE *out, const robust_report *r);
void robust_report_gradient_json(FILE *out, const robust_report *r);

/* ---- shared by both ---------------------------------------------------------------------------------------------- */

/* One row for each step that lost something: its name and share of all that was lost, in [0, 1]. */
typedef struct {
  const char *operation;
  int layer; /* -1: none */
  double share;
} robust_share;

/* At most `most` rows, the first of them what is lost to first order ("gradient"); returns how many. */
int robust_report_shares(robust_share *share, int most, const robust_report *r);

/* How far the margin at X is from the exact one in any execution of the ball's format, rounded upward; infinite: not
 * bounded. */
double robust_report_execution_error(const robust_report *r);

/* What executions in a format may do, and what they may not: sentences, NULL at the end. */
extern const char *const robust_report_covered[], *const robust_report_excluded[];

/* Whose answer the report is about. */
const char *robust_report_claim_function(const robust_report *r);

#define ROBUST_CLAIM_NUMBERS "the weights and inputs are exactly the stored floating-point numbers;"
#define ROBUST_CLAIM_FUNCTION "the answer is that of the network in exact arithmetic"
#define ROBUST_CLAIM_EXECUTION \
  "the answer is that of every execution of the network in the format, of the kinds covered"
#define ROBUST_CLAIM_BALL "it is the same for every input whose rows differ in the words named, by at most the radius"

#endif
