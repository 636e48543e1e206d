/* The promise of attcert.h: eight threads at once, each with a layer of its own, find what one thread finds, to the
 * last bit. Under the thread sanitizer this is where a data race shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "problem_case.h"

enum { THREADS = 8, NUMBERS = 16 };

typedef struct {
  problem_case p;
  attcert_error err;
  attcert_status status;
  double number[NUMBERS];
  pthread_t thread;
} task;

/* Keeps the first failure. */
static bool went(task *t, attcert_status status) {
  if (t->status == ATTCERT_OK) t->status = status;
  return status == ATTCERT_OK;
}

static void add_enclosures(task *t, const attcert_options *options) {
  const attcert_problem *const p = t->p.problem;
  attcert_result *r = NULL;
  went(t, attcert_enclose(&t->number[0], &t->number[1], p, options, &t->err));
  if (went(t, attcert_problem_bounds(&r, p, 0.0, options, &t->err))) t->number[2] = attcert_result_bound_value(r, 5);
  attcert_result_free(r);
  if (went(t, attcert_problem_ball(&r, p, 0.01, "sequence", "1,2", options, &t->err))) {
    t->number[3] = attcert_result_ball_lower(r);
    t->number[4] = attcert_result_ball_upper(r);
  }
  attcert_result_free(r);
  if (went(t, attcert_problem_check(&r, p, "0x1p+100", 1e300, t->p.c.x.data, (size_t)t->p.c.x.rows,
                                    (size_t)t->p.c.x.cols, options, &t->err))) {
    t->number[5] = attcert_result_direction_lower(r);
    t->number[6] = attcert_result_gap(r);
  }
  attcert_result_free(r);
}

/* Every kind of call once, with two threads more for the intervals. */
static void *work(void *context) {
  task *const t = context;
  attcert_options *const options = attcert_options_new();
  double y[64] = {0};
  static const char *const engines[] = {"auto", "mpfr", "dense", "deflated"};
  const uintptr_t index = (uintptr_t)t->p.c.layer.mask + (uintptr_t)t->p.c.x.rows;
  went(t, attcert_options_set_number(options, "threads", 2, &t->err));
  went(t, attcert_options_set_text(options, "engine", engines[index % 4], &t->err));
  add_enclosures(t, options);
  went(t, attcert_problem_jvp(y, t->p.problem, t->p.c.x.data, &t->err));
  for (int i = 0; i < 8; i++) t->number[7 + i] = y[i];
  attcert_options_free(options);
  attcert_thread_end();
  return NULL;
}

static void init(task *t, int index) {
  const layer_shape shape = {.n = 3 + index % 4,
                             .dim = 3,
                             .heads = 1 + index % 2,
                             .head_dim = 2,
                             .out_dim = index % 3 == 0 ? 0 : 4,
                             .biases = index % 2 == 0};
  memset(t, 0, sizeof *t);
  problem_case_init(&t->p, &shape, (uint64_t)index);
}

static void test_threads_find_the_same(void **state) {
  (void)state;
  static task alone[THREADS], together[THREADS];
  for (int i = 0; i < THREADS; i++) {
    init(&together[i], i);
    assert_int_equal(pthread_create(&together[i].thread, NULL, work, &together[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(together[i].thread, NULL);
  for (int i = 0; i < THREADS; i++) {
    init(&alone[i], i);
    work(&alone[i]);
    assert_string_equal(together[i].err.message, "");
    assert_int_equal(together[i].status, ATTCERT_OK);
    assert_memory_equal(together[i].number, alone[i].number, sizeof alone[i].number);
    assert_true(together[i].number[0] > 0.0 && together[i].number[1] > together[i].number[0]);
    problem_case_clear(&alone[i].p);
    problem_case_clear(&together[i].p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_find_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
