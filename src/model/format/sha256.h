/* SHA-256 of a file (FIPS 180-4, through nettle): names the exact inputs of a certificate. */
#ifndef ATTCERT_SHA256_H
#define ATTCERT_SHA256_H

#include "attcert.h"

#define SHA256_HEX_SIZE 65

/* 64 lower-case hexadecimal digits and a NUL. ATTCERT_INPUT when the file cannot be read. */
attcert_status sha256_file(char hex[SHA256_HEX_SIZE], const char *path, attcert_error *err);

#endif
