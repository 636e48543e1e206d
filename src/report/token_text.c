#include "report/token_text.h"

#include "base/arrays.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

/* The bytes of the character at text[0 .. left - 1], 1 and code = -1 where there is none. */
static size_t read_character(utf8proc_int32_t *code, const char *text, size_t left) {
  const utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)left, code);
  if (bytes > 0) return (size_t)bytes;
  *code = -1;
  return 1;
}

static bool is_shown(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CS:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return false;
  default:
    return true;
  }
}

enum { LONGEST = 16 }; /* "\u{10ffff}" */

/* Returns the length of what is shown for one character. */
static size_t show(char shown[LONGEST], const char *text, size_t bytes, utf8proc_int32_t code) {
  static const char named[] = "\nn\rr\tt";
  const char *const name = code > 0 && code < 0x20 ? strchr(named, code) : NULL;
  if (code < 0)
    snprintf(shown, LONGEST, "\\x%02x", (unsigned char)*text);
  else if (name != NULL)
    snprintf(shown, LONGEST, "\\%c", name[1]);
  else if (!is_shown(code))
    snprintf(shown, LONGEST, "\\u{%x}", (unsigned)code);
  else
    snprintf(shown, LONGEST, "%.*s", (int)bytes, text);
  return strlen(shown);
}

char *token_text_new(const char *piece, attcert_error *err) {
  const size_t length = strlen(piece);
  char shown[LONGEST];
  char *const text = array_new(length * (LONGEST - 1) + 1, 1, err, "the text of a token");
  size_t end = 0;
  if (text == NULL) return NULL;
  for (size_t i = 0; i < length;) {
    utf8proc_int32_t code;
    const size_t bytes = read_character(&code, piece + i, length - i), added = show(shown, piece + i, bytes, code);
    memcpy(text + end, shown, added + 1);
    end += added;
    i += bytes;
  }
  return text;
}

int token_text_width(const char *text) {
  const size_t length = strlen(text);
  int width = 0;
  for (size_t i = 0; i < length;) {
    utf8proc_int32_t code;
    i += read_character(&code, text + i, length - i);
    if (code >= 0) width += utf8proc_charwidth(code);
  }
  return width;
}
