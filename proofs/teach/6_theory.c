/* Lesson 6: what a bound of the theory says. T6 at the head of lesson 1 is 1 + sqrt(2): the rows of P times the values
 * contribute 1, the diagonal term sqrt(2).
 *
 *   bounded    ||J e||^2 <= b^2 ||e||^2, b = 2.41422, for every direction that is tried
 *
 * mistake: lesson | s/2.41422/1.0/ | bounded | the diagonal term left out of the bound
 * mistake: lesson | s/2.41422/1.41422/ | bounded | only the diagonal term counted */
#include "two_tokens.h"

/*@ requires bounded: dot(dy, dy, 2) <= b * b * dot(e, e, 4); */
static void check_bound(const double *e, const double *dy, double b) {
  printf("  e = (%g %g %g %g): ||J e|| <= %g ||e||\n", e[0], e[1], e[2], e[3], b);
  (void)dy;
}

int main(void) {
  /* the last one is J^T (1, 1): the right singular vector of the norm sqrt(5) */
  const double e[][COLUMNS] = {
      {1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, -1.0}, {3.0, 1.0, -2.0, 1.0}, {2.0, 1.0, 2.0, 1.0}};
  double storage[ROOM], scratch[ROOM], dy[TOKENS];
  attention_state state;
  attention_state_init(&state, &two_tokens, two_tokens_x, TOKENS, storage);
  for (int i = 0; i < 4; i++) {
    attention_jvp(dy, &state, e[i], scratch);
    check_bound(e[i], dy, 2.41422);
  }
  return 0;
}
