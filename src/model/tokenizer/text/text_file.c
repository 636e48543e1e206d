/* See text_file.h. */
#include "model/tokenizer/text/text_file.h"

#include <string.h>
#include <utf8proc.h>

attcert_status text_file_check_utf8(const text_view *text, attcert_error *err) {
  size_t at = 0;
  while (at < text->length) {
    const utf8proc_uint8_t *const bytes = (const utf8proc_uint8_t *)text->data + at;
    utf8proc_int32_t codepoint;
    const utf8proc_ssize_t step = utf8proc_iterate(bytes, (utf8proc_ssize_t)(text->length - at), &codepoint);
    if (step < 1)
      return attcert_fail(err, ATTCERT_INPUT, "%s: byte 0x%02x at offset %zu is not UTF-8", text->name,
                          (unsigned)bytes[0], at);
    at += (size_t)step;
  }
  return ATTCERT_OK;
}

attcert_status text_file_open(text_file *file, const char *path, attcert_error *err) {
  *file = (text_file){.text = {.name = path, .data = ""}};
  attcert_status status = mapped_file_open(&file->file, path, err);
  if (status != ATTCERT_OK) return status;
  if (file->file.size > 0) file->text.data = (const char *)file->file.data;
  file->text.length = file->file.size;
  status = text_file_check_utf8(&file->text, err);
  if (status != ATTCERT_OK) text_file_close(file);
  return status;
}

attcert_status text_file_open_lines(text_file *file, const char *path, attcert_error *err) {
  const attcert_status status = text_file_open(file, path, err);
  if (status != ATTCERT_OK) return status;
  const char *const nul = memchr(file->text.data, '\0', file->text.length);
  if (nul == NULL) return ATTCERT_OK;
  int line = 1;
  for (const char *c = file->text.data; c < nul; c++) line += *c == '\n';
  text_file_close(file);
  return attcert_fail(err, ATTCERT_INPUT, "%s: line %d holds a NUL byte, expected text", path, line);
}

void text_file_close(text_file *file) {
  mapped_file_close(&file->file);
  file->text = (text_view){0};
}

attcert_status text_file_digest(char sha256[SHA256_HEX_SIZE], const text_file *file, attcert_error *err) {
  return mapped_file_digest(sha256, &file->file, file->text.name, err);
}

bool text_file_next_line(const char **line, size_t *length, const char **cursor, const char *end) {
  if (*cursor == end) return false;
  const char *const newline = memchr(*cursor, '\n', (size_t)(end - *cursor));
  const char *const stop = newline != NULL ? newline : end;
  *line = *cursor;
  *length = (size_t)(stop - *cursor);
  if (*length > 0 && stop[-1] == '\r') (*length)--;
  *cursor = newline != NULL ? newline + 1 : end;
  return true;
}
