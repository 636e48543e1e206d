#include "base/dyadic.h"

#include <math.h>

dyadic dyadic_of(double x) {
  int end;
  const int64_t significand = (int64_t)ldexp(frexp(x, &end), 53);
  if (significand == 0) return (dyadic){0, 0, 0};
  const int zeros = __builtin_ctzll((unsigned long long)significand);
  return (dyadic){significand / (INT64_C(1) << zeros), end - 53 + zeros, end};
}
