/* See bpe.h: merging one piece, in O(n log n) for n characters. */
#include "base/arrays.h"
#include "model/tokenizer/model/bpe_settings.h"
#include "model/tokenizer/text/character.h"
#include "model/tokenizer/text/text_builder.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/* A token of the piece so far, in a list that is linked both ways; NONE: no neighbour. */
typedef struct {
  int token, previous, next;
  bool gone; /* merged into the one before */
} symbol;

/* A pair that may merge: symbols left and left.next, unless they have changed since. */
typedef struct {
  int rank, left, merged;
} candidate;

typedef struct {
  symbol *symbol;
  candidate *heap; /* the smallest (rank, left) first */
  int count, candidates;
} piece_state;

/* ---- the first tokens -------------------------------------------------------------------------------------------- */

static void add_symbol(piece_state *p, int token) {
  p->symbol[p->count] = (symbol){token, p->count - 1, p->count + 1, false};
  p->count++;
}

/* The id of a character, spelt with the prefix unless it is the first one and with the suffix if it is the last; -1. */
static attcert_status find_character(int *id, const token_model *m, const char *piece, size_t at, size_t bytes,
                                     size_t length, attcert_error *err) {
  const bpe_settings *const s = m->settings;
  const char *const prefix = at > 0 ? s->prefix : NULL, *const suffix = at + bytes == length ? s->suffix : NULL;
  if (prefix == NULL && suffix == NULL) {
    *id = vocabulary_find(&m->vocabulary, piece + at, bytes);
    return ATTCERT_OK;
  }
  text_builder text = {0};
  attcert_status status = prefix != NULL ? text_builder_append_string(&text, prefix, err) : ATTCERT_OK;
  if (status == ATTCERT_OK) status = text_builder_append(&text, piece + at, bytes, err);
  if (status == ATTCERT_OK && suffix != NULL) status = text_builder_append_string(&text, suffix, err);
  if (status == ATTCERT_OK) *id = vocabulary_find(&m->vocabulary, text.data, text.length);
  text_builder_clear(&text);
  return status;
}

/* Whether every byte of the character has a token. */
static bool has_bytes(const bpe_settings *s, const char *character, size_t bytes) {
  if (!s->byte_fallback) return false;
  for (size_t i = 0; i < bytes; i++) {
    if (s->byte_token[(unsigned char)character[i]] < 0) return false;
  }
  return true;
}

/* An unknown character; *run: the symbol before is an unknown one, which with fuse_unk it joins. */
static attcert_status add_unknown(piece_state *p, bool *run, const token_model *m, const char *character, size_t bytes,
                                  attcert_error *err) {
  const bpe_settings *const s = m->settings;
  if (has_bytes(s, character, bytes)) {
    if (*run)
      return attcert_fail(err, ATTCERT_INPUT,
                          "\"%.*s\" behind a character without tokens for its bytes: tokenizers orders the two "
                          "otherwise, expected a vocabulary with all of <0x00> to <0xFF>",
                          (int)bytes, character);
    for (size_t i = 0; i < bytes; i++) add_symbol(p, s->byte_token[(unsigned char)character[i]]);
    return ATTCERT_OK;
  }
  if (s->unknown == NULL) return ATTCERT_OK;
  const int id = vocabulary_find_string(&m->vocabulary, s->unknown);
  if (id < 0) return token_model_no_token(character, bytes, s->unknown, err);
  if (!*run || !s->fuse_unknown) add_symbol(p, id);
  *run = true;
  return ATTCERT_OK;
}

static attcert_status add_characters(piece_state *p, const token_model *m, const char *piece, size_t length,
                                     attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  bool run = false;
  size_t bytes;
  for (size_t at = 0; status == ATTCERT_OK && at < length; at += bytes) {
    int id = NONE;
    bytes = character_length(piece + at);
    status = find_character(&id, m, piece, at, bytes, length, err);
    if (status == ATTCERT_OK && id >= 0) {
      add_symbol(p, id);
      run = false;
    } else if (status == ATTCERT_OK) {
      status = add_unknown(p, &run, m, piece + at, bytes, err);
    }
  }
  if (p->count > 0) p->symbol[p->count - 1].next = NONE;
  return status;
}

/* ---- the heap of pairs ------------------------------------------------------------------------------------------- */

static bool comes_first(const candidate *a, const candidate *b) {
  return a->rank != b->rank ? a->rank < b->rank : a->left < b->left;
}

static void heap_add(piece_state *p, candidate c) {
  int at = p->candidates++;
  for (; at > 0 && comes_first(&c, &p->heap[(at - 1) / 2]); at = (at - 1) / 2) p->heap[at] = p->heap[(at - 1) / 2];
  p->heap[at] = c;
}

static candidate heap_take(piece_state *p) {
  const candidate first = p->heap[0], last = p->heap[--p->candidates];
  int at = 0;
  for (int child = 1; child < p->candidates; child = 2 * at + 1) {
    if (child + 1 < p->candidates && comes_first(&p->heap[child + 1], &p->heap[child])) child++;
    if (!comes_first(&p->heap[child], &last)) break;
    p->heap[at] = p->heap[child];
    at = child;
  }
  p->heap[at] = last;
  return first;
}

static const bpe_merge *merge_at(const piece_state *p, const bpe_settings *s, int left) {
  const int right = left != NONE ? p->symbol[left].next : NONE;
  return right != NONE ? bpe_merges_find(&s->merges, p->symbol[left].token, p->symbol[right].token) : NULL;
}

static void offer(piece_state *p, const bpe_settings *s, int left) {
  const bpe_merge *const merge = merge_at(p, s, left);
  if (merge != NULL) heap_add(p, (candidate){merge->rank, left, merge->merged});
}

/* Every merge takes a symbol away and offers two pairs, so that the heap never holds more than three a symbol. */
static void merge_all(piece_state *p, const bpe_settings *s) {
  for (int i = 0; i < p->count; i++) offer(p, s, i);
  while (p->candidates > 0) {
    const candidate c = heap_take(p);
    symbol *const left = &p->symbol[c.left];
    const bpe_merge *const merge = left->gone ? NULL : merge_at(p, s, c.left);
    if (merge == NULL || merge->merged != c.merged) continue; /* one of the two has changed */
    symbol *const right = &p->symbol[left->next];
    right->gone = true;
    left->token = c.merged;
    left->next = right->next;
    if (left->next != NONE) p->symbol[left->next].previous = c.left;
    offer(p, s, left->previous);
    offer(p, s, c.left);
  }
}

/* ---- a piece ----------------------------------------------------------------------------------------------------- */

attcert_status bpe_encode(const token_model *m, token_window *out, const char *piece, size_t length,
                          attcert_error *err) {
  const bpe_settings *const s = m->settings;
  const int whole = s->ignore_merges ? vocabulary_find(&m->vocabulary, piece, length) : NONE;
  if (whole >= 0) return token_window_push(out, whole, err);
  if (length > INT32_MAX / 4)
    return attcert_fail(err, ATTCERT_INPUT, "a piece of %zu bytes, expected a text that is cut into shorter ones",
                        length);
  piece_state p = {.count = 0};
  const array_table arrays = {{ARRAY(p.symbol, length), ARRAY(p.heap, length, 3)}};
  attcert_status status = array_table_allocate(&arrays, err, "a piece of %zu bytes of text", length);
  if (status == ATTCERT_OK) status = add_characters(&p, m, piece, length, err);
  if (status == ATTCERT_OK) merge_all(&p, s);
  for (int i = p.count > 0 ? 0 : NONE; status == ATTCERT_OK && i != NONE; i = p.symbol[i].next)
    status = token_window_push(out, p.symbol[i].token, err);
  array_table_release(&arrays);
  return status;
}
