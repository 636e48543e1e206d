/* Text for models of single characters: windows of tokens cut from a string, ids from a vocab.json. */
#ifndef ATTCERT_TESTS_SUPPORT_CHARACTER_TEXT_H
#define ATTCERT_TESTS_SUPPORT_CHARACTER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int id[128]; /* of each ASCII character, -1 where the vocabulary has none */
} character_ids;

/* Fails the test when the file cannot be read. */
void character_ids_read(character_ids *ids, const char *path);

/* The next n characters in a row that are all in the vocabulary, from *position on; false at the end of the text. */
bool character_window(int *tokens, int n, const character_ids *ids, const char *text, size_t length, size_t *position);

#endif
