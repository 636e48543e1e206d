/* See wordpiece.h. */
#include "model/tokenizer/wordpiece.h"

#include "base/arrays.h"
#include "model/tokenizer/bert_character.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum { word_limit = 100, prefix = 2, utf8_most = 4 };

/* The word being read, in UTF-8, with room before it for the "##" of its pieces. */
typedef struct {
  char bytes[prefix + word_limit * utf8_most];
  size_t length;  /* bytes */
  int characters; /* may exceed word_limit; only the first word_limit are kept */
} word;

attcert_status wordpiece_open(wordpiece *w, const char *path, attcert_error *err) {
  const attcert_status status = vocabulary_read_lines(&w->vocabulary, path, err);
  if (status != ATTCERT_OK) return status;
  w->unknown = vocabulary_find(&w->vocabulary, "[UNK]", 5);
  if (w->unknown >= 0) return ATTCERT_OK;
  vocabulary_clear(&w->vocabulary);
  return attcert_fail(err, ATTCERT_INPUT, "%s: no line \"[UNK]\", expected a WordPiece vocabulary", path);
}

void wordpiece_close(wordpiece *w) {
  vocabulary_clear(&w->vocabulary);
}

static void word_append(word *current, utf8proc_int32_t codepoint) {
  if (current->characters < word_limit)
    current->length +=
        (size_t)utf8proc_encode_char(codepoint, (utf8proc_uint8_t *)current->bytes + prefix + current->length);
  current->characters++;
}

/* Steps back over one UTF-8 character. */
static size_t previous_character(const char *bytes, size_t at) {
  do at--;
  while (((unsigned char)bytes[at] & 0xC0) == 0x80);
  return at;
}

/* The longest piece that begins at `start`: its id and end, or -1. The two bytes before a continuing piece belong to
 * pieces already found, so "##" may be written over them. */
static int longest_piece(const vocabulary *v, word *current, size_t start, size_t *end) {
  char *const letters = current->bytes + prefix;
  const size_t marks = start > 0 ? prefix : 0;
  if (start > 0) memset(letters + start - prefix, '#', prefix);
  for (*end = current->length; *end > start; *end = previous_character(letters, *end)) {
    const int id = vocabulary_find(v, letters + start - marks, *end - start + marks);
    if (id >= 0) return id;
  }
  return -1;
}

/* Cuts the word into pieces: their number, or -1 when the vocabulary does not cover it. */
static int cut_word(int pieces[word_limit], const vocabulary *v, word *current) {
  int count = 0;
  if (current->characters > word_limit) return -1;
  for (size_t start = 0, end; start < current->length; start = end) {
    const int id = longest_piece(v, current, start, &end);
    if (id < 0) return -1;
    pieces[count++] = id;
  }
  return count;
}

/* Ends the current word, if there is one. */
static attcert_status emit_word(const wordpiece *w, token_window *out, word *current, attcert_error *err) {
  if (current->characters == 0) return ATTCERT_OK;
  int pieces[word_limit];
  int count = cut_word(pieces, &w->vocabulary, current);
  if (count < 0) {
    pieces[0] = w->unknown;
    count = 1;
  }
  current->length = 0;
  current->characters = 0;
  attcert_status status = ATTCERT_OK;
  for (int i = 0; status == ATTCERT_OK && i < count; i++) status = token_window_push(out, pieces[i], err);
  return status;
}

static attcert_status read_character(const wordpiece *w, token_window *out, word *current, utf8proc_int32_t codepoint,
                                     attcert_error *err) {
  const bert_character class = bert_character_classify(codepoint);
  if (class == BERT_DROP) return ATTCERT_OK;
  attcert_status status = ATTCERT_OK;
  if (class != BERT_PART) status = emit_word(w, out, current, err);
  if (class == BERT_SPACE || status != ATTCERT_OK) return status;
  word_append(current, utf8proc_tolower(codepoint));
  return class == BERT_ALONE ? emit_word(w, out, current, err) : ATTCERT_OK;
}

/* Allocates the text's canonical decomposition. */
static attcert_status decompose(utf8proc_int32_t **codepoints, size_t *count, const text_view *text,
                                attcert_error *err) {
  const utf8proc_uint8_t *const bytes = (const utf8proc_uint8_t *)text->data;
  const utf8proc_ssize_t size = (utf8proc_ssize_t)text->length;
  const utf8proc_ssize_t needed = utf8proc_decompose(bytes, size, NULL, 0, UTF8PROC_DECOMPOSE);
  if (needed < 0) return attcert_fail(err, ATTCERT_INPUT, "%s: %s", text->name, utf8proc_errmsg(needed));
  *codepoints = array_new((size_t)needed + 1, sizeof **codepoints, err, "the decomposition of %s (%zu bytes)",
                          text->name, text->length);
  if (*codepoints == NULL) return ATTCERT_RESOURCE;
  *count = (size_t)utf8proc_decompose(bytes, size, *codepoints, needed, UTF8PROC_DECOMPOSE);
  return ATTCERT_OK;
}

attcert_status wordpiece_encode(const wordpiece *w, token_window *out, const text_view *text, attcert_error *err) {
  utf8proc_int32_t *codepoints = NULL;
  size_t count = 0;
  attcert_status status = decompose(&codepoints, &count, text, err);
  if (status != ATTCERT_OK) return status;
  word current = {.length = 0};
  for (size_t i = 0; status == ATTCERT_OK && i < count && !token_window_full(out); i++)
    status = read_character(w, out, &current, codepoints[i], err);
  if (status == ATTCERT_OK) status = emit_word(w, out, &current, err);
  free(codepoints);
  return status;
}
