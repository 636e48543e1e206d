/* The floating-point formats that estimates are computed and networks executed in.
 *
 * Results are computed in one arithmetic and stored in another, which is the same one or coarser: bfloat16 and float16
 * are stored, and computed in float32. An operation of an arithmetic obeys
 *
 *   |fl(x) - x| <= unit |x| + tiny   where |x| <= largest
 *
 * (Higham, Accuracy and Stability, 2nd ed., (2.8); Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed.,
 * sections 2.2 and 2.6.1; of float64, Coq: `double_operation`): unit = 2^-bits to nearest. `tiny` covers that a
 * subnormal result is rounded, or flushed to zero, there or where it is read: twice the smallest normal number. float16
 * is stored with subnormal numbers, which no hardware conversion flushes: half of their spacing. */
#ifndef ATTCERT_LINALG_ROUNDING_FLOAT_FORMAT_H
#define ATTCERT_LINALG_ROUNDING_FLOAT_FORMAT_H

#include <stdbool.h>

typedef struct {
  int bits;  /* of the significand, the leading one included */
  int least; /* subnormal numbers are multiples of 2^least */
  double unit, tiny, largest;
} float_arithmetic;

typedef struct {
  const char *name;
  float_arithmetic compute, store;
  bool narrows; /* store is coarser than compute: a result is rounded once more */
} float_format;

/* Of growing unit roundoff. */
#define FLOAT_FORMAT_NAMES "float64", "float32", "float16", "bfloat16"
enum { FLOAT_FORMATS = 4, FLOAT64_BITS = 53 };
extern const float_format float_formats[FLOAT_FORMATS];

/* NULL: there is none of that name. */
const float_format *float_format_named(const char *name);

#endif
