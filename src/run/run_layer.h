/* One layer at one input: its certificate, and what goes with it: the theory's bounds, a ball, and how they are told.
 * The command line's jobs and the library's results are made of it. */
#ifndef ATTCERT_RUN_RUN_LAYER_H
#define ATTCERT_RUN_RUN_LAYER_H

#include "ball/ball.h"
#include "model/cross_attention.h"
#include "network/network.h"
#include "report/report.h"
#include "theory/layer_norms.h"

typedef struct {
  const attcert_layer *layer; /* both borrowed; set before the first use */
  const attcert_matrix *x;
  const network_steps *steps; /* what is certified in place of the layer; NULL: the layer is */
  attcert_options options;
  attcert_certificate certificate;
  attcert_error incomplete; /* status ATTCERT_RESOURCE: the run stopped early, with a valid bound */
  layer_norms norms;        /* of the layer, whatever the input; no head: not known yet */
  theory_table bounds;
  bool has_bounds;
  attcert_error bounds_missing; /* why there are no bounds, when memory did not reach for them */
  double bounds_seconds;
  double radius;              /* of the ball around 0 that they were asked for, or that holds the tokens */
  ball_region region;         /* the ball around the input, when there is to be one */
  ball_enclosure ball;        /* what holds in it */
  bool has_ball;              /* ball is set */
  attcert_error ball_missing; /* why not, when memory did not reach for it */
} run_layer;

/* Nothing certified yet, the default options. */
void run_layer_init(run_layer *run);
void run_layer_clear(run_layer *run);

/* Nothing certified yet, of the same layer at another input: the norms of its weights stay. */
void run_layer_again(run_layer *run);

/* Certifies. ATTCERT_OK also when the run ended early with a valid bound: see `incomplete`. */
attcert_status run_layer_certify(run_layer *run, attcert_error *err);

/* The same by the pointwise bound, which needs the least memory, whatever engine is asked for. */
attcert_status run_layer_certify_pointwise(run_layer *run, attcert_error *err);

/* run_layer_certify; where memory does not reach for the engine asked for, the pointwise bound with the reason in
 * incomplete. */
attcert_status run_layer_certify_or_pointwise(run_layer *run, attcert_error *err);

/* ATTCERT_INPUT unless the ball of that radius around 0 holds every token: otherwise bounds on it would say nothing
 * about the input. */
attcert_status run_layer_check_radius(const run_layer *run, double radius, attcert_error *err);

/* T1 - T10 on the ball of that radius; 0: on the smallest ball found. */
attcert_status run_layer_add_bounds(run_layer *run, double radius, attcert_error *err);

/* Encloses the largest local constant in the region, from the certificate. When memory does not reach for it the
 * certificate stands without, ball_missing says so, and so does the verdict. */
attcert_status run_layer_add_ball(run_layer *run, attcert_error *err);

/* ||J u|| / ||u|| of a direction, into the check; the enclosure; and the check's estimate against it, with that
 * slack, or with that of the check's dtype where it has one. The direction (u->rows = 0: none) comes first: if it is
 * unusable, no enclosure is computed. */
attcert_status run_layer_check(run_layer *run, estimate_check *check, const attcert_matrix *u, double slack,
                               attcert_error *err);

/* The report, from `command`; the caller adds what else there is. It points into the run, the subject and ball_part. */
report run_layer_report(const run_layer *run, const char *command, const report_subject *subject,
                        report_ball *ball_part);

/* The exit status of a run whose report is written: incomplete, tolerance not met, or ATTCERT_OK. */
attcert_status run_layer_verdict(const run_layer *run, attcert_error *err);

/* Sides and mask of the layer, and the number of tokens (0: no input yet), into the subject. */
void run_layer_describe(report_subject *subject, const attcert_layer *layer, int tokens);

/* The same of attention to a context, and that. context_tokens, 0: not known yet. */
void run_layer_describe_cross(report_subject *subject, const cross_attention *cross, cross_by by, int tokens,
                              int context_tokens);

#endif
