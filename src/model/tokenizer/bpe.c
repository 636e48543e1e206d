/* See bpe.h. */
#include "model/tokenizer/bpe.h"

#include "base/arrays.h"
#include "model/tokenizer/byte_symbol.h"

#include <limits.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static attcert_status find_byte_tokens(bpe *b, const char *path, attcert_error *err) {
  byte_symbol symbol[256];
  byte_symbols(symbol);
  for (int i = 0; i < 256; i++) {
    const int id = vocabulary_find(&b->vocabulary, symbol[i].spelling, strlen(symbol[i].spelling));
    if (id < 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: no token \"%s\" for byte 0x%02x, expected a byte-level vocabulary",
                          path, symbol[i].spelling, (unsigned)symbol[i].byte);
    b->byte_token[symbol[i].byte] = id;
  }
  return ATTCERT_OK;
}

attcert_status bpe_open(bpe *b, const char *vocabulary_path, const char *merges_path, attcert_error *err) {
  *b = (bpe){.pattern = {NULL}};
  attcert_status status = vocabulary_path != NULL ? vocabulary_read_json(&b->vocabulary, vocabulary_path, err)
                                                  : bpe_vocabulary_from_merges(&b->vocabulary, merges_path, err);
  if (status != ATTCERT_OK) return status;
  status = find_byte_tokens(b, vocabulary_path != NULL ? vocabulary_path : merges_path, err);
  if (status == ATTCERT_OK) status = bpe_merges_read(&b->merges, &b->vocabulary, merges_path, err);
  if (status == ATTCERT_OK && vocabulary_path == NULL && strcmp(b->vocabulary.sha256, b->merges.sha256) != 0)
    status = attcert_fail(err, ATTCERT_INPUT, "%s: was changed while it was read, expected it to stay as it is",
                          merges_path);
  if (status == ATTCERT_OK) status = pretokenizer_init(&b->pattern, err);
  if (status != ATTCERT_OK) bpe_close(b);
  return status;
}

void bpe_close(bpe *b) {
  vocabulary_clear(&b->vocabulary);
  bpe_merges_clear(&b->merges);
  pretokenizer_clear(&b->pattern);
}

/* ---- merging one piece ------------------------------------------------------------------------------------------- */

enum { no_merge = INT_MAX, stale = -1 };

/* The tokens of a piece so far; rank[i] is that of the merge of token[i] with token[i + 1], or no_merge. */
typedef struct {
  int *token, *rank;
  size_t count, capacity;
} piece;

static array_table arrays_of(piece *p, size_t count) {
  return (array_table){{ARRAY(p->token, count), ARRAY(p->rank, count)}};
}

static void piece_clear(piece *p) {
  const array_table arrays = arrays_of(p, 0);
  array_table_release(&arrays);
  *p = (piece){0};
}

static attcert_status piece_reserve(piece *p, size_t count, attcert_error *err) {
  if (count <= p->capacity) return ATTCERT_OK;
  piece_clear(p);
  const array_table arrays = arrays_of(p, count);
  const attcert_status status = array_table_allocate(&arrays, err, "a piece of %zu bytes of text", count);
  if (status == ATTCERT_OK) p->capacity = count;
  return status;
}

static void refresh_ranks(const bpe *b, piece *p) {
  for (size_t i = 0; i < p->count; i++) {
    if (p->rank[i] != stale) continue;
    const bpe_merge *const merge = i + 1 < p->count ? bpe_merges_find(&b->merges, p->token[i], p->token[i + 1]) : NULL;
    p->rank[i] = merge != NULL ? merge->rank : no_merge;
  }
}

/* The first position of the smallest rank; count when nothing merges. */
static size_t best_pair(const piece *p) {
  size_t best = p->count;
  int rank = no_merge;
  for (size_t i = 0; i < p->count; i++) {
    if (p->rank[i] < rank) {
      rank = p->rank[i];
      best = i;
    }
  }
  return best;
}

/* Merges every pair of rank[first], from left to right; of two that overlap (a a a) the earlier wins. The ranks that a
 * merge touches become stale. */
static void merge_pairs(const bpe *b, piece *p, size_t first) {
  const int rank = p->rank[first];
  const int merged = bpe_merges_find(&b->merges, p->token[first], p->token[first + 1])->merged;
  size_t kept = first;
  for (size_t i = first; i < p->count; i++, kept++) {
    const bool merges = p->rank[i] == rank;
    p->token[kept] = merges ? merged : p->token[i];
    p->rank[kept] = merges ? stale : p->rank[i];
    if (!merges) continue;
    if (kept > 0) p->rank[kept - 1] = stale;
    i++; /* the pair's right half */
  }
  p->count = kept;
}

static attcert_status encode_piece(const bpe *b, piece *p, token_window *out, const char *bytes, size_t length,
                                   attcert_error *err) {
  attcert_status status = piece_reserve(p, length, err);
  if (status != ATTCERT_OK) return status;
  p->count = length;
  for (size_t i = 0; i < length; i++) {
    p->token[i] = b->byte_token[(unsigned char)bytes[i]];
    p->rank[i] = stale;
  }
  for (;;) {
    refresh_ranks(b, p);
    const size_t best = best_pair(p);
    if (best == p->count) break;
    merge_pairs(b, p, best);
  }
  for (size_t i = 0; status == ATTCERT_OK && i < p->count; i++) status = token_window_push(out, p->token[i], err);
  return status;
}

attcert_status bpe_encode(const bpe *b, token_window *out, const text_view *text, attcert_error *err) {
  piece_iterator pieces;
  attcert_status status = piece_iterator_init(&pieces, &b->pattern, text, err);
  if (status != ATTCERT_OK) return status;
  piece scratch = {0};
  bool found = true;
  while (status == ATTCERT_OK && found && !token_window_full(out)) {
    size_t start;
    status = piece_iterator_next(&found, &start, &pieces, err);
    if (status == ATTCERT_OK && found)
      status = encode_piece(b, &scratch, out, text->data + start, pieces.at - start, err);
  }
  piece_clear(&scratch);
  piece_iterator_clear(&pieces);
  return status;
}
