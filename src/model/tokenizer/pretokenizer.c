/* See pretokenizer.h. */
#include "model/tokenizer/pretokenizer.h"

#include "base/arrays.h"

/* \s as Unicode's White_Space, spelt out: PCRE2's own \s adds U+180E, which lost the property in Unicode 6.3. */
#define SPACE "\\p{Z}\\x09-\\x0D\\x{85}"

static const char pattern[] = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^" SPACE "\\p{L}\\p{N}]+|"
                              "[" SPACE "]+(?![^" SPACE "])|[" SPACE "]+";

attcert_status pretokenizer_init(pretokenizer *p, attcert_error *err) {
  int code;
  PCRE2_SIZE offset;
  p->code = pcre2_compile((PCRE2_SPTR)pattern, sizeof pattern - 1, PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &code,
                          &offset, NULL);
  if (p->code != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE,
                      "PCRE2 error %d in the pattern of byte-level BPE, expected a PCRE2 with Unicode", code);
}

void pretokenizer_clear(pretokenizer *p) {
  pcre2_code_free(p->code);
  p->code = NULL;
}

attcert_status piece_iterator_init(piece_iterator *pieces, const pretokenizer *p, const text_view *text,
                                   attcert_error *err) {
  *pieces = (piece_iterator){.pattern = p, .text = text};
  pieces->match = pcre2_match_data_create(1, NULL);
  if (pieces->match == NULL)
    return array_out_of_memory(err, 0, "a match in %s, a text of %zu bytes", text->name, text->length);
  return ATTCERT_OK;
}

void piece_iterator_clear(piece_iterator *pieces) {
  pcre2_match_data_free(pieces->match);
}

attcert_status piece_iterator_next(bool *found, size_t *start, piece_iterator *pieces, attcert_error *err) {
  *start = pieces->at;
  *found = pieces->at < pieces->text->length;
  if (!*found) return ATTCERT_OK;
  /* Without NO_UTF_CHECK every match would check the whole text again. */
  const int matched = pcre2_match(pieces->pattern->code, (PCRE2_SPTR)pieces->text->data, pieces->text->length,
                                  pieces->at, PCRE2_NO_UTF_CHECK, pieces->match, NULL);
  if (matched < 0)
    return attcert_fail(err, ATTCERT_RESOURCE, "%s: PCRE2 error %d on the piece at byte %zu", pieces->text->name,
                        matched, *start);
  pieces->at = pcre2_get_ovector_pointer(pieces->match)[1];
  return ATTCERT_OK;
}
