/* Which symbols a row of a form depends on: the ids of their segments, increasing, and the first column of each. */
#ifndef ATTCERT_ROBUST_FORM_LAYOUT_H
#define ATTCERT_ROBUST_FORM_LAYOUT_H

#include "robust/form/symbols.h"

typedef struct {
  int count;
  int *id;    /* [count] */
  int *start; /* [count + 1], the last one is the number of columns */
} form_layout;

static inline int form_layout_columns(const form_layout *layout) {
  return layout->count > 0 ? layout->start[layout->count] : 0;
}

/* Columns of the perturbation: the first ones. */
int form_layout_input_columns(const form_layout *layout, const form_symbols *symbols);

/* The layout of these segments. Errors: ATTCERT_RESOURCE, as below. */
attcert_status form_layout_set(form_layout *layout, const int *id, int count, const form_symbols *symbols,
                               attcert_error *err);

/* All segments of `count` layouts, and behind them those from `first` on. */
attcert_status form_layout_unite(form_layout *layout, const form_layout *const *in, int count, int first,
                                 const form_symbols *symbols, attcert_error *err);

/* Segments first .. last - 1 of a layout. */
typedef struct {
  int first, last;
} form_layout_run;

/* Those that are not the perturbation's and older than segment `before`; none where they have no more symbols than
 * `entries`. */
form_layout_run form_layout_older(const form_layout *layout, int before, int entries, const form_symbols *symbols);

/* The layout without the run, segment `fresh` at its end instead. */
attcert_status form_layout_merge(form_layout *merged, const form_layout *layout, form_layout_run run, int fresh,
                                 const form_symbols *symbols, attcert_error *err);

void form_layout_clear(form_layout *layout);

/* out (rows x columns of `to`) += in (rows x columns of `from`), column by column of the same symbol; every segment of
 * `from` is one of `to`. */
void form_layout_add(double *out, const form_layout *to, const double *in, const form_layout *from, int rows,
                     double factor);

#endif
