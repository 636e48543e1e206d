/* Certified answers on random small networks of every kind of step: the enclosures of the scores contain those of Arb,
 * by the definition of each step, and meet those of intervals at 240 bits; they are narrow; margins and kept scores
 * follow from them. Ties are undecided.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "interval/interval_convert.h"
#include "model/format/matrix_file.h"
#include "model/format/npy_integers.h"
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network_oracle.h"
#include "random_network.h"
#include "robust/network.h"
#include "robust/prediction.h"
#include "robust/range/range_function.h"
#include "robust/range/range_line.h"
#include "test_data.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 200, BITS = 240, MOST_CLASSES = 16 };

#define assert_ok(call)                                    \
  do {                                                     \
    if ((call) != ATTCERT_OK) fail_msg("%s", err.message); \
  } while (0)

/* ---- random networks --------------------------------------------------------------------------------------------- */

/* The scores, [rows, classes], in the order of the labels. */
static void sort_scores(range *score, const robust_prediction *p) {
  assert_int_equal(p->top, p->classes);
  for (int i = 0; i < p->rows; i++) {
    for (int c = 0; c < p->classes; c++) score[i * p->classes + c] = (range){INFINITY, -INFINITY};
    for (int k = 0; k < p->top; k++) {
      const robust_score *const kept = &p->score[i * p->top + k];
      score[i * p->classes + kept->label] = kept->score;
    }
  }
}

/* What the intervals of the same steps at BITS say, products in intervals. */
static void check_intervals(const range *score, const network_steps *network, const attcert_matrix *x,
                            const char *name) {
  step_scratch scratch;
  step_enclosure *const value = calloc((size_t)network->count + 1, sizeof *value);
  assert_non_null(value);
  step_scratch_init(&scratch, BITS);
  assert_int_equal(network_enclose_values(value, network, network->count, x, &scratch, NULL), ATTCERT_OK);
  for (size_t k = 0; k < network_entries(network, network->count); k++) {
    const interval *const exact = &value[network->count].entry[k];
    if (mpfr_cmp_d(exact->hi, score[k].lo) < 0 || mpfr_cmp_d(exact->lo, score[k].hi) > 0)
      fail_msg("%s: score %zu is not in its enclosure", name, k);
  }
  for (int v = 0; v <= network->count; v++) step_enclosure_clear(&value[v]);
  step_scratch_clear(&scratch);
  free(value);
}

static void check_definition(const range *score, const network_case *c) {
  network_values values;
  arf_t end;
  arf_init(end);
  network_values_init(&values, &c->network, &c->x);
  arb_mat_struct *const exact = values.value[c->network.count];
  for (int k = 0; k < network_case_classes(c); k++) {
    arb_get_ubound_arf(end, arb_mat_entry(exact, 0, k), NETWORK_ORACLE_BITS);
    const bool below = arf_cmp_d(end, score[k].lo) < 0;
    arb_get_lbound_arf(end, arb_mat_entry(exact, 0, k), NETWORK_ORACLE_BITS);
    if (below || arf_cmp_d(end, score[k].hi) > 0) fail_msg("%s: score %d is not in its enclosure", c->name, k);
  }
  network_values_clear(&values);
  arf_clear(end);
}

/* The margin lies between what any members of the others' enclosures leave; the label's score is the largest. */
static void check_row(const robust_prediction *p, const range *score, const char *name) {
  const robust_row *const row = &p->row[0];
  double above = -INFINITY, below = -INFINITY, widest = 0.0, size = 0.0;
  for (int c = 0; c < p->classes; c++) {
    widest = fmax(widest, score[c].hi - score[c].lo);
    size = fmax(size, fmax(fabs(score[c].lo), fabs(score[c].hi)));
    if (c != row->label) above = fmax(above, score[c].hi), below = fmax(below, score[c].lo);
  }
  if (!(widest <= 1e-14 * size)) fail_msg("%s: a score's width is %g of %g", name, widest, size);
  assert_true(row->margin.lo <= score[row->label].lo - above && row->margin.hi >= score[row->label].hi - below);
  assert_true(row->margin.hi - row->margin.lo <= 1e-13 * size);
  assert_true(score[row->rival].hi == above && row->rival != row->label);
  assert_int_equal(robust_prediction_status(p), above < score[row->label].lo ? ATTCERT_OK : ATTCERT_UNDECIDED);
  for (int k = 1; k < p->top; k++) assert_true(p->score[k - 1].score.hi >= p->score[k].score.lo);
}

static void scores_are_enclosed(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  uint64_t decided = 0;
  for (uint64_t index = 0; index < cases; index++) {
    network_case c;
    robust_prediction p;
    range score[MOST_CLASSES];
    network_case_init(&c, seed, index);
    const robust_prediction_place at = {.x = &c.x, .top = MOST_CLASSES};
    assert_int_equal(robust_prediction_enclose(&p, &c.network, &at, NULL), ATTCERT_OK);
    assert_int_equal(p.rows, 1);
    assert_int_equal(p.classes, network_case_classes(&c));
    sort_scores(score, &p);
    check_definition(score, &c);
    check_intervals(score, &c.network, &c.x, c.name);
    check_row(&p, score, c.name);
    decided += robust_prediction_decided(&p);
    robust_prediction_clear(&p);
    network_case_clear(&c);
  }
  print_message("%d of %d answers certain\n", (int)decided, (int)cases);
  assert_true(10 * decided >= 9 * cases);
}

/* ---- one map ----------------------------------------------------------------------------------------------------- */

/* The answer of the map W x, x of m numbers. */
static void predict_map(robust_prediction *p, const double *weight, int classes, double *x, int m, bool each_sign) {
  network_steps network = {.tokens = 1, .dim = m};
  attcert_error err;
  network_builder b = {.network = &network, .err = &err};
  const affine_weights weights = {weight, NULL};
  const attcert_matrix input = {1, m, x};
  step_affine_add(&b, 0, &weights, classes);
  assert_ok(b.status);
  const robust_prediction_place at = {.x = &input, .each_sign = each_sign, .top = classes};
  assert_ok(robust_prediction_enclose(p, &network, &at, &err));
  network_clear(&network);
}

/* The sum of x in another order is the same score; 2^-40 more is another one. */
static void ties_are_undecided(void **state) {
  (void)state;
  double x[] = {0.1, 0.2, 0.7}, weight[] = {1, 2, 3, 0, 0, 0, 1, 2, 3};
  robust_prediction p;
  predict_map(&p, weight, 3, x, 3, false);
  assert_int_equal(robust_prediction_status(&p), ATTCERT_UNDECIDED);
  assert_true(p.row[0].label == 0 && p.row[0].rival == 2);
  assert_true(p.row[0].margin.lo <= 0.0 && p.row[0].margin.hi >= 0.0 && p.row[0].margin.lo > -1e-15);
  robust_prediction_clear(&p);
  weight[8] += 0x1p-40;
  predict_map(&p, weight, 3, x, 3, false);
  assert_int_equal(robust_prediction_status(&p), ATTCERT_OK);
  assert_true(p.row[0].label == 2 && p.row[0].rival == 0);
  assert_true(p.row[0].margin.lo <= 0.7 * 0x1p-40 && p.row[0].margin.hi >= 0.7 * 0x1p-40);
  robust_prediction_clear(&p);
}

static void zeros_are_undecided(void **state) {
  (void)state;
  double x[] = {0.0, 0.0}, weight[] = {1, 2, 3, 4};
  robust_prediction p;
  predict_map(&p, weight, 2, x, 2, false);
  assert_int_equal(robust_prediction_status(&p), ATTCERT_UNDECIDED);
  assert_true(p.row[0].margin.lo <= 0.0 && p.row[0].margin.hi >= 0.0);
  robust_prediction_clear(&p);
}

static void signs_are_told_apart(void **state) {
  (void)state;
  double x[] = {1.0, 3.0}, weight[] = {1, 0, 0, -2, 0.125, 0, 3, -1};
  robust_prediction p;
  predict_map(&p, weight, 3, x, 2, true);
  assert_int_equal(robust_prediction_status(&p), ATTCERT_OK);
  assert_true(p.row[0].label == -1 && p.row[0].rival == 2);
  assert_true(p.row[0].margin.lo <= 0.125 && p.row[0].margin.hi >= 0.125 && p.row[0].margin.lo > 0.12);
  robust_prediction_clear(&p);
  predict_map(&p, weight, 4, x, 2, true); /* the last score is 0 */
  assert_int_equal(robust_prediction_status(&p), ATTCERT_UNDECIDED);
  assert_true(p.row[0].rival == 3 && p.row[0].margin.lo <= 0.0);
  robust_prediction_clear(&p);
}

/* A and its inverse, integers of 20 bits, again and again behind tanh: intervals widen by 2^40 a pair, and the scores
 * are those of tanh. */
static void more_bits_are_taken(void **state) {
  (void)state;
  const double a = 0x1p20, there[] = {a, a - 1, a + 1, a}, back[] = {a, 1 - a, -1 - a, a};
  double x[] = {0.7, -0.3};
  network_steps network = {.tokens = 1, .dim = 2};
  attcert_error err;
  network_builder b = {.network = &network, .err = &err};
  const attcert_matrix input = {1, 2, x};
  const affine_weights forth = {there, NULL}, home = {back, NULL};
  int value = step_activation_add(&b, 0, &curve_tanh);
  for (int k = 0; k < 3; k++) value = step_affine_add(&b, step_affine_add(&b, value, &forth, 2), &home, 2);
  assert_ok(b.status);
  robust_prediction p;
  const robust_prediction_place at = {.x = &input, .top = 2};
  assert_ok(robust_prediction_enclose(&p, &network, &at, &err));
  print_message("%d bits\n", p.bits);
  assert_true(p.bits > 64 + 2 * network.count);
  assert_true(robust_prediction_decided(&p) && p.row[0].label == 0);
  for (int k = 0; k < 2; k++) {
    const range exact = range_tanh(x[k]);
    assert_true(p.score[k].score.lo <= exact.hi && exact.lo <= p.score[k].score.hi);
    assert_true(p.score[k].score.hi - p.score[k].score.lo < 1e-14);
  }
  robust_prediction_clear(&p);
  network_clear(&network);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

static void predict_model(robust_prediction *p, const model *m, const int *tokens, int n, int token, int top) {
  attcert_error err;
  attcert_matrix x;
  model_head head;
  robust_network network;
  assert_ok(model_hidden_states(&x, m, tokens, n, &err));
  assert_ok(model_head_open(&head, m, NULL, &err));
  assert_ok(robust_network_open(&network, m, &head, n, token, &err));
  const robust_prediction_place at = {.x = &x, .top = top};
  assert_ok(robust_prediction_enclose(p, &network.steps, &at, &err));
  robust_network_clear(&network);
  model_head_clear(&head);
  attcert_matrix_clear(&x);
}

/* A decoder's answer at token t of many, whose scores go by blocks, is that of the first t + 1 tokens alone. */
static void answers_at_every_token_are_those_of_prefixes(void **state) {
  (void)state;
  enum { N = 25, TOP = 3 };
  attcert_error err;
  model *m;
  robust_prediction all, one;
  int tokens[N];
  for (int i = 0; i < N; i++) tokens[i] = 97 + 7 * i % 26;
  assert_ok(model_open(&m, "random:gpt2:8,2,1", 3, &err));
  predict_model(&all, m, tokens, N, ROBUST_EVERY_TOKEN, TOP);
  assert_int_equal(all.rows, N);
  for (int t = 0; t < N; t += 8) {
    predict_model(&one, m, tokens, t + 1, t, TOP);
    assert_int_equal(one.rows, 1);
    assert_int_equal(one.row[0].label, all.row[t].label);
    for (int k = 0; k < TOP; k++) {
      const robust_score *const a = &one.score[k], *const b = &all.score[t * TOP + k];
      assert_int_equal(a->label, b->label);
      assert_true(a->score.lo <= b->score.hi && b->score.lo <= a->score.hi);
    }
    robust_prediction_clear(&one);
  }
  robust_prediction_clear(&all);
  model_close(m);
}

/* Every next token of a trained LLaMA is certain, and what is published is within its float32 of the enclosures. */
static void a_trained_model_is_certain(void **state) {
  (void)state;
  char path[512];
  attcert_error err;
  attcert_matrix expected;
  int *tokens, n;
  model *m;
  robust_prediction p;
  double widest = 0.0, worst = 0.0;
  assert_ok(npy_integers_read(&tokens, &n, NULL, test_data_path(path, "models/stories260k/ids.npy"), &err));
  assert_ok(matrix_file_read(&expected, NULL, test_data_path(path, "models/stories260k/logits_expected.npy"), &err));
  (void)test_data_path(path, "models/stories260k");
  assert_ok(model_open(&m, path, 0, &err));
  predict_model(&p, m, tokens, n, ROBUST_EVERY_TOKEN, expected.cols);
  assert_int_equal(robust_prediction_status(&p), ATTCERT_OK);
  assert_true(p.rows == n && p.classes == expected.cols && p.top == expected.cols);
  for (int k = 0; k < n * p.top; k++) {
    const robust_score *const s = &p.score[k];
    const double published = expected.data[k / p.top * p.top + s->label];
    widest = fmax(widest, s->score.hi - s->score.lo);
    worst = fmax(worst, fmax(s->score.lo - published, published - s->score.hi));
  }
  print_message("%d x %d scores, at most %.1e wide; the published ones at most %.1e outside\n", n, p.top, widest,
                worst);
  assert_true(widest <= 1e-13 && worst <= 1e-5);
  robust_prediction_clear(&p);
  attcert_matrix_clear(&expected);
  free(tokens);
  model_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scores_are_enclosed),        cmocka_unit_test(ties_are_undecided),
      cmocka_unit_test(zeros_are_undecided),        cmocka_unit_test(signs_are_told_apart),
      cmocka_unit_test(more_bits_are_taken),        cmocka_unit_test(answers_at_every_token_are_those_of_prefixes),
      cmocka_unit_test(a_trained_model_is_certain),
  };
  return cmocka_run_group_tests_name("prediction", tests, NULL, NULL);
}
