/* Tokenizers without tokenizer.json: vocab.txt (BERT's WordPiece), vocab.json with merges.txt (GPT-2's and RoBERTa's
 * byte-level BPE), vocab.json alone (characters), as transformers puts them together of these files and those beside
 * them. */
#ifndef ATTCERT_MODEL_TOKENIZER_FOLDER_OLD_FORMAT_H
#define ATTCERT_MODEL_TOKENIZER_FOLDER_OLD_FORMAT_H

#include "model/tokenizer/folder/companion_files.h"

/* Each fills an empty pipeline; what they leave there on failure, token_pipeline_close releases. */
attcert_status old_format_wordpiece(token_pipeline *p, const char *vocabulary_path, const companion_files *f,
                                    attcert_error *err);

/* vocabulary_path: NULL for the vocabulary that the merges imply in GPT-2's order. */
attcert_status old_format_bpe(token_pipeline *p, const char *vocabulary_path, const char *merges_path,
                              const companion_files *f, attcert_error *err);
attcert_status old_format_characters(token_pipeline *p, const char *vocabulary_path, const companion_files *f,
                                     attcert_error *err);

#endif
