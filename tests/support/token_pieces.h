/* A tokenizer.json seen through a model (WordLevel) that has the expected pieces as its only tokens. Its parts are JSON
 * text, NULL for none; pieces are a list that NULL ends. */
#ifndef ATTCERT_TEST_TOKEN_PIECES_H
#define ATTCERT_TEST_TOKEN_PIECES_H

#include "temp_folder.h"
#include "tokenizer_json_folder.h"

#define PIECES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Writes it to the shared folder. Added tokens get the ids that they have there. */
void write_pieces(const char *added, const char *normalizer, const char *pre_tokenizer, const char *post_processor,
                  const char *const *pieces);

/* The text becomes these pieces. */
void assert_pieces(const char *added, const char *normalizer, const char *pre_tokenizer, const char *text,
                   const char *const *pieces);

#define ASSERT_NORMAL(normalizer, text, normal) assert_pieces(NULL, normalizer, NULL, text, PIECES(normal))
#define ASSERT_SPLIT(pre_tokenizer, text, ...) assert_pieces(NULL, NULL, pre_tokenizer, text, PIECES(__VA_ARGS__))

/* The parts are refused, with the tokens "a" and "b" and a message that contains the fragment. */
void refuse_parts(const char *added, const char *normalizer, const char *pre_tokenizer, const char *post_processor,
                  const char *fragment);

#endif
