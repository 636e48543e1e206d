/* Text to token ids: WordPiece (BERT uncased), byte-level BPE (GPT-2), one character a token, or one byte a token. */
#ifndef ATTCERT_MODEL_TOKENIZER_TOKENIZER_H
#define ATTCERT_MODEL_TOKENIZER_TOKENIZER_H

#include "attcert.h"

typedef struct tokenizer tokenizer; /* opaque */

/* The files that may be read from a folder. */
#define TOKENIZER_WORDPIECE_NAME "vocab.txt"
#define TOKENIZER_VOCABULARY_NAME "vocab.json"
#define TOKENIZER_MERGES_NAME "merges.txt"

/* The tokenizer of a folder: vocab.txt: WordPiece; vocab.json with merges.txt: byte-level BPE; vocab.json alone:
 * characters. Of a file: *.txt: WordPiece; *.bpe: byte-level BPE, the merges of GPT-2's vocab.bpe, with the vocabulary
 * they imply; *.json: characters. path = NULL: bytes 0..255. */
attcert_status tokenizer_open(tokenizer **t, const char *path, attcert_error *err);
void tokenizer_close(tokenizer *t);
const char *tokenizer_kind(const tokenizer *t);

/* The files it was read from, and their SHA-256. */
int tokenizer_file_count(const tokenizer *t);
const char *tokenizer_file_path(const tokenizer *t, int i);
const char *tokenizer_file_sha256(const tokenizer *t, int i);

/* Every token is in 0 .. tokenizer_vocabulary(t) - 1. */
int tokenizer_vocabulary(const tokenizer *t);

/* Tokenizes UTF-8 text (length bytes); *tokens is allocated (NULL for no tokens), *count its length. No special tokens
 * are added, and none are recognised in the text. ATTCERT_INPUT names the first byte that is not UTF-8, or the first
 * character that a character vocabulary lacks. */
attcert_status tokenizer_encode(const tokenizer *t, int **tokens, int *count, const char *text, size_t length,
                                attcert_error *err);

/* Tokens offset .. offset + n - 1 of the text file; ATTCERT_INPUT when the text is shorter. Only as much as needed is
 * tokenized; characters that a character vocabulary lacks count as tokens where they are not asked for. sha256:
 * NULL, or SHA256_HEX_SIZE characters for the text's digest. */
attcert_status tokenizer_read(const tokenizer *t, int *tokens, int n, int offset, char *sha256, const char *text_path,
                              attcert_error *err);

#endif
