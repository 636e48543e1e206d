/* Files that gzip made (RFC 1952), as VNN-COMP stores its questions. */
#ifndef ATTCERT_VNNLIB_VNNLIB_UNPACK_H
#define ATTCERT_VNNLIB_VNNLIB_UNPACK_H

#include "attcert.h"

bool vnnlib_is_packed(const unsigned char *bytes, size_t size);

/* *text := what was packed, allocated, its length and checksum compared. Errors: ATTCERT_INPUT (bytes that are no gzip
 * file, or more than 2^31 - 1 of text), ATTCERT_RESOURCE. */
attcert_status vnnlib_unpack(char **text, size_t *length, const unsigned char *bytes, size_t size, attcert_error *err);

#endif
