/* SHA-256 of a file (FIPS 180-4, through nettle): names the exact inputs of a certificate. */
#ifndef ATTCERT_MODEL_FORMAT_SHA256_H
#define ATTCERT_MODEL_FORMAT_SHA256_H

#include "attcert.h"

#define SHA256_HEX_SIZE 65

/* 64 lower-case hexadecimal digits and a NUL, of all the bytes of an open file; path is for messages. ATTCERT_INPUT
 * when they cannot be read. */
attcert_status sha256_descriptor(char hex[SHA256_HEX_SIZE], int descriptor, const char *path, attcert_error *err);

/* The same of bytes in memory. */
void sha256_bytes(char hex[SHA256_HEX_SIZE], const void *bytes, size_t size);

#endif
