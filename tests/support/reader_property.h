/* What must hold of every reader on any bytes at all: it accepts them, or refuses them with ATTCERT_INPUT in one line
 * and leaves nothing allocated (the sanitizers look). What is accepted is used once. */
#ifndef ATTCERT_TESTS_SUPPORT_READER_PROPERTY_H
#define ATTCERT_TESTS_SUPPORT_READER_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>

/* NULL when the property holds, else what was violated. *accepted: whether the reader took the bytes. */
typedef const char *(*reader_property)(bool *accepted, const unsigned char *bytes, size_t size);

typedef struct {
  const char *name; /* also of the folder of its stored inputs, tests/fuzz/corpus/NAME */
  reader_property property;
} fuzzed_reader;

/* Ends with a name of NULL. */
extern const fuzzed_reader fuzzed_readers[];

/* The one of that name; NULL when there is none. */
const fuzzed_reader *fuzzed_reader_find(const char *name);

#endif
