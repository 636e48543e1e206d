/* The lower end of a certificate: a direction proposed in double, and a certified bound of how far the Jacobian
 * stretches it. */
#ifndef ATTCERT_CERTIFY_CERTIFY_LOWER_H
#define ATTCERT_CERTIFY_CERTIFY_LOWER_H

#include "certify/engine/certify_run.h"

/* Whether a run with this engine tries double arithmetic first: where an engine that stays in it was chosen for a width
 * that was asked, or does so for its own. Not in a group, whose processes might decide differently. */
bool certify_lower_tries_double(attcert_engine engine, const attcert_options *options);

/* Evaluates the layer, proposes a direction and takes its lower bound: in double where that does for what was asked,
 * otherwise as below. Leaves the proposal in the run. Collective. Errors: ATTCERT_RESOURCE. */
attcert_status certify_lower(certify_run *r);

/* The same in intervals, with more bits while the direction's interval is not narrow. */
attcert_status certify_lower_in_intervals(certify_run *r);

#endif
