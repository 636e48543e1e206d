#include "vnnlib/vnnlib_names.h"

#include <ctype.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MOST = 512, ENTRIES_MOST = 1 << 24 };

static bool copy_word(char word[WORD_MOST], const vnnlib_terms *terms, int t) {
  if (t < 0 || terms->term[t].word == NULL || terms->term[t].length >= WORD_MOST) return false;
  memcpy(word, terms->term[t].word, (size_t)terms->term[t].length);
  word[terms->term[t].length] = '\0';
  return true;
}

static int next_of(const vnnlib_terms *terms, int t) {
  return t < 0 ? -1 : terms->term[t].next;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* I of X_I or Y_I; -1: another word. */
static int place_of(const char *word, char letter) {
  if (word[0] != letter || word[1] != '_' || !isdigit((unsigned char)word[2])) return -1;
  if (strlen(word) > 9 || strspn(word + 2, "0123456789") != strlen(word + 2)) return -1;
  return atoi(word + 2);
}

/* The numbers of "[1, 28, 28]" up to its end; -1: it is no such list. */
static int read_list(int list[VNNLIB_RANK_MOST], const char *text) {
  int count = 0;
  if (*text != '[') return -1;
  do {
    char *end;
    text += 1 + strspn(text + 1, " \t");
    if (!isdigit((unsigned char)*text) || count == VNNLIB_RANK_MOST) return -1;
    const long number = strtol(text, &end, 10);
    if (number > ENTRIES_MOST) return -1;
    list[count++] = (int)number;
    text = end + strspn(end, " \t");
  } while (*text == ',');
  return strcmp(text, "]") == 0 ? count : -1;
}

/* The entry of a tensor, in the order of its sides. */
static int entry_of(const vnnlib_tensor *t, const char *word) {
  const size_t length = strlen(t->name);
  int index[VNNLIB_RANK_MOST], entry = 0;
  if (strncmp(word, t->name, length) != 0 || read_list(index, word + length) != t->rank) return -1;
  for (int k = 0; k < t->rank; k++) {
    if (index[k] >= t->side[k]) return -1;
    entry = entry * t->side[k] + index[k];
  }
  return entry;
}

int vnnlib_names_find(const vnnlib_names *names, const vnnlib_terms *terms, int t, int tensor) {
  const vnnlib_tensor *const of = &names->tensor[tensor];
  char word[WORD_MOST];
  if (!copy_word(word, terms, t)) return -1;
  return of->name[0] != '\0' ? entry_of(of, word) : place_of(word, tensor == VNNLIB_INPUT ? 'X' : 'Y');
}

bool vnnlib_number(vnnlib_bound *x, const vnnlib_terms *terms, int t) {
  char word[WORD_MOST], *end;
  if (!copy_word(word, terms, t) || strspn(word, "+-.0123456789eE") != strlen(word)) return false;
  mpfr_t value;
  mpfr_init2(value, 53);
  mpfr_strtofr(value, word, &end, 10, MPFR_RNDD);
  x->down = mpfr_get_d(value, MPFR_RNDD);
  mpfr_strtofr(value, word, NULL, 10, MPFR_RNDU);
  x->up = mpfr_get_d(value, MPFR_RNDU);
  mpfr_clear(value);
  return end != word && *end == '\0' && isfinite(x->down) && isfinite(x->up);
}

/* ---- declarations ------------------------------------------------------------------------------------------------ */

/* (declare-const X_0 Real), one after the other from 0. */
static attcert_status declare_const(vnnlib_names *names, const vnnlib_terms *terms, int head, attcert_error *err) {
  const int name = next_of(terms, head), type = next_of(terms, name);
  if (!vnnlib_terms_is(terms, type, "Real") || next_of(terms, type) >= 0)
    return attcert_fail(err, ATTCERT_INPUT, "expected (declare-const NAME Real)");
  for (int k = 0; k < 2; k++) {
    vnnlib_tensor *const of = &names->tensor[k];
    if (of->name[0] != '\0' || vnnlib_names_find(names, terms, name, k) != of->count) continue;
    of->count++;
    return ATTCERT_OK;
  }
  return attcert_fail(err, ATTCERT_INPUT, "expected X_0, X_1, .., Y_0, Y_1, .. in this order");
}

/* NAME of letters, TYPE of real numbers, SHAPE. */
static attcert_status declare_tensor(vnnlib_tensor *to, const vnnlib_terms *terms, int head, attcert_error *err) {
  static const char *const types[] = {"real", "Real", "float32", "float64", "Float32", "Float64"};
  const int name = next_of(terms, head), type = next_of(terms, name), shape = next_of(terms, type);
  char word[WORD_MOST];
  bool real = false;
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) real = real || vnnlib_terms_is(terms, type, types[k]);
  if (to->count > 0) return attcert_fail(err, ATTCERT_INPUT, "expected one input and one output");
  if (!real || next_of(terms, shape) >= 0 || !copy_word(word, terms, name) || strlen(word) >= sizeof to->name ||
      !isalpha((unsigned char)word[0]) || strchr(word, '[') != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "expected a name, a type real, float32 or float64, and a shape");
  memcpy(to->name, word, strlen(word) + 1);
  to->rank = copy_word(word, terms, shape) ? read_list(to->side, word) : -1;
  int64_t count = 1;
  for (int k = 0; k < to->rank; k++) count = count > ENTRIES_MOST ? count : count * to->side[k];
  if (to->rank < 1 || count < 1 || count > ENTRIES_MOST)
    return attcert_fail(err, ATTCERT_INPUT, "expected a shape such as [1, 28, 28], of 2^24 entries at most");
  to->count = (int)count;
  return ATTCERT_OK;
}

static attcert_status declare_network(vnnlib_names *names, const vnnlib_terms *terms, int head, attcert_error *err) {
  const int name = next_of(terms, head);
  attcert_status status = ATTCERT_OK;
  if (name < 0 || terms->term[name].word == NULL ||
      names->tensor[VNNLIB_INPUT].count + names->tensor[VNNLIB_OUTPUT].count > 0)
    return attcert_fail(err, ATTCERT_INPUT, "expected one network, with a name");
  for (int k = next_of(terms, name); k >= 0 && status == ATTCERT_OK; k = next_of(terms, k)) {
    const int what = terms->term[k].word == NULL ? terms->term[k].first : -1;
    const int tensor = vnnlib_terms_is(terms, what, "declare-input")    ? VNNLIB_INPUT
                       : vnnlib_terms_is(terms, what, "declare-output") ? VNNLIB_OUTPUT
                                                                        : -1;
    status = tensor >= 0 ? declare_tensor(&names->tensor[tensor], terms, what, err)
                         : attcert_fail(err, ATTCERT_INPUT, "expected declare-input or declare-output alone");
  }
  if (status != ATTCERT_OK) return status;
  if (names->tensor[VNNLIB_INPUT].count == 0 || names->tensor[VNNLIB_OUTPUT].count == 0)
    return attcert_fail(err, ATTCERT_INPUT, "expected one input and one output");
  if (strcmp(names->tensor[VNNLIB_INPUT].name, names->tensor[VNNLIB_OUTPUT].name) == 0)
    return attcert_fail(err, ATTCERT_INPUT, "expected different names of input and output");
  return ATTCERT_OK;
}

attcert_status vnnlib_names_declare(vnnlib_names *names, const vnnlib_terms *terms, int head, attcert_error *err) {
  return vnnlib_terms_is(terms, head, "declare-network") ? declare_network(names, terms, head, err)
                                                         : declare_const(names, terms, head, err);
}
