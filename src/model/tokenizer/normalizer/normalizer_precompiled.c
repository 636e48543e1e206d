/* Precompiled: sentencepiece's rules as a double array (darts-clone) that leads from a text's bytes to an offset into
 * replacements that NUL ends. Layout: the array's bytes as a 32-bit number, the array of 32-bit units, the
 * replacements; little-endian. As Hugging Face tokenizers apply it: an extended grapheme of less than 6 bytes that
 * begins with a key becomes the replacement of the shortest such key; in other graphemes, each character does. */
#include "base/arrays.h"
#include "model/tokenizer/normalizer/normalizer_kind.h"
#include "model/tokenizer/text/character.h"
#include "model/tokenizer/text/text_file.h"

#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

typedef struct {
  uint8_t *bytes; /* all of them */
  const uint8_t *unit;
  size_t units;
  const char *replacement;
  size_t length; /* of the replacements */
} charsmap;

static uint32_t unit_at(const charsmap *m, size_t i) {
  const uint8_t *const b = m->unit + 4 * i;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static size_t unit_offset(uint32_t unit) {
  return (size_t)(unit >> 10) << ((unit & 1U << 9) >> 6);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void charsmap_close(void *settings) {
  charsmap *const m = settings;
  free(m->bytes);
  free(m);
}

static attcert_status decode_base64(charsmap *m, size_t *size, const char *text, const component *c,
                                    attcert_error *err) {
  struct base64_decode_ctx context;
  const size_t length = strlen(text);
  m->bytes = array_new(BASE64_DECODE_LENGTH(length) + 1, 1, err, "a charsmap of %zu characters", length);
  if (m->bytes == NULL) return ATTCERT_RESOURCE;
  base64_decode_init(&context);
  if (base64_decode_update(&context, size, m->bytes, length, text) == 1 && base64_decode_final(&context) == 1)
    return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s: precompiled_charsmap is not base64, expected it to be", c->path,
                      c->place);
}

static attcert_status find_parts(charsmap *m, size_t size, const component *c, attcert_error *err) {
  const size_t units =
      size >= 4 ? (size_t)m->bytes[0] | (size_t)m->bytes[1] << 8 | (size_t)m->bytes[2] << 16 | (size_t)m->bytes[3] << 24
                : 0;
  if (units < 4 || units % 4 != 0 || units > size - 4)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: %s: precompiled_charsmap has %zu bytes, expected a double array and its replacements",
                        c->path, c->place, size);
  m->unit = m->bytes + 4;
  m->units = units / 4;
  m->replacement = (const char *)m->bytes + 4 + units;
  m->length = size - 4 - units;
  return text_file_check_utf8(&(text_view){c->path, m->replacement, m->length}, err);
}

static attcert_status charsmap_open(void **settings, const component *c, attcert_error *err) {
  const char *text;
  size_t size = 0;
  attcert_status status = component_required_string(&text, c, "precompiled_charsmap", err);
  if (status != ATTCERT_OK) return status;
  charsmap *const m = array_new(1, sizeof *m, err, "a normalizer");
  if (m == NULL) return ATTCERT_RESOURCE;
  status = decode_base64(m, &size, text, c, err);
  if (status == ATTCERT_OK) status = find_parts(m, size, c, err);
  if (status == ATTCERT_OK)
    *settings = m;
  else
    charsmap_close(m);
  return status;
}

/* ---- applying ---------------------------------------------------------------------------------------------------- */

/* The offset of the replacement of the shortest key that the bytes begin with; SIZE_MAX: there is none. A walk that
 * leaves the array ends there. */
static size_t find_key(const charsmap *m, const char *bytes, size_t length) {
  size_t at = unit_offset(unit_at(m, 0));
  for (size_t i = 0; i < length && bytes[i] != '\0'; i++) {
    const uint32_t byte = (unsigned char)bytes[i];
    at ^= byte;
    if (at >= m->units) return SIZE_MAX;
    const uint32_t unit = unit_at(m, at);
    if ((unit & (1U << 31 | 0xFF)) != byte) return SIZE_MAX;
    at ^= unit_offset(unit);
    if (at >= m->units) return SIZE_MAX;
    if ((unit >> 8 & 1) != 0) return unit_at(m, at) & ~(1U << 31);
  }
  return SIZE_MAX;
}

/* *found is false where nothing is appended because no key fits. */
static attcert_status transform(bool *found, text_builder *out, const charsmap *m, const char *bytes, size_t length,
                                attcert_error *err) {
  const size_t at = find_key(m, bytes, length);
  *found = at != SIZE_MAX;
  if (!*found) return ATTCERT_OK;
  if (at > m->length || (at < m->length && ((unsigned char)m->replacement[at] & 0xC0) == 0x80))
    return attcert_fail(err, ATTCERT_INPUT,
                        "precompiled_charsmap: a rule leads to byte %zu of %zu, expected a character", at, m->length);
  const char *const text = m->replacement + at, *const nul = memchr(text, '\0', m->length - at);
  return text_builder_append(out, text, nul != NULL ? (size_t)(nul - text) : m->length - at, err);
}

static attcert_status transform_grapheme(text_builder *out, const charsmap *m, const char *bytes, size_t length,
                                         attcert_error *err) {
  bool found = false;
  attcert_status status = length < 6 ? transform(&found, out, m, bytes, length, err) : ATTCERT_OK;
  for (size_t at = 0; status == ATTCERT_OK && !found && at < length;) {
    const size_t character = character_length(bytes + at);
    bool replaced;
    status = transform(&replaced, out, m, bytes + at, character, err);
    if (status == ATTCERT_OK && !replaced) status = text_builder_append(out, bytes + at, character, err);
    at += character;
  }
  return status;
}

/* Bytes of the extended grapheme cluster that the text begins with. */
static size_t grapheme_length(const char *text, size_t length) {
  size_t at, bytes;
  utf8proc_int32_t state = 0, before = character_at(&at, text);
  while (at < length) {
    const int32_t next = character_at(&bytes, text + at);
    if (utf8proc_grapheme_break_stateful(before, next, &state)) break;
    before = next;
    at += bytes;
  }
  return at;
}

static attcert_status charsmap_apply(const void *settings, normal_text *t, attcert_error *err) {
  text_builder out = {0};
  attcert_status status = ATTCERT_OK;
  bool kept_first = true;
  size_t bytes;
  for (size_t at = 0; status == ATTCERT_OK && at < t->text.length; at += bytes) {
    bytes = grapheme_length(t->text.data + at, t->text.length - at);
    status = transform_grapheme(&out, settings, t->text.data + at, bytes, err);
    if (at == 0) kept_first = out.length > 0;
  }
  if (status == ATTCERT_OK) {
    normal_text_set(t, &out);
    t->at_start = t->at_start && kept_first;
  }
  text_builder_clear(&out);
  return status;
}

const normalizer_kind normalizer_precompiled = {
    {"Precompiled", (const char *const[]){"precompiled_charsmap", NULL}, charsmap_open, charsmap_close},
    charsmap_apply};
