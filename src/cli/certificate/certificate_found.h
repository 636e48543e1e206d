/* What searches have found, in a certificate: "found": {"narrowed", "differences": [{"class", ..}]}, where lists of
 * numbers are base64 (RFC 4648) of their little-endian bytes: IEEE 754 doubles, or unsigned integers of 16 bits. */
#ifndef ATTCERT_CLI_CERTIFICATE_CERTIFICATE_FOUND_H
#define ATTCERT_CLI_CERTIFICATE_CERTIFICATE_FOUND_H

#include "model/format/json_file.h"
#include "report/json_writer.h"
#include "robust/found.h"

/* Errors: ATTCERT_RESOURCE. */
attcert_status certificate_found_write(json_writer *w, const robust_found *found, attcert_error *err);

/* Nothing, where the file has none; robust_found_clear is due in every case. Errors: ATTCERT_INPUT,
 * ATTCERT_RESOURCE. */
attcert_status certificate_found_read(robust_found *found, const json_file *file, attcert_error *err);

#endif
