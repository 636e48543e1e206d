/* Test vectors in the Interval Testing Language. */
#include "itl_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *p) {
  while (isspace((unsigned char)*p)) p++;
  return p;
}

/* A word that p starts with, in any case; NULL when it does not. */
static const char *after_word(const char *p, const char *word) {
  const size_t length = strlen(word);
  return strncasecmp(p, word, length) == 0 && !isalnum((unsigned char)p[length]) ? p + length : NULL;
}

/* Decimal literals of the files are doubles; strtod reads hexadecimal ones, infinities and NaN too. */
static const char *read_number(double *x, const char *p) {
  char *end;
  *x = strtod(p, &end);
  return end == p ? NULL : end;
}

static const char *read_ends(itl_value *v, const char *p) {
  p = read_number(&v->lo, p);
  if (p == NULL) return NULL;
  p = skip_blanks(p);
  v->hi = v->lo;
  return *p == ',' ? read_number(&v->hi, skip_blanks(p + 1)) : p;
}

/* p is behind the opening bracket. */
static const char *read_interval(itl_value *v, const char *p) {
  p = skip_blanks(p);
  const char *q;
  v->kind = ITL_INTERVAL;
  if ((q = after_word(p, "empty")) != NULL) {
    v->lo = INFINITY;
    v->hi = -INFINITY;
  } else if ((q = after_word(p, "entire")) != NULL) {
    v->lo = -INFINITY;
    v->hi = INFINITY;
  } else if ((q = after_word(p, "nai")) != NULL) {
    v->kind = ITL_NAI;
  } else {
    q = read_ends(v, p);
  }
  if (q == NULL) return NULL;
  q = skip_blanks(q);
  if (*q++ != ']') return NULL;
  if (*q == '_') q += strcspn(q, " \t;="); /* decoration */
  return q;
}

static const char *read_value(itl_value *v, const char *p) {
  const char *q;
  if (*p == '[') return read_interval(v, p + 1);
  v->kind = ITL_BOOLEAN;
  v->truth = true;
  if ((q = after_word(p, "true")) != NULL) return q;
  v->truth = false;
  if ((q = after_word(p, "false")) != NULL) return q;
  v->kind = ITL_NUMBER;
  return read_number(&v->lo, p);
}

/* Values up to a final character; NULL when one cannot be read or there are more than `most`. */
static const char *read_values(itl_value *v, int *count, int most, char final, const char *p) {
  for (*count = 0; *(p = skip_blanks(p)) != final; (*count)++) {
    if (*count == most) return NULL;
    p = read_value(&v[*count], p);
    if (p == NULL) return NULL;
  }
  return p + 1;
}

static bool read_line(itl_vector *v, const char *line) {
  const char *p = skip_blanks(line);
  const size_t length = strcspn(p, " \t\n");
  if (!isalpha((unsigned char)*p) || length >= sizeof v->operation) return false;
  memcpy(v->operation, p, length);
  v->operation[length] = '\0';
  p = read_values(v->operand, &v->operands, ITL_OPERANDS, '=', p + length);
  return p != NULL && v->operands > 0 && read_values(v->result, &v->results, ITL_RESULTS, ';', p) != NULL;
}

bool itl_read(itl_vector *v, FILE *file) {
  char line[1024];
  while (fgets(line, sizeof line, file) != NULL) {
    v->line++;
    if (read_line(v, line)) return true;
  }
  return false;
}

bool itl_has_nai(const itl_vector *v) {
  for (int i = 0; i < v->operands; i++) {
    if (v->operand[i].kind == ITL_NAI) return true;
  }
  for (int i = 0; i < v->results; i++) {
    if (v->result[i].kind == ITL_NAI) return true;
  }
  return false;
}
