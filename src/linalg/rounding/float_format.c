#include "linalg/rounding/float_format.h"

#include <stddef.h>
#include <string.h>

#define FLOAT64 \
  { FLOAT64_BITS, -1074, 0x1p-53, 0x1p-1021, 0x1.fffffffffffffp+1023 }
#define FLOAT32 \
  { 24, -149, 0x1p-24, 0x1p-125, 0x1.fffffep+127 }
#define BFLOAT16 \
  { 8, -133, 0x1p-8, 0x1p-125, 0x1.fep+127 }
#define FLOAT16 \
  { 11, -24, 0x1p-11, 0x1p-25, 65504.0 }

const float_format float_formats[FLOAT_FORMATS] = {{"float64", FLOAT64, FLOAT64, false},
                                                   {"float32", FLOAT32, FLOAT32, false},
                                                   {"float16", FLOAT32, FLOAT16, true},
                                                   {"bfloat16", FLOAT32, BFLOAT16, true}};

const float_format *float_format_named(const char *name) {
  for (int k = 0; name != NULL && k < FLOAT_FORMATS; k++) {
    if (strcmp(float_formats[k].name, name) == 0) return &float_formats[k];
  }
  return NULL;
}
