/* See bpe_merges_file.h. */
#include "model/tokenizer/model/bpe_merges_file.h"

#include "base/arrays.h"
#include "model/tokenizer/text/byte_symbol.h"
#include "model/tokenizer/text/text_file.h"

#include <stdlib.h>
#include <string.h>

typedef attcert_status (*merge_visitor)(void *context, bpe_spelling left, bpe_spelling right, const char *path,
                                        attcert_error *err);

static attcert_status check_ends(const text_view *text, attcert_error *err) {
  static const char version[] = "#version";
  if (text->length < strlen(version) || memcmp(text->data, version, strlen(version)) != 0)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: the first line is a merge, which not every reader takes, expected a "
                        "line \"#version: 0.2\" before it",
                        text->name);
  if (text->data[text->length - 1] != '\n')
    return attcert_fail(err, ATTCERT_INPUT, "%s: the last line does not end, expected a newline", text->name);
  return ATTCERT_OK;
}

static attcert_status visit_lines(const text_view *text, merge_visitor visit, void *context, attcert_error *err) {
  const char *line, *cursor = text->data;
  size_t length;
  attcert_status status = check_ends(text, err);
  for (int number = 1; status == ATTCERT_OK && text_file_next_line(&line, &length, &cursor, text->data + text->length);
       number++) {
    bpe_spelling left, right;
    if (number == 1) continue;
    if (bpe_merge_cut(&left, &right, line, length))
      status = visit(context, left, right, text->name, err);
    else
      status = attcert_fail(err, ATTCERT_INPUT, "%s: line %d is \"%.*s\", expected two tokens with one space between",
                            text->name, number, length < 64 ? (int)length : 64, line);
  }
  return status;
}

/* Calls visit on every merge of the file, in order. */
static attcert_status for_each_merge(const char *path, merge_visitor visit, void *context, char sha256[SHA256_HEX_SIZE],
                                     attcert_error *err) {
  text_file file;
  attcert_status status = text_file_open_lines(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = visit_lines(&file.text, visit, context, err);
  if (status == ATTCERT_OK) status = text_file_digest(sha256, &file, err);
  text_file_close(&file);
  return status;
}

typedef struct {
  bpe_merges *merges;
  const vocabulary *vocabulary;
} merge_reader;

static attcert_status read_merge(void *context, bpe_spelling left, bpe_spelling right, const char *path,
                                 attcert_error *err) {
  const merge_reader *const reader = context;
  return bpe_merges_add(reader->merges, reader->vocabulary, left, right, 0, path, err);
}

attcert_status bpe_merges_read(bpe_merges *m, char sha256[SHA256_HEX_SIZE], const vocabulary *v, const char *path,
                               attcert_error *err) {
  *m = (bpe_merges){0};
  merge_reader reader = {m, v};
  attcert_status status = for_each_merge(path, read_merge, &reader, sha256, err);
  if (status == ATTCERT_OK) status = bpe_merges_finish(m, path, err);
  if (status != ATTCERT_OK) bpe_merges_clear(m);
  return status;
}

/* ---- the vocabulary of a file of merges -------------------------------------------------------------------------- */

static attcert_status add_concatenation(void *context, bpe_spelling left, bpe_spelling right, const char *path,
                                        attcert_error *err) {
  vocabulary *const v = context;
  char *const both = array_new(left.length + right.length, 1, err, "a merge of %s", path);
  if (both == NULL) return ATTCERT_RESOURCE;
  memcpy(both, left.text, left.length);
  memcpy(both + left.length, right.text, right.length);
  const attcert_status status = vocabulary_add(v, both, left.length + right.length, (int)v->count, path, err);
  free(both);
  return status;
}

static attcert_status add_byte_symbols(vocabulary *v, const char *path, attcert_error *err) {
  byte_symbol symbol[256];
  byte_symbols(symbol);
  attcert_status status = ATTCERT_OK;
  for (int i = 0; status == ATTCERT_OK && i < 256; i++)
    status = vocabulary_add(v, symbol[i].spelling, strlen(symbol[i].spelling), i, path, err);
  return status;
}

attcert_status bpe_vocabulary_from_merges(vocabulary *v, const char *path, attcert_error *err) {
  static const char end_of_text[] = "<|endoftext|>";
  *v = (vocabulary){.count = 0};
  attcert_status status = add_byte_symbols(v, path, err);
  if (status == ATTCERT_OK) status = for_each_merge(path, add_concatenation, v, v->sha256, err);
  if (status == ATTCERT_OK) status = vocabulary_add(v, end_of_text, strlen(end_of_text), (int)v->count, path, err);
  if (status == ATTCERT_OK) status = vocabulary_finish(v, false, path, err);
  if (status != ATTCERT_OK) vocabulary_clear(v);
  return status;
}
