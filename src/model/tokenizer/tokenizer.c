/* See tokenizer.h: which tokenizer a path means, and reading a text with it. */
#include "base/arrays.h"
#include "base/system_error.h"
#include "model/tokenizer/folder/old_format.h"
#include "model/tokenizer/folder/tokenizer_json.h"
#include "model/tokenizer/model/characters.h"
#include "model/tokenizer/tokenizer_struct.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define JSON_NAME "tokenizer.json"
#define WORDPIECE_NAME "vocab.txt"
#define VOCABULARY_NAME "vocab.json"
#define MERGES_NAME "merges.txt"

const char *const tokenizer_names[] = {JSON_NAME,
                                       WORDPIECE_NAME,
                                       VOCABULARY_NAME,
                                       MERGES_NAME,
                                       COMPANION_CONFIG_NAME,
                                       COMPANION_SPECIAL_NAME,
                                       COMPANION_ADDED_NAME,
                                       NULL};

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool has_suffix(const char *path, const char *suffix) {
  const size_t length = strlen(path), tail = strlen(suffix);
  return length >= tail && strcmp(path + length - tail, suffix) == 0;
}

static bool is_named(const char *path, const char *name) {
  const char *const slash = strrchr(path, '/');
  return strcmp(slash != NULL ? slash + 1 : path, name) == 0;
}

/* Nothing beside the file is read. */
static attcert_status open_file(token_pipeline *p, const char *path, attcert_error *err) {
  static const companion_files none;
  if (is_named(path, JSON_NAME)) return tokenizer_json_read(p, path, &none, err);
  if (has_suffix(path, ".txt")) return old_format_wordpiece(p, path, &none, err);
  if (has_suffix(path, ".bpe")) return old_format_bpe(p, NULL, path, &none, err);
  if (has_suffix(path, ".json")) return old_format_characters(p, path, &none, err);
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: expected a folder, a tokenizer.json, a WordPiece vocabulary (.txt), BPE merges (.bpe) or a "
                      "character vocabulary (.json)",
                      path);
}

/* sentencepiece's own files say less than the tokenizer that transformers makes of them. */
static attcert_status refuse_sentencepiece(const char *folder, attcert_error *err) {
  static const char *const names[] = {"spiece.model", "sentencepiece.bpe.model", "tokenizer.model", "spm.model"};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (companion_find(path, folder, names[i]))
      return attcert_fail(err, ATTCERT_INPUT,
                          "%s: sentencepiece's format is not read, expected a tokenizer.json, which "
                          "python makes of it: AutoTokenizer.from_pretrained('DIR').save_pretrained('DIR')",
                          path);
  }
  return ATTCERT_OK;
}

static attcert_status open_files(token_pipeline *p, const char *folder, const companion_files *f, attcert_error *err) {
  char path[PATH_MAX], merges[PATH_MAX];
  if (companion_find(path, folder, JSON_NAME)) return tokenizer_json_read(p, path, f, err);
  const attcert_status status = refuse_sentencepiece(folder, err);
  if (status != ATTCERT_OK) return status;
  if (companion_find(path, folder, WORDPIECE_NAME)) return old_format_wordpiece(p, path, f, err);
  if (!companion_find(path, folder, VOCABULARY_NAME))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: no tokenizer.json, no vocab.txt and no vocab.json, expected a tokenizer's folder", folder);
  if (companion_find(merges, folder, MERGES_NAME)) return old_format_bpe(p, path, merges, f, err);
  return old_format_characters(p, path, f, err);
}

static attcert_status open_folder(token_pipeline *p, const char *folder, attcert_error *err) {
  companion_files files;
  attcert_status status = companion_files_open(&files, p, folder, err);
  if (status != ATTCERT_OK) return status;
  status = open_files(p, folder, &files, err);
  companion_files_close(&files);
  return status;
}

static attcert_status open_path(token_pipeline *p, const char *path, attcert_error *err) {
  struct stat info;
  if (path == NULL) {
    snprintf(p->kind, sizeof p->kind, "bytes");
    return bytes_open(&p->model, err);
  }
  if (stat(path, &info) != 0) return attcert_fail(err, system_error_status(errno), "%s: %s", path, strerror(errno));
  return S_ISDIR(info.st_mode) ? open_folder(p, path, err) : open_file(p, path, err);
}

attcert_status tokenizer_open(tokenizer **t, const char *path, attcert_error *err) {
  *t = array_new(1, sizeof **t, err, "a tokenizer");
  if (*t == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = open_path(&(*t)->pipeline, path, err);
  if (status != ATTCERT_OK) {
    tokenizer_close(*t);
    *t = NULL;
  }
  return status;
}

void tokenizer_close(tokenizer *t) {
  if (t == NULL) return;
  token_pipeline_close(&t->pipeline);
  free(t);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

const char *tokenizer_kind(const tokenizer *t) {
  return t->pipeline.kind;
}

int tokenizer_file_count(const tokenizer *t) {
  return t->pipeline.file_count;
}

const char *tokenizer_file_path(const tokenizer *t, int i) {
  return t->pipeline.file[i].path;
}

const char *tokenizer_file_sha256(const tokenizer *t, int i) {
  return t->pipeline.file[i].sha256;
}

const char *tokenizer_piece(const tokenizer *t, int id) {
  return token_pipeline_piece(&t->pipeline, id);
}

bool tokenizer_adds_special(const tokenizer *t) {
  return t->pipeline.special.before_count + t->pipeline.special.after_count > 0;
}
