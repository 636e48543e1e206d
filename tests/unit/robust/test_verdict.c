/* A search that is cancelled, at whichever of its reports, leaves what it had found: the radii of a whole search that
 * was certified up to there, and nothing that it had not tried. */
#include "random_network.h"
#include "robust/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST_TRIES = 64 };

/* What a whole search does: the best radius after each evaluation of the bound. */
typedef struct {
  const robust_verdict *verdict;
  double certified[MOST_TRIES], failed[MOST_TRIES];
  int reports, cancel_at; /* of the reports; cancel_at < 0: none */
} follower;

static int follow(void *context, const char *stage, double done) {
  follower *const f = context;
  (void)stage;
  assert_true(done >= 0.0 && done <= 1.0);
  assert_true(f->verdict->evaluations < MOST_TRIES);
  f->certified[f->verdict->evaluations] = f->verdict->certified;
  f->failed[f->verdict->evaluations] = f->verdict->failed;
  return f->reports++ == f->cancel_at;
}

static attcert_status search(robust_verdict *verdict, follower *f, const network_case *c, attcert_error *err) {
  const robust_question question = {
      .relative = 0.05, .attack = 2, .memory = 0, .progress = follow, .progress_context = f};
  f->verdict = verdict;
  f->reports = 0;
  return robust_verdict_reach(verdict, &c->network, &c->ball, &question, err);
}

static void a_cancelled_search_leaves_what_it_found(void **state) {
  (void)state;
  int kept = 0;
  for (uint64_t index = 0; index < 4; index++) {
    network_case c;
    robust_verdict whole, part;
    follower all = {.cancel_at = -1}, some;
    attcert_error err;
    network_case_init(&c, 8, index);
    c.ball.region.radius = 0.0;
    assert_int_equal(search(&whole, &all, &c, &err), ATTCERT_OK);
    assert_true(all.reports > 3 * c.network.count);
    for (int at = 0; at < all.reports; at += 7) {
      some = (follower){.cancel_at = at};
      assert_int_equal(search(&part, &some, &c, &err), ATTCERT_CANCELLED);
      assert_int_equal(some.reports, at + 1);
      assert_true(part.first_order == 0.0 || part.first_order == whole.first_order);
      assert_true(part.evaluations <= whole.evaluations);
      assert_true(part.certified == all.certified[part.evaluations]);
      assert_true(part.failed == all.failed[part.evaluations]);
      assert_true(isinf(part.refuted) || part.refuted == whole.refuted);
      if (part.certified > 0.0) {
        assert_true(part.bound.margin.lo > 0.0);
        kept++;
      }
      robust_verdict_clear(&part);
    }
    robust_verdict_clear(&whole);
    network_case_clear(&c);
  }
  assert_true(kept > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_cancelled_search_leaves_what_it_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
