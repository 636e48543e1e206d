/* The lesser of two counts. */
#ifndef ATTCERT_LEAST_H
#define ATTCERT_LEAST_H

static inline int least(int a, int b) {
  return a < b ? a : b;
}

#endif
