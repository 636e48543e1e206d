/* See bpe_merge.h. */
#include "model/tokenizer/bpe_merge.h"

#include "base/arrays.h"
#include "model/tokenizer/byte_symbol.h"
#include "model/tokenizer/text_file.h"

#include <stdlib.h>
#include <string.h>

/* A token's spelling, not NUL-terminated. */
typedef struct {
  const char *text;
  size_t length;
} spelling;

/* One line of a merges file. */
typedef struct {
  spelling left, right;
  char *concatenation; /* of left.length + right.length bytes */
  int rank;
} merge_line;

typedef attcert_status (*merge_visitor)(void *context, const merge_line *line, const char *path, attcert_error *err);

static bool split_at_space(merge_line *m, const char *line, size_t length) {
  const char *const space = memchr(line, ' ', length);
  if (space == NULL) return false;
  m->left = (spelling){line, (size_t)(space - line)};
  m->right = (spelling){space + 1, length - m->left.length - 1};
  return m->left.length > 0 && m->right.length > 0 && memchr(m->right.text, ' ', m->right.length) == NULL;
}

static attcert_status visit_merge(merge_line *m, merge_visitor visit, void *context, const char *path,
                                  attcert_error *err) {
  m->concatenation = array_new(m->left.length + m->right.length, 1, err, "a merge of %s", path);
  if (m->concatenation == NULL) return ATTCERT_RESOURCE;
  memcpy(m->concatenation, m->left.text, m->left.length);
  memcpy(m->concatenation + m->left.length, m->right.text, m->right.length);
  const attcert_status status = visit(context, m, path, err);
  free(m->concatenation);
  return status;
}

/* Calls visit on every merge of the file, in order. */
static attcert_status for_each_merge(const char *path, merge_visitor visit, void *context, attcert_error *err) {
  static const char version[] = "#version";
  text_file file;
  attcert_status status = text_file_open_lines(&file, path, err);
  if (status != ATTCERT_OK) return status;
  const char *line, *cursor = file.text.data, *const end = cursor + file.text.length;
  size_t length;
  merge_line merge = {.rank = 0};
  for (int number = 1; status == ATTCERT_OK && text_file_next_line(&line, &length, &cursor, end); number++) {
    if (number == 1 && length >= strlen(version) && memcmp(line, version, strlen(version)) == 0) continue;
    if (split_at_space(&merge, line, length)) {
      status = visit_merge(&merge, visit, context, path, err);
      merge.rank++;
    } else {
      status = attcert_fail(err, ATTCERT_INPUT, "%s: line %d is \"%.*s\", expected two tokens with one space between",
                            path, number, length < 64 ? (int)length : 64, line);
    }
  }
  text_file_close(&file);
  return status;
}

/* ---- the merges of a vocabulary ---------------------------------------------------------------------------------- */

typedef struct {
  bpe_merges *merges;
  const vocabulary *vocabulary;
} merge_reader;

static attcert_status find_token(int *id, const vocabulary *v, spelling token, int rank, const char *path,
                                 attcert_error *err) {
  *id = vocabulary_find(v, token.text, token.length);
  if (*id >= 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: merge %d: token \"%.*s\" is not in the vocabulary", path, rank + 1,
                      token.length < 64 ? (int)token.length : 64, token.text);
}

static attcert_status append_merge(bpe_merges *m, bpe_merge merge, const char *path, attcert_error *err) {
  if (m->count == m->capacity) {
    const size_t capacity = m->capacity == 0 ? 1024 : 2 * m->capacity;
    bpe_merge *const larger = realloc(m->merge, capacity * sizeof *larger);
    if (larger == NULL)
      return array_out_of_memory(err, capacity * sizeof *larger, "the list of %zu merges of %s", capacity, path);
    m->merge = larger;
    m->capacity = capacity;
  }
  m->merge[m->count++] = merge;
  return ATTCERT_OK;
}

static attcert_status read_merge(void *context, const merge_line *line, const char *path, attcert_error *err) {
  const merge_reader *const reader = context;
  const spelling both = {line->concatenation, line->left.length + line->right.length};
  bpe_merge merge = {.rank = line->rank};
  attcert_status status = find_token(&merge.left, reader->vocabulary, line->left, line->rank, path, err);
  if (status == ATTCERT_OK) status = find_token(&merge.right, reader->vocabulary, line->right, line->rank, path, err);
  if (status == ATTCERT_OK) status = find_token(&merge.merged, reader->vocabulary, both, line->rank, path, err);
  return status == ATTCERT_OK ? append_merge(reader->merges, merge, path, err) : status;
}

static int compare_pairs(const void *a, const void *b) {
  const bpe_merge *const x = a, *const y = b;
  if (x->left != y->left) return x->left < y->left ? -1 : 1;
  return (x->right > y->right) - (x->right < y->right);
}

static attcert_status sort_merges(bpe_merges *m, const char *path, attcert_error *err) {
  if (m->count == 0) return ATTCERT_OK;
  qsort(m->merge, m->count, sizeof m->merge[0], compare_pairs);
  for (size_t i = 1; i < m->count; i++) {
    if (compare_pairs(&m->merge[i - 1], &m->merge[i]) == 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: merges %d and %d are the same", path, m->merge[i - 1].rank + 1,
                          m->merge[i].rank + 1);
  }
  return ATTCERT_OK;
}

attcert_status bpe_merges_read(bpe_merges *m, const vocabulary *v, const char *path, attcert_error *err) {
  *m = (bpe_merges){0};
  merge_reader reader = {m, v};
  attcert_status status = for_each_merge(path, read_merge, &reader, err);
  if (status == ATTCERT_OK) status = sort_merges(m, path, err);
  if (status != ATTCERT_OK) bpe_merges_clear(m);
  return status;
}

void bpe_merges_clear(bpe_merges *m) {
  free(m->merge);
  *m = (bpe_merges){0};
}

const bpe_merge *bpe_merges_find(const bpe_merges *m, int left, int right) {
  const bpe_merge key = {.left = left, .right = right};
  return m->count > 0 ? bsearch(&key, m->merge, m->count, sizeof key, compare_pairs) : NULL;
}

/* ---- the vocabulary of a merges file ----------------------------------------------------------------------------- */

static attcert_status add_concatenation(void *context, const merge_line *line, const char *path, attcert_error *err) {
  vocabulary *const v = context;
  return vocabulary_add(v, line->concatenation, line->left.length + line->right.length, (int)v->count, path, err);
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
  *v = (vocabulary){0};
  attcert_status status = add_byte_symbols(v, path, err);
  if (status == ATTCERT_OK) status = for_each_merge(path, add_concatenation, v, err);
  if (status == ATTCERT_OK) status = vocabulary_add(v, end_of_text, strlen(end_of_text), (int)v->count, path, err);
  if (status == ATTCERT_OK) status = vocabulary_finish(v, path, err);
  if (status != ATTCERT_OK) vocabulary_clear(v);
  return status;
}
