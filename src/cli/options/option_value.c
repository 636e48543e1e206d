/* Values of options. Numbers are read strictly: the whole text, no leading space, no sign where none makes sense. */
#include "cli/options/option_value.h"

#include "ball/region/ball_kind.h"
#include "cli/options/option_suggest.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least power of two that is a normal double. */
enum { MOST_HALVINGS = 1022 };

attcert_status option_value_text(void *field, const option_row *row, const char *text, attcert_error *err) {
  if (*text == '\0')
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected %s, got nothing", row->name, row->argument);
  *(const char **)field = text;
  return ATTCERT_OK;
}

/* Decimal digits up to *end; false when there are none or the number passes 2^64 - 1. */
static bool read_digits(uint64_t *value, const char *text, char **end) {
  if (!isdigit((unsigned char)*text)) return false; /* strtoull would take a space or a sign */
  errno = 0;
  *value = strtoull(text, end, 10);
  return errno == 0;
}

attcert_status option_value_int(void *field, const option_row *row, const char *text, attcert_error *err) {
  char *end;
  uint64_t value;
  if (!read_digits(&value, text, &end) || *end != '\0' || value < (uint64_t)row->min || value > (uint64_t)row->max)
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected an integer from %" PRId64 " to %" PRId64 ", got '%s'",
                        row->name, row->min, row->max, text);
  *(int *)field = (int)value;
  return ATTCERT_OK;
}

attcert_status option_value_seed(void *field, const option_row *row, const char *text, attcert_error *err) {
  char *end;
  if (!read_digits(field, text, &end) || *end != '\0')
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected an integer from 0 to 2^64 - 1, got '%s'", row->name, text);
  return ATTCERT_OK;
}

/* The whole text as a finite number. */
static bool read_finite(double *value, const char *text) {
  char *end = NULL;
  *value = isspace((unsigned char)*text) ? 0 : strtod(text, &end);
  return end != NULL && end != text && *end == '\0' && isfinite(*value);
}

attcert_status option_value_positive(void *field, const option_row *row, const char *text, attcert_error *err) {
  double value;
  if (!read_finite(&value, text) || value <= 0)
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected a positive number, got '%s'", row->name, text);
  *(double *)field = value;
  return ATTCERT_OK;
}

attcert_status option_value_nonnegative(void *field, const option_row *row, const char *text, attcert_error *err) {
  double value;
  if (!read_finite(&value, text) || signbit(value))
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected a finite number >= 0, got '%s'", row->name, text);
  *(double *)field = value;
  return ATTCERT_OK;
}

attcert_status option_value_probability(void *field, const option_row *row, const char *text, attcert_error *err) {
  char *end;
  uint64_t power;
  double value = -1.0;
  if (strncmp(text, "2^-", 3) != 0)
    value = read_finite(&value, text) && !signbit(value) ? value : -1.0;
  else if (read_digits(&power, text + 3, &end) && *end == '\0' && power <= MOST_HALVINGS)
    value = ldexp(1.0, -(int)power);
  if (!(value >= 0.0 && value <= 0.5))
    return attcert_fail(err, ATTCERT_INPUT,
                        "--%s: expected a probability from 0 to 1/2, 2^-1 to 2^-%d or a decimal number, got '%s'",
                        row->name, MOST_HALVINGS, text);
  *(double *)field = value;
  return ATTCERT_OK;
}

/* Bits to shift by for "", "K", "M", "G" or "T" (also "KiB" ...); -1 for anything else. */
static int size_shift(const char *suffix) {
  static const char letters[] = "KMGT";
  if (*suffix == '\0') return 0;
  const char *const letter = strchr(letters, toupper((unsigned char)*suffix));
  if (letter == NULL || (suffix[1] != '\0' && strcmp(suffix + 1, "iB") != 0)) return -1;
  return 10 * (int)(letter - letters + 1);
}

attcert_status option_value_size(void *field, const option_row *row, const char *text, attcert_error *err) {
  char *end;
  uint64_t value;
  const bool digits = read_digits(&value, text, &end);
  const int shift = digits ? size_shift(end) : -1;
  if (shift < 0 || value == 0 || value > UINT64_MAX >> shift)
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected a size such as 800M or 2G, got '%s'", row->name, text);
  *(uint64_t *)field = value << shift;
  return ATTCERT_OK;
}

/* The index of one of count names. */
static attcert_status choose(int *field, const option_row *row, const char *text, const char *const *names, int count,
                             attcert_error *err) {
  for (int i = 0; i < count; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    *field = i;
    return ATTCERT_OK;
  }
  char suggestion[OPTION_SUGGESTION_SIZE];
  return attcert_fail(err, ATTCERT_INPUT, "--%s: expected %s, got '%s'%s", row->name, row->argument, text,
                      option_suggest(suggestion, text, "", names, count));
}

attcert_status option_value_choice(void *field, const option_row *row, const char *text, attcert_error *err) {
  int count = 0;
  while (row->names[count] != NULL) count++;
  return choose(field, row, text, row->names, count, err);
}

/* A name, or whatever ends as files of NumPy's do. */
attcert_status option_value_mask(void *field, const option_row *row, const char *text, attcert_error *err) {
  static const char end[] = ".npy";
  option_mask *const mask = field;
  const size_t length = strlen(text);
  const bool file = length >= sizeof end && strcmp(text + length - (sizeof end - 1), end) == 0;
  mask->file = file ? text : NULL;
  return file ? ATTCERT_OK : option_value_choice(&mask->named, row, text, err);
}

attcert_status option_value_ball(void *field, const option_row *row, const char *text, attcert_error *err) {
  const char *names[BALL_NAMES];
  for (int k = 0; k < BALL_NAMES; k++) names[k] = ball_kinds[k].name;
  return choose(field, row, text, names, BALL_NAMES, err);
}

attcert_status option_value_engine(void *field, const option_row *row, const char *text, attcert_error *err) {
  enum { MOST = 16 };
  const char *names[MOST];
  int count = 0;
  while (count < MOST && attcert_engine_name((attcert_engine)count) != NULL) {
    names[count] = attcert_engine_name((attcert_engine)count);
    count++;
  }
  return choose(field, row, text, names, count, err);
}

attcert_status option_value_heads(void *field, const option_row *row, const char *text, attcert_error *err) {
  if (strcmp(text, "all") == 0) {
    *(int *)field = HEADS_ALL;
    return ATTCERT_OK;
  }
  if (option_value_int(field, row, text, NULL) == ATTCERT_OK) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--%s: expected all or the index of a head, got '%s'", row->name, text);
}

attcert_status option_value_range(void *field, const option_row *row, const char *text, attcert_error *err) {
  if (sweep_range_read(field, text)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "--%s: expected %s with 1 <= FIRST <= LAST <= %d and STEP >= 1, or FIRST:LAST, or one number, "
                      "got '%s'",
                      row->name, row->argument, ATTCERT_SIDE_MAX, text);
}

attcert_status option_value_radii(void *field, const option_row *row, const char *text, attcert_error *err) {
  if (sweep_radii_read(field, text)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "--%s: expected %s or %s:COUNT with 0 < FIRST <= LAST and 2 <= COUNT <= %d, got '%s'", row->name,
                      row->argument, row->argument, SWEEP_RADII_MAX, text);
}

attcert_status option_value_switch(void *field, const option_row *row, const char *text, attcert_error *err) {
  (void)row, (void)text, (void)err;
  *(bool *)field = true;
  return ATTCERT_OK;
}
