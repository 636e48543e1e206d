/* See tokenizer.h: which tokenizer a path means, and the call of it. */
#include "model/tokenizer/tokenizer.h"

#include "base/arrays.h"
#include "base/system_error.h"
#include "model/tokenizer/bpe.h"
#include "model/tokenizer/characters.h"
#include "model/tokenizer/text_file.h"
#include "model/tokenizer/wordpiece.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum { TOKENIZER_WORDPIECE, TOKENIZER_BPE, TOKENIZER_CHARACTERS, TOKENIZER_BYTES } tokenizer_family;

/* A file that it was read from. */
typedef struct {
  char path[PATH_MAX];
  const char *sha256;
} tokenizer_file;

struct tokenizer {
  tokenizer_family family;
  tokenizer_file file[2];
  int file_count;
  int before[1], after[1]; /* special tokens around a text */
  int before_count, after_count;
  char byte_name[256][8]; /* of the byte tokenizer */
  union {
    wordpiece wordpiece;
    bpe bpe;
    vocabulary characters;
  } as;
};

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool has_suffix(const char *path, const char *suffix) {
  const size_t length = strlen(path), tail = strlen(suffix);
  return length >= tail && strcmp(path + length - tail, suffix) == 0;
}

static void note_file(tokenizer *t, const char *path, const char *sha256) {
  tokenizer_file *const file = &t->file[t->file_count++];
  snprintf(file->path, sizeof file->path, "%s", path);
  file->sha256 = sha256;
}

/* BERT's, where the vocabulary has them. */
static void surround_by_special(tokenizer *t, const vocabulary *v) {
  t->before[0] = vocabulary_find(v, "[CLS]", 5);
  t->after[0] = vocabulary_find(v, "[SEP]", 5);
  t->before_count = t->after_count = t->before[0] >= 0 && t->after[0] >= 0;
}

static attcert_status open_vocabulary_file(tokenizer *t, const char *path, attcert_error *err) {
  if (has_suffix(path, ".txt")) {
    t->family = TOKENIZER_WORDPIECE;
    note_file(t, path, t->as.wordpiece.vocabulary.sha256);
    const attcert_status status = wordpiece_open(&t->as.wordpiece, path, err);
    if (status == ATTCERT_OK) surround_by_special(t, &t->as.wordpiece.vocabulary);
    return status;
  }
  if (has_suffix(path, ".bpe")) {
    t->family = TOKENIZER_BPE;
    note_file(t, path, t->as.bpe.merges.sha256);
    return bpe_open(&t->as.bpe, NULL, path, err);
  }
  if (has_suffix(path, ".json")) {
    t->family = TOKENIZER_CHARACTERS;
    note_file(t, path, t->as.characters.sha256);
    return characters_open(&t->as.characters, path, err);
  }
  return attcert_fail(
      err, ATTCERT_INPUT,
      "%s: expected a folder, a WordPiece vocabulary (.txt), BPE merges (.bpe) or a character vocabulary "
      "(.json)",
      path);
}

/* Whether folder/name exists; its path goes to `path`, of PATH_MAX bytes. */
static bool find_in(char *path, const char *folder, const char *name) {
  struct stat info;
  const int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
  return length > 0 && length < PATH_MAX && stat(path, &info) == 0;
}

static attcert_status open_vocabulary_folder(tokenizer *t, const char *folder, attcert_error *err) {
  char path[PATH_MAX], merges[PATH_MAX];
  if (find_in(path, folder, TOKENIZER_WORDPIECE_NAME)) return open_vocabulary_file(t, path, err);
  if (!find_in(path, folder, TOKENIZER_VOCABULARY_NAME))
    return attcert_fail(err, ATTCERT_INPUT, "%s: no vocab.txt and no vocab.json, expected a tokenizer's folder",
                        folder);
  if (!find_in(merges, folder, TOKENIZER_MERGES_NAME)) return open_vocabulary_file(t, path, err);
  t->family = TOKENIZER_BPE;
  note_file(t, path, t->as.bpe.vocabulary.sha256);
  note_file(t, merges, t->as.bpe.merges.sha256);
  return bpe_open(&t->as.bpe, path, merges, err);
}

static attcert_status open_path(tokenizer *t, const char *path, attcert_error *err) {
  struct stat info;
  if (stat(path, &info) != 0) return attcert_fail(err, system_error_status(errno), "%s: %s", path, strerror(errno));
  return S_ISDIR(info.st_mode) ? open_vocabulary_folder(t, path, err) : open_vocabulary_file(t, path, err);
}

static void name_bytes(char name[256][8]) {
  for (int byte = 0; byte < 256; byte++)
    snprintf(name[byte], sizeof name[byte], byte > ' ' && byte < 0x7F ? "%c" : "<0x%02X>", (unsigned)byte);
}

attcert_status tokenizer_open(tokenizer **t, const char *path, attcert_error *err) {
  *t = array_new(1, sizeof **t, err, "a tokenizer");
  if (*t == NULL) return ATTCERT_RESOURCE;
  (*t)->family = TOKENIZER_BYTES;
  name_bytes((*t)->byte_name);
  if (path == NULL) return ATTCERT_OK;
  const attcert_status status = open_path(*t, path, err);
  if (status != ATTCERT_OK) {
    free(*t);
    *t = NULL;
  }
  return status;
}

void tokenizer_close(tokenizer *t) {
  if (t == NULL) return;
  switch (t->family) {
  case TOKENIZER_WORDPIECE:
    wordpiece_close(&t->as.wordpiece);
    break;
  case TOKENIZER_BPE:
    bpe_close(&t->as.bpe);
    break;
  case TOKENIZER_CHARACTERS:
    vocabulary_clear(&t->as.characters);
    break;
  case TOKENIZER_BYTES:
    break;
  }
  free(t);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

const char *tokenizer_kind(const tokenizer *t) {
  static const char *const name[] = {"WordPiece", "byte-level BPE", "characters", "bytes"};
  return name[t->family];
}

int tokenizer_file_count(const tokenizer *t) {
  return t->file_count;
}

const char *tokenizer_file_path(const tokenizer *t, int i) {
  return t->file[i].path;
}

const char *tokenizer_file_sha256(const tokenizer *t, int i) {
  return t->file[i].sha256;
}

static const vocabulary *vocabulary_of(const tokenizer *t) {
  switch (t->family) {
  case TOKENIZER_WORDPIECE:
    return &t->as.wordpiece.vocabulary;
  case TOKENIZER_BPE:
    return &t->as.bpe.vocabulary;
  case TOKENIZER_CHARACTERS:
    return &t->as.characters;
  case TOKENIZER_BYTES:
    break;
  }
  return NULL;
}

const char *tokenizer_piece(const tokenizer *t, int id) {
  const vocabulary *const v = vocabulary_of(t);
  if (v == NULL) return id >= 0 && id < 256 ? t->byte_name[id] : NULL;
  return vocabulary_token(v, id);
}

bool tokenizer_adds_special(const tokenizer *t) {
  return t->before_count + t->after_count > 0;
}

/* ---- encoding ---------------------------------------------------------------------------------------------------- */

static attcert_status bytes_encode(token_window *out, const text_view *text, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < text->length && !token_window_full(out); i++)
    status = token_window_push(out, (unsigned char)text->data[i], err);
  return status;
}

static attcert_status encode_window(const tokenizer *t, token_window *out, const text_view *text, attcert_error *err) {
  switch (t->family) {
  case TOKENIZER_WORDPIECE:
    return wordpiece_encode(&t->as.wordpiece, out, text, err);
  case TOKENIZER_BPE:
    return bpe_encode(&t->as.bpe, out, text, err);
  case TOKENIZER_CHARACTERS:
    return characters_encode(&t->as.characters, out, text, err);
  case TOKENIZER_BYTES:
    break;
  }
  return bytes_encode(out, text, err);
}

/* The span's special tokens around what the window kept. */
static attcert_status add_special(int **ids, int *count, const tokenizer *t, bool special, const token_window *kept,
                                  attcert_error *err) {
  const int before = special ? t->before_count : 0, after = special ? t->after_count : 0;
  const size_t total = token_window_count(kept) + (size_t)before + (size_t)after;
  if (total > INT_MAX) return attcert_fail(err, ATTCERT_INPUT, "%zu tokens, expected at most %d", total, INT_MAX);
  *ids = array_new(total, sizeof **ids, err, "a list of %zu tokens", total);
  if (*ids == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < before; i++) (*ids)[i] = t->before[i];
  for (size_t i = 0; i < token_window_count(kept); i++) (*ids)[(size_t)before + i] = kept->tokens[i];
  for (int i = 0; i < after; i++) (*ids)[total - (size_t)after + (size_t)i] = t->after[i];
  *count = (int)total;
  return ATTCERT_OK;
}

static attcert_status check_span(const tokenizer *t, const tokenizer_span *span, attcert_error *err) {
  if (span->n < 0 || span->offset < 0)
    return attcert_fail(err, ATTCERT_INPUT, "%d tokens from offset %d: expected at least one, from offset 0 or later",
                        span->n, span->offset);
  const int added = span->special ? t->before_count + t->after_count : 0;
  if (span->n > 0 && span->n <= added)
    return attcert_fail(err, ATTCERT_INPUT, "%d tokens, %d of them special: expected at least %d", span->n, added,
                        added + 1);
  return ATTCERT_OK;
}

/* window: of the text's own tokens. */
static attcert_status read_window(token_window *window, const tokenizer *t, const tokenizer_span *span, char *sha256,
                                  const char *text_path, attcert_error *err) {
  text_file file;
  attcert_status status = text_file_open(&file, text_path, err);
  if (status != ATTCERT_OK) return status;
  status = encode_window(t, window, &file.text, err);
  if (status == ATTCERT_OK && span->n > 0 && !token_window_full(window))
    status = attcert_fail(err, ATTCERT_INPUT, "%s: %zu tokens from offset %d asked for, but the text has %zu (%s)",
                          text_path, window->end - window->first, span->offset, window->seen, tokenizer_kind(t));
  if (status == ATTCERT_OK && token_window_count(window) == 0)
    status = attcert_fail(err, ATTCERT_INPUT, "%s: tokens from offset %d asked for, but the text has %zu (%s)",
                          text_path, span->offset, window->seen, tokenizer_kind(t));
  if (status == ATTCERT_OK && sha256 != NULL) status = text_file_digest(sha256, &file, err);
  text_file_close(&file);
  return status;
}

attcert_status tokenizer_sequence(int **ids, int *count, char *sha256, const tokenizer *t, const tokenizer_span *span,
                                  const char *text_path, attcert_error *err) {
  *ids = NULL;
  *count = 0;
  attcert_status status = check_span(t, span, err);
  if (status != ATTCERT_OK) return status;
  const size_t first = (size_t)span->offset, added = span->special ? (size_t)(t->before_count + t->after_count) : 0;
  token_window window;
  token_window_init(&window, first, span->n > 0 ? first + (size_t)span->n - added : SIZE_MAX);
  status = read_window(&window, t, span, sha256, text_path, err);
  if (status == ATTCERT_OK) status = add_special(ids, count, t, span->special, &window, err);
  token_window_clear(&window);
  return status;
}
