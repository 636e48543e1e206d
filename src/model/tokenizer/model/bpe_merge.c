/* See bpe_merge.h. */
#include "model/tokenizer/model/bpe_merge.h"

#include "base/arrays.h"
#include "base/growing_array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool bpe_merge_cut(bpe_spelling *left, bpe_spelling *right, const char *line, size_t length) {
  const char *const space = memchr(line, ' ', length);
  if (space == NULL) return false;
  *left = (bpe_spelling){line, (size_t)(space - line)};
  *right = (bpe_spelling){space + 1, length - left->length - 1};
  return left->length > 0 && right->length > 0 && memchr(right->text, ' ', right->length) == NULL;
}

static attcert_status find_token(int *id, const vocabulary *v, bpe_spelling token, size_t rank, const char *path,
                                 attcert_error *err) {
  *id = vocabulary_find(v, token.text, token.length);
  if (*id >= 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: merge %zu: token \"%.*s\" is not in the vocabulary", path, rank + 1,
                      token.length < 64 ? (int)token.length : 64, token.text);
}

static attcert_status find_merged(int *id, const vocabulary *v, bpe_spelling left, bpe_spelling right, size_t rank,
                                  const char *path, attcert_error *err) {
  const size_t length = left.length + right.length;
  char *const both = array_new(length, 1, err, "a merge of %s", path);
  if (both == NULL) return ATTCERT_RESOURCE;
  memcpy(both, left.text, left.length);
  memcpy(both + left.length, right.text, right.length);
  const attcert_status status = find_token(id, v, (bpe_spelling){both, length}, rank, path, err);
  free(both);
  return status;
}

static attcert_status append(bpe_merges *m, bpe_merge merge, const char *path, attcert_error *err) {
  const attcert_status room =
      growing_array_room(&m->merge, &m->capacity, m->count, sizeof *m->merge, err, "the list of merges of %s", path);
  if (room != ATTCERT_OK) return room;
  m->merge[m->count++] = merge;
  return ATTCERT_OK;
}

attcert_status bpe_merges_add(bpe_merges *m, const vocabulary *v, bpe_spelling left, bpe_spelling right, size_t prefix,
                              const char *path, attcert_error *err) {
  if (m->count >= INT_MAX - 1) return attcert_fail(err, ATTCERT_INPUT, "%s: too many merges, expected fewer", path);
  bpe_merge merge = {.rank = (int)m->count};
  attcert_status status = find_token(&merge.left, v, left, m->count, path, err);
  if (status == ATTCERT_OK) status = find_token(&merge.right, v, right, m->count, path, err);
  if (status == ATTCERT_OK && right.length < prefix)
    status = attcert_fail(err, ATTCERT_INPUT,
                          "%s: merge %zu: token \"%.*s\" is shorter than the prefix of tokens that "
                          "continue a word, expected it to begin so",
                          path, m->count + 1, (int)right.length, right.text);
  if (status != ATTCERT_OK) return status;
  const bpe_spelling rest = {right.text + prefix, right.length - prefix};
  status = find_merged(&merge.merged, v, left, rest, m->count, path, err);
  return status == ATTCERT_OK ? append(m, merge, path, err) : status;
}

static int compare_pairs(const void *a, const void *b) {
  const bpe_merge *const x = a, *const y = b;
  if (x->left != y->left) return x->left < y->left ? -1 : 1;
  return (x->right > y->right) - (x->right < y->right);
}

attcert_status bpe_merges_finish(bpe_merges *m, const char *path, attcert_error *err) {
  if (m->count == 0) return ATTCERT_OK;
  qsort(m->merge, m->count, sizeof m->merge[0], compare_pairs);
  for (size_t i = 1; i < m->count; i++) {
    if (compare_pairs(&m->merge[i - 1], &m->merge[i]) == 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: merges %d and %d are the same", path, m->merge[i - 1].rank + 1,
                          m->merge[i].rank + 1);
  }
  return ATTCERT_OK;
}

void bpe_merges_clear(bpe_merges *m) {
  free(m->merge);
  *m = (bpe_merges){0};
}

const bpe_merge *bpe_merges_find(const bpe_merges *m, int left, int right) {
  const bpe_merge key = {.left = left, .right = right};
  return m->count > 0 ? bsearch(&key, m->merge, m->count, sizeof key, compare_pairs) : NULL;
}
