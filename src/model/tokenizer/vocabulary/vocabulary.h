/* A vocabulary: the map from a token's UTF-8 spelling to its id. Spellings and ids are distinct, ids are >= 0; they
 * need not be consecutive (real vocabularies leave ids unused). */
#ifndef ATTCERT_VOCABULARY_H
#define ATTCERT_VOCABULARY_H

#include "model/format/sha256.h"
#include "model/tokenizer/text/component.h"

typedef struct {
  char *token; /* NUL-terminated */
  int id;
} vocabulary_entry;

typedef struct {
  vocabulary_entry *entry; /* sorted by token once built */
  size_t count, capacity;
  vocabulary_entry *by_id;      /* the same, sorted by id */
  size_t first[257];            /* of the entries that begin with each byte */
  char sha256[SHA256_HEX_SIZE]; /* of the file it was read from */
} vocabulary;

/* One token a line, the id being the line's number from 0, as Python's readlines numbers them: \n, \r\n and \r end a
 * line. Of a token that comes twice, the later line counts. */
attcert_status vocabulary_read_lines(vocabulary *v, const char *path, attcert_error *err);

/* A JSON object {"token": id, ...}. */
attcert_status vocabulary_read_json(vocabulary *v, const char *path, attcert_error *err);
attcert_status vocabulary_from_object(vocabulary *v, const component *object, attcert_error *err);

/* Building by hand: start from {0}, add, then finish (which sorts, and refuses an id that comes twice, and a token that
 * does unless last_wins). `path` is named in errors. */
attcert_status vocabulary_add(vocabulary *v, const char *token, size_t length, int id, const char *path,
                              attcert_error *err);
attcert_status vocabulary_finish(vocabulary *v, bool last_wins, const char *path, attcert_error *err);
void vocabulary_clear(vocabulary *v);

/* The token's id, -1 when there is none. */
int vocabulary_find(const vocabulary *v, const char *token, size_t length);
int vocabulary_find_string(const vocabulary *v, const char *token);

/* The spelling of a token, NULL when there is none with this id. */
const char *vocabulary_token(const vocabulary *v, int id);

/* The entries that begin with the same bytes, `depth` of them: byte after byte finds every prefix of a text. */
typedef struct {
  size_t low, high, depth;
} vocabulary_prefix;

vocabulary_prefix vocabulary_all(const vocabulary *v);

/* One byte more; false: no entry begins so. */
bool vocabulary_descend(vocabulary_prefix *p, const vocabulary *v, char byte);

/* The id of the token that is these bytes and no more, or -1. */
int vocabulary_at(const vocabulary *v, const vocabulary_prefix *p);

#endif
