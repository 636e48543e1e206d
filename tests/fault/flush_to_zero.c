/* To be preloaded: a library that was built with -ffast-math sets such an environment when it is loaded, for the thread
 * that loads it and those that this one starts. */
#if defined(__x86_64__)
#include <xmmintrin.h>

__attribute__((constructor)) static void flush(void) {
  _mm_setcsr(_mm_getcsr() | 0x8040U | _MM_ROUND_UP);
}
#else
typedef int nothing;
#endif
