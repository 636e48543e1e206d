/* The symbols that the input of a network brings into a run: those of the perturbation. */
#ifndef ATTCERT_ROBUST_INPUT_SYMBOLS_H
#define ATTCERT_ROBUST_INPUT_SYMBOLS_H

#include "ball/region/ball_region.h"
#include "robust/form/layout.h"

/* layout := the symbols of a word of the input (rows x cols), where it moves by a radius above 0, and *first the column
 * of its first entry; else it stays empty. Words come one after the other.
 *
 * A Euclidean norm of all words together: a segment a word, which share one ball (form_segment.input). A sum over all
 * words: one segment for all of them. Where the radius bounds each word, its symbols are bounded like those of any
 * operation: by the Euclidean hull of that word, in a norm that is a sum by that, and every entry by the radius, as
 * |e_k| <= ||e|| in all norms of ball_norm.h. In a box every entry is bounded by the
 * box's reach. In a hull the symbols are the shares of its vertices. Errors: ATTCERT_RESOURCE. */
attcert_status robust_input_symbols(form_layout *layout, int *first, form_symbols *symbols, const ball_region *region,
                                    int word, int rows, int cols, attcert_error *err);

#endif
