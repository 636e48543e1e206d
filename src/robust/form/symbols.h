/* The symbols of a run: what a form depends on beside its center. They come in segments; a segment's vector eta obeys
 * |eta_k| <= bound[k], ||eta||_2 <= radius or sum_k |eta_k| <= sum, or several of these. The segments of the input
 * together make up the perturbation: they share one Euclidean ball, of the first one's radius. */
#ifndef ATTCERT_ROBUST_FORM_SYMBOLS_H
#define ATTCERT_ROBUST_FORM_SYMBOLS_H

#include "attcert.h"

typedef struct {
  int width;
  double radius; /* INFINITY: no bound of the norm */
  double *bound; /* [width], finite; NULL: no bound of the entries */
  double sum;    /* 0: no bound of the sum */
  bool input;
  int origin; /* the operation that made them; -1 for the input */
} form_segment;

typedef struct {
  form_segment *segment;
  int count, capacity;
} form_symbols;

/* Takes a copy of bound (may be NULL); *id is the new segment's. Input segments come first. Errors: ATTCERT_RESOURCE.
 */
attcert_status form_symbols_add(int *id, form_symbols *symbols, const form_segment *segment, attcert_error *err);

void form_symbols_clear(form_symbols *symbols);

#endif
