#include "api/report_print.h"

#include "base/arrays.h"
#include "base/memory_stream.h"

#include <stdlib.h>

attcert_status report_print(char **text, report_writer *write, bool json, const void *facts, attcert_error *err) {
  size_t size = 0;
  free(*text);
  *text = NULL;
  FILE *const stream = open_memstream(text, &size);
  if (stream == NULL) return array_out_of_memory(err, 0, "a report");
  write(stream, json, facts);
  return memory_stream_close(stream, text) ? ATTCERT_OK : array_out_of_memory(err, 0, "a report");
}
