/* Floating-point environments of a thread in which no bound would hold, and all that a caller can see of one. */
#ifndef ATTCERT_TESTS_SUPPORT_FLOATING_ENVIRONMENT_H
#define ATTCERT_TESTS_SUPPORT_FLOATING_ENVIRONMENT_H

#include <mpfr.h>
#include <stdbool.h>

typedef struct {
  const char *name;
  void (*set)(void);
} floating_environment;

/* Subnormals flushed, as operands or results; every rounding; an x87 of 53 or of 24 bits; MPFR with few exponents, with
 * all it has, and with other defaults. Those that the processor does not have are left out. */
const floating_environment *floating_environments(int *count);

/* Control and status words, and MPFR's settings. */
typedef struct {
  unsigned sse;
  unsigned short x87;
  int rounding;
  mpfr_exp_t least, most;
  mpfr_prec_t precision;
  mpfr_rnd_t mpfr_rounding;
  mpfr_flags_t flags;
} environment_state;

environment_state environment_state_now(void);
bool environment_state_equal(const environment_state *a, const environment_state *b);

/* The one that a thread starts with. */
void environment_reset(void);

#endif
