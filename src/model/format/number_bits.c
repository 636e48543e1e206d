/* A float is converted to double exactly. */
#include "model/format/number_bits.h"

#include <string.h>

double number_from_binary32(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double number_from_binary64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
