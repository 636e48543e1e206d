/* What must hold of the readers on any bytes at all: they refuse in one line, or what they accept is in bounds and
 * finite. */
#ifndef ATTCERT_TESTS_SUPPORT_FORMAT_PROPERTY_H
#define ATTCERT_TESTS_SUPPORT_FORMAT_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>

/* NULL when the property holds, else what was violated. *accepted: whether the reader took the bytes. */
const char *safetensors_property(bool *accepted, const unsigned char *bytes, size_t size);
const char *npy_property(bool *accepted, const unsigned char *bytes, size_t size);
const char *npy_integers_property(bool *accepted, const unsigned char *bytes, size_t size);
const char *npy_array_property(bool *accepted, const unsigned char *bytes, size_t size);

#endif
