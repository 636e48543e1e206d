/* Whether the processes of a group certify the same thing. */
#ifndef ATTCERT_CERTIFY_SHARED_PROBLEM_H
#define ATTCERT_CERTIFY_SHARED_PROBLEM_H

#include "attcert.h"

/* Compares shapes, options, weights and input with those of process 0, bit by bit: a certificate put together from
 * parts of different layers would be one of none. ATTCERT_INPUT, with what differs, for every process when one differs.
 * Collective. */
attcert_status shared_problem_check(const attcert_layer *layer, const attcert_matrix *x, const attcert_options *options,
                                    attcert_error *err);

#endif
