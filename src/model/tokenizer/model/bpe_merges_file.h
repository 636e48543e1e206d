/* A file of merges (merges.txt, GPT-2's vocab.bpe): a line "#version..", then a line "LEFT RIGHT" a merge, the first
 * merged first, each ended. Readers disagree on a first line that is a merge, and on a last one that does not end: both
 * are refused. */
#ifndef ATTCERT_MODEL_TOKENIZER_MODEL_BPE_MERGES_FILE_H
#define ATTCERT_MODEL_TOKENIZER_MODEL_BPE_MERGES_FILE_H

#include "model/tokenizer/model/bpe_merge.h"

/* Reads the merges, whose tokens and concatenations must be in v. */
attcert_status bpe_merges_read(bpe_merges *m, char sha256[SHA256_HEX_SIZE], const vocabulary *v, const char *path,
                               attcert_error *err);

/* The vocabulary that the merges imply, in GPT-2's order: the 256 byte symbols, one token a merge, <|endoftext|>. */
attcert_status bpe_vocabulary_from_merges(vocabulary *v, const char *path, attcert_error *err);

#endif
