/* What tokenizer_config.json says of a tokenizer without tokenizer.json. */
#ifndef ATTCERT_MODEL_TOKENIZER_FOLDER_OLD_SETTINGS_H
#define ATTCERT_MODEL_TOKENIZER_FOLDER_OLD_SETTINGS_H

#include "model/tokenizer/folder/companion_files.h"

typedef struct {
  char tokenizer_class[64]; /* without the "Fast" at its end; empty: not said */
  bool do_lower_case, lower_case_said;
  bool strip_accents, strip_accents_said; /* not said: as do_lower_case */
  bool tokenize_chinese_chars, add_prefix_space, add_bos_token;
} old_settings;

/* transformers' defaults where nothing is said. ATTCERT_INPUT names a key that is not known, or one whose value asks
 * for what is not done: never_split, do_basic_tokenize, code of the folder's own, .. */
attcert_status old_settings_read(old_settings *s, const companion_files *f, attcert_error *err);

#endif
