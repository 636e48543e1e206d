/* What processes agree on, with threads as processes: sums and extremes that are the same for all, one failure that is
 * everyone's, and whole certificates, which are those of one process alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/process_group.h"
#include "random_layer.h"
#include "temp_folder.h"
#include "thread_group.h"

enum { MAX_PROCESSES = 4 };

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

typedef struct {
  double sum[MAX_PROCESSES][3], largest[MAX_PROCESSES];
  uint64_t least[MAX_PROCESSES];
  int told[MAX_PROCESSES];
} numbers;

static void exchange_numbers(const attcert_process_group *group, void *context) {
  numbers *const all = context;
  const int rank = group->rank;
  double *const x = all->sum[rank];
  x[0] = ldexp(1, rank);
  x[1] = rank == 1 ? NAN : 1;
  x[2] = rank % 2 == 0 ? 1e16 : 1;
  process_group_allreduce_sum(group, x, 3);
  all->largest[rank] = process_group_allreduce_max(group, rank == 2 ? 7.5 : -rank);
  all->least[rank] = process_group_allreduce_min(group, UINT64_MAX - (uint64_t)rank);
  all->told[rank] = rank;
  process_group_broadcast(group, &all->told[rank], sizeof(int), group->size - 1);
}

static void test_numbers(void **state) {
  (void)state;
  numbers all;
  thread_group_run(4, exchange_numbers, &all);
  for (int rank = 0; rank < 4; rank++) {
    assert_true(all.sum[rank][0] == 15 && isnan(all.sum[rank][1]) && all.sum[rank][2] == all.sum[0][2]);
    assert_true(all.largest[rank] == 7.5 && all.least[rank] == UINT64_MAX - 3 && all.told[rank] == 3);
  }
  double one = 1;
  process_group_allreduce_sum(NULL, &one, 1);
  assert_true(one == 1 && process_group_allreduce_max(NULL, 2) == 2 && process_group_allreduce_min(NULL, 3) == 3);
}

/* ---- agreement --------------------------------------------------------------------------------------------------- */

typedef struct {
  unsigned failing; /* bit r: rank r fails */
  attcert_status status[MAX_PROCESSES];
  attcert_error err[MAX_PROCESSES];
} agreement;

static void agree(const attcert_process_group *group, void *context) {
  agreement *const a = context;
  const int rank = group->rank;
  attcert_error *const err = rank == 3 ? NULL : &a->err[rank]; /* one does not want to know why */
  attcert_status status = ATTCERT_OK;
  if (a->failing >> rank & 1) status = attcert_fail(err, rank == 1 ? ATTCERT_RESOURCE : ATTCERT_INPUT, "rank %d", rank);
  a->status[rank] = process_group_allreduce_status(group, status, err);
}

/* The lowest rank that fails speaks for all. */
static void test_agreement(void **state) {
  (void)state;
  for (unsigned failing = 0; failing < 16; failing++) {
    agreement a = {.failing = failing};
    char message[16] = "";
    int first = 0;
    while (first < 4 && !(failing >> first & 1)) first++;
    if (first != 3) snprintf(message, sizeof message, "rank %d", first);
    thread_group_run(4, agree, &a);
    for (int rank = 0; rank < 4; rank++) {
      assert_int_equal(a.status[rank], first == 4 ? ATTCERT_OK : first == 1 ? ATTCERT_RESOURCE : ATTCERT_INPUT);
      if (first < 4 && rank < 3) assert_string_equal(a.err[rank].message, message);
    }
  }
  assert_int_equal(process_group_allreduce_status(NULL, ATTCERT_INPUT, NULL), ATTCERT_INPUT);
}

/* ---- certificates ------------------------------------------------------------------------------------------------ */

typedef struct {
  const layer_case *input;
  attcert_options options;
  int different; /* the rank whose weights differ in a bit; -1: none */
  int poor;      /* the rank with little memory; -1: none */
  attcert_status status[MAX_PROCESSES];
  attcert_error err[MAX_PROCESSES];
  attcert_certificate certificate[MAX_PROCESSES];
} shared_run;

static shared_run shared_run_make(const layer_case *input) {
  shared_run r = {.input = input, .different = -1, .poor = -1};
  attcert_options_default(&r.options);
  r.options.engine = ATTCERT_ENGINE_DENSE;
  r.options.threads = 1;
  for (int i = 0; i < MAX_PROCESSES; i++) attcert_certificate_init(&r.certificate[i]);
  return r;
}

static void shared_run_clear(shared_run *r) {
  for (int i = 0; i < MAX_PROCESSES; i++) attcert_certificate_clear(&r->certificate[i]);
}

static void certify(const attcert_process_group *group, void *context) {
  shared_run *const r = context;
  const int rank = group != NULL ? group->rank : 0;
  attcert_options options = r->options;
  attcert_layer layer = r->input->layer;
  double value[64];
  options.group = group;
  if (rank == r->poor) options.memory_limit = 1000;
  if (rank == r->different) {
    memcpy(value, layer.value_weight, sizeof(double) * (size_t)(layer.heads * layer.head_dim * layer.dim));
    value[5] = nextafter(value[5], 2);
    layer.value_weight = value;
  }
  r->status[rank] = attcert_certify(&r->certificate[rank], &layer, &r->input->x, &options, &r->err[rank]);
}

/* 160 tokens in 2 heads of 2, with W_O: a Gram matrix of side 800, four panels. It is computed 51 tokens, 255 rows, at
 * a time, so that several processes compute the same blocks. */
static void shared_case_init(layer_case *c, attcert_mask mask) {
  random_source r = random_source_make(77, 0, 0);
  const layer_shape shape = {.n = 160, .dim = 5, .heads = 2, .head_dim = 2, .out_dim = 5, .mask = mask};
  layer_case_init_zero(c, &shape);
  double *const weights[] = {c->layer.query_weight, c->layer.key_weight, c->layer.value_weight};
  for (int i = 0; i < 3; i++) random_fill_gaussian(weights[i], 20, 1, &r);
  random_fill_gaussian(c->layer.output_weight, 20, 1, &r);
  random_fill_gaussian(c->x.data, 800, 1, &r);
}

static void assert_same_certificates(const shared_run *r, const shared_run *alone, int processes) {
  for (int rank = 0; rank < processes; rank++) {
    const attcert_certificate *const c = &r->certificate[rank], *const first = &r->certificate[0];
    assert_int_equal(r->status[rank], ATTCERT_OK);
    assert_true(mpfr_equal_p(c->lower, first->lower) && mpfr_equal_p(c->upper, first->upper));
    assert_int_equal(c->precision, first->precision);
    assert_true(mpfr_equal_p(c->lower, alone->certificate[0].lower));
    const double upper = mpfr_get_d(c->upper, MPFR_RNDN), expected = mpfr_get_d(alone->certificate[0].upper, MPFR_RNDN);
    assert_true(fabs(upper - expected) <= 4 * 0x1p-52 * expected);
  }
}

static void test_certificates(void **state) {
  (void)state;
  temp_folder folder;
  temp_folder_init(&folder);
  for (int mask = 0; mask < 2; mask++) {
    layer_case c;
    shared_case_init(&c, mask == 0 ? ATTCERT_MASK_NONE : ATTCERT_MASK_CAUSAL);
    shared_run alone = shared_run_make(&c);
    certify(NULL, &alone);
    assert_int_equal(alone.status[0], ATTCERT_OK);
    for (int processes = 1; processes <= 3; processes++) {
      shared_run together = shared_run_make(&c);
      together.options.scratch = processes == 2 ? folder.path : NULL;
      thread_group_run(processes, certify, &together);
      assert_same_certificates(&together, &alone, processes);
      shared_run_clear(&together);
    }
    shared_run_clear(&alone);
    layer_case_clear(&c);
  }
  temp_folder_clear(&folder);
}

/* Another layer, or no memory, in one process: none gives a certificate. */
static void test_one_cannot(void **state) {
  (void)state;
  layer_case c;
  shared_case_init(&c, ATTCERT_MASK_NONE);
  for (int rank = 0; rank < 3; rank++)
    for (int poor = 0; poor < 2; poor++) {
      shared_run r = shared_run_make(&c);
      if (poor)
        r.poor = rank;
      else
        r.different = rank;
      thread_group_run(3, certify, &r);
      for (int i = 0; i < 3; i++) {
        assert_int_equal(r.status[i], poor ? ATTCERT_RESOURCE : ATTCERT_INPUT);
        assert_non_null(strstr(r.err[i].message, poor ? "1000 bytes may be used" : "another value.weight"));
        assert_true(mpfr_inf_p(r.certificate[i].upper));
      }
      shared_run_clear(&r);
    }
  layer_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_agreement),
                                     cmocka_unit_test(test_certificates), cmocka_unit_test(test_one_cannot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
