/* The remainder of the softmax against Arb at its extremes: for every choice of t_j in {-T_j, 0, T_j} the weights'
 * remainder lies within its ends, which are attained: the upper one by a key of hardly any weight whose score alone
 * rises, the lower one by a key that stays where the others move apart. */
#include "robust/operation/softmax_remainder.h"
#include "robust/operation/softmax_remainder_weights.h"

#include <arb.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 200, KEYS = 3, CORNERS = 27 };

typedef struct {
  double below, above; /* the largest parts of an end that were used, of one key */
} parts;

/* t_j = tau_j - sum_m p_m tau_m, Arb balls around points. */
static void shift(arb_t t[KEYS], const double *middle, const double *tau) {
  arb_t mean, x;
  arb_init(mean);
  arb_init(x);
  for (int j = 0; j < KEYS; j++) {
    arb_set_d(t[j], tau[j]);
    arb_set_d(x, middle[j]);
    arb_addmul(mean, x, t[j], BITS);
  }
  for (int j = 0; j < KEYS; j++) arb_sub(t[j], t[j], mean, BITS);
  arb_clear(mean);
  arb_clear(x);
}

/* P'_j of the scores s + tau. */
static void exact_weights(arb_t weight[KEYS], const double *score, const double *tau) {
  arb_t sum, x;
  arb_init(sum);
  arb_init(x);
  for (int j = 0; j < KEYS; j++) {
    arb_set_d(weight[j], score[j]);
    arb_set_d(x, tau[j]);
    arb_add(weight[j], weight[j], x, BITS);
    arb_exp(weight[j], weight[j], BITS);
    arb_add(sum, sum, weight[j], BITS);
  }
  for (int j = 0; j < KEYS; j++) arb_div(weight[j], weight[j], sum, BITS);
  arb_clear(sum);
  arb_clear(x);
}

/* At one tau: the remainders of all keys within the ends for the smallest bounds of |t_j| that hold there. */
static void check_point(parts *used, const double *score, const double *tau) {
  range weight[KEYS], remainder[KEYS];
  double middle[KEYS], bound[KEYS], drift = 0.0;
  arb_t t[KEYS], exact[KEYS], end;
  arb_init(end);
  for (int j = 0; j < KEYS; j++) {
    arb_init(t[j]);
    arb_init(exact[j]);
  }
  softmax_remainder_weights(weight, middle, score, KEYS);
  shift(t, middle, tau);
  exact_weights(exact, score, tau);
  for (int j = 0; j < KEYS; j++) {
    bound[j] = nextafter(fabs(arf_get_d(arb_midref(t[j]), ARF_RND_NEAR)), INFINITY);
    drift += fabs(middle[j] * tau[j]) * (1.0 + 0x1p-40);
  }
  softmax_remainder(remainder, weight, middle, bound, drift, KEYS);
  for (int j = 0; j < KEYS; j++) {
    arb_add_ui(t[j], t[j], 1, BITS);
    arb_set_d(end, middle[j]);
    arb_submul(exact[j], end, t[j], BITS); /* P'_j - p_j (1 + t_j) */
    arb_set_d(end, remainder[j].lo);
    if (!arb_ge(exact[j], end)) fail_msg("key %d: below its end %g", j, remainder[j].lo);
    arb_set_d(end, remainder[j].hi);
    if (!arb_le(exact[j], end)) fail_msg("key %d: above its end %g", j, remainder[j].hi);
    const double off = arf_get_d(arb_midref(exact[j]), ARF_RND_NEAR);
    used->below = fmax(used->below, off / remainder[j].lo);
    used->above = fmax(used->above, off / remainder[j].hi);
    arb_clear(t[j]);
    arb_clear(exact[j]);
  }
  arb_clear(end);
}

static parts check_corners(const double *score, const double *reach) {
  parts used = {0.0, 0.0};
  for (int corner = 0; corner < CORNERS; corner++) {
    const double tau[KEYS] = {(corner % 3 - 1) * reach[0], (corner / 3 % 3 - 1) * reach[1],
                              (corner / 9 % 3 - 1) * reach[2]};
    check_point(&used, score, tau);
  }
  return used;
}

static void extremes_lie_within_the_ends(void **state) {
  (void)state;
  static const double scores[][KEYS] = {{0.0, 0.0, 0.0}, {-20.0, 0.0, 0.0}, {3.0, 0.5, -1.0}, {0.0, -40.0, -20.0}};
  for (size_t k = 0; k < sizeof scores / sizeof scores[0]; k++) {
    for (int e = 0; e > -12; e--) {
      const double one[KEYS] = {ldexp(1.0, e), ldexp(1.0, e), ldexp(1.0, e)};
      const double apart[KEYS] = {ldexp(1.0, e), ldexp(1.0, e - 3), 0.0};
      check_corners(scores[k], one);
      check_corners(scores[k], apart);
    }
  }
}

/* Less than 3 % of an end could be left out unnoticed. */
static void both_ends_are_attained(void **state) {
  (void)state;
  static const double score[KEYS] = {-20.0, 0.0, 0.0}, moves_apart[KEYS] = {0.0, 0x1p-6, 0x1p-6},
                      rises[KEYS] = {1.0, 0.0, 0.0};
  const double low = check_corners(score, moves_apart).below, high = check_corners(score, rises).above;
  print_message("largest part of the lower end used %.4f, of the upper one %.4f\n", low, high);
  assert_true(low > 0.97 && high > 0.97);
}

/* Key 0 at rest, of a weight known exactly, where the sum of the exponentials is less than 1: its weight rises by as
 * much, which is half of the upper end that z leaves (1 / (1 - z) <= 1 + 2 z). */
static void check_share(const char *name, const range *weight, const double *middle, const double *t, double drift,
                        const double *exact) {
  range remainder[KEYS];
  double bound[KEYS], sum = 0.0;
  for (int j = 0; j < KEYS; j++) {
    bound[j] = fabs(t[j]);
    sum += exact[j] * exp(t[j]);
  }
  softmax_remainder(remainder, weight, middle, bound, drift, KEYS);
  const double off = exact[0] * exp(t[0]) / sum - middle[0] * (1.0 + t[0]);
  print_message("%s: part of the upper end used %.4f\n", name, off / remainder[0].hi);
  assert_true(off <= remainder[0].hi && off > 0.45 * remainder[0].hi);
}

/* Middles that are off from the weights: two of them in turn, whose scores move apart, so that only the mean of the
 * middles is 0; and one, where all scores rise together and the middles add up to more than 1. */
static void middles_that_are_off_count(void **state) {
  (void)state;
  const double off = 0x1p-4, moved = 0x1p-10, exact[KEYS] = {0.5, 0.25, 0.25};
  const double apart[KEYS] = {0.5, 0.25 - off, 0.25 + off}, more[KEYS] = {0.5, 0.25 + 0x1p-7, 0.25};
  const range around[KEYS] = {{0.5, 0.5}, {0.25 - off, 0.25}, {0.25, 0.25 + off}};
  const range up_to[KEYS] = {{0.5, 0.5}, {0.25, 0.25 + 0x1p-7}, {0.25, 0.25}};
  const double across[KEYS] = {0.0, -moved * apart[2], moved * apart[1]};
  check_share("scores apart", around, apart, across, 0.0, exact);
  const double together = 0x1p-4 * (1.0 - (1.0 + 0x1p-7)), shift[KEYS] = {together, together, together};
  check_share("scores together", up_to, more, shift, 0x1p-4 * (1.0 + 0x1p-7), exact);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(extremes_lie_within_the_ends),
                                     cmocka_unit_test(both_ends_are_attained),
                                     cmocka_unit_test(middles_that_are_off_count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
