/* What the library needs of a certificate beyond the public API. */
#ifndef ATTCERT_CERTIFICATE_H
#define ATTCERT_CERTIFICATE_H

#include "attcert.h"

/* Resets what an earlier run certified: [0, +inf] again, no direction. */
void certificate_reset(attcert_certificate *certificate);

#endif
