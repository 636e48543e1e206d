/* Every engine's enclosure of ||D_X f|| against the oracle's, on random and hostile layers.
 *   ATTCERT_CASES=N    number of layers, dealt to the families in turn (each goes through every engine)
 *   ATTCERT_SEED=S     which layers
 *   ATTCERT_JOBS=J     worker processes
 *   ATTCERT_REPLAY=FAMILY:SEED:INDEX    one layer, in detail */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "enclosure_verdict.h"
#include "test_setting.h"

enum { ENGINES = 7, MAX_FAMILIES = 64, MAX_JOBS = 64, DEFAULT_CASES = 4000, REPORTED_FAILURES = 20 };

static const attcert_engine ENGINE[ENGINES] = {
    ATTCERT_ENGINE_MPFR,   ATTCERT_ENGINE_DENSE,     ATTCERT_ENGINE_DEFLATED, ATTCERT_ENGINE_POINTWISE,
    ATTCERT_ENGINE_RANDOM, ATTCERT_ENGINE_FROBENIUS, ATTCERT_ENGINE_AUTO};

/* What one worker has done; lives in memory shared with its parent, so that a crash loses nothing. */
typedef struct {
  enclosure_tally tally[MAX_FAMILIES][ENGINES];
  long loose[MAX_FAMILIES]; /* cases that the oracle could not resolve: containment is checked, width is not */
  volatile long done;
  long failures;
  int family; /* the case under way */
  uint64_t index;
} worker;

/* ---- one case ---------------------------------------------------------------------------------------------------- */

/* A tolerance lets a deflation take the layer in double. */
static attcert_status certify(attcert_certificate *certificate, const layer_case *c, attcert_engine engine,
                              bool tolerant, attcert_error *err) {
  attcert_options options;
  attcert_options_default(&options);
  options.engine = engine;
  options.threads = 1;
  options.tolerance = tolerant && engine == ATTCERT_ENGINE_DEFLATED ? 1e-9 : 0;
  return attcert_certify(certificate, &c->layer, &c->x, &options, err);
}

static void describe(int family, uint64_t seed, uint64_t index, attcert_engine engine, verdict v,
                     const attcert_certificate *certificate, const norm_oracle *truth, const char *message) {
  char *low = arf_get_str(truth->lower, 25), *high = arf_get_str(truth->upper, 25);
  char line[1024];
  mpfr_snprintf(line, sizeof line, "[%.20Re, %.20Re]", certificate->lower, certificate->upper);
  fprintf(stderr, "ATTCERT_REPLAY=%s:%llu:%llu  %s: %s  %s  truth [%s, %s]  %s\n", random_layer_family(family),
          (unsigned long long)seed, (unsigned long long)index, attcert_engine_name(engine), verdict_name(v), line, low,
          high, message);
  flint_free(low);
  flint_free(high);
}

static void run_engine(worker *w, int e, const layer_case *c, const norm_oracle *truth, uint64_t seed, bool verbose) {
  attcert_certificate certificate;
  attcert_error err = {0};
  attcert_certificate_init(&certificate);
  const bool certified = certify(&certificate, c, ENGINE[e], w->index % 2 == 0, &err) == ATTCERT_OK;
  const verdict v = certified ? enclosure_verdict(&certificate, ENGINE[e], truth) : VERDICT_FAILED;
  enclosure_tally_count(&w->tally[w->family][e], v, &certificate, truth);
  if (v != VERDICT_HOLDS) w->failures++;
  if (verbose || (v != VERDICT_HOLDS && w->failures <= REPORTED_FAILURES))
    describe(w->family, seed, w->index, ENGINE[e], v, &certificate, truth, err.message);
  attcert_certificate_clear(&certificate);
}

static void run_case(worker *w, int family, uint64_t seed, uint64_t index, bool verbose) {
  w->family = family;
  w->index = index;
  layer_case c;
  norm_oracle truth;
  layer_case_init(&c, family, seed, index);
  truth_init(&truth, &c);
  w->loose[family] += !truth.tight;
  for (int e = 0; e < ENGINES; e++) run_engine(w, e, &c, &truth, seed, verbose);
  norm_oracle_clear(&truth);
  layer_case_clear(&c);
  w->done++;
}

/* ---- many cases -------------------------------------------------------------------------------------------------- */

static void work(worker *w, uint64_t seed, uint64_t cases, uint64_t first, uint64_t stride) {
  const uint64_t families = (uint64_t)random_layer_families();
  for (uint64_t t = first; t < cases; t += stride) run_case(w, (int)(t % families), seed, t / families, false);
}

static long total_done(const worker *w, int jobs) {
  long done = 0;
  for (int j = 0; j < jobs; j++) done += w[j].done;
  return done;
}

/* Waits for the workers; a line on long runs every ten seconds. True when all ended well. */
static bool wait_for(const worker *w, const pid_t *child, int jobs, uint64_t cases) {
  bool well = true;
  const time_t start = time(NULL);
  time_t last = start;
  for (int j = 0; j < jobs; j++) {
    int status;
    while (waitpid(child[j], &status, WNOHANG) == 0) {
      nanosleep(&(struct timespec){0, 20000000}, NULL);
      if (time(NULL) < last + 10) continue;
      last = time(NULL);
      fprintf(stderr, "%ld of %llu cases, %ld s\n", total_done(w, jobs), (unsigned long long)cases,
              (long)(last - start));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    well = false;
    fprintf(stderr, "worker %d ended with status %d in %s, index %llu\n", j, status, random_layer_family(w[j].family),
            (unsigned long long)w[j].index);
  }
  return well;
}

static void print_row(const char *name, const enclosure_tally *tally) {
  print_message("%-24s", name);
  for (int e = 0; e < ENGINES; e++)
    print_message("  %7ld %4ld %4ld %4ld %8.1e", tally[e].cases, tally[e].misses, tally[e].wide, tally[e].failed,
                  tally[e].widest);
  print_message("\n");
}

/* Sums the workers' tables, prints them, and asserts that nothing went wrong. */
static void conclude(const worker *w, int jobs) {
  enclosure_tally total[ENGINES] = {0};
  long loose = 0, bad = 0;
  print_message("%-24s", "family");
  for (int e = 0; e < ENGINES; e++) print_message("  %-9s miss wide fail   widest ", attcert_engine_name(ENGINE[e]));
  print_message("\n");
  for (int f = 0; f < random_layer_families(); f++) {
    enclosure_tally row[ENGINES] = {0};
    for (int j = 0; j < jobs; j++) {
      for (int e = 0; e < ENGINES; e++) enclosure_tally_add(&row[e], &w[j].tally[f][e]);
      loose += w[j].loose[f];
    }
    for (int e = 0; e < ENGINES; e++) enclosure_tally_add(&total[e], &row[e]);
    print_row(random_layer_family(f), row);
  }
  print_row("total", total);
  print_message("%ld cases whose truth the oracle could not resolve (containment checked, width not)\n", loose);
  for (int e = 0; e < ENGINES; e++) bad += total[e].misses + total[e].wide + total[e].failed;
  assert_int_equal(bad, 0);
}

static worker *shared_workers(int jobs) {
  void *memory = mmap(NULL, (size_t)jobs * sizeof(worker), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(memory != MAP_FAILED);
  return memory;
}

static void test_families(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  const int jobs = (int)test_setting("ATTCERT_JOBS", 2);
  assert_in_range(jobs, 1, MAX_JOBS);
  assert_in_range(random_layer_families(), 1, MAX_FAMILIES);
  worker *w = shared_workers(jobs);
  pid_t child[MAX_JOBS];
  fflush(NULL);
  for (int j = 0; j < jobs; j++) {
    child[j] = fork();
    assert_true(child[j] >= 0);
    if (child[j] > 0) continue;
    work(&w[j], seed, cases, (uint64_t)j, (uint64_t)jobs);
    _exit(0);
  }
  const bool well = wait_for(w, child, jobs, cases);
  print_message("seed %llu\n", (unsigned long long)seed);
  conclude(w, jobs);
  assert_true(well);
  munmap(w, (size_t)jobs * sizeof(worker));
}

/* FAMILY:SEED:INDEX */
static void test_replay(void **state) {
  (void)state;
  const char *replay = getenv("ATTCERT_REPLAY");
  if (!replay) skip();
  char name[64];
  unsigned long long seed, index;
  assert_int_equal(sscanf(replay, "%63[^:]:%llu:%llu", name, &seed, &index), 3);
  const int family = random_layer_family_find(name);
  assert_true(family >= 0);
  worker *w = shared_workers(1);
  run_case(w, family, seed, index, true);
  assert_int_equal(w->failures, 0);
  munmap(w, sizeof *w);
}

/* A few layers with a Jacobian of about two hundred rows, where blocked algorithms take their other paths. */
static void test_two_hundred_rows(void **state) {
  (void)state;
  static const layer_shape shapes[] = {{16, 12, 2, 8, 0, true, ATTCERT_MASK_NONE},
                                       {20, 10, 1, 10, 0, false, ATTCERT_MASK_CAUSAL},
                                       {10, 24, 3, 8, 20, true, ATTCERT_MASK_CAUSAL}};
  worker *w = shared_workers(1);
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
    random_source r = random_source_make(6, 0, s);
    layer_case c;
    norm_oracle truth;
    layer_case_init_gaussian(&c, &shapes[s], &r);
    truth_init(&truth, &c);
    assert_true(truth.tight);
    for (int e = 0; e < ENGINES; e++) run_engine(w, e, &c, &truth, 6, false);
    norm_oracle_clear(&truth);
    layer_case_clear(&c);
  }
  assert_int_equal(w->failures, 0);
  munmap(w, sizeof *w);
}

int main(void) {
  if (getenv("ATTCERT_REPLAY")) {
    const struct CMUnitTest replay[] = {cmocka_unit_test(test_replay)};
    return cmocka_run_group_tests(replay, NULL, NULL);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_families), cmocka_unit_test(test_two_hundred_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
