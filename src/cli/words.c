#include "cli/words.h"

#include <ctype.h>
#include <stdlib.h>

long words_next(const char **text) {
  char *end;
  if (!isdigit((unsigned char)**text)) return -1; /* strtol would take a space or a sign */
  const long index = strtol(*text, &end, 10);
  if (*end != '\0' && (*end != ',' || end[1] == '\0')) return -1;
  *text = *end == ',' ? end + 1 : end;
  return index;
}
