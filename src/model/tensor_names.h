/* Every tensor of a model's files: read by this library, or known not to change the layers and what reaches them (the
 * family's list says why, and what it must hold), or refused by name: it may change the function, and a certificate
 * would be one of another model. */
#ifndef ATTCERT_MODEL_TENSOR_NAMES_H
#define ATTCERT_MODEL_TENSOR_NAMES_H

#include "model/model_parts.h"

/* Whether every tensor is known, and what is not read holds what leaves the function as it is. ATTCERT_INPUT names the
 * first other one and counts the rest. The source is connected. */
attcert_status tensor_names_check(const model *m, attcert_error *err);

/* Of a tensor that passes the check: NULL where it is read, else why it has no effect. */
const char *tensor_names_why(const model *m, const char *name);

#endif
