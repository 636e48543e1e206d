/* Executable specifications: the clauses below run. E-ACSL turns each into code that evaluates it in exact rational
 * arithmetic after the call, on the doubles that the kernel computed, and stops the program at the first one that is
 * false.
 *
 *   softmax      every p_j is in [0, 1], and p_1 + ... + p_n = 1 up to rounding
 *   centring     sum_j P_ij (v_j - y_i) = 0, from which the Jacobian's formula follows
 *   derivative   the Jacobian-vector product is the Jacobian, entry by entry, times the vector
 *
 * One head of dimension 1 on two tokens in the plane, so that each sum can be written out. `make teach` runs this
 * program as it is, and twice with a mistake put into the kernel. */
#include "kernel/layer/attention.h"
#include "kernel/row/softmax.h"

int printf(const char *format, ...);

enum { TOKENS = 2, DIM = 2, COLUMNS = TOKENS * DIM };

/*@ requires four: n == 4;
    ensures probability: \forall integer j; 0 <= j < n ==> 0.0 <= p[j] <= 1.0;
    ensures sums_to_one: 1.0 - 0x1p-50 <= p[0] + p[1] + p[2] + p[3] <= 1.0 + 0x1p-50; */
static void softmax_of_four(double *p, int n) {
  softmax_row(p, n);
}

/* p: the two probabilities of token i; v: the two values; y = y_i. */
/*@ requires weighted: 0.0 - 0x1p-50 <= p[0] * (v[0] - y) + p[1] * (v[1] - y) <= 0x1p-50; */
static void check_centring(const double *p, const double *v, double y) {
  printf("  P_i = (%.4f, %.4f), v = (%.4f, %.4f), y_i = %.4f\n", p[0], p[1], v[0], v[1], y);
}

/* row: one row of the Jacobian, dx: a direction for both tokens, dy: the row's entry of the product. */
/*@ requires product: 0.0 - 0x1p-50 <= row[0] * dx[0] + row[1] * dx[1] + row[2] * dx[2] + row[3] * dx[3] - dy
    <= 0x1p-50; */
static void check_derivative(const double *row, const double *dx, double dy) {
  printf("  row (%+.4f %+.4f | %+.4f %+.4f) of J times dx = %+.4f\n", row[0], row[1], row[2], row[3], dy);
}

static void check_layer(void) {
  double query[DIM] = {0.75, -1.0}, key[DIM] = {1.5, 0.25}, value[DIM] = {-0.75, 1.0};
  const double x[COLUMNS] = {1.0, 0.5, -0.25, 2.0}, dx[COLUMNS] = {0.125, -1.0, 0.75, 0.5};
  const attcert_layer layer = {.dim = DIM,
                               .heads = 1,
                               .head_dim = 1,
                               .out_dim = 1,
                               .mask = ATTCERT_MASK_NONE,
                               .query_weight = query,
                               .key_weight = key,
                               .value_weight = value};
  double storage[64], scratch[64], jacobian[TOKENS * COLUMNS], dy[TOKENS];
  attention_state state;
  attention_state_init(&state, &layer, x, TOKENS, storage);
  attention_jacobian(jacobian, &state, scratch);
  attention_jvp(dy, &state, dx, scratch);
  const attention_head head = attention_state_head(&state, 0);
  for (int i = 0; i < TOKENS; i++) check_centring(head.weights + i * TOKENS, head.value, head.output[i]);
  for (int i = 0; i < TOKENS; i++) check_derivative(jacobian + i * COLUMNS, dx, dy[i]);
}

int main(void) {
  double p[4] = {1.0, 2.0, -3.0, 0.5};
  softmax_of_four(p, 4);
  printf("softmax(1, 2, -3, 0.5) = %.4f %.4f %.4f %.4f\n", p[0], p[1], p[2], p[3]);
  printf("attention on two tokens:\n");
  check_layer();
  printf("every clause held\n");
  return 0;
}
