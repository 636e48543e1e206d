#include "cli/options/option_token_ids.h"

#include "base/arrays.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool option_token_ids_listed(const char *text) {
  return text[strspn(text, "0123456789+-, ")] == '\0';
}

/* The id at *text, which moves behind it and a comma that another one follows; false: something else is there. */
static bool next_id(int *id, const char **text) {
  char *end;
  if (!isdigit((unsigned char)**text)) return false; /* strtol would take a space or a sign */
  errno = 0;
  const long value = strtol(*text, &end, 10);
  if (errno != 0 || value > INT_MAX || (*end != '\0' && (*end != ',' || end[1] == '\0'))) return false;
  *text = *end == ',' ? end + 1 : end;
  *id = (int)value;
  return true;
}

attcert_status option_token_ids_read(int **ids, int *count, const char *text, attcert_error *err) {
  const char *rest = text;
  *ids = array_new(strlen(text) / 2 + 1, sizeof **ids, err, "a list of token ids");
  if (*ids == NULL) return ATTCERT_RESOURCE;
  *count = 0;
  while (next_id(*ids + *count, &rest)) {
    ++*count;
    if (*rest == '\0') return ATTCERT_OK;
  }
  free(*ids);
  *ids = NULL;
  return attcert_fail(err, ATTCERT_INPUT,
                      "--token-ids: expected ids from 0 to %d such as 101,7592,102, or an .npy file, got '%.60s'",
                      INT_MAX, rest);
}

attcert_status option_token_ids_value(void *field, const option_row *row, const char *text, attcert_error *err) {
  int *ids, count;
  (void)row;
  if (option_token_ids_listed(text)) {
    const attcert_status status = option_token_ids_read(&ids, &count, text, err);
    if (status != ATTCERT_OK) return status;
    free(ids);
  }
  *(const char **)field = text;
  return ATTCERT_OK;
}
