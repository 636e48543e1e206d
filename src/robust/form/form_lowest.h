/* Where a linear functional of the symbols is the lowest, about. */
#ifndef ATTCERT_ROBUST_FORM_FORM_LOWEST_H
#define ATTCERT_ROBUST_FORM_FORM_LOWEST_H

#include "robust/form/layout.h"

/* eta [columns of the layout] := symbols within their bounds, or nearly, for which w . eta is about its lowest. */
void form_lowest(double *eta, const double *w, const form_layout *layout, const form_symbols *symbols);

#endif
