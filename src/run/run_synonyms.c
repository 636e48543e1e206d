#include "run/run_synonyms.h"

#include "base/arrays.h"
#include "base/growing_array.h"
#include "model/format/json_file.h"
#include "model/format/mapped_file.h"
#include "run/run_tokens.h"
#include "run/run_word.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int place, id;
} entry;

typedef struct {
  const char *path;
  const int *ids;
  const token_list *list;
  const tokenizer *t;
  attcert_error *err;
  entry *entries;
  size_t count, capacity;
  bool *seen; /* [tokens] */
} reader;

void run_synonyms_clear(run_synonyms *s) {
  free(s->first);
  token_list_clear(&s->choices);
  *s = (run_synonyms){0};
}

static attcert_status take_id(reader *r, int place, int id) {
  if (id == r->ids[place]) return ATTCERT_OK;
  for (size_t k = 0; k < r->count; k++) {
    if (r->entries[k].place == place && r->entries[k].id == id)
      return attcert_fail(r->err, ATTCERT_INPUT, "%s: token %d is there twice at %d, expected different words", r->path,
                          id, place);
  }
  const attcert_status status =
      growing_array_room(&r->entries, &r->capacity, r->count, sizeof *r->entries, r->err, "a list of synonyms");
  if (status == ATTCERT_OK) r->entries[r->count++] = (entry){place, id};
  return status;
}

/* A word in place of the token, with a space before it as that has. */
static attcert_status take_word(reader *r, int place, const char *word) {
  int id;
  attcert_error inner;
  if (r->t == NULL)
    return attcert_fail(r->err, ATTCERT_INPUT, "%s: '%s' is a word, but no tokenizer is known: expected ids of tokens",
                        r->path, word);
  if (!run_word_is_whole(r->list, place))
    return attcert_fail(r->err, ATTCERT_INPUT,
                        "%s: token %d is a part of a word, expected a word of one token in the place of '%s'", r->path,
                        place, word);
  const attcert_status status = tokenizer_word(&id, r->t, run_word_space(r->list, place), word, &inner);
  if (status != ATTCERT_OK) return attcert_fail(r->err, status, "%s: at %d: %s", r->path, place, inner.message);
  return take_id(r, place, id);
}

/* A number of digits alone. */
static bool read_number(int *value, const char *text) {
  errno = 0;
  if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') return false;
  const long number = strtol(text, NULL, 10);
  *value = (int)number;
  return errno == 0 && number <= INT_MAX;
}

static attcert_status take_place(int *place, reader *r, const char *text) {
  if (!read_number(place, text) || *place >= r->list->count)
    return attcert_fail(r->err, ATTCERT_INPUT, "%s: place '%s', expected a number from 0 to %d", r->path, text,
                        r->list->count - 1);
  if (r->seen[*place])
    return attcert_fail(r->err, ATTCERT_INPUT, "%s: place %d is there twice, expected once", r->path, *place);
  r->seen[*place] = true;
  return ATTCERT_OK;
}

/* ---- both kinds of files ----------------------------------------------------------------------------------------- */

static attcert_status read_json(reader *r, const char *text, size_t size) {
  json_t *object, *words, *word;
  const char *key;
  size_t i;
  attcert_status status = json_file_parse_object(&object, text, size, r->path, r->err);
  if (status != ATTCERT_OK) return status;
  json_object_foreach(object, key, words) {
    int place = 0;
    if (status != ATTCERT_OK) break;
    status = take_place(&place, r, key);
    if (status == ATTCERT_OK && !json_is_array(words))
      status = attcert_fail(r->err, ATTCERT_INPUT, "%s: at %s: expected a list of words", r->path, key);
    json_array_foreach(words, i, word) {
      if (status != ATTCERT_OK) break;
      const bool id = json_is_integer(word) && json_integer_value(word) >= 0 && json_integer_value(word) <= INT_MAX;
      if (id)
        status = take_id(r, place, (int)json_integer_value(word));
      else if (json_is_string(word))
        status = take_word(r, place, json_string_value(word));
      else
        status = attcert_fail(r->err, ATTCERT_INPUT, "%s: at %s: expected words and ids of tokens", r->path, key);
    }
  }
  json_decref(object);
  return status;
}

/* One line, in memory of its own, which is cut into words. */
static attcert_status read_line(reader *r, char *line) {
  static const char blanks[] = " \t\r";
  char *rest = NULL, *word = strtok_r(line, blanks, &rest);
  int place, id;
  if (word == NULL || word[0] == '#') return ATTCERT_OK;
  attcert_status status = take_place(&place, r, word);
  while (status == ATTCERT_OK && (word = strtok_r(NULL, blanks, &rest)) != NULL)
    status = read_number(&id, word) ? take_id(r, place, id) : take_word(r, place, word);
  return status;
}

static attcert_status read_lines(reader *r, const char *text, size_t size) {
  char *const copy = array_new(size + 1, 1, r->err, "a list of synonyms");
  if (copy == NULL) return ATTCERT_RESOURCE;
  memcpy(copy, text, size);
  attcert_status status = ATTCERT_OK;
  if (memchr(copy, '\0', size) != NULL) status = attcert_fail(r->err, ATTCERT_INPUT, "%s: expected text", r->path);
  for (char *line = copy; line != NULL && status == ATTCERT_OK;) {
    char *const end = strchr(line, '\n');
    if (end != NULL) *end = '\0';
    status = read_line(r, line);
    line = end != NULL ? end + 1 : NULL;
  }
  free(copy);
  return status;
}

/* The input's own tokens, each followed by what the file has for it. */
static attcert_status list_choices(run_synonyms *s, const reader *r) {
  const int n = r->list->count;
  const size_t all = (size_t)n + r->count;
  int *const id = array_new(all, sizeof *id, r->err, "a list of %zu tokens", all);
  s->first = array_new((size_t)n + 1, sizeof *s->first, r->err, "a list of %d tokens", n);
  attcert_status status = id != NULL && s->first != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  int at = 0;
  for (int i = 0; i < n && status == ATTCERT_OK; i++) {
    s->first[i] = at;
    id[at++] = r->ids[i];
    for (size_t k = 0; k < r->count; k++) {
      if (r->entries[k].place == i) id[at++] = r->entries[k].id;
    }
    s->first[i + 1] = at;
  }
  if (status == ATTCERT_OK) status = run_tokens_list(&s->choices, id, at, r->t, r->err);
  free(id);
  return status;
}

attcert_status run_synonyms_read(run_synonyms *s, char sha256[SHA256_HEX_SIZE], const char *path, const int *ids,
                                 const token_list *list, const tokenizer *t, attcert_error *err) {
  reader r = {.path = path, .ids = ids, .list = list, .t = t, .err = err};
  mapped_file file;
  *s = (run_synonyms){0};
  attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  const char *const text = (const char *)file.data;
  size_t blank = 0;
  while (blank < file.size && isspace((unsigned char)text[blank])) blank++;
  r.seen = array_new((size_t)list->count, sizeof *r.seen, err, "a mark for each of %d tokens", list->count);
  if (r.seen == NULL) status = ATTCERT_RESOURCE;
  if (status == ATTCERT_OK)
    status = blank < file.size && text[blank] == '{' ? read_json(&r, text, file.size) : read_lines(&r, text, file.size);
  if (status == ATTCERT_OK) status = list_choices(s, &r);
  if (status == ATTCERT_OK) status = mapped_file_digest(sha256, &file, path, err);
  mapped_file_close(&file);
  free(r.entries);
  free(r.seen);
  return status;
}
