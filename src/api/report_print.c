#include "api/report_print.h"

#include "base/arrays.h"

#include <stdlib.h>

attcert_status report_print(char **text, void write(FILE *, const void *), const void *context, attcert_error *err) {
  size_t size = 0;
  free(*text);
  *text = NULL;
  FILE *const stream = open_memstream(text, &size);
  if (stream == NULL) return array_out_of_memory(err, 0, "a report");
  write(stream, context);
  const bool written = !ferror(stream);
  if (fclose(stream) == 0 && written) return ATTCERT_OK;
  free(*text);
  *text = NULL;
  return array_out_of_memory(err, 0, "a report");
}
