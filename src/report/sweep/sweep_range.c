#include "report/sweep/sweep_range.h"

#include "attcert.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* A number from 1 to ATTCERT_SIDE_MAX at *text, which moves behind it. */
static bool read_number(int *number, const char **text) {
  char *end;
  if (!isdigit((unsigned char)**text)) return false; /* strtol would take a space or a sign */
  errno = 0;
  const long value = strtol(*text, &end, 10);
  if (errno != 0 || value < 1 || value > ATTCERT_SIDE_MAX) return false;
  *number = (int)value;
  *text = end;
  return true;
}

/* ":NUMBER" at *text, when there is one more colon. */
static bool read_next(int *number, const char **text) {
  if (**text != ':') return true;
  (*text)++;
  return read_number(number, text);
}

bool sweep_range_read(sweep_range *range, const char *text) {
  range->step = 1;
  if (!read_number(&range->first, &text)) return false;
  range->last = range->first;
  if (!read_next(&range->last, &text) || !read_next(&range->step, &text)) return false;
  return *text == '\0' && range->first <= range->last;
}

int sweep_range_largest(const sweep_range *range) {
  return range->last - (range->last - range->first) % range->step;
}
