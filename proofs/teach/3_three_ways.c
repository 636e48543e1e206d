/* Lesson 3: the Jacobian three ways, on weights that are not round numbers: each clause holds up to rounding.
 *
 *   weights      the weights of a token sum to 1
 *   row          the Jacobian-vector product is that of the specification
 *   product      the matrix times dx is the same number
 *   transpose    c . (J dx) = (J^T c) . dx: the vector-Jacobian product is the transpose
 *
 * mistake: kernel/row/jacobian_block.c | s/deviation = v - y/deviation = v/ | product | the deviation without y_i
 * mistake: kernel/row/softmax_row.c | s/double total = 0.0/double total = 1.0/ | weights | the sum begins at 1
 * mistake: kernel/row/attention_score_cotangents.c | s/(v\[r\] - y\[r\])/v[r]/ | transpose | without y_i */
#include "two_tokens.h"

#include "kernel/row/attention_row.h"

/*@ requires weights: -0x1p-50 <= sum(p, 2) - 1 <= 0x1p-50;
    requires row: -0x1p-50 <= dy - jvp_entry(p, values, y, dvalues, ds, 1, 0, 2) <= 0x1p-50; */
static void check_row(double dy, const double *p, const double *values, const double *y, const double *dvalues,
                      const double *ds) {
  (void)p, (void)values, (void)y, (void)dvalues, (void)ds;
  printf("  JVP: dy_1 = %+.6f\n", dy);
}

/*@ requires product: -0x1p-50 <= dot(row, dx, 4) - dy <= 0x1p-50; */
static void check_product(const double *row, const double *dx, double dy) {
  printf("  (%+.4f %+.4f | %+.4f %+.4f) dx = %+.6f\n", row[0], row[1], row[2], row[3], dy);
  (void)dx;
}

/*@ requires transpose: -0x1p-50 <= dot(c, dy, 2) - dot(dx, back, 4) <= 0x1p-50; */
static void check_transpose(const double *c, const double *dy, const double *dx, const double *back) {
  printf("  c . (J dx) = (J^T c) . dx = %+.6f\n", c[0] * dy[0] + c[1] * dy[1]);
  (void)dx, (void)back;
}

int main(void) {
  double query[DIM] = {0.75, -1.0}, key[DIM] = {1.5, 0.25}, value[DIM] = {-0.75, 1.0};
  const double x[COLUMNS] = {1.0, 0.5, -0.25, 2.0}, dx[COLUMNS] = {0.125, -1.0, 0.75, 0.5}, c[TOKENS] = {1.0, -0.5};
  attcert_layer layer = two_tokens;
  layer.query_weight = query, layer.key_weight = key, layer.value_weight = value;
  double storage[ROOM], scratch[ROOM], jacobian[TOKENS * COLUMNS], dy[TOKENS], back[COLUMNS];
  double dquery[TOKENS], dkeys[TOKENS], dvalues[TOKENS], ds[TOKENS];
  attention_state state;
  attention_state_init(&state, &layer, x, TOKENS, storage);
  attention_jacobian(jacobian, &state, scratch);
  attention_jvp(dy, &state, dx, scratch);
  attention_vjp(back, &state, c, scratch);
  const attention_head head = attention_state_head(&state, 0);
  for (int i = 0; i < TOKENS; i++) {
    dquery[i] = query[0] * dx[DIM * i] + query[1] * dx[DIM * i + 1];
    dkeys[i] = key[0] * dx[DIM * i] + key[1] * dx[DIM * i + 1];
    dvalues[i] = value[0] * dx[DIM * i] + value[1] * dx[DIM * i + 1];
  }
  attention_score_differentials(ds, head.query, dquery, head.key, dkeys, head.root, TOKENS, 1);
  check_row(dy[0], head.weights, head.value, head.output, dvalues, ds);
  for (int i = 0; i < TOKENS; i++) check_product(jacobian + i * COLUMNS, dx, dy[i]);
  check_transpose(c, dy, dx, back);
  return 0;
}
