/* The merges of a byte-pair encoding: which two tokens become one, and in which order of priority
 * (Sennrich et al. 2016). In a merges file an optional line "#version..." precedes a line "LEFT RIGHT" a
 * merge, the first merged first. */
#ifndef ATTCERT_MODEL_TOKENIZER_BPE_MERGE_H
#define ATTCERT_MODEL_TOKENIZER_BPE_MERGE_H

#include "attcert.h"
#include "model/tokenizer/vocabulary.h"

typedef struct {
  int left, right; /* ids */
  int rank;        /* smaller: merged first */
  int merged;      /* id of the concatenation */
} bpe_merge;

typedef struct {
  bpe_merge *merge; /* sorted by (left, right) */
  size_t count, capacity;
  char sha256[SHA256_HEX_SIZE]; /* of the file */
} bpe_merges;

/* Reads a merges file, whose tokens and concatenations must be in v. */
attcert_status bpe_merges_read(bpe_merges *m, const vocabulary *v, const char *path, attcert_error *err);
void bpe_merges_clear(bpe_merges *m);

/* NULL when the two do not merge. */
const bpe_merge *bpe_merges_find(const bpe_merges *m, int left, int right);

/* The vocabulary that a merges file implies, in GPT-2's order: the 256 byte symbols, one
 * token a merge, <|endoftext|>. */
attcert_status bpe_vocabulary_from_merges(vocabulary *v, const char *path, attcert_error *err);

#endif
