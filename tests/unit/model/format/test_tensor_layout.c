/* Checked shape arithmetic against GMP: the answer is the exact product, or a refusal exactly when it exceeds 64
 * bits. */
#include "model/format/tensor_layout.h"

#include "random_source.h"

#include <gmp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A number of random length, so that about half of the products overflow. */
static uint64_t random_size(random_source *r) {
  const uint64_t bits = random_bits(r);
  return random_chance(r, 0.05) ? 0 : bits >> random_integer(r, 0, 63);
}

static void product_is_exact_or_refused(void **state) {
  (void)state;
  random_source r = random_source_make(1, 0, 0);
  mpz_t exact;
  mpz_init(exact);
  int refused = 0;
  for (int i = 0; i < 20000; i++) {
    const uint64_t a = random_size(&r), b = random_size(&r);
    uint64_t product = 17;
    mpz_set_ui(exact, a);
    mpz_mul_ui(exact, exact, b);
    const bool fits = mpz_sizeinbase(exact, 2) <= 64;
    assert_int_equal(tensor_product(&product, a, b), fits);
    assert_true(product == (fits ? mpz_get_ui(exact) : 17));
    refused += !fits;
  }
  assert_in_range(refused, 4000, 16000);
  mpz_clear(exact);
}

static void product_at_the_limit(void **state) {
  (void)state;
  uint64_t product;
  assert_true(tensor_product(&product, UINT64_MAX, 1));
  assert_true(product == UINT64_MAX);
  assert_true(tensor_product(&product, UINT64_C(0xffffffff), UINT64_C(0x100000001)));
  assert_true(product == UINT64_MAX);
  assert_false(tensor_product(&product, UINT64_C(0x100000000), UINT64_C(0x100000000)));
  assert_true(tensor_product(&product, 0, UINT64_MAX) && product == 0);
  assert_true(tensor_product(&product, UINT64_MAX, 0) && product == 0);
}

static void counts_the_entries_of_a_shape(void **state) {
  (void)state;
  uint64_t count;
  assert_true(tensor_count(&count, NULL, 0) && count == 1);
  assert_true(tensor_count(&count, (const uint64_t[]){7}, 1) && count == 7);
  assert_true(tensor_count(&count, (const uint64_t[]){2, 3, 5, 7}, 4) && count == 210);
  assert_true(tensor_count(&count, (const uint64_t[]){2, 0, 5}, 3) && count == 0);
  const uint64_t half = UINT64_C(1) << 32;
  assert_false(tensor_count(&count, (const uint64_t[]){half, half}, 2));
  assert_false(tensor_count(&count, (const uint64_t[]){half, half, 0}, 3)); /* order matters not to an attacker */
}

static void sizes_are_whole_bytes(void **state) {
  (void)state;
  uint64_t size;
  assert_true(tensor_size(&size, 3, 64) && size == 24);
  assert_true(tensor_size(&size, 2, 4) && size == 1);
  assert_false(tensor_size(&size, 3, 4));
  assert_false(tensor_size(&size, UINT64_C(1) << 58, 64));
  assert_true(tensor_size(&size, (UINT64_C(1) << 58) - 1, 64) && size == 8 * ((UINT64_C(1) << 58) - 1));
}

static void ranges_lie_inside(void **state) {
  (void)state;
  assert_true(tensor_range_inside((tensor_range){0, 0}, 0));
  assert_true(tensor_range_inside((tensor_range){3, 8}, 8));
  assert_false(tensor_range_inside((tensor_range){3, 9}, 8));
  assert_false(tensor_range_inside((tensor_range){5, 4}, 8));
  assert_false(tensor_range_inside((tensor_range){UINT64_MAX, UINT64_MAX}, 8));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(product_is_exact_or_refused),
      cmocka_unit_test(product_at_the_limit),
      cmocka_unit_test(counts_the_entries_of_a_shape),
      cmocka_unit_test(sizes_are_whole_bytes),
      cmocka_unit_test(ranges_lie_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
