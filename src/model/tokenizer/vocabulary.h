/* A vocabulary: the map from a token's UTF-8 spelling to its id. Spellings are distinct and not empty, ids are distinct
 * and >= 0; they need not be consecutive (real vocabularies leave ids unused). */
#ifndef ATTCERT_VOCABULARY_H
#define ATTCERT_VOCABULARY_H

#include "attcert.h"
#include "model/format/sha256.h"

typedef struct {
  char *token; /* NUL-terminated */
  int id;
} vocabulary_entry;

typedef struct {
  vocabulary_entry *entry; /* sorted by token once built */
  size_t count, capacity;
  char sha256[SHA256_HEX_SIZE]; /* of the file it was read from */
} vocabulary;

/* One token a line, the id being the line's number from 0. */
attcert_status vocabulary_read_lines(vocabulary *v, const char *path, attcert_error *err);

/* A JSON object {"token": id, ...}. */
attcert_status vocabulary_read_json(vocabulary *v, const char *path, attcert_error *err);

/* Building by hand: start from {0}, add, then finish (which sorts, and refuses a token or an id that comes twice).
 * `path` is named in errors. */
attcert_status vocabulary_add(vocabulary *v, const char *token, size_t length, int id, const char *path,
                              attcert_error *err);
attcert_status vocabulary_finish(vocabulary *v, const char *path, attcert_error *err);
void vocabulary_clear(vocabulary *v);

/* The token's id, -1 when there is none. */
int vocabulary_find(const vocabulary *v, const char *token, size_t length);

/* The spelling of a token, NULL when there is none with this id. */
const char *vocabulary_token(const vocabulary *v, int id);

/* Largest id + 1. */
int vocabulary_size(const vocabulary *v);

#endif
