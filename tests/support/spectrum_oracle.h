/* Eigenvalues of a head's W = Q^T K in Arb, and whether certified discs hold them. Nothing of the library is used but
 * the types: W's nonzero eigenvalues come from Arb's QR iteration on K Q^T (k <= d) or W, which is exact in Arb, with
 * more bits than any disc resolves. */
#ifndef ATTCERT_TESTS_SUPPORT_SPECTRUM_ORACLE_H
#define ATTCERT_TESTS_SUPPORT_SPECTRUM_ORACLE_H

#include "attcert.h"
#include "spectrum/eigenvalue/eigenvalues.h"

#include <acb_mat.h>
#include <stdbool.h>

/* W of head h, d x d, exact; gain NULL: ones. */
void spectrum_oracle_matrix(arb_mat_t w, const attcert_layer *layer, int h, const double *gain);

/* values[0 .. d - 1]: approximate eigenvalues of W, in any order. False where the iteration fails. */
bool spectrum_oracle_eigenvalues(acb_ptr values, const attcert_layer *layer, int h, const double *gain, slong bits);

/* Whether each disc holds as many of the d values as its multiplicity says, the discs are disjoint, and the
 * multiplicities add up to d. slack: how far the values may be off; prints what is wrong. */
bool spectrum_oracle_agrees(const spectrum_eigenvalues *e, acb_srcptr values, int d, const arf_t slack);

/* a must contain the number x may be: prints `name` where it certainly does not. */
bool spectrum_oracle_contains(const char *name, const interval *a, const arb_t x);

#endif
