/* Writes a layer in the generic layout that `attcert --weights` reads, F64, so that nothing is rounded. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_WEIGHTS_FILE_H
#define ATTCERT_BOUNDS_PROGRAMS_WEIGHTS_FILE_H

#include "attcert.h"

/* Biases that are NULL are left out. Errors: ATTCERT_INPUT (the path), ATTCERT_RESOURCE. */
attcert_status weights_file_write(const char *path, const attcert_layer *layer, attcert_error *err);

#endif
