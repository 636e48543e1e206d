/* The operations that forms (form/form.h) pass through. Each takes measured forms and leaves its result unmeasured;
 * `origin` names the operation in the symbols it makes. Errors: ATTCERT_RESOURCE; ATTCERT_UNDECIDED where a remainder
 * has no finite bound on the ball. `out` is empty on entry; form_clear is due in every case.
 *
 * Roundings. A product of A (entries a_ck) with a matrix W by BLAS misses by at most gamma_m |W| |A|, m the inner
 * dimension (Coq: `inner_product`), whichever the symbols: entry c by gamma_m sum_a |W_ca| magnitude_a, the magnitude
 * of form_support being monotone and subadditive in the absolute values. What underflows is covered by
 * UNDERFLOW_ALLOWANCE once an entry (linalg/rounding/rounding.h). Both go into the radius. */
#ifndef ATTCERT_ROBUST_OPERATION_OPERATION_H
#define ATTCERT_ROBUST_OPERATION_OPERATION_H

#include "robust/form/form.h"
#include "robust/operation/operation_product.h"
#include "robust/range/range_line.h"

/* The same quantities, a fresh symbol an entry instead of its radius. */
attcert_status operation_absorb(form *out, const form *in, form_symbols *symbols, int origin, attcert_error *err);

/* The same quantities with fewer symbols: in a row where those older than the segment `before` are more than its
 * entries, a fresh symbol an entry stands for them. In place; measure again. */
attcert_status operation_merge(form *f, int before, form_symbols *symbols, int origin, attcert_error *err);

/* ---- shared by the operations ------------------------------------------------------------------------------------ */

/* Room for row i's symbols in `out`: those of the layouts, and behind them the segments from `first` on, which were
 * made for this row (symbols->count: none). */
attcert_status operation_row_layout(form *out, int i, const form_layout *const *in, int count, int first,
                                    const form_symbols *symbols, attcert_error *err);

/* Makes a segment of symbols with these bounds; ATTCERT_UNDECIDED when one is beyond 2^300 or NaN. norm: INFINITY where
 * there is no better bound than the entries'. */
attcert_status operation_fresh(form_symbols *symbols, const double *bound, int width, double norm, int origin,
                               attcert_error *err);

#endif
