/* The certificate of a matrix that is not in memory as a whole: window by window through a scratch file, shared by
 * several processes (threads here), or both. Windows change nothing, to the last bit; processes all get the same, and
 * no other bound than one alone but for the rounding of a sum; and where one fails, all say the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known_spectrum.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "temp_folder.h"
#include "thread_group.h"

enum { SIDE = 1100, PANELS = 5, MAX_PROCESSES = 4 };

typedef struct {
  attcert_status status;
  attcert_error err;
  mpfr_t upper;
} outcome;

/* One matrix, and what each process made of it. */
typedef struct {
  const double *g;
  double guess;
  const char *folder;    /* NULL: in memory */
  uint64_t window_bytes; /* of each process */
  int fails;             /* the rank whose scratch file cannot be written; -1: none */
  outcome outcome[MAX_PROCESSES];
} problem;

static attcert_status fill(void *context, const panels *lower, attcert_error *err) {
  const problem *const p = context;
  (void)err;
  panels_put_transposed(lower, 0, SIDE, 0, SIDE, p->g, SIDE);
  return ATTCERT_OK;
}

/* x^T G x / x^T x: the direction of a failure is the same in all windows and processes, so this is. */
static attcert_status improve(void *context, double *guess, const double *x, attcert_error *err) {
  const problem *const p = context;
  double form = 0, square = 0;
  (void)err;
  for (size_t i = 0; i < SIDE; i++) {
    square += x[i] * x[i];
    for (size_t j = i; j < SIDE; j++) form += (i == j ? 1 : 2) * x[i] * x[j] * p->g[i * SIDE + j];
  }
  *guess = form / square;
  return ATTCERT_OK;
}

/* Threads must not end by an assertion: what happened is looked at when all are back. */
static void solve(const attcert_process_group *group, void *context) {
  problem *const p = context;
  const int rank = group != NULL ? group->rank : 0;
  outcome *const o = &p->outcome[rank];
  const symmetric_source source = {SIDE, fill, improve, p};
  panel_file file = {.descriptor = -1};
  panel_storage storage = {group, NULL, p->window_bytes};
  o->err = (attcert_error){.message = ""};
  if (p->folder != NULL) {
    if (p->fails == rank)
      file = (panel_file){p->folder, -1, UINT64_MAX};
    else if (panel_file_open(&file, p->folder, &o->err) != ATTCERT_OK)
      abort();
    storage.file = &file;
  }
  o->status = largest_eigenvalue_upper_of_source(o->upper, &source, p->guess, &storage, NULL, &o->err);
  panel_file_close(&file);
}

static problem problem_make(const double *g, double guess) {
  problem p = {.g = g, .guess = guess, .fails = -1};
  for (int i = 0; i < MAX_PROCESSES; i++) mpfr_init2(p.outcome[i].upper, 200);
  return p;
}

static void problem_clear(problem *p) {
  for (int i = 0; i < MAX_PROCESSES; i++) mpfr_clear(p->outcome[i].upper);
}

static double *new_matrix(void) {
  double *const g = malloc(sizeof(double) * SIDE * SIDE);
  assert_non_null(g);
  known_spectrum_matrix(g, SIDE, spectrum_clustered);
  return g;
}

static bool same(mpfr_srcptr x, mpfr_srcptr y) {
  return mpfr_equal_p(x, y) || (mpfr_nan_p(x) && mpfr_nan_p(y));
}

/* Memory for this many panels of the first window. */
static uint64_t bytes_of(int window_panels) {
  const panels a = panels_shape(SIDE, NULL);
  return panels_share_bytes(&a, 0, window_panels);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

static void check_windows(const double *g, double guess, const temp_folder *folder) {
  problem whole = problem_make(g, guess), part = problem_make(g, guess);
  solve(NULL, &whole);
  assert_int_equal(whole.outcome[0].status, ATTCERT_OK);
  for (int window = 1; window <= PANELS; window++) {
    part.folder = folder->path;
    part.window_bytes = window == 1 ? 0 : bytes_of(window);
    solve(NULL, &part);
    assert_int_equal(part.outcome[0].status, ATTCERT_OK);
    if (!same(part.outcome[0].upper, whole.outcome[0].upper)) fail_msg("guess %a, window of %d panels", guess, window);
    assert_int_equal(temp_folder_count(folder), 0);
  }
  problem_clear(&whole);
  problem_clear(&part);
}

/* A good guess, one that fails some times before it succeeds, ones that never succeed, and ones that are worse than the
 * row sum. */
static void test_windows_do_not_matter(void **state) {
  (void)state;
  const double guesses[] = {KNOWN_LARGEST, KNOWN_LARGEST * (1 - 1e-8), KNOWN_LARGEST / 2.0, 0, 1e9, NAN, INFINITY};
  temp_folder folder;
  double *const g = new_matrix();
  temp_folder_init(&folder);
  for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) check_windows(g, guesses[i], &folder);
  g[700 * SIDE + 900] = NAN;
  check_windows(g, KNOWN_LARGEST, &folder);
  temp_folder_clear(&folder);
  free(g);
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

static void check_processes(const double *g, double guess, int processes, const char *folder) {
  problem alone = problem_make(g, guess), shared = problem_make(g, guess);
  mpfr_t difference;
  mpfr_init2(difference, 53);
  solve(NULL, &alone);
  shared.folder = folder;
  thread_group_run(processes, solve, &shared);
  for (int rank = 0; rank < processes; rank++) {
    assert_int_equal(shared.outcome[rank].status, ATTCERT_OK);
    assert_true(same(shared.outcome[rank].upper, shared.outcome[0].upper));
  }
  mpfr_sub(difference, shared.outcome[0].upper, alone.outcome[0].upper, MPFR_RNDA);
  const bool close = mpfr_cmpabs_ui(difference, 0) == 0 || fabs(mpfr_get_d(difference, MPFR_RNDA)) <= 1e-15;
  if (!close && !same(shared.outcome[0].upper, alone.outcome[0].upper))
    fail_msg("guess %a, %d processes%s: off by %g", guess, processes, folder != NULL ? " with files" : "",
             mpfr_get_d(difference, MPFR_RNDA));
  mpfr_clear(difference);
  problem_clear(&alone);
  problem_clear(&shared);
}

/* Up to four processes for five panels, in memory and with the smallest windows. */
static void test_processes_agree(void **state) {
  (void)state;
  static const double guesses[] = {KNOWN_LARGEST, KNOWN_LARGEST * (1 - 1e-8), 0};
  temp_folder folder;
  double *const g = new_matrix();
  temp_folder_init(&folder);
  for (int processes = 1; processes <= MAX_PROCESSES; processes++)
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
      check_processes(g, guesses[i], processes, NULL);
      check_processes(g, guesses[i], processes, folder.path);
    }
  g[900] = NAN;
  check_processes(g, KNOWN_LARGEST, 3, NULL);
  temp_folder_clear(&folder);
  free(g);
}

/* ---- failure ----------------------------------------------------------------------------------------------------- */

/* A file that cannot be written, of one process: nobody waits for it, and all say why. */
static void test_one_fails(void **state) {
  (void)state;
  temp_folder folder;
  double *const g = new_matrix();
  temp_folder_init(&folder);
  for (int fails = 0; fails < 3; fails++) {
    problem p = problem_make(g, KNOWN_LARGEST);
    p.folder = folder.path;
    p.fails = fails;
    thread_group_run(3, solve, &p);
    for (int rank = 0; rank < 3; rank++) {
      assert_int_equal(p.outcome[rank].status, ATTCERT_RESOURCE);
      assert_non_null(strstr(p.outcome[rank].err.message, "cannot write"));
    }
    problem_clear(&p);
  }
  temp_folder_clear(&folder);
  free(g);
}

static void test_fails_alone(void **state) {
  (void)state;
  double *const g = new_matrix();
  problem p = problem_make(g, KNOWN_LARGEST);
  p.folder = "/";
  p.fails = 0;
  solve(NULL, &p);
  assert_int_equal(p.outcome[0].status, ATTCERT_RESOURCE);
  assert_true(mpfr_cmp_d(p.outcome[0].upper, KNOWN_LARGEST) >= 0);
  problem_clear(&p);
  free(g);
}

/* ---- how much is read -------------------------------------------------------------------------------------------- */

/* 8 N^3 / (6 W) bytes, for windows of W columns, when N is many of them. */
static void test_read_bytes(void **state) {
  (void)state;
  const panels a = panels_shape(256 * 200, NULL);
  const double n = a.n, exact = panel_store_read_bytes(&a, panels_share_bytes(&a, 0, 4));
  assert_true(exact > 0.5 * 8 * n * n * n / (6 * 4 * 256) && exact < 8 * n * n * n / (6 * 4 * 256));
  assert_true(panel_store_read_bytes(&a, panel_store_file_bytes(&a)) == 0);
  double smallest = 0;
  for (int p = 1; p < a.count; p++) smallest += 8.0 * panel_rows(&a, p) * panel_first(&a, p);
  assert_true(panel_store_read_bytes(&a, 0) == smallest);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_windows_do_not_matter),
      cmocka_unit_test(test_processes_agree),
      cmocka_unit_test(test_one_fails),
      cmocka_unit_test(test_fails_alone),
      cmocka_unit_test(test_read_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
