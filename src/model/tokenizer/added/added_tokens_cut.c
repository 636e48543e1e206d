/* See added_tokens.h: finding them in a text. */
#include "base/growing_array.h"
#include "model/tokenizer/added/added_tokens.h"
#include "model/tokenizer/text/character.h"
#include "model/tokenizer/text/word_character.h"

#include <stdlib.h>

static attcert_status add_section(section_list *l, size_t start, size_t end, const added_token *token,
                                  attcert_error *err) {
  const attcert_status room =
      growing_array_room(&l->section, &l->capacity, l->count, sizeof *l->section, err, "a list of parts of a text");
  if (room != ATTCERT_OK) return room;
  l->section[l->count++] = (text_section){start, end, token};
  return ATTCERT_OK;
}

void section_list_clear(section_list *l) {
  free(l->section);
  *l = (section_list){0};
}

/* The longest token that begins at `start`; *end is where it ends. */
static const added_token *longest_at(size_t *end, const added_tokens *a, const vocabulary *v, const char *text,
                                     size_t length, size_t start) {
  const added_token *longest = NULL;
  vocabulary_prefix p = vocabulary_all(v);
  for (size_t at = start; at < length && vocabulary_descend(&p, v, text[at]); at++) {
    const int i = vocabulary_at(v, &p);
    if (i < 0) continue;
    longest = &a->token[i];
    *end = at + 1;
  }
  return longest;
}

/* The start of the character that ends before `at` > 0. */
static size_t character_before(const char *text, size_t at) {
  do at--;
  while (((unsigned char)text[at] & 0xC0) == 0x80);
  return at;
}

static bool is_in_a_word(const char *text, size_t length, size_t start, size_t end) {
  size_t bytes;
  return (start > 0 && character_is_word(character_at(&bytes, text + character_before(text, start)))) ||
         (end < length && character_is_word(character_at(&bytes, text + end)));
}

static size_t skip_space_back(const char *text, size_t start, size_t least) {
  size_t bytes;
  while (start > least && character_is_space(character_at(&bytes, text + character_before(text, start))))
    start = character_before(text, start);
  return start;
}

static size_t skip_space(const char *text, size_t length, size_t end) {
  size_t bytes;
  while (end < length && character_is_space(character_at(&bytes, text + end))) end += bytes;
  return end;
}

/* The token with what lies between the last section and it. */
static attcert_status add_token(section_list *l, const added_token *token, const char *text, size_t length,
                                size_t start, size_t end, attcert_error *err) {
  const size_t covered = l->count > 0 ? l->section[l->count - 1].end : 0;
  if (token->lstrip) start = skip_space_back(text, start, covered);
  if (token->rstrip) end = skip_space(text, length, end);
  const attcert_status status = covered < start ? add_section(l, covered, start, NULL, err) : ATTCERT_OK;
  return status == ATTCERT_OK ? add_section(l, start, end, token, err) : status;
}

attcert_status added_tokens_cut(section_list *l, const added_tokens *a, bool normal, const char *text, size_t length,
                                attcert_error *err) {
  const vocabulary *const v = normal ? &a->normal : &a->as_is;
  attcert_status status = ATTCERT_OK;
  for (size_t at = 0, end; status == ATTCERT_OK && at < length && v->count > 0; at = end) {
    end = at + 1;
    const added_token *const token = longest_at(&end, a, v, text, length, at);
    if (token == NULL || (token->single_word && is_in_a_word(text, length, at, end))) continue;
    status = add_token(l, token, text, length, at, end, err);
  }
  const size_t covered = l->count > 0 ? l->section[l->count - 1].end : 0;
  return status == ATTCERT_OK && covered < length ? add_section(l, covered, length, NULL, err) : status;
}
