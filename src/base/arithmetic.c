/* Operations whose rounded results are known, on volatile operands so that they are executed: the control words cannot
 * be read portably, and fegetround reads only that of the x87. */
#include "base/arithmetic.h"

#include <fenv.h>
#include <float.h>
#include <stdbool.h>
#include <stddef.h>

static volatile const double one = 1.0, half_ulp_above = 0x1p-54, quarter_ulp_below = 0x1p-55;
static volatile const double normal = DBL_MIN, half = 0.5, subnormal = 0x1p-1060, large = 0x1p+100;

/* The x87, which some routines of BLAS use, computes with 64 bits: precision control, bits 8 and 9 of its control word
 * (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, section 8.1.5). Read and not probed, since
 * valgrind computes with 53 bits whatever they say. */
static bool x87_is_extended(void) {
#if defined(__x86_64__) && defined(__GLIBC__)
  fenv_t environment;
  return fegetenv(&environment) == 0 && (environment.__control_word & 0x300) == 0x300;
#else
  return true;
#endif
}

/* Upward, downward and towards zero differ from nearest in one of the first four. */
const char *arithmetic_expectation(void) {
  const struct {
    double computed, expected;
    const char *what;
  } probe[] = {
      {one + half_ulp_above, 1.0, "1 + 2^-54 to be 1"},
      {one - quarter_ulp_below, 1.0, "1 - 2^-55 to be 1"},
      {-one - half_ulp_above, -1.0, "-1 - 2^-54 to be -1"},
      {-one + quarter_ulp_below, -1.0, "-1 + 2^-55 to be -1"},
      {(one + 0x1p-52) * (one - 0x1p-52), 1.0, "(1 + 2^-52) (1 - 2^-52) to be 1"},
      {one + 0x1p-52, 1.0 + 0x1p-52, "1 + 2^-52 to be more than 1"},
      {normal * half, 0x1p-1023, "2^-1022 / 2 to be 2^-1023"},
      {subnormal * large, 0x1p-960, "2^-1060 2^100 to be 2^-960"},
  };
  for (size_t i = 0; i < sizeof probe / sizeof probe[0]; i++) {
    if (probe[i].computed != probe[i].expected) return probe[i].what;
  }
  if (!x87_is_extended()) return "the x87 at 64 bits";
  return fegetround() == FE_TONEAREST ? NULL : "rounding to nearest";
}
