/* The merges of a byte-pair encoding: which two tokens become one, and in which order of priority (Sennrich et al.
 * 2016). */
#ifndef ATTCERT_BPE_MERGE_H
#define ATTCERT_BPE_MERGE_H

#include "model/tokenizer/vocabulary/vocabulary.h"

typedef struct {
  int left, right; /* ids */
  int rank;        /* smaller: merged first */
  int merged;      /* id of the concatenation */
} bpe_merge;

typedef struct {
  bpe_merge *merge; /* sorted by (left, right) once built */
  size_t count, capacity;
} bpe_merges;

/* A token's spelling, not NUL-terminated. */
typedef struct {
  const char *text;
  size_t length;
} bpe_spelling;

/* Cuts "left right" at its only blank. */
bool bpe_merge_cut(bpe_spelling *left, bpe_spelling *right, const char *line, size_t length);

/* Adds the next merge, whose tokens and concatenation must be in v; the first `prefix` bytes of right are not in the
 * concatenation. path: for messages. */
attcert_status bpe_merges_add(bpe_merges *m, const vocabulary *v, bpe_spelling left, bpe_spelling right, size_t prefix,
                              const char *path, attcert_error *err);

/* Sorts them, and refuses a pair that comes twice. */
attcert_status bpe_merges_finish(bpe_merges *m, const char *path, attcert_error *err);
void bpe_merges_clear(bpe_merges *m);

/* NULL when the two do not merge. */
const bpe_merge *bpe_merges_find(const bpe_merges *m, int left, int right);

#endif
