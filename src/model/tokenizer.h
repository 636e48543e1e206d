/* Text to token ids: WordPiece (BERT uncased), byte-level BPE (GPT-2), one character a token, or one byte a token. */
#ifndef ATTCERT_TOKENIZER_H
#define ATTCERT_TOKENIZER_H

#include "attcert.h"

typedef struct tokenizer tokenizer; /* opaque */

/* The tokenizer of a model folder or file: vocab.txt (or a .txt file): WordPiece; vocab.json with merges.txt (or *.bpe):
 * byte-level BPE; vocab.json alone: characters. path = NULL: bytes 0..255. */
attcert_status tokenizer_open(tokenizer **t, const char *path, attcert_error *err);
void tokenizer_close(tokenizer *t);
const char *tokenizer_kind(const tokenizer *t);
int tokenizer_vocabulary(const tokenizer *t);

/* Tokenizes UTF-8 text (length bytes); *tokens is allocated, *count its length. No special tokens are added. */
attcert_status tokenizer_encode(const tokenizer *t, int **tokens, int *count, const char *text, size_t length,
                                attcert_error *err);

/* Tokens offset .. offset + n - 1 of the text file; ATTCERT_INPUT when the text is shorter. */
attcert_status tokenizer_read(const tokenizer *t, int *tokens, int n, int offset, const char *text_path,
                              attcert_error *err);

#endif
