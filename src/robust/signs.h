/* A multi-label classifier answers with the sign s_k of each score z_k. Its last affine map is made one with the scores
 *
 *   0, -s_k z_k for each label k that is looked at,
 *
 * so that the margin of class 0, min over k of s_k z_k, is positive just where each of these signs is s_k. Signs are
 * changed exactly, and rounding to nearest does not see them: executions have the same margin, too. */
#ifndef ATTCERT_ROBUST_SIGNS_H
#define ATTCERT_ROBUST_SIGNS_H

#include "robust/network.h"

/* The signs at x, of all labels (label -1) or of one; a sign that cannot be told there is either. Where
 * network->each_sign is false, nothing happens. *winner: the class whose margin counts: 0; else `label`. Errors:
 * ATTCERT_RESOURCE. */
attcert_status robust_signs_settle(int *winner, robust_network *network, const attcert_matrix *x, int label,
                                   attcert_error *err);

/* The label that class c stands for; -1: none, it is class 0 of all signs. */
int robust_signs_label(const robust_network *network, int c);

#endif
