/* The smaller of two counts. */
#ifndef ATTCERT_BASE_MINIMUM_H
#define ATTCERT_BASE_MINIMUM_H

static inline int int_min(int a, int b) {
  return a < b ? a : b;
}

#endif
