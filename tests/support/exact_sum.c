#include "exact_sum.h"

void exact_add_product(mpq_t sum, double x, double y) {
  mpq_t p, q;
  mpq_inits(p, q, NULL);
  mpq_set_d(p, x);
  mpq_set_d(q, y);
  mpq_mul(p, p, q);
  mpq_add(sum, sum, p);
  mpq_clears(p, q, NULL);
}
