/* Lesson 1: the Jacobian of two tokens in the plane, entry by entry, and its norm.
 *
 *   block     every entry is that of the specification
 *   by_hand   J J^T (1, 1) = 5 (1, 1): the norm is sqrt(5)
 *
 * mistake: kernel/row/covariance_add.c | s/times(p, v - y)/0.0/ | block | the diagonal term left out */
#include "two_tokens.h"

/* Block (0, l) of row 0: p, values, y, g and h are those of the head. */
/*@ requires block:
      left == jacobian_entry(two_tokens_value, values, y, g, p[0], 2, 0, 0)
              + covariance(p, values, y, h, 1, 2, 0, 0, 2) &&
      right == jacobian_entry(two_tokens_value, values, y, g, p[0], 2, 0, 1)
               + covariance(p, values, y, h, 1, 2, 0, 1, 2); */
static void check_block(double left, double right, const double *p, const double *values, const double *y,
                        const double *g, const double *h) {
  (void)p, (void)values, (void)y, (void)g, (void)h;
  printf("  J_11 = (%g, %g)\n", left, right);
}

/*@ requires by_hand: dot(first, first, 4) + dot(first, second, 4) == 5 &&
                      dot(second, first, 4) + dot(second, second, 4) == 5; */
static void check_norm(const double *first, const double *second) {
  printf("  J = [ %g %g %g %g ]\n      [ %g %g %g %g ]\n", first[0], first[1], first[2], first[3], second[0], second[1],
         second[2], second[3]);
}

int main(void) {
  double storage[ROOM], scratch[ROOM], jacobian[TOKENS * COLUMNS], g[COLUMNS], h[COLUMNS];
  attention_state state;
  attention_state_init(&state, &two_tokens, two_tokens_x, TOKENS, storage);
  attention_jacobian(jacobian, &state, scratch);
  const attention_head head = attention_state_head(&state, 0);
  attention_head_gradients(g, h, &head);
  printf("two tokens, P_11 = P_12 = %g\n", head.weights[0]);
  check_block(jacobian[0], jacobian[1], head.weights, head.value, head.output, g, h);
  check_norm(jacobian, jacobian + COLUMNS);
  printf("J J^T (1, 1) = 5 (1, 1), so that ||J|| = sqrt(5)\n");
  return 0;
}
