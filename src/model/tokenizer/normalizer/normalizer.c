/* See normalizer.h: the table of normalizers, and sequences. */
#include "model/tokenizer/normalizer/normalizer.h"

#include "base/arrays.h"
#include "model/tokenizer/normalizer/normalizer_kind.h"

#include <stdlib.h>
#include <string.h>

struct normalizer {
  const normalizer_kind *kind;
  void *settings;
};

static const normalizer_kind *find_kind(const char *type) {
  static const normalizer_kind *const kinds[] = {
      &normalizer_bert,    &normalizer_byte_level, &normalizer_lowercase, &normalizer_nfc,          &normalizer_nfd,
      &normalizer_nfkc,    &normalizer_nfkd,       &normalizer_nmt,       &normalizer_precompiled,  &normalizer_prepend,
      &normalizer_replace, &normalizer_sequence,   &normalizer_strip,     &normalizer_strip_accents};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(kinds[i]->type, type) == 0) return kinds[i];
  }
  return NULL;
}

static attcert_status open_into(normalizer *made, const component *c, attcert_error *err) {
  const char *type;
  attcert_status status = component_required_string(&type, c, "type", err);
  if (status != ATTCERT_OK) return status;
  made->kind = find_kind(type);
  if (made->kind == NULL)
    return component_wrong(c, "type",
                           "BertNormalizer, ByteLevel, Lowercase, NFC, NFD, NFKC, NFKD, Nmt, Precompiled, Prepend, "
                           "Replace, Sequence, Strip or StripAccents",
                           err);
  status = component_check_keys(c, made->kind->keys, err);
  return status == ATTCERT_OK && made->kind->open != NULL ? made->kind->open(&made->settings, c, err) : status;
}

static void close_one(normalizer *n) {
  if (n->kind->close != NULL) n->kind->close(n->settings);
}

attcert_status normalizer_open(normalizer **n, const component *c, attcert_error *err) {
  *n = NULL;
  normalizer *const made = array_new(1, sizeof *made, err, "a normalizer");
  if (made == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = open_into(made, c, err);
  if (status == ATTCERT_OK)
    *n = made;
  else
    free(made);
  return status;
}

void normalizer_close(normalizer *n) {
  if (n == NULL) return;
  close_one(n);
  free(n);
}

attcert_status normalizer_apply(const normalizer *n, normal_text *t, attcert_error *err) {
  return n != NULL ? n->kind->apply(n->settings, t, err) : ATTCERT_OK;
}

/* ---- sequences --------------------------------------------------------------------------------------------------- */

typedef struct {
  normalizer *step;
  size_t count;
} sequence;

static void sequence_close(void *settings) {
  sequence *const s = settings;
  for (size_t i = 0; i < s->count; i++) close_one(&s->step[i]);
  free(s->step);
  free(s);
}

static attcert_status sequence_open(void **settings, const component *c, attcert_error *err) {
  static const char key[] = "normalizers";
  const json_t *list;
  attcert_status status = component_array(&list, c, key, err);
  if (status != ATTCERT_OK) return status;
  sequence *const s = array_new(1, sizeof *s, err, "a sequence of normalizers");
  if (s == NULL) return ATTCERT_RESOURCE;
  s->step = array_new(json_array_size(list), sizeof *s->step, err, "a sequence of normalizers");
  if (s->step == NULL) status = ATTCERT_RESOURCE;
  for (size_t i = 0; status == ATTCERT_OK && i < json_array_size(list); i++) {
    component element;
    status = component_element(&element, c, key, i, err);
    if (status == ATTCERT_OK) status = open_into(&s->step[i], &element, err);
    if (status == ATTCERT_OK) s->count++;
  }
  if (status == ATTCERT_OK)
    *settings = s;
  else
    sequence_close(s);
  return status;
}

static attcert_status sequence_apply(const void *settings, normal_text *t, attcert_error *err) {
  const sequence *const s = settings;
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < s->count; i++) status = normalizer_apply(&s->step[i], t, err);
  return status;
}

const normalizer_kind normalizer_sequence = {"Sequence", (const char *const[]){"normalizers", NULL}, sequence_open,
                                             sequence_apply, sequence_close};
