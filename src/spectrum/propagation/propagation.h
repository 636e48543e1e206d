/* The signal propagation probability of a head W = Q^T K on random-walk tokens, spec/theorems/propagation.md: with
 * t = i / T, 1 <= i <= T,
 *   mu = (t - 1/2) tr W / sqrt(d),
 *   v  = ( (t^2 - t + 1/3) ||W||_F^2 + (t - 1/2)^2 tr W^2 ) / d      in general,
 *   v  = (2 t^2 - 2 t + 7/12) tr W^2 / d                             where W is symmetric,
 *   rho_i = ( erf((1 - mu) / sqrt(2 v)) + erf(mu / sqrt(2 v)) ) / 2.
 * The formula is enclosed; that it describes attention rests on the assumptions that spec/theorems/propagation.md
 * names. */
#ifndef ATTCERT_SPECTRUM_PROPAGATION_PROPAGATION_H
#define ATTCERT_SPECTRUM_PROPAGATION_PROPAGATION_H

#include "spectrum/matrix/traces.h"

typedef struct {
  interval rho;       /* in general */
  interval symmetric; /* from tr W and tr W^2 alone */
  bool has_symmetric; /* tr W^2 > 0: it is, for symmetric W other than 0 */
} spectrum_propagation;

void spectrum_propagation_init(spectrum_propagation *p);
void spectrum_propagation_clear(spectrum_propagation *p);

/* Token i of T, 1 <= i <= T, of a head with these traces. */
void spectrum_propagation_enclose(spectrum_propagation *p, const spectrum_traces *traces, int dim, int i, int length);

#endif
