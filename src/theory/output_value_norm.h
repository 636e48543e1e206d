/* The norm of the value map of a layer with one head. */
#ifndef ATTCERT_THEORY_OUTPUT_VALUE_NORM_H
#define ATTCERT_THEORY_OUTPUT_VALUE_NORM_H

#include "attcert.h"
#include "interval/interval.h"

/* ||V||, or ||W_O V|| where there is an output projection. Errors: ATTCERT_RESOURCE. */
attcert_status output_value_norm(interval *norm, const attcert_layer *layer, attcert_error *err);

#endif
