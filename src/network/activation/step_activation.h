/* An activation function or tanh, entry by entry. */
#ifndef ATTCERT_NETWORK_ACTIVATION_STEP_ACTIVATION_H
#define ATTCERT_NETWORK_ACTIVATION_STEP_ACTIVATION_H

#include "network/network.h"

extern const step_kind step_activation; /* of: the range_curve */

int step_activation_add(network_builder *b, int value, const range_curve *curve);

/* `forms` and what the plan of them asks, in a file of their own. */
int step_activation_fresh(const step *s, const step_row *row, int k);
uint64_t step_activation_scratch(const step *s, int in_cols, const step_row *row, int columns);
attcert_status step_activation_forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                                     attcert_error *err);

/* `execution`, in a file of its own. */
attcert_status step_activation_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                         const step_format *format, attcert_error *err);

/* `lower`, in a file of its own. */
attcert_status step_activation_lower(step_lower *l, const step *s, attcert_error *err);

#endif
