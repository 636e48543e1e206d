/* See lower_case.h. */
#include "model/tokenizer/normalizer/lower_case.h"

#include "model/tokenizer/normalizer/normalizer_kind.h"

#include <utf8proc.h>

/* The one character whose full mapping is two: U+0130, I with a dot. */
attcert_status lower_case(text_builder *out, int32_t codepoint, attcert_error *err) {
  if (codepoint == 0x130) return text_builder_append_string(out, "i\xCC\x87", err);
  return text_builder_append_character(out, utf8proc_tolower(codepoint), err);
}

static attcert_status lowercase_apply(const void *settings, normal_text *t, attcert_error *err) {
  (void)settings;
  return normal_text_map(t, lower_case, err);
}

const normalizer_kind normalizer_lowercase = {{"Lowercase", NULL, NULL, NULL}, lowercase_apply};
