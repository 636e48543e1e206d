/* Byte-pair encoding (Sennrich et al. 2016), as Hugging Face tokenizers computes it: the characters of a piece are its
 * first tokens, and of all adjacent pairs that merge the one of smallest rank does, the leftmost of several, until none
 * does.
 *
 * A character that is no token becomes those of its bytes "<0x..>" where byte_fallback has them all, or the unknown
 * one (one for several in a row with fuse_unk), or nothing where there is none. With ignore_merges, a piece that is a
 * token is that one. */
#ifndef ATTCERT_BPE_H
#define ATTCERT_BPE_H

#include "model/tokenizer/model/token_model.h"

/* GPT-2's byte-level one from files, which works on the symbols of bytes. vocabulary_path: a vocab.json, or NULL for
 * the vocabulary that the merges imply in GPT-2's order. merges_sha256: of the merges' file. */
attcert_status bpe_open(token_model **m, char merges_sha256[SHA256_HEX_SIZE], const char *vocabulary_path,
                        const char *merges_path, attcert_error *err);

#endif
