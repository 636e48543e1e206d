/* Rows of shifts by offset, and what is enclosed of them: two doubles whose sum is the definition's number in Arb, up
 * to the error that is stated, also where the second one is needed. */
#include "model/position_shift.h"
#include "network/affine/step_affine.h"
#include "network/layernorm/step_layernorm.h"
#include "network_oracle.h"
#include "random_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SPAN = 9, DIM = 6, COLS = 4, ROWS = 8 };

static model_config config_of(int buckets, int distance) {
  model_config config = {.position_shift = {.buckets = buckets, .distance = distance}};
  return config;
}

/* Of keys before a query (offset < 0) the rows are behind the middle; 256 buckets up to 512 as published. */
static void rows_are_those_of_the_definition(void **state) {
  (void)state;
  static const struct {
    int buckets, distance, offset, row;
  } known[] = {{256, 512, 0, 256},   {256, 512, -1, 257},   {256, 512, 1, 255},    {256, 512, -128, 384},
               {256, 512, 128, 128}, {256, 512, -129, 385}, {256, 512, 129, 127},  {256, 512, -200, 425},
               {256, 512, 200, 87},  {256, 512, -510, 511}, {256, 512, 510, 1},    {256, 512, -511, 511},
               {256, 512, 511, 1},   {256, 512, 600, 0},    {256, 512, -600, 511}, {4, 7, 3, 1},
               {4, 7, -3, 7},        {4, 7, 2, 2},          {0, 3, -2, 5},         {0, 3, -3, 5},
               {0, 3, -9, 5},        {0, 3, 3, 0},          {0, 3, 9, 0},          {0, 3, 2, 1}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    const model_config config = config_of(known[i].buckets, known[i].distance);
    const int row = position_shift_row(known[i].offset, &config);
    if (row != known[i].row) fail_msg("offset %d: row %d, expected %d", known[i].offset, row, known[i].row);
  }
}

/* LayerNorm and a map of random rows. */
static void numbers_are_enclosed(void **state) {
  (void)state;
  const model_config config = config_of(4, 20);
  random_source r = random_source_make(3, 0, 0);
  double weight[COLS * DIM], bias[COLS], gain[DIM], shift[DIM], table[ROWS * DIM], error = 0.0;
  double high[(2 * SPAN - 1) * COLS], low[(2 * SPAN - 1) * COLS];
  int first;
  assert_int_equal(position_shift_rows(&first, SPAN, &config), ROWS - 1);
  assert_int_equal(first, 1);
  random_fill_gaussian(weight, COLS * DIM, 1.0, &r);
  random_fill_gaussian(bias, COLS, 1.0, &r);
  random_fill_gaussian(gain, DIM, 1.0, &r);
  random_fill_gaussian(shift, DIM, 1.0, &r);
  random_fill_gaussian(table, ROWS * DIM, 1.0, &r);
  const attcert_matrix x = {ROWS - 1, DIM, table + DIM};
  network_steps network = {.tokens = x.rows, .dim = DIM};
  network_builder b = {.network = &network};
  step_affine_add(&b, step_layernorm_add(&b, 0, &(layernorm_weights){gain, shift, 1e-7}),
                  &(affine_weights){weight, bias}, COLS);
  assert_int_equal(b.status, ATTCERT_OK);
  assert_int_equal(position_shift_fill(high, low, &error, &network, &x, SPAN, &config, NULL), ATTCERT_OK);
  assert_true(error > 0.0 && error <= 0x1p-100);
  network_values exact;
  network_values_init(&exact, &network, &x);
  arb_t miss, part;
  arb_init(miss);
  arb_init(part);
  for (int offset = 1 - SPAN; offset < SPAN; offset++) {
    for (int c = 0; c < COLS; c++) {
      const int at = (offset + SPAN - 1) * COLS + c;
      arb_set_d(part, high[at]);
      arb_sub(miss, arb_mat_entry(exact.value[2], position_shift_row(offset, &config) - first, c), part,
              NETWORK_ORACLE_BITS);
      arb_set_d(part, low[at]);
      arb_sub(miss, miss, part, NETWORK_ORACLE_BITS);
      arb_abs(miss, miss);
      arb_set_d(part, error);
      assert_false(arb_gt(miss, part)); /* the largest is the error, as closely as Arb tells */
    }
  }
  arb_clear(miss);
  arb_clear(part);
  network_values_clear(&exact);
  network_clear(&network);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_those_of_the_definition),
      cmocka_unit_test(numbers_are_enclosed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
