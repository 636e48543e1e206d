/* What is asked of a direction of someone else's. */
#ifndef ATTCERT_CERTIFY_DIRECTION_CHECK_H
#define ATTCERT_CERTIFY_DIRECTION_CHECK_H

#include "attcert.h"

/* Of the input's shape, finite and not zero. Errors: ATTCERT_INPUT. */
attcert_status direction_check(const attcert_matrix *u, const attcert_matrix *x, attcert_error *err);

#endif
