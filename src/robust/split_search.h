/* Branch and bound over the sides of the corners of a split_model: where a row's bound is not positive, an open entry
 * is taken to lie above 0, then below, and each half is bounded by itself; the bound is the lowest of all parts. */
#ifndef ATTCERT_ROBUST_SPLIT_SEARCH_H
#define ATTCERT_ROBUST_SPLIT_SEARCH_H

#include "robust/split_bound.h"

/* Narrows the ranges of entries within the model, in their order. Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status split_search_narrow(split_model *model, const robust_watch *watch, attcert_error *err);

/* *bound := a double below the row, as large as `parts` bounds bring it, or positive. Errors: as above. */
attcert_status split_search(double *bound, const split_model *model, const split_row *row, int parts,
                            const robust_watch *watch, attcert_error *err);

#endif
