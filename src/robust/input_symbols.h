/* The symbols that the input of a network brings into a run: those of the perturbation, a segment for each word. */
#ifndef ATTCERT_ROBUST_INPUT_SYMBOLS_H
#define ATTCERT_ROBUST_INPUT_SYMBOLS_H

#include "ball/region/ball_region.h"
#include "robust/form/layout.h"

/* layout := the symbols of a word of the input (rows x cols), where it moves by a radius above 0; else it stays empty.
 * Where the radius bounds all words together, theirs share one ball, the Euclidean hull (form_segment.input). Where it
 * bounds each, a word's symbols are bounded like those of any operation: by the hull of that word, and every entry by
 * the radius, as |e_k| <= ||e|| in all norms of ball_norm.h. Errors: ATTCERT_RESOURCE. */
attcert_status robust_input_symbols(form_layout *layout, form_symbols *symbols, const ball_region *region, int word,
                                    int rows, int cols, attcert_error *err);

#endif
