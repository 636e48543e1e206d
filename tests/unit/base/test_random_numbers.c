/* Philox against the published known answers; addressed normal numbers: any order, any part, right moments. */
#include "base/gaussian.h"
#include "base/philox.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* kat_vectors of Random123, the authors' implementation: philox_4x32, 10 rounds. */
static void philox_known_answers(void **state) {
  (void)state;
  const struct {
    philox_block counter;
    uint64_t key;
    philox_block expected;
  } known[] = {
      {{{0, 0, 0, 0}}, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
      {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
       UINT64_C(0xffffffffffffffff),
       {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
      {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
       UINT64_C(0x299f31d0a4093822),
       {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    const philox_block block = philox_4x32(known[i].counter, known[i].key);
    assert_memory_equal(block.word, known[i].expected.word, sizeof block.word);
  }
}

/* The FNV-1a test vectors of its authors (draft-eastlake-fnv). */
static void stream_is_fnv1a(void **state) {
  (void)state;
  assert_true(gaussian_stream("") == UINT64_C(0xcbf29ce484222325));
  assert_true(gaussian_stream("a") == UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(gaussian_stream("foobar") == UINT64_C(0x85944171f73967e8));
}

static void any_part_is_the_same_numbers(void **state) {
  (void)state;
  double whole[101], part[101];
  gaussian_fill(whole, 7, 9, 0, 101);
  for (size_t first = 0; first < 101; first += 13) {
    for (size_t count = 0; first + count <= 101; count += 7) {
      gaussian_fill(part, 7, 9, first, count);
      assert_memory_equal(part, whole + first, count * sizeof(double));
    }
  }
}

static void seed_stream_and_index_matter(void **state) {
  (void)state;
  double base, other;
  gaussian_fill(&base, 1, 2, 3, 1);
  const uint64_t address[][3] = {{2, 2, 3},
                                 {1, 3, 3},
                                 {1, 2, 4},
                                 {1, 2, 2},
                                 {UINT64_C(1) << 32 | 1, 2, 3},
                                 {1, UINT64_C(1) << 32 | 2, 3},
                                 {1, 2, UINT64_C(1) << 40 | 3}};
  for (size_t i = 0; i < sizeof address / sizeof address[0]; i++) {
    gaussian_fill(&other, address[i][0], address[i][1], address[i][2], 1);
    assert_true(other != base);
  }
}

/* Of N normal numbers, the mean of z^p is E z^p within 6 standard errors sqrt(Var z^p / N); neighbours are
 * uncorrelated. */
static void moments_are_normal(void **state) {
  (void)state;
  enum { N = 200000 };
  double *z = malloc(N * sizeof *z);
  assert_non_null(z);
  gaussian_fill(z, 42, gaussian_stream("moments"), 0, N);
  double moment[5] = {0}, pairs = 0, beyond_two = 0;
  for (int i = 0; i < N; i++) {
    for (int p = 1; p <= 4; p++) moment[p] += pow(z[i], p) / N;
    if (i > 0) pairs += z[i] * z[i - 1] / N;
    beyond_two += fabs(z[i]) > 2 ? 1.0 / N : 0.0;
  }
  free(z);
  const double sixth = 6 / sqrt(N);
  assert_true(fabs(moment[1]) < sixth);
  assert_true(fabs(moment[2] - 1) < sixth * sqrt(2));
  assert_true(fabs(moment[3]) < sixth * sqrt(15));
  assert_true(fabs(moment[4] - 3) < sixth * sqrt(96));
  assert_true(fabs(pairs) < sixth);
  assert_true(fabs(beyond_two - erfc(sqrt(2))) < sixth * 0.21);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(philox_known_answers),         cmocka_unit_test(stream_is_fnv1a),
      cmocka_unit_test(any_part_is_the_same_numbers), cmocka_unit_test(seed_stream_and_index_matter),
      cmocka_unit_test(moments_are_normal),
  };
  return cmocka_run_group_tests_name("random_numbers", tests, NULL, NULL);
}
