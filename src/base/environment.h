/* The floating-point environment of the calling thread. Every bound assumes the default one: rounding to nearest,
 * with subnormal numbers and no traps, an x87 of 64 bits, and MPFR's default range of exponents. A caller's may be
 * another; each function of attcert.h that computes does so between environment_enter and environment_leave, and so
 * does the program from its first line on (tests/structure/test_gates.sh: none is left out). They nest. */
#ifndef ATTCERT_BASE_ENVIRONMENT_H
#define ATTCERT_BASE_ENVIRONMENT_H

#include "attcert.h"

#include <fenv.h>

/* What is saved: control and status words, MPFR's settings of the thread. */
typedef struct {
  fenv_t words;
  mpfr_exp_t least_exponent, largest_exponent;
  mpfr_prec_t precision;
  mpfr_rnd_t rounding;
  mpfr_flags_t flags;
} environment;

/* Saves the environment and sets the default one. environment_leave is due in every case. Errors: ATTCERT_FAULT where
 * it then is another all the same, naming the operation that is off. */
attcert_status environment_enter(environment *before, attcert_error *err);

/* Sets what was saved; returns status. */
attcert_status environment_leave(const environment *before, attcert_status status);

/* Sets the default environment: in a thread that was started, and after a function of the caller's was called. */
void environment_set_default(void);

#endif
