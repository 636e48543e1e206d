/* Amounts of memory in messages: "100.3 MiB (105166848 bytes)". */
#ifndef ATTCERT_BASE_BYTE_TEXT_H
#define ATTCERT_BASE_BYTE_TEXT_H

#include <stdint.h>

enum { BYTE_TEXT_SIZE = 64 };

/* Below 1 MiB: the bytes alone. */
const char *byte_text(char text[BYTE_TEXT_SIZE], uint64_t bytes);

#endif
