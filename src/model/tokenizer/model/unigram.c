/* Unigram (Kudo 2018), as Hugging Face tokenizers computes it: of all ways to cut a piece into tokens, the one with the
 * largest sum of scores, found from left to right (Viterbi); of two with the same sum, the one whose last token begins
 * first. A character that is no token costs the smallest score less 10; unknown characters in a row are one token: that
 * of their bytes "<0x..>" where byte_fallback has all of them, or unk_id. */
#include "base/arrays.h"
#include "model/tokenizer/model/serde_number.h"
#include "model/tokenizer/model/token_model_kind.h"
#include "model/tokenizer/text/character.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double *score; /* of every id */
  double unknown_score;
  int unknown; /* -1: there is none */
  int byte_token[256];
} unigram;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void unigram_close(void *settings) {
  unigram *const u = settings;
  if (u != NULL) free(u->score);
  free(u);
}

/* [token, score]. */
static attcert_status add_entry(token_model *m, size_t i, const json_t *entry, const component *c, attcert_error *err) {
  unigram *const u = m->settings;
  const json_t *const token = json_array_get(entry, 0), *const score = json_array_get(entry, 1);
  if (json_array_size(entry) != 2 || !json_is_string(token) || !json_is_number(score))
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s: vocab[%zu] is something else, expected [\"token\", score]",
                        c->path, c->place, i);
  u->score[i] = serde_number(json_number_value(score));
  return vocabulary_add(&m->vocabulary, json_string_value(token), json_string_length(token), (int)i, c->path, err);
}

static attcert_status read_tokens(token_model *m, const component *c, attcert_error *err) {
  unigram *const u = m->settings;
  const json_t *list;
  attcert_status status = component_array(&list, c, "vocab", err);
  if (status != ATTCERT_OK) return status;
  const size_t count = json_array_size(list);
  u->score = array_new(count, sizeof *u->score, err, "the scores of %zu tokens", count);
  if (u->score == NULL) return ATTCERT_RESOURCE;
  double smallest = INFINITY;
  for (size_t i = 0; status == ATTCERT_OK && i < count; i++) {
    status = add_entry(m, i, json_array_get(list, i), c, err);
    if (status == ATTCERT_OK && u->score[i] < smallest) smallest = u->score[i];
  }
  u->unknown_score = smallest - 10;
  m->size = (int)count;
  return status == ATTCERT_OK ? vocabulary_finish(&m->vocabulary, true, c->path, err) : status;
}

static attcert_status unigram_open(token_model *m, const component *c, attcert_error *err) {
  unigram *const u = m->settings = array_new(1, sizeof *u, err, "a Unigram model");
  bool byte_fallback = false;
  if (u == NULL) return ATTCERT_RESOURCE;
  u->unknown = -1;
  attcert_status status = component_bool(&byte_fallback, c, "byte_fallback", err);
  if (status == ATTCERT_OK) status = read_tokens(m, c, err);
  if (status == ATTCERT_OK) status = component_integer(&u->unknown, c, "unk_id", 0, m->size - 1, err);
  if (status != ATTCERT_OK) return status;
  token_model_byte_tokens(u->byte_token, &m->vocabulary);
  for (int byte = 0; byte < 256 && !byte_fallback; byte++) u->byte_token[byte] = -1;
  return ATTCERT_OK;
}

/* ---- the best cut ------------------------------------------------------------------------------------------------ */

/* The best cut of the text before a byte. */
typedef struct {
  double score;
  size_t start; /* of its last token; SIZE_MAX: none is known yet */
  int id;       /* of that token */
} best_cut;

static void offer(best_cut *end, double score, size_t start, int id) {
  if (end->start == SIZE_MAX || score > end->score) *end = (best_cut){score, start, id};
}

/* Every token that begins at `start`, or the unknown one for its character. */
static void extend(best_cut *best, const token_model *m, const char *piece, size_t length, size_t start) {
  const unigram *const u = m->settings;
  const size_t character = character_length(piece + start);
  const double before = best[start].score;
  bool is_token = false;
  vocabulary_prefix p = vocabulary_all(&m->vocabulary);
  for (size_t at = start; at < length && vocabulary_descend(&p, &m->vocabulary, piece[at]); at++) {
    const int id = vocabulary_at(&m->vocabulary, &p);
    if (id < 0) continue;
    offer(&best[at + 1], u->score[id] + before, start, id);
    is_token = is_token || at + 1 == start + character;
  }
  if (!is_token) offer(&best[start + character], u->unknown_score + before, start, u->unknown);
}

/* Turns the chain of last tokens around: next[start] is where the token that begins there ends. */
static void turn_around(size_t *next, const best_cut *best, size_t length) {
  for (size_t end = length; end > 0; end = best[end].start) next[best[end].start] = end;
}

static attcert_status push_unknown(const token_model *m, token_window *out, const char *text, size_t length,
                                   attcert_error *err) {
  const unigram *const u = m->settings;
  const int id = vocabulary_find(&m->vocabulary, text, length);
  bool has_bytes = true;
  for (size_t i = 0; i < length; i++) has_bytes = has_bytes && u->byte_token[(unsigned char)text[i]] >= 0;
  if (id >= 0) return token_window_push(out, id, err);
  if (!has_bytes)
    return u->unknown >= 0 ? token_window_push(out, u->unknown, err) : token_model_no_token(text, length, NULL, err);
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < length; i++)
    status = token_window_push(out, u->byte_token[(unsigned char)text[i]], err);
  return status;
}

/* Unknown tokens in a row are one. */
static attcert_status push_tokens(const token_model *m, token_window *out, const best_cut *best, const size_t *next,
                                  const char *piece, size_t length, attcert_error *err) {
  const unigram *const u = m->settings;
  attcert_status status = ATTCERT_OK;
  for (size_t start = 0, end; status == ATTCERT_OK && start < length; start = end) {
    end = next[start];
    const int id = best[end].id;
    if (id != u->unknown) {
      status = token_window_push(out, id, err);
      continue;
    }
    while (end < length && best[next[end]].id == u->unknown) end = next[end];
    status = push_unknown(m, out, piece + start, end - start, err);
  }
  return status;
}

static attcert_status unigram_encode(const token_model *m, token_window *out, const char *piece, size_t length,
                                     attcert_error *err) {
  best_cut *const best = array_new(length + 1, sizeof *best, err, "the cuts of a piece of %zu bytes", length);
  size_t *const next =
      best != NULL ? array_new(length + 1, sizeof *next, err, "the cut of a piece of %zu bytes", length) : NULL;
  attcert_status status = next != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  for (size_t i = 1; status == ATTCERT_OK && i <= length; i++) best[i].start = SIZE_MAX;
  for (size_t at = 0; status == ATTCERT_OK && at < length; at += character_length(piece + at))
    extend(best, m, piece, length, at);
  if (status == ATTCERT_OK) {
    turn_around(next, best, length);
    status = push_tokens(m, out, best, next, piece, length, err);
  }
  free(next);
  free(best);
  return status;
}

const token_model_kind token_model_unigram = {
    "Unigram",    "Unigram",      (const char *const[]){"vocab", "unk_id", "byte_fallback", NULL},
    unigram_open, unigram_encode, unigram_close};
