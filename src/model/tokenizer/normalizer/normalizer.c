/* See normalizer.h: the table of normalizers. */
#include "model/tokenizer/normalizer/normalizer.h"

#include "model/tokenizer/normalizer/normalizer_kind.h"

attcert_status normalizer_open(normalizer **n, const component *c, attcert_error *err) {
  static const component_kind *const kinds[] = {&normalizer_bert.common,          &normalizer_byte_level.common,
                                                &normalizer_lowercase.common,     &normalizer_nfc.common,
                                                &normalizer_nfd.common,           &normalizer_nfkc.common,
                                                &normalizer_nfkd.common,          &normalizer_nmt.common,
                                                &normalizer_precompiled.common,   &normalizer_prepend.common,
                                                &normalizer_replace.common,       &normalizer_strip.common,
                                                &normalizer_strip_accents.common, NULL};
  static const component_kinds known = {
      kinds,
      "BertNormalizer, ByteLevel, Lowercase, NFC, NFD, NFKC, NFKD, Nmt, Precompiled, Prepend, Replace, Sequence, Strip "
      "or StripAccents",
      "normalizers", NULL};
  return component_list_open(n, c, &known, err);
}

attcert_status normalizer_apply(const normalizer *n, normal_text *t, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; n != NULL && i < n->count && status == ATTCERT_OK; i++)
    status = ((const normalizer_kind *)n->step[i].kind)->apply(n->step[i].settings, t, err);
  return status;
}
