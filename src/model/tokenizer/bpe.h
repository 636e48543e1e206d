/* GPT-2's byte-level byte-pair encoding (Radford et al. 2019): the text is cut into pieces (pretokenizer.h), the UTF-8
 * bytes of a piece are its first tokens, and the adjacent pair merged first by the merges file is merged everywhere in
 * the piece, until no pair merges. Special tokens spelt in the text are plain text. */
#ifndef ATTCERT_BPE_H
#define ATTCERT_BPE_H

#include "attcert.h"
#include "model/tokenizer/bpe_merge.h"
#include "model/tokenizer/pretokenizer.h"
#include "model/tokenizer/text_file.h"
#include "model/tokenizer/token_window.h"

typedef struct {
  int byte_token[256]; /* id of each byte's symbol */
  vocabulary vocabulary;
  bpe_merges merges;
  pretokenizer pattern;
} bpe;

/* vocabulary_path: a vocab.json, or NULL for the vocabulary that the merges imply in GPT-2's order. */
attcert_status bpe_open(bpe *b, const char *vocabulary_path, const char *merges_path, attcert_error *err);
void bpe_close(bpe *b);

/* The text is valid UTF-8. */
attcert_status bpe_encode(const bpe *b, token_window *out, const text_view *text, attcert_error *err);

#endif
