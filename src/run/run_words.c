#include "run/run_words.h"

#include "base/arrays.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The index at *text, which moves behind it and a comma; -1: there is none, or something else follows it. */
static long next_word(const char **text) {
  char *end;
  if (!isdigit((unsigned char)**text)) return -1; /* strtol would take a space or a sign */
  const long index = strtol(*text, &end, 10);
  if (*end != '\0' && (*end != ',' || end[1] == '\0')) return -1;
  *text = *end == ',' ? end + 1 : end;
  return index;
}

static attcert_status mark(bool *moves, const char *words, int tokens, attcert_error *err) {
  const char *text = words;
  do {
    const long index = next_word(&text);
    if (index < 0) return attcert_fail(err, ATTCERT_INPUT, "--words: expected all or I,J,.., got '%s'", words);
    if (index >= tokens)
      return attcert_fail(err, ATTCERT_INPUT, "--words: %ld is outside of the sequence, expected 0 to %d", index,
                          tokens - 1);
    if (moves[index])
      return attcert_fail(err, ATTCERT_INPUT, "--words: %ld is there twice, expected different tokens", index);
    moves[index] = true;
  } while (*text != '\0');
  return ATTCERT_OK;
}

attcert_status run_words_read(bool **moves, const char *text, int tokens, attcert_error *err) {
  *moves = NULL;
  if (strcmp(text, "all") == 0) return ATTCERT_OK;
  *moves = array_new((size_t)tokens, sizeof **moves, err, "a mark for each of %d tokens", tokens);
  return *moves != NULL ? mark(*moves, text, tokens, err) : ATTCERT_RESOURCE;
}
