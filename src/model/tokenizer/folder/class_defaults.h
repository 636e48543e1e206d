/* What transformers' classes do to a tokenizer.json where tokenizer_config.json is silent: BERT's and its relatives'
 * lower the case unless do_lower_case says otherwise, whatever the normalizer says; GPT-2's and RoBERTa's put no blank
 * before a text unless add_prefix_space does. A file that disagrees with that is two tokenizers, and is refused. So is
 * one of SigLIP's class, which reads sentencepiece's file and drops punctuation. */
#ifndef ATTCERT_MODEL_TOKENIZER_FOLDER_CLASS_DEFAULTS_H
#define ATTCERT_MODEL_TOKENIZER_FOLDER_CLASS_DEFAULTS_H

#include "model/tokenizer/folder/companion_files.h"

/* root: of the tokenizer.json. */
attcert_status class_defaults_check(const component *root, const companion_files *f, attcert_error *err);

#endif
