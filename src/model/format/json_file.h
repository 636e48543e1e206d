/* JSON texts (RFC 8259, through jansson), read strictly: UTF-8 only, duplicate keys and trailing bytes refused. Every
 * error names the file, and the key where there is one, and says what was expected. */
#ifndef ATTCERT_MODEL_FORMAT_JSON_FILE_H
#define ATTCERT_MODEL_FORMAT_JSON_FILE_H

#include "attcert.h"
#include "model/format/sha256.h"

#include <jansson.h>

/* An object read from a file. */
typedef struct {
  char *path;   /* for messages */
  json_t *root; /* a JSON object; its keys keep the file's order */
  char sha256[SHA256_HEX_SIZE];
} json_file;

/* Parses length bytes of text (of bounded size and depth) into any JSON object; the caller owns *object
 * (json_decref). label names the text in messages. */
attcert_status json_file_parse_object(json_t **object, const char *text, size_t length, const char *label,
                                      attcert_error *err);

attcert_status json_file_open(json_file *file, const char *path, attcert_error *err);

/* The same for a kind of file that is larger than 16 MiB or 524,288 values: at most 300 bytes of memory a value. */
attcert_status json_file_open_within(json_file *file, const char *path, size_t max_size, size_t max_values,
                                     attcert_error *err);
void json_file_close(json_file *file);

/* Whether the object has the key with a value other than null. */
bool json_file_has(const json_file *file, const char *key);

/* The first key of the object that is not among those, of which NULL is the last; NULL: all are. */
const char *json_file_unknown_key(const json_t *object, const char *const *known);

/* The value of a required key: ATTCERT_INPUT when it is missing, of another type, or outside [minimum, maximum]. */
attcert_status json_file_int(int *value, const json_file *file, const char *key, int minimum, int maximum,
                             attcert_error *err);
attcert_status json_file_bool(bool *value, const json_file *file, const char *key, attcert_error *err);

/* A key with a default: absent or null, it leaves *value alone. */
attcert_status json_file_optional_int(int *value, const json_file *file, const char *key, int minimum, int maximum,
                                      attcert_error *err);
attcert_status json_file_optional_bool(bool *value, const json_file *file, const char *key, attcert_error *err);
attcert_status json_file_optional_positive(double *value, const json_file *file, const char *key, attcert_error *err);

/* A finite number, integers included. */
attcert_status json_file_real(double *value, const json_file *file, const char *key, attcert_error *err);

/* *value lives as long as the file is open. */
attcert_status json_file_string(const char **value, const json_file *file, const char *key, attcert_error *err);

#endif
