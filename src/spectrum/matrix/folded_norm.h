/* ||W||_2 of a head whose LayerNorm's gain may be folded in. */
#ifndef ATTCERT_SPECTRUM_MATRIX_FOLDED_NORM_H
#define ATTCERT_SPECTRUM_MATRIX_FOLDED_NORM_H

#include "attcert.h"
#include "interval/interval.h"

/* norm contains ||diag(gain) Q^T K diag(gain)||_2 of head h; gain NULL: ones. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_folded_norm(interval *norm, const attcert_layer *layer, int h, const double *gain,
                                    attcert_error *err);

#endif
