/* From Oniguruma's regular expressions (Ruby's syntax, UTF-8) to PCRE2's:
 *
 *   \s  Unicode's White_Space: PCRE2's own has U+180E besides, which lost the property in Unicode 6.3
 *   \d  Nd;  \p{..}  a general category, or one of a few scripts, which PCRE2 takes by Script_Extensions
 *   (?i:..)  ASCII only, and no two letters that some character folds to (ss for U+00DF)
 *
 * Groups, lookaround, sets without set operations, quantifiers that are possessive in both or greedy, ^ and $ are the
 * same. The rest is refused: \w and \b (other characters), {n}? and {n,m}+ (other meanings), {,n}, back references, ..
 */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_PATTERN_TRANSLATE_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_PATTERN_TRANSLATE_H

#include "model/tokenizer/text/component.h"
#include "model/tokenizer/text/text_builder.h"

attcert_status pattern_translate(text_builder *out, const char *expression, const component *where, attcert_error *err);

#endif
