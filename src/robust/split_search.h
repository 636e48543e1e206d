/* Branch and bound over the sides of the corners of a split_model: where a row's bound is not positive, an open entry
 * is taken to lie above 0, then below, and each half is bounded by itself; the bound is the lowest of all parts. */
#ifndef ATTCERT_ROBUST_SPLIT_SEARCH_H
#define ATTCERT_ROBUST_SPLIT_SEARCH_H

#include "robust/split_tree.h"

/* Narrows the ranges of entries within the model, in their order. Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status split_search_narrow(split_model *model, const robust_watch *watch, attcert_error *err);

/* *bound := a double below the row, as large as `parts` bounds bring it, or positive; then `tree` (started here,
 * split_tree_clear is due in every case) says by which parts. Errors: as above. */
attcert_status split_search(double *bound, split_tree *tree, const split_model *model, const split_row *row, int parts,
                            const robust_watch *watch, attcert_error *err);

/* The same by a tree that was found before, of a model narrowed likewise. Errors: ATTCERT_RESOURCE. */
attcert_status split_search_again(double *bound, const split_model *model, const split_row *row,
                                  const robust_found_difference *found, attcert_error *err);

#endif
