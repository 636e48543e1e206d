/* See pretokenizer.h: the table of pre-tokenizers, and sequences. */
#include "model/tokenizer/pretokenizer/pretokenizer.h"

#include "base/arrays.h"
#include "model/tokenizer/pretokenizer/pretokenizer_kind.h"

#include <stdlib.h>
#include <string.h>

struct pretokenizer {
  const pretokenizer_kind *kind;
  void *settings;
};

static const pretokenizer_kind *find_kind(const char *type) {
  static const pretokenizer_kind *const kinds[] = {&pretokenizer_bert,           &pretokenizer_byte_level,
                                                   &pretokenizer_char_delimiter, &pretokenizer_digits,
                                                   &pretokenizer_metaspace,      &pretokenizer_punctuation,
                                                   &pretokenizer_sequence,       &pretokenizer_split_by_pattern,
                                                   &pretokenizer_whitespace,     &pretokenizer_whitespace_split};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(kinds[i]->type, type) == 0) return kinds[i];
  }
  return NULL;
}

static attcert_status open_into(pretokenizer *made, const component *c, attcert_error *err) {
  const char *type;
  attcert_status status = component_required_string(&type, c, "type", err);
  if (status != ATTCERT_OK) return status;
  made->kind = find_kind(type);
  if (made->kind == NULL)
    return component_wrong(c, "type",
                           "BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, Metaspace, Punctuation, "
                           "Sequence, Split, Whitespace or WhitespaceSplit",
                           err);
  status = component_check_keys(c, made->kind->keys, err);
  return status == ATTCERT_OK && made->kind->open != NULL ? made->kind->open(&made->settings, c, err) : status;
}

static void close_one(pretokenizer *p) {
  if (p->kind->close != NULL) p->kind->close(p->settings);
}

attcert_status pretokenizer_open(pretokenizer **p, const component *c, attcert_error *err) {
  *p = NULL;
  pretokenizer *const made = array_new(1, sizeof *made, err, "a pre-tokenizer");
  if (made == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = open_into(made, c, err);
  if (status == ATTCERT_OK)
    *p = made;
  else
    free(made);
  return status;
}

void pretokenizer_close(pretokenizer *p) {
  if (p == NULL) return;
  close_one(p);
  free(p);
}

attcert_status pretokenizer_split(piece_list *out, const pretokenizer *p, const char *text, size_t length,
                                  bool at_start, attcert_error *err) {
  return p != NULL ? p->kind->split(p->settings, out, text, length, at_start, err)
                   : piece_list_add(out, text, length, err);
}

/* ---- sequences --------------------------------------------------------------------------------------------------- */

typedef struct {
  pretokenizer *step;
  size_t count;
} sequence;

static void sequence_close(void *settings) {
  sequence *const s = settings;
  for (size_t i = 0; i < s->count; i++) close_one(&s->step[i]);
  free(s->step);
  free(s);
}

/* Where a piece of a piece begins in the text is not followed, which Metaspace would have to know. */
static attcert_status check_first(const component *element, size_t i, attcert_error *err) {
  const char *scheme = "always";
  if (i == 0) return ATTCERT_OK;
  const attcert_status status = component_string(&scheme, element, "prepend_scheme", err);
  if (status != ATTCERT_OK || strcmp(scheme, "first") != 0) return status;
  return component_wrong(element, "prepend_scheme", "\"always\" or \"never\" behind another pre-tokenizer", err);
}

static attcert_status sequence_open(void **settings, const component *c, attcert_error *err) {
  static const char key[] = "pretokenizers";
  const json_t *list;
  attcert_status status = component_array(&list, c, key, err);
  if (status != ATTCERT_OK) return status;
  sequence *const s = array_new(1, sizeof *s, err, "a sequence of pre-tokenizers");
  if (s == NULL) return ATTCERT_RESOURCE;
  s->step = array_new(json_array_size(list), sizeof *s->step, err, "a sequence of pre-tokenizers");
  if (s->step == NULL) status = ATTCERT_RESOURCE;
  for (size_t i = 0; status == ATTCERT_OK && i < json_array_size(list); i++) {
    component element;
    status = component_element(&element, c, key, i, err);
    if (status == ATTCERT_OK) status = check_first(&element, i, err);
    if (status == ATTCERT_OK) status = open_into(&s->step[i], &element, err);
    if (status == ATTCERT_OK) s->count++;
  }
  if (status == ATTCERT_OK)
    *settings = s;
  else
    sequence_close(s);
  return status;
}

static attcert_status split_all(piece_list *out, const pretokenizer *p, const piece_list *in, bool at_start,
                                attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < in->count; i++) {
    size_t length;
    const char *const piece = piece_list_get(&length, in, i);
    status = pretokenizer_split(out, p, piece, length, at_start && i == 0, err);
  }
  return status;
}

static attcert_status sequence_split(const void *settings, piece_list *out, const char *text, size_t length,
                                     bool at_start, attcert_error *err) {
  const sequence *const s = settings;
  piece_list in = {.count = 0};
  attcert_status status = piece_list_add(&in, text, length, err);
  for (size_t i = 0; status == ATTCERT_OK && i < s->count; i++) {
    piece_list next = {.count = 0};
    status = split_all(&next, &s->step[i], &in, at_start && i == 0, err);
    piece_list_clear(&in);
    in = next;
  }
  if (status == ATTCERT_OK) status = split_all(out, NULL, &in, false, err);
  piece_list_clear(&in);
  return status;
}

const pretokenizer_kind pretokenizer_sequence = {"Sequence", (const char *const[]){"pretokenizers", NULL},
                                                 sequence_open, sequence_split, sequence_close};
