/* Writes a report and notices when it could not be written. */
#include "cli/output/output.h"

#include "base/arrays.h"
#include "base/memory_stream.h"
#include "base/write_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

attcert_status output_open(output *out, const char *path, attcert_error *err) {
  *out = (output){.to_file = path != NULL};
  if (path == NULL) {
    out->stream = open_memstream(&out->text, &out->length);
    return out->stream != NULL ? ATTCERT_OK : array_out_of_memory(err, 0, "the text of the report");
  }
  const attcert_status status = atomic_file_open(&out->file, path, err);
  out->stream = out->file.stream;
  return status;
}

static attcert_status close_file(atomic_file *file, attcert_status status, attcert_error *err) {
  if (status == ATTCERT_OK) return atomic_file_commit(file, err);
  atomic_file_discard(file);
  return status;
}

attcert_status output_close(output *out, attcert_status status, attcert_error *err) {
  if (out->to_file) return close_file(&out->file, status, err);
  const bool whole = memory_stream_close(out->stream, &out->text);
  const int error = status != ATTCERT_OK ? 0 : whole ? write_all(STDOUT_FILENO, out->text, out->length) : ENOMEM;
  free(out->text);
  if (error == 0) return status;
  return attcert_fail(err, ATTCERT_RESOURCE, "standard output: cannot write the report: %s", strerror(error));
}

attcert_status output_write(const char *path, report_writer *write, bool json, const void *facts, attcert_error *err) {
  output out;
  const attcert_status status = output_open(&out, path, err);
  if (status != ATTCERT_OK) return status;
  write(out.stream, json, facts);
  return output_close(&out, status, err);
}

attcert_status output_probe(const char *path, attcert_error *err) {
  atomic_file file;
  if (path == NULL) return ATTCERT_OK;
  const attcert_status status = atomic_file_open(&file, path, err);
  if (status == ATTCERT_OK) atomic_file_discard(&file);
  return status;
}
