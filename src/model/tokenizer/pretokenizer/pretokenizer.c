/* See pretokenizer.h: the table of pre-tokenizers. */
#include "model/tokenizer/pretokenizer/pretokenizer.h"

#include "model/tokenizer/pretokenizer/pretokenizer_kind.h"

#include <string.h>

/* Where a piece of a piece begins in the text is not followed, which Metaspace would have to know. */
static attcert_status check_behind(const component *c, attcert_error *err) {
  const char *scheme = "always";
  const attcert_status status = component_string(&scheme, c, "prepend_scheme", err);
  if (status != ATTCERT_OK || strcmp(scheme, "first") != 0) return status;
  return component_wrong(c, "prepend_scheme", "\"always\" or \"never\" behind another pre-tokenizer", err);
}

attcert_status pretokenizer_open(pretokenizer **p, const component *c, attcert_error *err) {
  static const component_kind *const kinds[] = {&pretokenizer_bert.common,
                                                &pretokenizer_byte_level.common,
                                                &pretokenizer_char_delimiter.common,
                                                &pretokenizer_digits.common,
                                                &pretokenizer_metaspace.common,
                                                &pretokenizer_punctuation.common,
                                                &pretokenizer_split_by_pattern.common,
                                                &pretokenizer_whitespace.common,
                                                &pretokenizer_whitespace_split.common,
                                                NULL};
  static const component_kinds known = {kinds,
                                        "BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, Metaspace, "
                                        "Punctuation, Sequence, Split, Whitespace or WhitespaceSplit",
                                        "pretokenizers", check_behind};
  return component_list_open(p, c, &known, err);
}

/* Of each piece. */
static attcert_status split_all(piece_list *out, const component_step *s, const piece_list *in, bool at_start,
                                attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < in->count; i++) {
    size_t length;
    const char *const piece = piece_list_get(&length, in, i);
    status = ((const pretokenizer_kind *)s->kind)->split(s->settings, out, piece, length, at_start && i == 0, err);
  }
  return status;
}

attcert_status pretokenizer_split(piece_list *out, const pretokenizer *p, const char *text, size_t length,
                                  bool at_start, attcert_error *err) {
  const size_t count = p != NULL ? p->count : 0;
  piece_list in = {.count = 0};
  attcert_status status = piece_list_add(count > 0 ? &in : out, text, length, err);
  for (size_t i = 0; status == ATTCERT_OK && i < count; i++) {
    piece_list next = {.count = 0};
    status = split_all(i + 1 < count ? &next : out, &p->step[i], &in, at_start && i == 0, err);
    piece_list_clear(&in);
    in = next;
  }
  piece_list_clear(&in);
  return status;
}
