#include "run/run_words.h"

#include "base/arrays.h"
#include "run/run_word.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* One entry of the list. */
typedef struct {
  char *text; /* without its quotes; in a buffer that is as long as the list */
  bool quoted;
} words_entry;

/* Copies what is in the quotes that *text begins with, and moves behind them; false: they do not end. */
static bool take_quoted(words_entry *entry, const char **text) {
  char *to = entry->text;
  const char *from = *text + 1;
  for (; *from != '\0'; from++) {
    if (*from == '"' && from[1] != '"') break;
    if (*from == '"') from++;
    *to++ = *from;
  }
  *to = '\0';
  *text = from + 1;
  return *from == '"';
}

/* The entry at *text, which moves behind it and a comma that another one follows; false: there is none. */
static bool next_entry(words_entry *entry, const char **text) {
  entry->quoted = **text == '"';
  if (entry->quoted) {
    if (!take_quoted(entry, text)) return false;
  } else {
    const size_t length = strcspn(*text, ",");
    memcpy(entry->text, *text, length);
    entry->text[length] = '\0';
    *text += length;
  }
  if (entry->text[0] == '\0' || (**text != '\0' && (**text != ',' || (*text)[1] == '\0'))) return false;
  if (**text == ',') ++*text;
  return true;
}

/* A number: digits alone, without quotes. */
static bool is_number(const words_entry *entry) {
  return !entry->quoted && entry->text[strspn(entry->text, "0123456789")] == '\0';
}

static attcert_status find_entry(int *first, int *last, const words_entry *entry, int tokens, const token_list *list,
                                 attcert_error *err) {
  if (!is_number(entry)) return run_word_find(first, last, list, entry->text, err);
  errno = 0;
  const long index = strtol(entry->text, NULL, 10);
  if (errno != 0 || index >= tokens)
    return attcert_fail(err, ATTCERT_INPUT, "--words: %s is outside of the sequence, expected 0 to %d", entry->text,
                        tokens - 1);
  *first = *last = (int)index;
  return ATTCERT_OK;
}

static attcert_status mark(bool *moves, words_entry *entry, const char *words, int tokens, const token_list *list,
                           attcert_error *err) {
  const char *text = words;
  do {
    int first, last;
    if (!next_entry(entry, &text))
      return attcert_fail(err, ATTCERT_INPUT, "--words: expected all or I,WORD,.., got '%s'", words);
    const attcert_status status = find_entry(&first, &last, entry, tokens, list, err);
    if (status != ATTCERT_OK) return status;
    for (int i = first; i <= last; i++) {
      if (moves[i]) return attcert_fail(err, ATTCERT_INPUT, "--words: %d is there twice, expected different tokens", i);
      moves[i] = true;
    }
  } while (*text != '\0');
  return ATTCERT_OK;
}

attcert_status run_words_read(bool **moves, const char *text, int tokens, const token_list *list, attcert_error *err) {
  words_entry entry = {0};
  *moves = NULL;
  if (strcmp(text, "all") == 0) return ATTCERT_OK;
  *moves = array_new((size_t)tokens, sizeof **moves, err, "a mark for each of %d tokens", tokens);
  entry.text = *moves != NULL ? array_new(strlen(text) + 1, 1, err, "a list of words") : NULL;
  const attcert_status status = entry.text != NULL ? mark(*moves, &entry, text, tokens, list, err) : ATTCERT_RESOURCE;
  free(entry.text);
  return status;
}
