/* See pattern_translate.h. */
#include "model/tokenizer/text/pattern_translate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 64 };

#define SPACE "\\p{Z}\\x09-\\x0D\\x{85}"

typedef struct {
  const char *expression, *at;
  const component *where;
  text_builder *out;
  bool folds[GROUPS]; /* of every open group: case is ignored in it */
  int depth;
  char before; /* what the last step was: 'q' a quantifier, 'a' an atom, '(' a beginning */
} translation;

static attcert_status refuse(const translation *t, const char *what, attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s: the regular expression has %s at byte %zu, expected one without",
                      t->where->path, t->where->place, what, (size_t)(t->at - t->expression));
}

static attcert_status copy(translation *t, size_t count, attcert_error *err) {
  const attcert_status status = text_builder_append(t->out, t->at, count, err);
  t->at += count;
  return status;
}

static attcert_status replace(translation *t, size_t count, const char *by, attcert_error *err) {
  t->at += count;
  return text_builder_append_string(t->out, by, err);
}

/* ---- escapes ----------------------------------------------------------------------------------------------------- */

static bool is_one_of(const char *name, size_t length, const char *const *names) {
  for (; *names != NULL; names++) {
    if (strlen(*names) == length && strncmp(*names, name, length) == 0) return true;
  }
  return false;
}

/* \p{NAME}, \P{NAME}, \p{^NAME}. */
static attcert_status property(translation *t, attcert_error *err) {
  static const char *const categories[] = {"L",  "Lu", "Ll", "Lt", "Lm", "Lo", "M",  "Mn", "Mc", "Me", "N",  "Nd", "Nl",
                                           "No", "P",  "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S",  "Sm", "Sc", "Sk",
                                           "So", "Z",  "Zs", "Zl", "Zp", "C",  "Cc", "Cf", "Co", "Cs", NULL};
  static const char *const scripts[] = {"Han",   "Hiragana", "Katakana", "Hangul", "Latin", "Cyrillic",
                                        "Greek", "Arabic",   "Hebrew",   "Thai",   NULL};
  const char *name = t->at + 2;
  if (*name++ != '{') return refuse(t, "a property without braces", err);
  const bool negated = *name == '^';
  name += negated;
  const char *const end = strchr(name, '}');
  if (end == NULL) return refuse(t, "a property without an end", err);
  const size_t length = (size_t)(end - name);
  const bool script = is_one_of(name, length, scripts);
  if (!script && !is_one_of(name, length, categories))
    return refuse(t, "a property that is neither a general category nor a known script", err);
  attcert_status status = text_builder_append(t->out, t->at, 3, err);
  if (status == ATTCERT_OK && negated) status = text_builder_append(t->out, "^", 1, err);
  if (status == ATTCERT_OK && script) status = text_builder_append(t->out, "sc:", 3, err);
  if (status == ATTCERT_OK) status = text_builder_append(t->out, name, length + 1, err);
  t->at = end + 1;
  return status;
}

/* \uHHHH and \xHH, \x{H..}. */
static attcert_status code(translation *t, attcert_error *err) {
  const char *digits = t->at + 2;
  const bool braces = t->at[1] == 'x' && *digits == '{';
  digits += braces;
  size_t count = 0;
  while (isxdigit((unsigned char)digits[count])) count++;
  if (braces && (count < 1 || count > 6 || digits[count] != '}')) return refuse(t, "a character code", err);
  if (!braces && count > 4) count = 4;
  if (!braces && t->at[1] == 'x' && count > 2) count = 2;
  if (!braces && count != (t->at[1] == 'x' ? 2U : 4U)) return refuse(t, "a character code", err);
  if (t->at[1] == 'x' && !braces && strtoul(digits, NULL, 16) > 0x7F && digits[0] >= '8')
    return refuse(t, "a byte that is no character", err);
  attcert_status status = text_builder_append_string(t->out, "\\x{", err);
  if (status == ATTCERT_OK) status = text_builder_append(t->out, digits, count, err);
  if (status == ATTCERT_OK) status = text_builder_append(t->out, "}", 1, err);
  t->at = digits + count + braces;
  return status;
}

static attcert_status escape(translation *t, bool in_set, attcert_error *err) {
  const char kind = t->at[1];
  if (kind == '\0') return refuse(t, "a backslash at its end", err);
  if (kind == 's') return replace(t, 2, in_set ? SPACE : "[" SPACE "]", err);
  if (kind == 'S' && !in_set) return replace(t, 2, "[^" SPACE "]", err);
  if (kind == 'd') return replace(t, 2, "\\p{Nd}", err);
  if (strchr("pPxu", kind) != NULL && t->folds[t->depth])
    return refuse(t, "a property or a code where case is ignored", err);
  if (kind == 'p' || kind == 'P') return property(t, err);
  if (kind == 'x' || kind == 'u') return code(t, err);
  if (kind == 'v') return replace(t, 2, "\\x0B", err);
  if (strchr("nrtfae", kind) != NULL || ispunct((unsigned char)kind)) return copy(t, 2, err);
  return refuse(t, "an escape that PCRE2 may understand differently", err);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static attcert_status set(translation *t, attcert_error *err) {
  attcert_status status = copy(t, t->at[1] == '^' ? 2 : 1, err);
  if (*t->at == ']') return refuse(t, "an empty set", err);
  while (status == ATTCERT_OK && *t->at != ']') {
    if (*t->at == '\0') return refuse(t, "a set without an end", err);
    if (*t->at == '[') return refuse(t, "a set in a set", err);
    if (t->at[0] == '&' && t->at[1] == '&') return refuse(t, "a set operation", err);
    if (t->folds[t->depth] && (unsigned char)*t->at >= 0x80)
      return refuse(t, "a letter beyond ASCII where case is ignored", err);
    status = *t->at == '\\' ? escape(t, true, err) : copy(t, 1, err);
  }
  return status == ATTCERT_OK ? copy(t, 1, err) : status;
}

/* ---- groups and quantifiers -------------------------------------------------------------------------------------- */

static attcert_status open_group(translation *t, attcert_error *err) {
  static const char *const kinds[] = {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:"};
  size_t length = t->at[1] != '?' ? 1 : 0;
  bool folds = t->folds[t->depth];
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strncmp(t->at, kinds[i], strlen(kinds[i])) == 0) length = strlen(kinds[i]);
  }
  if (length == 0) return refuse(t, "a group of another kind than (?: (?= (?! (?<= (?<! (?> (?i:", err);
  if (t->at[1] == '*') return refuse(t, "a verb", err);
  if (length > 2 && t->at[2] == 'i') folds = true;
  if (++t->depth == GROUPS) return refuse(t, "groups that are nested too deeply", err);
  t->folds[t->depth] = folds;
  return copy(t, length, err);
}

static attcert_status close_group(translation *t, attcert_error *err) {
  if (t->depth == 0) return refuse(t, "a group that was not opened", err);
  t->depth--;
  return copy(t, 1, err);
}

/* ? * + with ? or + behind; {n}, {n,}, {n,m}. */
static attcert_status quantifier(translation *t, attcert_error *err) {
  if (t->before != 'a') return refuse(t, "a quantifier of nothing", err);
  if (*t->at != '{') return copy(t, t->at[1] == '?' || t->at[1] == '+' ? 2 : 1, err);
  size_t length = 1 + strspn(t->at + 1, "0123456789");
  if (length == 1 || length > 5) return refuse(t, "a brace", err);
  if (t->at[length] == ',') length += 1 + strspn(t->at + length + 1, "0123456789");
  if (t->at[length] != '}') return refuse(t, "a brace", err);
  length++;
  if (t->at[length] == '?' || t->at[length] == '+') return refuse(t, "a quantifier of a quantifier", err);
  return copy(t, length, err);
}

/* Two ASCII letters that one character folds to would match it in Oniguruma. */
static attcert_status literal(translation *t, attcert_error *err) {
  static const char *const pairs[] = {"ss", "ff", "fi", "fl", "st"};
  if (t->folds[t->depth]) {
    const char both[] = {(char)tolower((unsigned char)t->at[0]), (char)tolower((unsigned char)t->at[1])};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
      if (memcmp(both, pairs[i], 2) == 0) return refuse(t, "letters that fold to one where case is ignored", err);
    }
    if ((unsigned char)*t->at >= 0x80) return refuse(t, "a letter beyond ASCII where case is ignored", err);
  }
  return copy(t, 1, err);
}

static attcert_status step(translation *t, attcert_error *err) {
  const char c = *t->at;
  const bool quantifies = c == '?' || c == '*' || c == '+' || c == '{';
  attcert_status status;
  if (quantifies)
    status = quantifier(t, err);
  else if (c == '(')
    status = open_group(t, err);
  else if (c == ')')
    status = close_group(t, err);
  else if (c == '[')
    status = set(t, err);
  else if (c == '\\')
    status = escape(t, false, err);
  else if (c == ']' || c == '}')
    status = refuse(t, "a bracket that was not opened", err);
  else
    status = literal(t, err);
  t->before = quantifies ? 'q' : c == '(' || c == '|' || c == '^' || c == '$' ? '(' : 'a';
  return status;
}

attcert_status pattern_translate(text_builder *out, const char *expression, const component *where,
                                 attcert_error *err) {
  translation t = {.expression = expression, .at = expression, .where = where, .out = out, .before = '('};
  attcert_status status = ATTCERT_OK;
  while (status == ATTCERT_OK && *t.at != '\0') status = step(&t, err);
  if (status == ATTCERT_OK && t.depth > 0) status = refuse(&t, "a group without an end", err);
  if (status == ATTCERT_OK && out->length == 0) status = refuse(&t, "nothing", err);
  return status;
}
