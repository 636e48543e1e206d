/* GPT-2's pre-tokenisation (Radford et al. 2019; openai/gpt-2, encoder.py): the text is cut
 * into the successive matches of
 *
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 *
 * (a word carries the space before it), and byte pairs are merged within a piece only. Every
 * character is in some piece. */
#ifndef ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_H
#define ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_H

#include "attcert.h"
#include "model/tokenizer/text_file.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The pattern; shared by any number of texts and threads. */
typedef struct {
  pcre2_code *code;
} pretokenizer;

attcert_status pretokenizer_init(pretokenizer *p, attcert_error *err);
void pretokenizer_clear(pretokenizer *p);

/* An iterator over the pieces of one text, which is valid UTF-8. */
typedef struct {
  const pretokenizer *pattern;
  pcre2_match_data *match;
  const text_view *text;
  size_t at;
} piece_iterator;

attcert_status piece_iterator_init(piece_iterator *pieces, const pretokenizer *p, const text_view *text,
                                   attcert_error *err);
void piece_iterator_clear(piece_iterator *pieces);

/* The next piece is text[start .. pieces->at): *found is false at the end of the text. */
attcert_status piece_iterator_next(bool *found, size_t *start, piece_iterator *pieces, attcert_error *err);

#endif
