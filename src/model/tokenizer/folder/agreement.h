/* What the files beside a tokenizer.json say of the same things: transformers reads them too, and would change the
 * tokenizer where they differ. */
#ifndef ATTCERT_MODEL_TOKENIZER_FOLDER_AGREEMENT_H
#define ATTCERT_MODEL_TOKENIZER_FOLDER_AGREEMENT_H

#include "model/tokenizer/folder/companion_files.h"

/* root: of the tokenizer.json that p was read from. ATTCERT_INPUT names a key that contradicts it, or an added or
 * special token that it lacks. */
attcert_status agreement_check(const token_pipeline *p, const component *root, const companion_files *f,
                               attcert_error *err);

#endif
