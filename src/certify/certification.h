/* One certification under way: what is being certified, the layer at the current precision, and the best bounds so far. */
#ifndef ATTCERT_CERTIFICATION_H
#define ATTCERT_CERTIFICATION_H

#include "certify/enclosure/layer_enclosure.h"
#include "certify/engine/deflated.h"
#include "certify/plan.h"
#include "linalg/panel_file.h"

typedef struct {
  attcert_certificate *certificate;
  const attcert_layer *layer;
  const attcert_matrix *x;
  const attcert_options *options;
  attcert_error *err;
  plan plan;
  int threads;
  panel_file scratch; /* open when the options name a folder */
  layer_enclosure e;
  factored_jacobian m;
  deflated_basis d; /* begun where the direction was taken from it */
} certification;

void certification_report(const certification *r, const char *stage);

/* The status that every process of the group goes on with: a failure of one is the failure of all. Collective. */
attcert_status certification_allreduce_status(const certification *r, attcert_status status);

/* Collective. Evaluates the layer in intervals and in scaled doubles, at the least precision from `precision` up where the doubles, not
 * the bits, limit sharpness; forgets an earlier evaluation. */
attcert_status certification_evaluate(certification *r, int precision);
void certification_release(certification *r);

/* Bits may be doubled for this engine, and that may help: the bound known is not an enclosure of 0 at a precision where it is final. */
bool certification_may_refine(const certification *r, int precision_cap, attcert_engine engine);

/* Takes u (n x d) as the certifying direction when its image is longer than what is known. *sharp: the interval is narrow. */
attcert_status certification_improve_lower(certification *r, const double *u, bool *sharp);

/* Takes upper when it is less than what is known, and updates the relative width. */
void certification_improve_upper(const certification *r, mpfr_srcptr upper, attcert_engine engine);

#endif
