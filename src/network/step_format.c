#include "network/step_format.h"

#include "linalg/rounding/upward.h"

#include <string.h>

enum { DOUBLE_BITS = 53 };

#define FLOAT64 \
  { DOUBLE_BITS, -1074, UNIT_ROUNDOFF, 0x1p-1021, 0x1.fffffffffffffp+1023 }
#define FLOAT32 \
  { 24, -149, 0x1p-24, 0x1p-125, 0x1.fffffep+127 }
#define BFLOAT16 \
  { 8, -133, 0x1p-8, 0x1p-125, 0x1.fep+127 }
#define FLOAT16 \
  { 11, -24, 0x1p-11, 0x1p-25, 65504.0 }

static const step_format formats[] = {{"float64", FLOAT64, FLOAT64, false, 0.0},
                                      {"float32", FLOAT32, FLOAT32, false, 0.0},
                                      {"bfloat16", FLOAT32, BFLOAT16, true, 0.0},
                                      {"float16", FLOAT32, FLOAT16, true, 0.0}};

bool step_format_named(step_format *format, const char *name, double ulp) {
  for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
    if (strcmp(formats[k].name, name) != 0) continue;
    *format = formats[k];
    format->ulp = ulp;
    return true;
  }
  return false;
}

static double gamma_of(const step_arithmetic *a, double m) {
  const double mu = m * a->unit; /* exact: a power of two times an integer */
  return mu < 0.5 ? round_up_nonnegative(mu / (1.0 - mu), 2.0) : INFINITY;
}

double step_format_gamma(const step_format *format, double m) {
  return gamma_of(&format->compute, m);
}

double step_format_roundings(const step_format *format, double computed, double stored) {
  const double of_computing = gamma_of(&format->compute, computed);
  return format->narrows ? upward_compound(of_computing, gamma_of(&format->store, stored)) : of_computing;
}

double step_format_function(const step_format *format) {
  return 2.0 * (format->ulp > 0.5 ? format->ulp : 0.5) * format->compute.unit;
}

/* Twice the smallest normal number; its reciprocal is less than half of the largest one. */
static double least_held(const step_arithmetic *a) {
  return ldexp(1.0, a->least + a->bits);
}

bool step_format_holds(const step_format *format, double x) {
  const double least = fmax(least_held(&format->compute), least_held(&format->store));
  return least <= x && x <= 1.0 / least;
}

/* What was missed in computing may grow by the relative error of storing it, which is below 1. */
double step_format_tiny(const step_format *format) {
  const double computed = format->compute.tiny;
  return format->narrows ? upward_add(2.0 * computed, format->store.tiny) : computed;
}

double step_format_nearest(const step_format *format, double x) {
  const step_arithmetic *const a = &format->store;
  int exponent;
  if (a->bits == DOUBLE_BITS || x == 0.0 || !isfinite(x)) return x;
  frexp(x, &exponent);
  const int last = exponent - a->bits < a->least ? a->least : exponent - a->bits;
  const double y = ldexp(nearbyint(ldexp(x, -last)), last); /* scaled exactly, below 2^53 */
  return fabs(y) <= a->largest ? y : copysign(INFINITY, x);
}
