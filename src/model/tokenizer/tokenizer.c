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

static attcert_status open_vocabulary_file(tokenizer *t, const char *path, attcert_error *err) {
  if (has_suffix(path, ".txt")) {
    t->family = TOKENIZER_WORDPIECE;
    note_file(t, path, t->as.wordpiece.vocabulary.sha256);
    return wordpiece_open(&t->as.wordpiece, path, err);
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
  note_file(t, path, t->as.bpe.vocabulary_sha256);
  note_file(t, merges, t->as.bpe.merges.sha256);
  return bpe_open(&t->as.bpe, path, merges, err);
}

static attcert_status open_path(tokenizer *t, const char *path, attcert_error *err) {
  struct stat info;
  if (stat(path, &info) != 0) return attcert_fail(err, system_error_status(errno), "%s: %s", path, strerror(errno));
  return S_ISDIR(info.st_mode) ? open_vocabulary_folder(t, path, err) : open_vocabulary_file(t, path, err);
}

attcert_status tokenizer_open(tokenizer **t, const char *path, attcert_error *err) {
  *t = array_new(1, sizeof **t, err, "a tokenizer");
  if (*t == NULL) return ATTCERT_RESOURCE;
  (*t)->family = TOKENIZER_BYTES;
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

int tokenizer_vocabulary(const tokenizer *t) {
  switch (t->family) {
  case TOKENIZER_WORDPIECE:
    return vocabulary_size(&t->as.wordpiece.vocabulary);
  case TOKENIZER_BPE:
    return t->as.bpe.size;
  case TOKENIZER_CHARACTERS:
    return vocabulary_size(&t->as.characters);
  case TOKENIZER_BYTES:
    break;
  }
  return 256;
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

attcert_status tokenizer_encode(const tokenizer *t, int **tokens, int *count, const char *text, size_t length,
                                attcert_error *err) {
  const text_view view = {"text", text, length};
  attcert_status status = text_file_check_utf8(&view, err);
  if (status != ATTCERT_OK) return status;
  token_window all;
  token_window_init(&all, 0, SIZE_MAX);
  status = encode_window(t, &all, &view, err);
  if (status == ATTCERT_OK && token_window_count(&all) > INT_MAX)
    status = attcert_fail(err, ATTCERT_INPUT, "text: %zu tokens, expected fewer", token_window_count(&all));
  if (status == ATTCERT_OK) {
    *tokens = all.tokens;
    *count = (int)token_window_count(&all);
  } else {
    token_window_clear(&all);
  }
  return status;
}

attcert_status tokenizer_read(const tokenizer *t, int *tokens, int n, int offset, char *sha256, const char *text_path,
                              attcert_error *err) {
  if (n < 1 || offset < 0)
    return attcert_fail(err, ATTCERT_INPUT, "%d tokens from offset %d: expected at least one, from offset 0 or later",
                        n, offset);
  text_file file;
  attcert_status status = text_file_open(&file, text_path, err);
  if (status != ATTCERT_OK) return status;
  token_window wanted;
  token_window_init(&wanted, (size_t)offset, (size_t)offset + (size_t)n);
  status = encode_window(t, &wanted, &file.text, err);
  if (status == ATTCERT_OK && !token_window_full(&wanted))
    status = attcert_fail(err, ATTCERT_INPUT, "%s: %d tokens from offset %d asked for, but the text has %zu (%s)",
                          text_path, n, offset, wanted.seen, tokenizer_kind(t));
  if (status == ATTCERT_OK && sha256 != NULL) status = text_file_digest(sha256, &file, err);
  if (status == ATTCERT_OK) memcpy(tokens, wanted.tokens, (size_t)n * sizeof(int));
  token_window_clear(&wanted);
  text_file_close(&file);
  return status;
}
