/* Rows that the last value does not depend on: moved far away, in any value of a random network, they leave it as it
 * is. Some there are, and no row of the last value itself. */
#include "network/network_needed.h"
#include "random_network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 60 };

/* The last value with row i of value v moved. */
static void check_row(const network_steps *n, const attcert_matrix *value, int v, int i) {
  attcert_matrix *const moved = calloc((size_t)n->count + 1, sizeof *moved);
  assert_non_null(moved);
  memcpy(moved, value, ((size_t)n->count + 1) * sizeof *moved);
  assert_int_equal(attcert_matrix_init(&moved[v], value[v].rows, value[v].cols, NULL), ATTCERT_OK);
  memcpy(moved[v].data, value[v].data, network_entries(n, v) * sizeof(double));
  for (int c = 0; c < value[v].cols; c++) moved[v].data[i * value[v].cols + c] += 0.25;
  for (int s = v; s < n->count; s++) assert_int_equal(network_value(moved, n, s, NULL), ATTCERT_OK);
  const attcert_matrix *const end = &moved[n->count];
  for (size_t k = 0; k < network_entries(n, n->count); k++)
    assert_true(fabs(end->data[k] - value[n->count].data[k]) <= 1e-12 * (1.0 + fabs(end->data[k])));
  for (int s = v; s <= n->count; s++) attcert_matrix_clear(&moved[s]);
  free(moved);
}

static void other_rows_have_no_influence(void **state) {
  (void)state;
  int others = 0;
  for (uint64_t index = 0; index < CASES; index++) {
    network_case c;
    network_needed needed;
    network_case_init(&c, 5, index);
    const network_steps *const n = &c.network;
    attcert_matrix *const value = calloc((size_t)n->count + 1, sizeof *value);
    assert_non_null(value);
    value[0] = c.x;
    for (int s = 0; s < n->count; s++) assert_int_equal(network_value(value, n, s, NULL), ATTCERT_OK);
    assert_int_equal(network_needed_init(&needed, n, NULL), ATTCERT_OK);
    for (int v = 0; v <= n->count; v++) {
      for (int i = 0; i < value[v].rows; i++) {
        if (network_needed_row(&needed, v, i)) continue;
        assert_true(v < n->count);
        check_row(n, value, v, i);
        others++;
      }
    }
    network_needed_clear(&needed);
    for (int s = 1; s <= n->count; s++) attcert_matrix_clear(&value[s]);
    free(value);
    network_case_clear(&c);
  }
  print_message("%d rows of %d networks have no influence\n", others, CASES);
  assert_true(others > CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(other_rows_have_no_influence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
