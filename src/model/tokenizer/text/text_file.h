/* UTF-8 text files (checked by libutf8proc), whole or line by line. */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_FILE_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_FILE_H

#include "attcert.h"
#include "model/format/mapped_file.h"

/* Text in memory, and what messages call it. */
typedef struct {
  const char *name;
  const char *data; /* not NUL-terminated */
  size_t length;    /* bytes */
} text_view;

typedef struct {
  mapped_file file;
  text_view text;
} text_file;

/* ATTCERT_INPUT when the file cannot be read or is not UTF-8. path must outlive the text, whose name it is. */
attcert_status text_file_open(text_file *file, const char *path, attcert_error *err);
void text_file_close(text_file *file);

/* The file's SHA-256, once the text was read: ATTCERT_INPUT when somebody changed it meanwhile. */
attcert_status text_file_digest(char sha256[SHA256_HEX_SIZE], const text_file *file, attcert_error *err);

/* The same for a file that is a list of tokens, which hold no NUL: ATTCERT_INPUT naming the line of the first. */
attcert_status text_file_open_lines(text_file *file, const char *path, attcert_error *err);

/* ATTCERT_INPUT naming the first byte that does not belong to valid UTF-8. */
attcert_status text_file_check_utf8(const text_view *text, attcert_error *err);

/* The next line of [*cursor, end) without its newline (LF or CR LF): false when none is left. A final newline ends the
 * last line, it does not begin another one. */
bool text_file_next_line(const char **line, size_t *length, const char **cursor, const char *end);

#endif
