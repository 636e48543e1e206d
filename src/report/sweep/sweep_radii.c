#include "report/sweep/sweep_radii.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A positive number at *text and the colon behind it, which *text moves behind. */
static bool read_radius(double *radius, const char **text) {
  char *end;
  if (!isdigit((unsigned char)**text) && **text != '.') return false; /* strtod would take a space, a sign, a name */
  *radius = strtod(*text, &end);
  if (end == *text || *end != ':' || !isfinite(*radius) || !(*radius > 0.0)) return false;
  *text = end + 1;
  return true;
}

static bool read_count(int *count, const char *text) {
  char *end;
  if (*text == '\0') return true;
  if (*text != ':' || !isdigit((unsigned char)text[1])) return false;
  errno = 0;
  const long value = strtol(text + 1, &end, 10);
  *count = (int)value;
  return errno == 0 && *end == '\0' && value >= 2 && value <= SWEEP_RADII_MAX;
}

bool sweep_radii_read(sweep_radii *radii, const char *text) {
  radii->count = SWEEP_RADII_DEFAULT;
  if (!read_radius(&radii->first, &text) || !read_radius(&radii->last, &text)) return false;
  if (strncmp(text, "log", 3) != 0 || !read_count(&radii->count, text + 3)) return false;
  if (radii->first == radii->last) radii->count = 1;
  return radii->first <= radii->last;
}

double sweep_radii_at(const sweep_radii *radii, int i) {
  if (i == 0) return radii->first;
  if (i == radii->count - 1) return radii->last;
  const double share = (double)i / (radii->count - 1);
  return exp(log(radii->first) * (1.0 - share) + log(radii->last) * share);
}
