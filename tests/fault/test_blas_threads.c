/* BLAS's own threads keep the floating-point environment that they were started in: where it is another than the
 * default one, what rests on BLAS is refused, and the engine mpfr is not. */
#include "environment_calls.h"
#include "floating_environment.h"
#include "temp_folder.h"

#include <cblas.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static attcert_status certified(const environment_calls *s, attcert_engine engine, attcert_error *err) {
  attcert_options options;
  double lower, upper;
  attcert_options_default(&options);
  options.engine = engine;
  return attcert_enclose(&lower, &upper, s->p.problem, &options, err);
}

static void multiply(void) {
  enum { N = 300 };
  double *const a = calloc(3 * N * N, sizeof *a);
  assert_non_null(a);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1.0, a, N, a + N * N, N, 0.0, a + 2 * N * N, N);
  free(a);
}

static void more_threads(void) {
  openblas_set_num_threads(openblas_get_num_threads() + 3);
}

static void new_threads(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Threads that OpenBLAS starts in the environment, after the first certificate. */
static void refuses_threads(const floating_environment *e, void start(void)) {
  environment_calls s;
  attcert_error err = {0};
  environment_calls_init(&s);
  assert_int_equal(certified(&s, ATTCERT_ENGINE_DENSE, &err), ATTCERT_OK);
  e->set();
  start();
  multiply();
  environment_reset();
  const attcert_status status = certified(&s, ATTCERT_ENGINE_DENSE, &err);
  if (status != ATTCERT_FAULT || strstr(err.message, "BLAS: a thread of its own") == NULL)
    fail_msg("%s: status %d, '%s'", e->name, status, err.message);
  assert_int_equal(certified(&s, ATTCERT_ENGINE_MPFR, &err), ATTCERT_OK);
  environment_calls_clear(&s);
}

/* Each in a process of its own, as the threads stay. */
static void refuses_threads_of_blas(void **state) {
  (void)state;
  int count;
  const floating_environment *const environments = floating_environments(&count);
  if (openblas_get_parallel() != OPENBLAS_THREAD) skip();
  for (int e = 0; e < count; e++) {
    environments[e].set();
    const environment_state set = environment_state_now();
    environment_reset();
    const environment_state reset = environment_state_now();
    if (set.sse == reset.sse || set.flags != reset.flags) continue; /* threads of BLAS compute with SSE */
    for (int start = 0; start < 2; start++) {
      const pid_t child = fork();
      if (child == 0) {
        openblas_set_num_threads(2);
        refuses_threads(&environments[e], start == 0 ? more_threads : new_threads);
        _exit(0);
      }
      int status;
      assert_int_equal(waitpid(child, &status, 0), child);
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: threads that are %s", environments[e].name, start == 0 ? "more" : "new");
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refuses_threads_of_blas)};
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
