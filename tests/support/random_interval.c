/* Random and hostile intervals. */
#include "random_interval.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "interval/interval_query.h"
#include "interval/interval_set.h"

mpfr_prec_t random_precision(random_source *s) {
  static const mpfr_prec_t special[] = {2, 3, 24, 53, 64, 65, 106, 128};
  if (random_chance(s, 0.5)) return special[random_integer(s, 0, 7)];
  return random_integer(s, 2, 300);
}

/* A significand of random bits; a sparse one (few bits set) one time in two, where roundings are often exact. */
static void random_significand(mpfr_ptr x, random_source *s) {
  if (random_chance(s, 0.5)) {
    mpfr_set_si(x, random_integer(s, 1, 4095), MPFR_RNDZ);
    return;
  }
  mpfr_set_ui(x, 1, MPFR_RNDN);
  for (mpfr_prec_t bits = 0; bits < mpfr_get_prec(x); bits += 32) {
    mpfr_mul_2ui(x, x, 32, MPFR_RNDZ);
    mpfr_add_ui(x, x, (unsigned long)(random_bits(s) >> 32), MPFR_RNDZ);
  }
  mpfr_div_2ui(x, x, (unsigned long)(mpfr_get_exp(x) > 0 ? mpfr_get_exp(x) : 0), MPFR_RNDZ);
}

double random_double(random_source *s) {
  static const double extreme[] = {0.0,      -0.0,    0x1p-1074, -0x1p-1074, DBL_MIN,
                                   -DBL_MIN, DBL_MAX, -DBL_MAX,  1e-300,     1e300};
  const double sign = random_chance(s, 0.5) ? -1 : 1;
  switch (random_integer(s, 0, 5)) {
  case 0:
    return extreme[random_integer(s, 0, 9)];
  case 1:
    return random_integer(s, -8, 8);
  case 2:
    return sign * random_magnitude(s, -1074, -1000);
  case 3:
    return sign * random_magnitude(s, -1022, 1022);
  default:
    return sign * random_magnitude(s, -3, 3);
  }
}

static void neighbour_of_power_of_two(mpfr_ptr x, random_source *s) {
  mpfr_set_ui_2exp(x, 1, random_integer(s, -20, 20), MPFR_RNDN);
  switch (random_integer(s, 0, 2)) {
  case 0:
    mpfr_nextabove(x);
    break;
  case 1:
    mpfr_nextbelow(x);
    break;
  default:
    break;
  }
}

void random_number(mpfr_ptr x, random_source *s) {
  switch (random_integer(s, 0, 4)) {
  case 0:
    mpfr_set_d(x, random_double(s), MPFR_RNDZ);
    break;
  case 1:
    neighbour_of_power_of_two(x, s);
    break;
  case 2:
    random_significand(x, s);
    mpfr_mul_2si(x, x, random_integer(s, -1100, 1100), MPFR_RNDZ);
    break;
  default:
    random_significand(x, s);
    mpfr_mul_2si(x, x, random_integer(s, -30, 30), MPFR_RNDZ);
    break;
  }
  if (random_chance(s, 0.5)) mpfr_neg(x, x, MPFR_RNDN);
  if (mpfr_inf_p(x)) mpfr_set_zero(x, 1); /* only in a narrowed exponent range */
}

/* A second end near the first: equal, one or more units in the last place away, or independent. */
static void random_second_end(interval *x, random_source *s) {
  switch (random_integer(s, 0, 4)) {
  case 0:
    mpfr_set(x->hi, x->lo, MPFR_RNDN);
    break;
  case 1:
    mpfr_set(x->hi, x->lo, MPFR_RNDN);
    if (!mpfr_zero_p(x->hi)) mpfr_nextabove(x->hi); /* above 0 is 2^emin: too small for a rational number */
    break;
  case 2:
    mpfr_set_zero(x->hi, random_chance(s, 0.5) ? 1 : -1);
    break;
  default:
    random_number(x->hi, s);
    break;
  }
  if (mpfr_inf_p(x->hi)) mpfr_set(x->hi, x->lo, MPFR_RNDN);
}

void random_bounded_interval(interval *x, random_source *s) {
  random_number(x->lo, s);
  random_second_end(x, s);
  if (mpfr_greater_p(x->lo, x->hi)) mpfr_swap(x->lo, x->hi);
}

void random_interval(interval *x, random_source *s) {
  random_bounded_interval(x, s);
  if (!random_chance(s, 0.125)) return;
  switch (random_integer(s, 0, 6)) {
  case 0:
    interval_set_empty(x);
    break;
  case 1:
    interval_set_whole(x);
    break;
  case 2:
    mpfr_set_nan(x->lo);
    break;
  case 3:
    mpfr_set_nan(x->hi);
    break;
  case 4:
    mpfr_set_inf(x->lo, -1);
    break;
  default:
    mpfr_set_inf(x->hi, 1);
    break;
  }
}

void set_exponent_range(exponent_range range) {
  mpfr_set_emin(range.min);
  mpfr_set_emax(range.max);
}

exponent_range random_exponent_range(random_source *s) {
  const exponent_range before = {mpfr_get_emin(), mpfr_get_emax()};
  const long bound = random_integer(s, 20, 200);
  if (random_chance(s, 0.25)) set_exponent_range((exponent_range){-bound, bound});
  return before;
}

void print_interval(const char *name, const interval *x) {
  char text[1024];
  mpfr_snprintf(text, sizeof text, "  %s: %ld bits [%Ra, %Ra]", name, (long)mpfr_get_prec(x->lo), x->lo, x->hi);
  fprintf(stderr, "%s\n", text);
}
