/* What a file is that was given for another one: people hand over what a download left. */
#ifndef ATTCERT_MODEL_FORMAT_FILE_KIND_H
#define ATTCERT_MODEL_FORMAT_FILE_KIND_H

#include "attcert.h"

/* In words, as "a Git LFS pointer (git lfs pull fetches the file)", by how the bytes begin; NULL: nothing known. */
const char *file_kind(const unsigned char *bytes, size_t size);

/* Replaces the message of a reader that failed with ATTCERT_INPUT by what the file is, where that is known. Returns
 * status. expected: of a message, as "a safetensors file". */
attcert_status file_kind_explain(attcert_status status, const unsigned char *bytes, size_t size, const char *path,
                                 const char *expected, attcert_error *err);

#endif
