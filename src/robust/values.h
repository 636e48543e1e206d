/* A network in plain double: its values, and the gradient of a difference of scores. Estimates: no bound rests on them.
 */
#ifndef ATTCERT_ROBUST_VALUES_H
#define ATTCERT_ROBUST_VALUES_H

#include "network/network.h"

/* *margin = the smallest of score_label - score_other at x (n x d), gradient (n x d, allocated; NULL: not wanted) its
 * gradient in x. *label: the class; -1: becomes the one with the largest score. Errors: ATTCERT_RESOURCE. */
attcert_status robust_values_margin(double *margin, int *label, attcert_matrix *gradient, const network_steps *network,
                                    const attcert_matrix *x, attcert_error *err);

#endif
