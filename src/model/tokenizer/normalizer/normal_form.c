/* See normal_form.h; by libutf8proc. */
#include "model/tokenizer/normalizer/normal_form.h"

#include "base/arrays.h"
#include "model/tokenizer/normalizer/normalizer_kind.h"

#include <utf8proc.h>

attcert_status normal_form_apply(normal_text *t, normal_form form, attcert_error *err) {
  static const utf8proc_option_t options[] = {[NORMAL_FORM_C] = UTF8PROC_STABLE | UTF8PROC_COMPOSE,
                                              [NORMAL_FORM_D] = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE,
                                              [NORMAL_FORM_KC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT,
                                              [NORMAL_FORM_KD] =
                                                  UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT};
  if (t->text.length == 0) return ATTCERT_OK;
  utf8proc_uint8_t *mapped = NULL;
  const utf8proc_ssize_t length =
      utf8proc_map((const utf8proc_uint8_t *)t->text.data, (utf8proc_ssize_t)t->text.length, &mapped, options[form]);
  if (length == UTF8PROC_ERROR_NOMEM)
    return array_out_of_memory(err, 0, "the normal form of a text of %zu bytes", t->text.length);
  if (length < 0) return attcert_fail(err, ATTCERT_INPUT, "a normal form: %s", utf8proc_errmsg(length));
  text_builder text = {.data = (char *)mapped, .length = (size_t)length, .capacity = (size_t)length};
  normal_text_set(t, &text);
  return ATTCERT_OK;
}

#define FORM(name, form)                                                                         \
  static attcert_status name##_apply(const void *settings, normal_text *t, attcert_error *err) { \
    (void)settings;                                                                              \
    return normal_form_apply(t, form, err);                                                      \
  }

FORM(nfc, NORMAL_FORM_C)
FORM(nfd, NORMAL_FORM_D)
FORM(nfkc, NORMAL_FORM_KC)
FORM(nfkd, NORMAL_FORM_KD)

const normalizer_kind normalizer_nfc = {{"NFC", NULL, NULL, NULL}, nfc_apply};
const normalizer_kind normalizer_nfd = {{"NFD", NULL, NULL, NULL}, nfd_apply};
const normalizer_kind normalizer_nfkc = {{"NFKC", NULL, NULL, NULL}, nfkc_apply};
const normalizer_kind normalizer_nfkd = {{"NFKD", NULL, NULL, NULL}, nfkd_apply};
