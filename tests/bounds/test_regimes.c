/* Long sequences of few distinct tokens, against the library on the sequence written out: the same sequence, the same
 * norm of a directional derivative, the same bounds; and what the search finds is in the ball and no less than T3. */
#include "ball_values.h"
#include "cluster_direction.h"
#include "cluster_norm.h"
#include "cluster_search.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "model/weights.h"
#include "theory/theory.h"
#include "weights_file.h"

#include "exact_region.h"
#include "random_layer.h"
#include "temp_folder.h"
#include "with_norms.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 12 };

/* A random head with a random sequence of 1 to 4 clusters; every second one is masked. */
typedef struct {
  layer_case drawn;
  clusters c;
  attcert_matrix x; /* the sequence written out */
  double u[CLUSTERS_SIDE_MAX];
  attcert_matrix direction; /* the direction, alike */
} cluster_case;

/* Row i of `out` := the row of its cluster in `values`. */
static void write_out(attcert_matrix *out, const clusters *c, const double *values) {
  const size_t d = (size_t)c->dim;
  assert_int_equal(attcert_matrix_init(out, clusters_length(c), c->dim, NULL), ATTCERT_OK);
  double *row = out->data;
  for (size_t a = 0; a < (size_t)c->distinct; a++) {
    for (int copy = 0; copy < c->count[a]; copy++, row += d) memcpy(row, values + a * d, d * sizeof(double));
  }
}

static void cluster_case_init(cluster_case *t, int index) {
  const int distinct = 1 + index % CLUSTERS_MAX;
  random_source r = random_source_make(41, 0, (uint64_t)index);
  const layer_shape shape = {
      distinct, 2 + index % 3, 1, 1 + index % 4, 0, false, index % 2 == 1 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  layer_case_init_gaussian(&t->drawn, &shape, &r);
  t->c = (clusters){.distinct = distinct, .dim = shape.dim};
  random_fill_gaussian(t->c.x, (size_t)(distinct * shape.dim), 1.5, &r);
  random_fill_gaussian(t->u, (size_t)(distinct * shape.dim), 1.0, &r);
  for (int a = 0; a < distinct; a++) t->c.count[a] = 1 + (index + 3 * a) % 7;
  write_out(&t->x, &t->c, t->c.x);
  write_out(&t->direction, &t->c, t->u);
}

static void cluster_case_clear(cluster_case *t) {
  attcert_matrix_clear(&t->direction);
  attcert_matrix_clear(&t->x);
  layer_case_clear(&t->drawn);
}

static attcert_options one_thread(void) {
  attcert_options options;
  attcert_options_default(&options);
  options.threads = 1;
  return options;
}

/* Both intervals hold the same number; ours is narrow. */
static void direction_agrees(void **state) {
  (void)state;
  const attcert_options options = one_thread();
  interval ours, theirs, both;
  interval_init(&ours, 128);
  interval_init(&theirs, 53);
  interval_init(&both, 128);
  for (int index = 0; index < CASES; index++) {
    cluster_case t;
    cluster_case_init(&t, index);
    const attcert_layer *const head = &t.drawn.layer;
    assert_int_equal(cluster_direction(&ours, &t.c, head, t.u, NULL), ATTCERT_OK);
    assert_int_equal(attcert_direction(theirs.lo, theirs.hi, head, &t.x, &t.direction, &options, NULL), ATTCERT_OK);
    interval_intersect(&both, &ours, &theirs);
    assert_false(interval_is_empty(&both));
    assert_true(mpfr_get_d(ours.hi, MPFR_RNDU) <= mpfr_get_d(ours.lo, MPFR_RNDD) * (1 + 1e-15));
    assert_true(mpfr_sgn(ours.lo) > 0);
    cluster_case_clear(&t);
  }
  interval_clear(&both);
  interval_clear(&theirs);
  interval_clear(&ours);
}

/* The estimate is what its own direction gives; it is the largest of the directions tried, and below the norm. */
static void estimate_agrees(void **state) {
  (void)state;
  const attcert_options options = one_thread();
  interval own, other;
  interval_init(&own, 128);
  interval_init(&other, 128);
  for (int index = 0; index < CASES; index++) {
    cluster_case t;
    attcert_certificate certificate;
    double u[CLUSTERS_SIDE_MAX];
    cluster_case_init(&t, index);
    attcert_certificate_init(&certificate);
    const attcert_layer *const head = &t.drawn.layer;
    const double norm = cluster_norm(u, &t.c, head, false);
    assert_int_equal(cluster_direction(&own, &t.c, head, u, NULL), ATTCERT_OK);
    assert_true(fabs(mpfr_get_d(own.lo, MPFR_RNDN) - norm) <= 1e-12 * norm);
    assert_int_equal(cluster_direction(&other, &t.c, head, t.u, NULL), ATTCERT_OK);
    assert_true(mpfr_get_d(other.lo, MPFR_RNDN) <= norm * (1 + 1e-12));
    assert_int_equal(attcert_certify(&certificate, head, &t.x, &options, NULL), ATTCERT_OK);
    assert_true(mpfr_lessequal_p(own.lo, certificate.upper) != 0);
    attcert_certificate_clear(&certificate);
    cluster_case_clear(&t);
  }
  interval_clear(&other);
  interval_clear(&own);
}

/* Rows that stand for their neighbours: a coarser estimate of the same number. */
static void quick_estimate_is_near(void **state) {
  (void)state;
  cluster_case t;
  cluster_case_init(&t, 7);
  const attcert_layer *const head = &t.drawn.layer;
  assert_int_equal(head->mask, ATTCERT_MASK_CAUSAL);
  for (int a = 0; a < t.c.distinct; a++) t.c.count[a] = 40 + 700 * a;
  const double all = cluster_norm(NULL, &t.c, head, false), quick = cluster_norm(NULL, &t.c, head, true);
  assert_true(quick != all);
  assert_true(fabs(quick - all) <= 0.05 * all);
  cluster_case_clear(&t);
}

static void sequences_survive(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    cluster_case t;
    clusters found;
    attcert_matrix x;
    cluster_case_init(&t, index);
    assert_true(clusters_from_tokens(&found, &t.x));
    assert_int_equal(found.distinct, t.c.distinct);
    clusters_split(&found);
    const int n = clusters_length(&t.c);
    assert_int_equal(found.distinct, n < CLUSTERS_MAX ? n : CLUSTERS_MAX);
    write_out(&x, &found, found.x);
    assert_int_equal(x.rows, t.x.rows);
    assert_memory_equal(x.data, t.x.data, (size_t)x.rows * (size_t)x.cols * sizeof(double));
    attcert_matrix_clear(&x);
    cluster_case_clear(&t);
  }
}

/* Every row once: positions 1 .. n under the mask, each cluster's rows together without one. */
static void rows_are_counted_once(void **state) {
  (void)state;
  const clusters c = {.distinct = 3, .dim = 1, .count = {2, 1, 5}};
  for (int masked = 0; masked < 2; masked++) {
    const attcert_mask mask = masked ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
    cluster_row r;
    int rows = 0, keys_last = 0;
    cluster_row_first(&r, &c, mask, NULL);
    do {
      int keys = 0;
      for (int a = 0; a < r.attended; a++) keys += r.keys[a];
      assert_int_equal(keys, masked ? rows + 1 : 8);
      rows += r.copies;
      keys_last = keys;
    } while (cluster_row_next(&r, &c, mask, NULL));
    assert_int_equal(rows, 8);
    assert_int_equal(keys_last, 8);
  }
}

static const theory_id library_id[BALL_COUNT] = {
    [BALL_T1] = THEORY_T1, [BALL_T2] = THEORY_T2, [BALL_T3] = THEORY_T3,  [BALL_T4] = THEORY_T4,
    [BALL_T5] = THEORY_T5, [BALL_T9] = THEORY_T9, [BALL_T10] = THEORY_T10};

static void expect_same_bounds(const ball_values *ours, const theory_table *theirs) {
  for (ball_value_id i = BALL_T1; i < BALL_COUNT; i++) {
    const ball_value *const b = &ours->bound[i];
    const theory_bound *const expected = &theirs->bound[library_id[i]];
    assert_string_equal(ball_value_name(i), expected->id);
    assert_int_equal(b->available, expected->available);
    assert_int_equal(b->lower, expected->lower);
    if (!b->available) continue;
    const mpfr_rnd_t outward = b->lower ? MPFR_RNDD : MPFR_RNDU;
    assert_true(mpfr_get_d(b->lower ? b->value.lo : b->value.hi, outward) == mpfr_get_d(expected->value, outward));
  }
}

static void bounds_agree(void **state) {
  (void)state;
  ball_values ours;
  theory_table theirs;
  ball_values_init(&ours);
  theory_table_init(&theirs);
  for (int index = 0; index < CASES; index++) {
    cluster_case t;
    layer_enclosure e;
    cluster_case_init(&t, index);
    const attcert_layer *const head = &t.drawn.layer;
    assert_int_equal(layer_enclosure_init(&e, head, &t.x, 128, 1, NULL), ATTCERT_OK);
    assert_int_equal(theory_with_norms(&theirs, head, &t.x, &e, 1.25, NULL), ATTCERT_OK);
    assert_int_equal(ball_values_set(&ours, head, t.x.rows, 1.25, NULL), ATTCERT_OK);
    expect_same_bounds(&ours, &theirs);
    layer_enclosure_clear(&e);
    cluster_case_clear(&t);
  }
  theory_table_clear(&theirs);
  ball_values_clear(&ours);
}

/* Long and short sequences, more steps find no less, and T3 holds at what the constructions start from. */
static void search_stays_in_the_ball(void **state) {
  (void)state;
  ball_values theory;
  ball_values_init(&theory);
  for (int index = 0; index < CASES; index++) {
    cluster_case t;
    cluster_worst start, worst;
    cluster_case_init(&t, index);
    const attcert_layer *const head = &t.drawn.layer;
    const int n = index < 6 ? 1 + index : 3000 + index;
    assert_int_equal(cluster_search(&start, head, n, 1.5, NULL, 0, NULL), ATTCERT_OK);
    assert_int_equal(cluster_search(&worst, head, n, 1.5, &start, 30, NULL), ATTCERT_OK);
    attcert_matrix tokens = clusters_tokens(&worst.at);
    assert_true(exact_region_holds(&tokens, NULL, &(ball_region){.radius = 1.5, .kind = BALL_TOKEN}));
    assert_int_equal(clusters_length(&worst.at), n);
    assert_true(worst.norm >= start.norm);
    assert_int_equal(ball_values_set(&theory, head, n, 1.5, NULL), ATTCERT_OK);
    const ball_value *const t3 = &theory.bound[BALL_T3];
    if (t3->available) assert_true(start.norm >= mpfr_get_d(t3->value.lo, MPFR_RNDD) * (1 - 1e-9));
    cluster_case_clear(&t);
  }
  ball_values_clear(&theory);
}

static void heads_that_do_not_fit(void **state) {
  (void)state;
  const struct {
    layer_shape shape;
    const char *expected;
  } wrong[] = {{{2, 4, 2, 2, 0, false, ATTCERT_MASK_NONE}, "2 heads"},
               {{2, 4, 1, 2, 4, false, ATTCERT_MASK_NONE}, "an output projection"},
               {{2, 9, 1, 2, 0, false, ATTCERT_MASK_NONE}, "at most 8 x 8"},
               {{2, 4, 1, 2, 0, true, ATTCERT_MASK_NONE}, "query bias 0"}};
  random_source r = random_source_make(43, 0, 0);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    layer_case c;
    attcert_error err;
    layer_case_init_gaussian(&c, &wrong[i].shape, &r);
    assert_int_equal(clusters_check_head(&c.layer, &err), ATTCERT_INPUT);
    assert_non_null(strstr(err.message, wrong[i].expected));
    layer_case_clear(&c);
  }
}

/* Every number of a layer with all its parts comes back. */
static void weights_come_back(void **state) {
  (void)state;
  const layer_shape shape = {1, 3, 2, 2, 5, true, ATTCERT_MASK_NONE};
  random_source r = random_source_make(44, 0, 0);
  char path[512];
  layer_case c;
  temp_folder folder;
  attcert_layer read;
  layer_case_init_gaussian(&c, &shape, &r);
  temp_folder_init(&folder);
  temp_folder_path(path, &folder, "w.safetensors");
  assert_int_equal(weights_file_write(path, &c.layer, NULL), ATTCERT_OK);
  assert_int_equal(weights_read(&read, NULL, path, 0, NULL), ATTCERT_OK);
  const attcert_layer *const l = &c.layer;
  assert_true(read.dim == 3 && read.heads == 2 && read.head_dim == 2 && read.out_dim == 5);
  const struct {
    const double *read, *written;
    size_t count;
  } part[] = {{read.query_weight, l->query_weight, 12},
              {read.key_weight, l->key_weight, 12},
              {read.value_weight, l->value_weight, 12},
              {read.query_bias, l->query_bias, 4},
              {read.key_bias, l->key_bias, 4},
              {read.value_bias, l->value_bias, 4},
              {read.output_weight, l->output_weight, 20},
              {read.output_bias, l->output_bias, 5}};
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
    assert_memory_equal(part[i].read, part[i].written, part[i].count * sizeof(double));
  attcert_layer_clear(&read);
  temp_folder_clear(&folder);
  layer_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direction_agrees),         cmocka_unit_test(estimate_agrees),
      cmocka_unit_test(quick_estimate_is_near),   cmocka_unit_test(sequences_survive),
      cmocka_unit_test(rows_are_counted_once),    cmocka_unit_test(bounds_agree),
      cmocka_unit_test(search_stays_in_the_ball), cmocka_unit_test(heads_that_do_not_fit),
      cmocka_unit_test(weights_come_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
