/* BERT's uncased tokenizer (Devlin et al. 2019; google-research/bert, tokenization.py).
 *
 *   words:  canonical decomposition (NFD), characters dropped, spaced or set alone as bert_character.h says, lower
 *           case;
 *   pieces: greedy, the longest vocabulary entry first; pieces that continue a word are spelt "##...".
 *
 * A word without such a cover, or of more than 100 characters, is [UNK]. Special tokens spelt
 * in the text are plain text. */
#ifndef ATTCERT_MODEL_TOKENIZER_WORDPIECE_H
#define ATTCERT_MODEL_TOKENIZER_WORDPIECE_H

#include "attcert.h"
#include "model/tokenizer/text_file.h"
#include "model/tokenizer/token_window.h"
#include "model/tokenizer/vocabulary.h"

typedef struct {
  vocabulary vocabulary;
  int unknown; /* id of [UNK] */
} wordpiece;

/* A vocab.txt: one token a line. ATTCERT_INPUT when it lacks [UNK]. */
attcert_status wordpiece_open(wordpiece *w, const char *path, attcert_error *err);
void wordpiece_close(wordpiece *w);

/* The text is valid UTF-8. */
attcert_status wordpiece_encode(const wordpiece *w, token_window *out, const text_view *text, attcert_error *err);

#endif
