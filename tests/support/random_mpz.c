#include "random_mpz.h"

void random_mpz(mpz_ptr x, size_t bits, random_source *r) {
  const int kind = random_integer(r, 0, 9);
  mpz_set_ui(x, 0);
  if (kind == 0) {
    mpz_setbit(x, bits);
    mpz_sub_ui(x, x, 1);
  } else if (kind > 1) {
    for (size_t drawn = 0; drawn < bits; drawn += 64) {
      mpz_mul_2exp(x, x, 64);
      mpz_add_ui(x, x, random_bits(r));
    }
    mpz_fdiv_r_2exp(x, x, (mp_bitcnt_t)random_integer(r, 0, (int)bits));
  }
  if (random_chance(r, 0.5)) mpz_neg(x, x);
}
