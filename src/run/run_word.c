#include "run/run_word.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char continued[] = "##"; /* WordPiece's mark: no space before */
static const char *const spaces[] = {"\xc4\xa0" /* U+0120 */, "\xe2\x96\x81" /* U+2581 */}; /* a space before */

/* The text behind the mark, which it begins with; else NULL. */
static const char *behind(const char *text, const char *mark) {
  const size_t length = strlen(mark);
  return strncmp(text, mark, length) == 0 ? text + length : NULL;
}

/* The text without the mark of a space before it; NULL: it has none. */
static const char *behind_space(const char *text) {
  for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
    if (behind(text, spaces[i]) != NULL) return behind(text, spaces[i]);
  }
  return NULL;
}

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* What token i adds to the word of the one before it; NULL: it begins a word, or its text is not known. */
static const char *continuation(const token_list *list, int i) {
  const char *const text = list->token[i].text;
  if (text == NULL || text[0] == '\0') return NULL;
  if (list->wordpiece) return behind(text, continued);
  return behind_space(text) == NULL ? text : NULL;
}

/* Whether a word may end before token i. WordPiece says where words begin; elsewhere letters go together. */
static bool is_boundary(const token_list *list, int i) {
  if (i == 0 || i == list->count) return true;
  const char *const before = list->token[i - 1].text, *const text = continuation(list, i);
  if (text == NULL || before == NULL || before[0] == '\0') return true;
  return !list->wordpiece && !(is_letter(before[strlen(before) - 1]) && is_letter(text[0]));
}

static bool is_token(const char *text, const char *word) {
  const char *const bare = text != NULL ? behind_space(text) : NULL;
  return text != NULL && (strcmp(text, word) == 0 || (bare != NULL && strcmp(bare, word) == 0));
}

/* Takes the text off the front of *rest. */
static bool take(const char **rest, const char *text) {
  const char *const left = behind(*rest, text);
  if (left != NULL) *rest = left;
  return left != NULL;
}

/* The last of the tokens from `first` on whose texts together are the word; -1: they are not. */
static int last_of(const token_list *list, int first, const char *word) {
  const char *text = list->token[first].text, *rest = word;
  if (is_token(text, word)) return first;
  if (text == NULL || text[0] == '\0' || !is_boundary(list, first)) return -1;
  if (behind_space(text) != NULL) text = behind_space(text);
  if (text[0] == '\0' || !take(&rest, text)) return -1; /* a space alone begins no word */
  for (int i = first + 1; i < list->count; i++) {
    const char *const more = continuation(list, i);
    if (more == NULL || !take(&rest, more)) return -1;
    if (*rest == '\0') return is_boundary(list, i + 1) ? i : -1;
  }
  return -1;
}

static bool has_texts(const token_list *list) {
  for (int i = 0; i < list->count; i++) {
    if (list->token[i].text != NULL) return true;
  }
  return false;
}

enum { PLACES_SIZE = 96 };

/* The token of every occurrence, ", ..." after the first few. */
static attcert_status refuse_several(const token_list *list, const char *word, attcert_error *err) {
  char places[PLACES_SIZE] = "";
  size_t used = 0;
  for (int i = 0; i < list->count; i++) {
    if (last_of(list, i, word) < 0) continue;
    if (used > PLACES_SIZE - 24) {
      snprintf(places + used, sizeof places - used, ", ...");
      break;
    }
    used += (size_t)snprintf(places + used, sizeof places - used, "%s%d", used > 0 ? ", " : "", i);
  }
  return attcert_fail(err, ATTCERT_INPUT, "--words: '%s' occurs more than once, at %s: expected one of these numbers",
                      word, places);
}

attcert_status run_word_find(int *first, int *last, const token_list *list, const char *word, attcert_error *err) {
  int count = 0;
  if (!has_texts(list))
    return attcert_fail(err, ATTCERT_INPUT,
                        "--words: '%s' is a word, but the texts of the tokens are not known: expected numbers from 0",
                        word);
  for (int i = 0; i < list->count; i++) {
    const int end = last_of(list, i, word);
    if (end < 0) continue;
    if (count++ == 0) *first = i, *last = end;
  }
  if (count > 1) return refuse_several(list, word, err);
  return count == 1 ? ATTCERT_OK
                    : attcert_fail(err, ATTCERT_INPUT,
                                   "--words: '%s' is none of the tokens 0 to %d, expected one as the report shows it",
                                   word, list->count - 1);
}

bool run_word_is_whole(const token_list *list, int i) {
  return is_boundary(list, i) && is_boundary(list, i + 1);
}

/* U+0120 alone: the other mark is put before every text anyway. */
const char *run_word_space(const token_list *list, int i) {
  const char *const text = list->token[i].text;
  return text != NULL && behind(text, spaces[0]) != NULL ? " " : "";
}
