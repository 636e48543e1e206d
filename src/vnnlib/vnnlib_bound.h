/* Doubles around a decimal number. */
#ifndef ATTCERT_VNNLIB_VNNLIB_BOUND_H
#define ATTCERT_VNNLIB_VNNLIB_BOUND_H

typedef struct {
  double down, up;
} vnnlib_bound;

#endif
