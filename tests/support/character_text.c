/* ASCII only: other bytes end a window, as characters outside the vocabulary do. */
#include "character_text.h"

#include "model/format/json_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

void character_ids_read(character_ids *ids, const char *path) {
  attcert_error err;
  json_file file;
  if (json_file_open(&file, path, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  ids->id[0] = -1;
  for (int c = 1; c < 128; c++) {
    const char key[2] = {(char)c, '\0'};
    if (!json_file_has(&file, key) || json_file_int(&ids->id[c], &file, key, 0, INT32_MAX, &err) != ATTCERT_OK)
      ids->id[c] = -1;
  }
  json_file_close(&file);
}

static int id_of(const character_ids *ids, char c) {
  const unsigned char byte = (unsigned char)c;
  return byte < 128 ? ids->id[byte] : -1;
}

bool character_window(int *tokens, int n, const character_ids *ids, const char *text, size_t length, size_t *position) {
  int found = 0;
  while (*position < length && found < n) {
    tokens[found] = id_of(ids, text[(*position)++]);
    found = tokens[found] >= 0 ? found + 1 : 0;
  }
  return found == n;
}
