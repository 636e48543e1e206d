#include "report/rows/row_file.h"

#include "base/arrays.h"
#include "base/memory_stream.h"
#include "base/system_error.h"
#include "base/write_all.h"
#include "report/rows/row_header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static attcert_status fail_with_errno(const row_file *f, attcert_status status, const char *what, attcert_error *err) {
  return attcert_fail(err, status, "%s: %s: %s", f->path, what, strerror(errno));
}

/* ---- bytes on the disk ------------------------------------------------------------------------------------------- */

/* Written, then synchronised. What a full disk took only in part is removed again. */
static attcert_status append_bytes(const row_file *f, const char *text, size_t length, attcert_error *err) {
  const off_t before = lseek(f->descriptor, 0, SEEK_END);
  int error = before >= 0 ? write_all(f->descriptor, text, length) : errno;
  if (error == 0) error = write_sync(f->descriptor);
  if (error == 0) return ATTCERT_OK;
  errno = error;
  const attcert_status status = fail_with_errno(f, ATTCERT_RESOURCE, "cannot write a row", err);
  if (before >= 0 && ftruncate(f->descriptor, before) != 0) return status; /* reading the file removes it then */
  return status;
}

/* What put writes, as text: allocated, NULL when memory runs out. */
static char *text_of(void (*put)(FILE *out, const void *context), const void *context, size_t *length) {
  char *text = NULL;
  FILE *const out = open_memstream(&text, length);
  if (out == NULL) return NULL;
  put(out, context);
  return memory_stream_close(out, &text) ? text : NULL;
}

static void put_start(FILE *out, const void *rows) {
  const row_file_rows *const r = rows;
  fprintf(out, "%s\n", r->header);
  r->put_names(out);
}

attcert_status row_file_append(row_file *f, void (*put)(FILE *out, const void *row), const void *row,
                               attcert_error *err) {
  size_t length;
  char *const text = text_of(put, row, &length);
  if (text == NULL) return array_out_of_memory(err, 0, "a row of %s", f->path);
  const attcert_status status = append_bytes(f, text, length, err);
  free(text);
  return status;
}

/* The whole file, with a NUL behind it. */
static attcert_status read_bytes(const row_file *f, char **text, size_t *length, attcert_error *err) {
  struct stat info;
  if (fstat(f->descriptor, &info) != 0) return fail_with_errno(f, system_error_status(errno), "cannot read", err);
  *length = (size_t)info.st_size;
  *text = array_new(*length + 1, 1, err, "the text of %s", f->path);
  if (*text == NULL) return ATTCERT_RESOURCE;
  for (size_t done = 0; done < *length;) {
    const ssize_t got = pread(f->descriptor, *text + done, *length - done, (off_t)done);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO; /* cut short while it was read */
    if (got <= 0) {
      const attcert_status status = fail_with_errno(f, system_error_status(errno), "cannot read", err);
      free(*text);
      return status;
    }
    done += (size_t)got;
  }
  (*text)[*length] = '\0';
  return ATTCERT_OK;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* The rows in [text, end): every line that ends; *end_of_rows is where the last of them does. */
static attcert_status read_rows(const row_file *f, const row_file_rows *rows, char *text, const char *end,
                                char **end_of_rows, attcert_error *err) {
  char where[512];
  attcert_status status = ATTCERT_OK;
  *end_of_rows = text;
  for (size_t number = 3; status == ATTCERT_OK; number++) { /* two lines come before the rows */
    char *const newline = memchr(*end_of_rows, '\n', (size_t)(end - *end_of_rows));
    if (newline == NULL) break;
    *newline = '\0';
    snprintf(where, sizeof where, "%.400s: line %zu", f->path, number);
    status = rows->read(rows->context, *end_of_rows, where, err);
    *end_of_rows = newline + 1;
  }
  return status;
}

/* A file that does not begin as this one's would: another first line, or other columns. */
static attcert_status refuse(const row_file *f, char *text, const row_file_rows *rows, attcert_error *err) {
  char *const line_end = strchr(text, '\n');
  if (line_end != NULL) *line_end = '\0';
  if (strcmp(text, rows->header) != 0) return row_header_refuse(rows->header, text, f->path, rows->kind, err);
  return attcert_fail(err, ATTCERT_INPUT, "%s: its second line does not name the columns that this version writes",
                      f->path);
}

static attcert_status truncate_to(const row_file *f, size_t length, attcert_error *err) {
  if (ftruncate(f->descriptor, (off_t)length) == 0) return ATTCERT_OK;
  return fail_with_errno(f, ATTCERT_RESOURCE, "cannot remove a line that was cut short", err);
}

/* text (length bytes) is the file, start (start_length bytes) its two first lines as they are written. */
static attcert_status take_over(row_file *f, char *text, size_t length, const char *start, size_t start_length,
                                const row_file_rows *rows, attcert_error *err) {
  const size_t common = length < start_length ? length : start_length;
  if (memcmp(text, start, common) != 0) return refuse(f, text, rows, err);
  if (length < start_length) { /* new, or cut short at once */
    const attcert_status status = truncate_to(f, 0, err);
    return status == ATTCERT_OK ? append_bytes(f, start, start_length, err) : status;
  }
  char *end_of_rows;
  const attcert_status status = read_rows(f, rows, text + start_length, text + length, &end_of_rows, err);
  const size_t kept = (size_t)(end_of_rows - text);
  return status == ATTCERT_OK && kept < length ? truncate_to(f, kept, err) : status;
}

static attcert_status read_file(row_file *f, const row_file_rows *rows, attcert_error *err) {
  char *text = NULL;
  size_t length = 0, start_length;
  attcert_status status = read_bytes(f, &text, &length, err);
  if (status != ATTCERT_OK) return status;
  char *const start = text_of(put_start, rows, &start_length);
  status = start == NULL ? array_out_of_memory(err, 0, "the first line of %s", f->path)
                         : take_over(f, text, length, start, start_length, rows, err);
  free(start);
  free(text);
  return status;
}

static attcert_status open_and_lock(row_file *f, const char *kind, attcert_error *err) {
  struct stat info;
  do f->descriptor = open(f->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  while (f->descriptor < 0 && errno == EINTR);
  if (f->descriptor < 0 || fstat(f->descriptor, &info) != 0)
    return fail_with_errno(f, system_error_status(errno), "cannot write", err);
  if (!S_ISREG(info.st_mode))
    return attcert_fail(err, ATTCERT_INPUT, "%s: cannot write: exists and is not a regular file", f->path);
  int locked;
  do locked = flock(f->descriptor, LOCK_EX | LOCK_NB);
  while (locked != 0 && errno == EINTR);
  if (locked == 0) return ATTCERT_OK;
  if (errno != EWOULDBLOCK) return fail_with_errno(f, system_error_status(errno), "cannot lock", err);
  return attcert_fail(err, ATTCERT_INPUT, "%s: another %s is writing to it, expected one at a time", f->path, kind);
}

attcert_status row_file_open(row_file *f, const char *path, const row_file_rows *rows, attcert_error *err) {
  *f = (row_file){.path = path};
  attcert_status status = open_and_lock(f, rows->kind, err);
  if (status == ATTCERT_OK) status = read_file(f, rows, err);
  if (status != ATTCERT_OK) row_file_close(f);
  return status;
}

void row_file_close(row_file *f) {
  if (f->descriptor >= 0) close(f->descriptor); /* and with it the lock */
  f->descriptor = -1;
}
