/* What the library needs of a certificate beyond the public API. */
#ifndef ATTCERT_CERTIFY_CERTIFICATE_H
#define ATTCERT_CERTIFY_CERTIFICATE_H

#include "attcert.h"

/* Resets what an earlier run certified: [0, +inf] again, no direction. */
void certificate_reset(attcert_certificate *certificate);

/* Whether its ends are in order; the upper one may be +inf. */
bool certificate_is_enclosure(const attcert_certificate *certificate);

/* Takes back ends that are none, which only a fault of the machine or of a library explains. Returns ATTCERT_FAULT. */
attcert_status certificate_refuse(attcert_certificate *certificate, attcert_error *err);

#endif
