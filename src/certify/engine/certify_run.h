/* One run of the certifier: what it certifies and may use, the layer at the current precision, and the best bounds so
 * far. Every engine takes a run and improves its certificate. */
#ifndef ATTCERT_CERTIFY_ENGINE_CERTIFY_RUN_H
#define ATTCERT_CERTIFY_ENGINE_CERTIFY_RUN_H

#include "certify/enclosure/layer_enclosure.h"
#include "certify/engine/deflated_basis.h"
#include "certify/engine/engine_layer.h"
#include "linalg/panel/panel_file.h"

/* Bits at which an enclosure of 0 is final: a non-zero norm would be below 2^-4000 of the terms that cancel. */
enum { CERTIFY_ZERO_PRECISION = 4096 };

/* What a run may use. */
typedef struct {
  uint64_t memory;         /* bytes; in a group, where they are fewest */
  int layer_precision_cap; /* bits of the layer in intervals beyond which more are not worth it (engine_layer.h) */
  int deflated_vectors;    /* of a deflation's basis; 0: what memory allows */
} certify_limits;

typedef struct {
  attcert_certificate *certificate;
  const attcert_layer *layer;
  const attcert_matrix *x;
  const attcert_options *options;
  attcert_error *err;
  attcert_engine engine;               /* the one planned, not AUTO */
  engine_bytes_function *engine_bytes; /* of it: the layer takes more bits while it still fits in memory */
  certify_limits limits;
  int threads;
  panel_file scratch; /* open when the options name a folder */
  layer_enclosure e;
  factored_jacobian m;
  deflated_basis d; /* begun where the direction was taken from it */
  double *u;        /* n x d: the direction proposed last, uncertified */
  double sigma;     /* likewise an estimate of ||J~||, in units of the factored Jacobian */
} certify_run;

/* ATTCERT_CANCELLED when the callback asks to end the run. */
attcert_status certify_run_report(const certify_run *r, const char *stage);

/* Appends what was done otherwise than planned to the certificate's plan. */
void certify_run_note(const certify_run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The status that every process of the group goes on with: a failure of one is the failure of all. Collective. */
attcert_status certify_run_allreduce_status(const certify_run *r, attcert_status status);

/* Collective. Evaluates the layer in intervals and in scaled doubles, at the least precision from `precision` up where
 * the doubles, not the bits, limit sharpness; releases an earlier evaluation. */
attcert_status certify_run_evaluate(certify_run *r, int precision);
void certify_run_release(certify_run *r);

/* Bits may be doubled for an engine that takes these bytes, and that may help: the bound known is not an enclosure of
 * 0 at a precision where it is final. */
bool certify_run_may_refine(const certify_run *r, int precision_cap, engine_bytes_function *engine_bytes);

/* Takes u (n x d) as the certifying direction when its image is longer than what is known; one that is zero or not
 * finite is passed over. *sharp: the interval is narrow. */
attcert_status certify_run_improve_lower(const certify_run *r, const double *u, bool *sharp);

/* The same, also when the callback asks to end the run. */
attcert_status certify_run_raise_lower(const certify_run *r, const double *u, bool *sharp);

/* The certificate's estimate := sigma, in the layer's own units. */
void certify_run_keep_estimate(const certify_run *r);

/* Takes upper when it is less than what is known, and updates the relative width; an estimate that it refutes gives way
 * to the lower end. */
void certify_run_improve_upper(const certify_run *r, mpfr_srcptr upper, attcert_engine engine);

/* The same with an upper end that is wrong with probability at most 2^failure_log2 over the run's random bits. */
void certify_run_improve_likely_upper(const certify_run *r, mpfr_srcptr upper, attcert_engine engine,
                                      double failure_log2);

#endif
