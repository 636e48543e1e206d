#include "floating_environment.h"

#include <fenv.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040, X87_PRECISION = 0x300 };

static void set_x87(unsigned bits) {
  unsigned short word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  word = (unsigned short)((word & ~(unsigned)X87_PRECISION) | bits);
  __asm__ volatile("fldcw %0" : : "m"(word));
}

static void flush_results(void) {
  _mm_setcsr(_mm_getcsr() | FLUSH_TO_ZERO);
}

static void flush_operands(void) {
  _mm_setcsr(_mm_getcsr() | DENORMALS_ARE_ZERO);
}

static void flush_both(void) {
  _mm_setcsr(_mm_getcsr() | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
}

static void sse_upward(void) { /* alone: fegetround reads the x87's word */
  _mm_setcsr(_mm_getcsr() | _MM_ROUND_UP);
}

static void x87_double(void) {
  set_x87(0x200);
}

static void x87_single(void) {
  set_x87(0x000);
}
#endif

static void upward(void) {
  fesetround(FE_UPWARD);
}

static void downward(void) {
  fesetround(FE_DOWNWARD);
}

static void toward_zero(void) {
  fesetround(FE_TOWARDZERO);
}

static void raised_flags(void) {
  feraiseexcept(FE_DIVBYZERO | FE_INEXACT);
  mpfr_set_nanflag();
}

static void few_exponents(void) {
  mpfr_set_emin(-64);
  mpfr_set_emax(64);
}

static void all_exponents(void) {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

static void other_defaults(void) {
  mpfr_set_default_prec(24);
  mpfr_set_default_rounding_mode(MPFR_RNDU);
}

const floating_environment *floating_environments(int *count) {
  static const floating_environment all[] = {
#if defined(__x86_64__)
    {"results flushed to zero", flush_results},
    {"operands flushed to zero", flush_operands},
    {"results and operands flushed to zero", flush_both},
    {"SSE upward", sse_upward},
    {"x87 of 53 bits", x87_double},
    {"x87 of 24 bits", x87_single},
#endif
    {"upward", upward},
    {"downward", downward},
    {"toward zero", toward_zero},
    {"flags raised", raised_flags},
    {"few exponents", few_exponents},
    {"all exponents", all_exponents},
    {"MPFR's other defaults", other_defaults},
  };
  *count = sizeof all / sizeof all[0];
  return all;
}

environment_state environment_state_now(void) {
  environment_state s = {.rounding = fegetround(),
                         .least = mpfr_get_emin(),
                         .most = mpfr_get_emax(),
                         .precision = mpfr_get_default_prec(),
                         .mpfr_rounding = mpfr_get_default_rounding_mode(),
                         .flags = mpfr_flags_save()};
#if defined(__x86_64__)
  s.sse = _mm_getcsr();
  __asm__ volatile("fnstcw %0" : "=m"(s.x87));
#endif
  return s;
}

bool environment_state_equal(const environment_state *a, const environment_state *b) {
  return a->sse == b->sse && a->x87 == b->x87 && a->rounding == b->rounding && a->least == b->least &&
         a->most == b->most && a->precision == b->precision && a->mpfr_rounding == b->mpfr_rounding &&
         a->flags == b->flags;
}

void environment_reset(void) {
  fesetenv(FE_DFL_ENV);
  mpfr_set_emin(MPFR_EMIN_DEFAULT);
  mpfr_set_emax(MPFR_EMAX_DEFAULT);
  mpfr_set_default_prec(53);
  mpfr_set_default_rounding_mode(MPFR_RNDN);
  mpfr_flags_clear(MPFR_FLAGS_ALL);
}
