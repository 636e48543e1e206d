/* Writes a report and notices when it could not be written. */
#include "cli/output.h"

#include <errno.h>
#include <string.h>

attcert_status output_open(output *out, const char *path, attcert_error *err) {
  *out = (output){.stream = stdout, .to_file = path != NULL};
  if (path == NULL) return ATTCERT_OK;
  const attcert_status status = atomic_file_open(&out->file, path, err);
  out->stream = out->file.stream;
  return status;
}

attcert_status output_close(output *out, attcert_error *err) {
  if (out->to_file) return atomic_file_commit(&out->file, err);
  errno = 0;
  if (fflush(stdout) != 0 || ferror(stdout))
    return attcert_fail(err, ATTCERT_RESOURCE, "standard output: cannot write the report: %s", strerror(errno));
  return ATTCERT_OK;
}

attcert_status output_probe(const char *path, attcert_error *err) {
  atomic_file file;
  if (path == NULL) return ATTCERT_OK;
  const attcert_status status = atomic_file_open(&file, path, err);
  if (status == ATTCERT_OK) atomic_file_discard(&file);
  return status;
}
