#include "model/format/file_kind.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct {
  const unsigned char *bytes;
  size_t size;
} file_start;

static bool begins(file_start f, const char *text, size_t length) {
  return f.size >= length && memcmp(f.bytes, text, length) == 0;
}

/* Within the first bytes, where the name of an archive's first entry is. */
static bool names(file_start f, const char *text) {
  enum { NEAR = 128 };
  const size_t length = strlen(text);
  for (size_t i = 0; i < NEAR && i + length <= f.size; i++) {
    if (memcmp(f.bytes + i, text, length) == 0) return true;
  }
  return false;
}

static bool is_html(file_start f) {
  size_t i = 0;
  while (i < f.size && isspace(f.bytes[i])) i++;
  const char *const text = (const char *)f.bytes + i;
  return (f.size - i >= 5 && strncasecmp(text, "<html", 5) == 0) ||
         (f.size - i >= 9 && strncasecmp(text, "<!doctype", 9) == 0);
}

static const char *archive_kind(file_start f) {
  if (names(f, ".npy")) return "an .npz archive of arrays";
  if (names(f, "data.pkl")) return "a PyTorch file, a zip archive with a pickle";
  return "a zip archive";
}

const char *file_kind(const unsigned char *bytes, size_t size) {
  static const struct {
    const char *magic;
    size_t length;
    const char *kind;
  } known[] = {
      {"version https://git-lfs", 23, "a Git LFS pointer (git lfs pull fetches the file)"},
      {"\x93NUMPY", 6, "an .npy file"},
      {"\x89HDF\r\n\x1a\n", 8, "an HDF5 file"},
      {"GGUF", 4, "a GGUF file"},
      {"\x1f\x8b", 2, "a gzip file"},
      {"%PDF", 4, "a PDF file"},
      {"\x80\x02", 2, "a pickle"},
      {"\x80\x03", 2, "a pickle"},
      {"\x80\x04", 2, "a pickle"},
      {"\x80\x05", 2, "a pickle"},
  };
  const file_start f = {bytes, size};
  if (size > 8 && bytes[8] == '{') return NULL; /* a safetensors header, whose length may begin as anything */
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (begins(f, known[i].magic, known[i].length)) return known[i].kind;
  }
  if (begins(f, "PK\x03\x04", 4)) return archive_kind(f);
  return is_html(f) ? "an HTML page (of a download that failed, or needs a log-in)" : NULL;
}

attcert_status file_kind_explain(attcert_status status, const unsigned char *bytes, size_t size, const char *path,
                                 const char *expected, attcert_error *err) {
  const char *const kind = status == ATTCERT_INPUT ? file_kind(bytes, size) : NULL;
  return kind == NULL ? status : attcert_fail(err, ATTCERT_INPUT, "%s: is %s, expected %s", path, kind, expected);
}
