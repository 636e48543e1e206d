#include "base/memory_stream.h"

#include <stdlib.h>

bool memory_stream_close(FILE *stream, char **text) {
  const bool written = !ferror(stream);
  /* glibc fits the memory to the text here; when it cannot, it succeeds without a text. */
  if (fclose(stream) == 0 && written && *text != NULL) return true;
  free(*text);
  *text = NULL;
  return false;
}
