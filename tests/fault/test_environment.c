/* A caller's floating-point environment in which no bound would hold: every function of attcert.h that computes gives
 * what it gives in the default one, to the last bit, and leaves the caller's as it was. */
#include "environment_calls.h"
#include "floating_environment.h"
#include "temp_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void the_same_in_every_environment(void **state) {
  (void)state;
  int count;
  const floating_environment *const environments = floating_environments(&count);
  environment_calls s;
  environment_calls_init(&s);
  if (s.model == NULL) print_message("[  SKIPPED ] subnormal products: ATTCERT_DATA names no folder of faults\n");
  for (int i = 0; i < environment_calls_count(); i++) {
    const uint64_t expected = environment_calls_digest(&s, i);
    assert_true(environment_calls_digest(&s, i) == expected);
    for (int e = 0; e < count; e++) {
      environments[e].set();
      const environment_state before = environment_state_now();
      const uint64_t d = environment_calls_digest(&s, i);
      const environment_state after = environment_state_now();
      environment_reset();
      if (d != expected)
        fail_msg("%s is not the same in the environment: %s", environment_calls_name(i), environments[e].name);
      if (!environment_state_equal(&before, &after))
        fail_msg("%s leaves another environment than it was called in: %s", environment_calls_name(i),
                 environments[e].name);
    }
  }
  environment_calls_clear(&s);
}

/* ---- what the caller's functions do ------------------------------------------------------------------------------ */

static const floating_environment *set_by_callback;

static int changes_the_environment(void *context, const char *stage, double done) {
  (void)stage, (void)done;
  ++*(int *)context;
  set_by_callback->set();
  return 0;
}

static void callbacks_change_nothing(void **state) {
  (void)state;
  int count, called = 0;
  const floating_environment *const environments = floating_environments(&count);
  environment_calls s;
  double expected[2], ends[2];
  environment_calls_init(&s);
  attcert_options options;
  attcert_options_default(&options);
  assert_int_equal(attcert_enclose(&expected[0], &expected[1], s.p.problem, &options, NULL), ATTCERT_OK);
  options.progress = changes_the_environment;
  options.progress_context = &called;
  for (int e = 0; e < count; e++) {
    set_by_callback = &environments[e];
    const environment_state before = environment_state_now();
    const attcert_status status = attcert_enclose(&ends[0], &ends[1], s.p.problem, &options, NULL);
    const environment_state after = environment_state_now();
    environment_reset();
    assert_int_equal(status, ATTCERT_OK);
    assert_memory_equal(ends, expected, sizeof ends);
    assert_true(environment_state_equal(&before, &after));
  }
  assert_true(called > 0);
  environment_calls_clear(&s);
}

/* ---- numbers that are none --------------------------------------------------------------------------------------- */

static void refuses_states_that_are_no_numbers(void **state) {
  (void)state;
  static const double none[] = {NAN, INFINITY, -INFINITY};
  environment_calls s;
  environment_calls_init(&s);
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    attcert_robustness *r;
    attcert_error err = {0};
    double hidden[ENVIRONMENT_TOKENS * ENVIRONMENT_DIM], x[ENVIRONMENT_TOKENS * ENVIRONMENT_DIM];
    memcpy(hidden, s.hidden, sizeof hidden);
    hidden[ENVIRONMENT_DIM + 2] = none[i];
    assert_int_equal(attcert_robustness_new(&r, s.random, hidden, ENVIRONMENT_TOKENS, ENVIRONMENT_DIM, &err),
                     ATTCERT_INPUT);
    assert_null(r);
    assert_non_null(strstr(err.message, "hidden states: entry [1, 2]"));
    assert_int_equal(attcert_model_layer_input(x, s.random, 0, hidden, ENVIRONMENT_TOKENS, &err), ATTCERT_INPUT);
    assert_non_null(strstr(err.message, "hidden states: entry [1, 2]"));
    attcert_result *result;
    assert_int_equal(attcert_problem_ball(&result, s.p.problem, none[i], "token", "all", NULL, &err), ATTCERT_INPUT);
    assert_int_equal(attcert_problem_bounds(&result, s.p.problem, none[i], NULL, &err), ATTCERT_INPUT);
  }
  environment_calls_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_in_every_environment),
      cmocka_unit_test(callbacks_change_nothing),
      cmocka_unit_test(refuses_states_that_are_no_numbers),
  };
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
