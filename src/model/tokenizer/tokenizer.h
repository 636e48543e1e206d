/* Text to token ids, as Hugging Face tokenizers computes them from a tokenizer.json, or transformers from the older
 * files: WordPiece, BPE, Unigram, WordLevel; one character a token, or one byte a token. */
#ifndef ATTCERT_MODEL_TOKENIZER_TOKENIZER_H
#define ATTCERT_MODEL_TOKENIZER_TOKENIZER_H

#include "attcert.h"

typedef struct tokenizer tokenizer; /* opaque */

/* The files that may be read from a folder, ended by NULL. */
extern const char *const tokenizer_names[];

/* The tokenizer of a folder: tokenizer.json; else vocab.txt: WordPiece; vocab.json with merges.txt: byte-level BPE;
 * vocab.json alone: characters; with tokenizer_config.json, special_tokens_map.json and added_tokens.json. Of a file:
 * tokenizer.json; *.txt: WordPiece; *.bpe: byte-level BPE, the merges of GPT-2's vocab.bpe, with the vocabulary they
 * imply; another *.json: characters. path = NULL: bytes 0..255. ATTCERT_INPUT names what may change tokens and is not
 * computed. */
attcert_status tokenizer_open(tokenizer **t, const char *path, attcert_error *err);
void tokenizer_close(tokenizer *t);
const char *tokenizer_kind(const tokenizer *t);

/* The files it was read from, and their SHA-256. */
int tokenizer_file_count(const tokenizer *t);
const char *tokenizer_file_path(const tokenizer *t, int i);
const char *tokenizer_file_sha256(const tokenizer *t, int i);

/* The text of token id as the vocabulary writes it, UTF-8 ("##ing", "Ġthe", "<0x0A>"; a byte of the byte tokenizer is
 * printable, "a" or "<0x0A>"), as long as t is open. NULL when the id is not in the vocabulary. */
const char *tokenizer_piece(const tokenizer *t, int id);

/* Whether special tokens are added to a text, [CLS] and [SEP] for instance, where they are asked for. */
bool tokenizer_adds_special(const tokenizer *t);

/* What of a text is read. */
typedef struct {
  int offset;   /* the text's first token that is read */
  int n;        /* tokens of the sequence, special ones included, as transformers' max_length; 0: all of the text */
  bool special; /* add the special tokens: [CLS] text [SEP], <s> text </s>, </s> text, .. as the files say */
} tokenizer_span;

/* Reads a sequence of tokens of a text file, which is UTF-8: *ids is allocated, *count >= 1 its length. sha256: NULL,
 * or SHA256_HEX_SIZE characters for the text's digest. Only as much as needed is tokenized. ATTCERT_INPUT when the text
 * has fewer tokens than asked for (the message says how many), when it is not UTF-8, or when a character that is asked
 * for is not in a character vocabulary; *ids is then NULL. */
attcert_status tokenizer_sequence(int **ids, int *count, char *sha256, const tokenizer *t, const tokenizer_span *span,
                                  const char *text_path, attcert_error *err);

/* The same of a text in memory, which messages call `name`. */
attcert_status tokenizer_text(int **ids, int *count, const tokenizer *t, const tokenizer_span *span, const char *text,
                              const char *name, attcert_error *err);

/* The one token of a word within a text, `before` it what the text has there: "" or " ". Errors: ATTCERT_INPUT (the
 * word has several tokens, or one that stands for unknown words), ATTCERT_RESOURCE. */
attcert_status tokenizer_word(int *id, const tokenizer *t, const char *before, const char *word, attcert_error *err);

#endif
