/* The normalizers that are known, a file each. */
#ifndef ATTCERT_MODEL_TOKENIZER_NORMALIZER_NORMALIZER_KIND_H
#define ATTCERT_MODEL_TOKENIZER_NORMALIZER_NORMALIZER_KIND_H

#include "model/tokenizer/normalizer/normalizer.h"

typedef struct {
  component_kind common;
  attcert_status (*apply)(const void *settings, normal_text *t, attcert_error *err);
} normalizer_kind;

extern const normalizer_kind normalizer_bert;       /* control characters, ideographs, accents, case */
extern const normalizer_kind normalizer_byte_level; /* bytes to GPT-2's symbols */
extern const normalizer_kind normalizer_lowercase;  /* of each character */
extern const normalizer_kind normalizer_nfc, normalizer_nfd, normalizer_nfkc, normalizer_nfkd;
extern const normalizer_kind normalizer_nmt;           /* controls and spaces as in sentencepiece's nmt rules */
extern const normalizer_kind normalizer_precompiled;   /* sentencepiece's compiled rules */
extern const normalizer_kind normalizer_prepend;       /* a string before a text that is not empty */
extern const normalizer_kind normalizer_replace;       /* a string, or a regular expression */
extern const normalizer_kind normalizer_strip;         /* white space at the ends */
extern const normalizer_kind normalizer_strip_accents; /* marks */

#endif
