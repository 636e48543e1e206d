/* The curves of src/robust/range in Arb, and whether a range holds what Arb encloses. */
#ifndef ATTCERT_TESTS_SUPPORT_ARB_CURVE_H
#define ATTCERT_TESTS_SUPPORT_ARB_CURVE_H

#include "random_source.h"
#include "robust/range/range_exported.h"
#include "robust/range/range_line.h"

#include <arb.h>
#include <stdbool.h>

enum { ARB_CURVES = 11 };

typedef void (*arb_function)(arb_t y, const arb_t t, slong bits);

typedef struct {
  const char *name;
  const range_curve *curve;
  arb_function value, slope;
  bool positive; /* defined for positive numbers alone */
} arb_curve;

extern const arb_curve arb_curves[ARB_CURVES];

typedef enum { ARB_TANH_EXACT, ARB_TANH_EIGHT_DIGITS, ARB_TANH_FLOAT32 } arb_tanh_form;

void arb_curve_value(arb_t y, const range_curve *curve, const arb_t t, slong bits);

/* Of GELU's tanh form, u = c (t + b t^3), T = tanh u: with c = sqrt(2/pi) and b = 0.044715; c = 0.79788456 and that b;
 * the float32 numbers next to the first two.
 * Order 1: (1 + T) / 2 + t (1 - T^2) u' / 2; order 2: (1 - T^2) (u' + t (u'' - 2 T u'^2) / 2). */
void arb_curve_gelu_tanh_derivative(arb_t y, const arb_t t, int order, arb_tanh_form form, slong bits);

/* Where to evaluate a curve: often near 0. */
double arb_curve_argument(const arb_curve *c, random_source *r);

/* False where a number of x certainly lies outside. */
static inline bool arb_inside_range(const arb_t x, range r) {
  arb_t end;
  arb_init(end);
  arb_set_d(end, r.lo);
  bool in = !arb_gt(end, x);
  arb_set_d(end, r.hi);
  in = in && !arb_lt(end, x);
  arb_clear(end);
  return in;
}

#endif
