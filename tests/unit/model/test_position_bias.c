/* Buckets of offsets: one each for the small ones, then equal steps of their logarithm, decided without a logarithm. */
#include "model/position_bias.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Of 32 buckets up to a distance of 128: (n / 8)^2 >= 2^k is n^2 >= 64 2^k. */
static int bucket_of(int offset) {
  const long n = labs(offset);
  int k = 0;
  if (n < 8) return (offset > 0 ? 16 : 0) + (int)n;
  while (k < 7 && n * n >= 64L << (k + 1)) k++;
  return (offset > 0 ? 16 : 0) + 8 + k;
}

static void buckets_equal_the_definition(void **state) {
  (void)state;
  for (int offset = -40000; offset <= 40000; offset++)
    assert_int_equal(position_bucket(offset, 32, 128), bucket_of(offset));
}

/* From the published function in float32. */
static void known_buckets(void **state) {
  (void)state;
  static const struct {
    int offset, bucket;
  } known[] = {{0, 0},   {-1, 1},   {1, 17},   {-7, 7},   {-8, 8},   {-11, 8},   {-12, 9},   {-15, 9},  {-16, 10},
               {16, 26}, {-32, 12}, {-64, 14}, {-90, 14}, {-91, 15}, {-127, 15}, {-128, 15}, {128, 31}, {500, 31}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    assert_int_equal(position_bucket(known[i].offset, 32, 128), known[i].bucket);
}

/* Of T5 with other numbers: 2 alone of each side, then 2 to 3 (2.5^(1/2) = 3.16 / 2), 4 and on. */
static void other_numbers(void **state) {
  (void)state;
  static const int behind[] = {0, 1, 2, 2, 3, 3, 3};
  for (int n = 0; n < 7; n++) {
    assert_int_equal(position_bucket(-n, 8, 5), behind[n]);
    if (n > 0) assert_int_equal(position_bucket(n, 8, 5), 4 + behind[n]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(buckets_equal_the_definition), cmocka_unit_test(known_buckets),
                                     cmocka_unit_test(other_numbers)};
  return cmocka_run_group_tests_name("position_bias", tests, NULL, NULL);
}
