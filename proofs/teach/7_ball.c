/* Lesson 7: from a Lipschitz bound to an answer that cannot change. The classifier adds 1/4 to y_1 - y_2 and answers
 * "yes" while that margin is positive. On the ball ||E|| <= 0.03125 the norm of the Jacobian is at most L = 2.5, and
 * so the margin loses at most sqrt(2) L ||E|| < 0.1105.
 *
 *   kept    margin(X + E) >= 1/4 - 1.41422 L r for every E that is tried, ||E|| <= r
 *
 * mistake: lesson | s/L = 2.5/L = 1.0/ | kept | a constant that is too small
 * mistake: kernel/row/softmax_row.c | s/double total = 0.0/double total = -1.0/ | kept | another kernel */
#include "two_tokens.h"

/*@ requires in_ball: dot(e, e, 4) <= r * r;
    requires kept: margin >= 0.25 - 1.41422 * constant * r; */
static void check_margin(double margin, const double *e, double r, double constant) {
  printf("  E = (%+g %+g %+g %+g): margin %.6f >= %.6f\n", e[0], e[1], e[2], e[3], margin,
         0.25 - 1.41422 * constant * r);
}

int main(void) {
  /* the second one goes down the gradient (1, 1, -1, -1) of the margin */
  static const double step[][COLUMNS] = {{0.5, 0.5, 0.5, 0.5}, {-0.5, -0.5, 0.5, 0.5}, {0.0, -1.0, 0.0, 0.0}};
  const double r = 0.03125, L = 2.5;
  for (int k = 0; k < 3; k++) {
    double storage[ROOM], e[COLUMNS], x[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) {
      e[c] = r * step[k][c];
      x[c] = two_tokens_x[c] + e[c];
    }
    attention_state state;
    attention_state_init(&state, &two_tokens, x, TOKENS, storage);
    const attention_head head = attention_state_head(&state, 0);
    check_margin(head.output[0] - head.output[1] + 0.25, e, r, L);
  }
  return 0;
}
