/* Executions in a format stay within the forms: on random small networks and hostile ones (scores that saturate, rows
 * that hardly vary, numbers near the largest of float16, activations far from 0, numbers near the smallest ones), at
 * points of the ball, every value that an emulated execution stores lies within the form of that execution around
 * center + L eps, and its margin within the margin's bound. Sums run forward, backward, in pairs or with FMA, functions
 * are off by up to --ulp units, activations and scores are written in many ways, results inside a step are stored or
 * not, one by one, and LayerNorm finds its moments in each of its ways (executed_arithmetic.h). The largest parts of
 * the bounds that were used are printed.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "executed_network.h"
#include "model/slope_bias.h"
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network/arrange/step_arrange.h"
#include "network/attention/step_attention.h"
#include "network/batchnorm/step_batchnorm.h"
#include "network/join/step_join.h"
#include "network/layernorm/step_layernorm.h"
#include "network/mean/step_mean.h"
#include "network/product/step_product.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/rotary/step_rotary.h"
#include "network/scale/step_scale.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"
#include "robust/signs.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 120, MOST_COLUMNS = RANDOM_NETWORK_TOKENS * 12, KINDS = 14 };

static const char *const names[] = {"float64", "float32", "bfloat16", "float16"};
static const step_kind *const kinds[KINDS] = {
    &step_affine, &step_attention, &step_layernorm, &step_rmsnorm, &step_activation, &step_sum,     &step_product,
    &step_rotary, &step_select,    &step_scale,     &step_mean,    &step_join,       &step_arrange, &step_batchnorm};

enum { FORMATS = sizeof names / sizeof names[0] };

/* ---- hostile networks -------------------------------------------------------------------------------------------- */

enum { PLAIN, SATURATED, NEARLY_CONSTANT, NEAR_OVERFLOW, FAR_ACTIVATIONS, NEAR_UNDERFLOW, TEMPERS };

/* All numbers keep few bits, as random_network.c has it. */
static void make_hostile(network_case *c, int temper) {
  const network_steps *const n = &c->network;
  const step_kind *const behind = temper == SATURATED ? &step_attention : &step_activation;
  for (int k = 0; k < n->count && (temper == SATURATED || temper == FAR_ACTIVATIONS); k++) {
    if (n->step[k].kind != behind) continue;
    const step *map = &n->step[n->step[k].input[0] - 1];
    while (map->kind != &step_affine) map = &n->step[map->input[0] - 1];
    const int in = map->input[0] > 0 ? n->step[map->input[0] - 1].cols : c->x.cols;
    for (int a = 0; a < map->cols * in; a++) ((double *)((const affine_weights *)map->of)->weight)[a] *= 16.0;
  }
  for (int i = 0; i < c->x.rows * c->x.cols; i++) {
    if (temper == NEARLY_CONSTANT) c->x.data[i] = 3.0 + ldexp(trunc(ldexp(c->x.data[i], 30)), -40);
    if (temper == NEAR_OVERFLOW) c->x.data[i] *= 0x1p13;
    if (temper == NEAR_UNDERFLOW) c->x.data[i] = ldexp(trunc(ldexp(c->x.data[i], 10)), -34);
  }
}

/* Biases become those of slopes. */
static void make_sloped(network_case *c) {
  network_builder b = {.network = &c->network};
  for (int k = 0; k < c->network.count; k++) {
    attention_heads *const of = (attention_heads *)c->network.step[k].of;
    if (c->network.step[k].kind != &step_attention || of->bias == NULL) continue;
    const size_t count = (size_t)of->heads * (2 * (size_t)of->span - 1);
    double *const bias = network_new(&b, count, sizeof *bias), *const low = network_new(&b, count, sizeof *low);
    assert_non_null(bias);
    assert_non_null(low);
    slope_bias_fill(bias, low, of->heads, of->span);
    of->bias = bias;
    of->bias_low = low;
  }
}

/* ---- against the forms ------------------------------------------------------------------------------------------- */

typedef struct {
  const network_case *c;
  const double *eps; /* [words, d] */
  executed_network of[EXECUTED_MANNERS];
  double largest[KINDS]; /* of off / limit */
  double own[KINDS];     /* of what one step adds / its bound */
  long checked;
} watcher;

static int kind_of(const step *s) {
  for (int k = 0; k < KINDS; k++) {
    if (s->kind == kinds[k]) return k;
  }
  fail_msg("%s is not among the kinds", s->kind->name);
  return 0;
}

/* What the execution adds in this step alone, against the bounds of the symbols that the step leaves: its result less
 * that of the exact step, in double, of its own inputs. */
static void check_step(watcher *w, const executed_network *e, int value, const form *f, const form_symbols *symbols) {
  step s = w->c->network.step[value - 1];
  attcert_matrix y, from[STEP_MAX_INPUTS];
  const attcert_matrix *in[STEP_MAX_INPUTS];
  void *rounded = NULL;
  for (int k = 0; k < s.inputs; k++) {
    const network_steps *const n = &w->c->network;
    from[k] = (attcert_matrix){network_rows(n, s.input[k]), network_cols(n, s.input[k]), e->value[s.input[k]]};
    in[k] = &from[k];
  }
  if (s.kind->round != NULL) {
    assert_int_equal(s.kind->round(&rounded, &s, in[0]->cols, w->c->ball.format, NULL), ATTCERT_OK);
    s.of = rounded;
  }
  assert_int_equal(attcert_matrix_init(&y, s.rows, s.cols, NULL), ATTCERT_OK);
  assert_int_equal(s.kind->value(&y, &s, in, NULL), ATTCERT_OK);
  for (int at = 0; at < f->rows * f->cols; at++) {
    const form_layout *const layout = &f->row[at / f->cols].layout;
    const double bound = symbols->segment[layout->id[layout->count - 1]].bound[at % f->cols];
    const double own = fabs(e->value[value][at] - y.data[at]), slack = 1e-12 * (1.0 + fabs(y.data[at]));
    if (!(own <= bound + slack))
      fail_msg("%s, %s: value %d (%s), entry %d: the step adds %g, bound %g", w->c->name, w->c->ball.format->name,
               value, s.kind->name, at, own, bound);
    w->own[kind_of(&s)] = fmax(w->own[kind_of(&s)], own / (bound + slack));
  }
  attcert_matrix_clear(&y);
  free(rounded);
}

static attcert_status check_value(void *context, int value, const form *f, const form_symbols *symbols) {
  watcher *const w = context;
  const step *const s = value > 0 ? &w->c->network.step[value - 1] : NULL;
  const int d = w->c->x.cols, kind = s != NULL ? kind_of(s) : 0;
  for (int e = 0; s != NULL && w->c->ball.format->store.bits < 53 && e < EXECUTED_MANNERS; e++)
    check_step(w, &w->of[e], value, f, symbols);
  for (int at = 0; at < f->rows * f->cols; at++) {
    const form_layout *const layout = &f->row[at / f->cols].layout;
    const double *const row =
        f->row[at / f->cols].linear + (size_t)(at % f->cols) * (size_t)form_layout_columns(layout);
    long double z = f->center[at];
    for (int k = 0; k < layout->count && symbols->segment[layout->id[k]].input; k++) {
      for (int a = 0; a < d; a++)
        z += (long double)row[layout->start[k] + a] * (long double)w->eps[layout->id[k] * d + a];
    }
    const double limit = f->support[at].other + f->radius[at];
    for (int e = 0; e < EXECUTED_MANNERS; e++) {
      const double off = fabs((double)((long double)w->of[e].value[value][at] - z));
      if (!(off <= limit * (1.0 + 1e-12)))
        fail_msg("%s, %s: value %d (%s), entry %d, execution %d: off by %g, bound %g", w->c->name,
                 w->c->ball.format->name, value, s != NULL ? s->kind->name : "input", at, e, off, limit);
      if (limit > 0.0) w->largest[kind] = fmax(w->largest[kind], off / limit);
      w->checked++;
    }
  }
  return ATTCERT_OK;
}

/* score_label less the largest other one. */
static double executed_margin(const executed_network *e, const network_case *c, int label) {
  const double *const score = e->value[c->network.count];
  double margin = INFINITY;
  for (int k = 0; k < network_case_classes(c); k++) {
    if (k != label) margin = fmin(margin, score[label] - score[k]);
  }
  return margin;
}

/* A point of the ball, its distance from X exact. */
static void choose_point(double *moved, double *eps, const network_case *c, random_source *r) {
  const int d = c->x.cols, columns = c->word_count * d;
  double squares = 0.0;
  for (int k = 0; k < columns; k++) {
    eps[k] = random_gaussian(r);
    squares += eps[k] * eps[k];
  }
  memcpy(moved, c->x.data, (size_t)(c->x.rows * d) * sizeof *moved);
  for (int k = 0; k < columns; k++) {
    eps[k] = ldexp(trunc(ldexp(eps[k] * c->ball.region.radius * (1.0 - 0x1p-30) / sqrt(squares), 36)), -36);
    moved[c->words[k / d] * d + k % d] += eps[k];
  }
}

static void execute_all(watcher *w, const double *input) {
  for (int e = 0; e < EXECUTED_MANNERS; e++) {
    const executed_manner m = executed_network_manner(w->c->ball.format->name, e);
    executed_network_run(&w->of[e], w->c, input, &m);
  }
}

static void release(watcher *w) {
  for (int e = 0; e < EXECUTED_MANNERS; e++) executed_network_clear(&w->of[e], w->c);
}

typedef struct {
  int bounded, signs; /* networks; those with a bound of their signs' margin */
  long checked;
  double largest[KINDS], own[KINDS], margin; /* parts of the bounds that were used */
} findings;

/* A point of the ball: every value, and the margin. */
static void check_ball(findings *found, network_case *c, random_source *r) {
  double eps[MOST_COLUMNS], moved[MOST_COLUMNS];
  robust_margin margin;
  watcher w = {.c = c, .eps = eps};
  choose_point(moved, eps, c, r);
  execute_all(&w, moved);
  assert_int_equal(robust_margin_observe(&margin, &c->network, &c->ball, check_value, &w, NULL), ATTCERT_OK);
  for (int e = 0; margin.ended < 0 && e < EXECUTED_MANNERS; e++) {
    const double executed = executed_margin(&w.of[e], c, margin.label);
    if (!(margin.margin.lo <= executed && executed <= margin.margin.hi))
      fail_msg("%s, %s: executed margin %g outside %g, %g", c->name, c->ball.format->name, executed, margin.margin.lo,
               margin.margin.hi);
  }
  found->bounded += margin.ended < 0;
  found->checked += w.checked;
  for (int k = 0; k < KINDS; k++) {
    found->largest[k] = fmax(found->largest[k], w.largest[k]);
    found->own[k] = fmax(found->own[k], w.own[k]);
  }
  robust_margin_clear(&margin);
  release(&w);
}

/* X itself: the executed margin's error against its bound. */
static void check_center(findings *found, network_case *c) {
  robust_margin exact, executed;
  robust_ball ball = c->ball;
  watcher w = {.c = c};
  ball.region.radius = 0.0;
  assert_int_equal(robust_margin_evaluate(&executed, &c->network, &ball, NULL), ATTCERT_OK);
  ball.format = NULL;
  ball.label = executed.label;
  assert_int_equal(robust_margin_evaluate(&exact, &c->network, &ball, NULL), ATTCERT_OK);
  if (executed.ended < 0 && exact.ended < 0) {
    const double bound = fmax(executed.margin.hi - exact.margin.lo, exact.margin.hi - executed.margin.lo);
    execute_all(&w, c->x.data);
    for (int e = 0; e < EXECUTED_MANNERS; e++) {
      const double margin = executed_margin(&w.of[e], c, executed.label);
      const double observed = fmax(exact.margin.lo - margin, margin - exact.margin.hi);
      assert_true(observed <= bound);
      found->margin = fmax(found->margin, observed / bound);
    }
    release(&w);
  }
  robust_margin_clear(&exact);
  robust_margin_clear(&executed);
}

/* A multi-label classifier: the network that signs.h makes bounds the signs of what is executed, the network itself. */
static void check_signs(findings *found, network_case *c, random_source *r) {
  enum { MOST_CLASSES = 4 };
  double eps[MOST_COLUMNS], moved[MOST_COLUMNS], score[EXECUTED_MANNERS][MOST_CLASSES];
  const int labels = network_case_classes(c);
  robust_margin margin;
  watcher w = {.c = c};
  choose_point(moved, eps, c, r);
  execute_all(&w, moved);
  for (int e = 0; e < EXECUTED_MANNERS; e++)
    memcpy(score[e], w.of[e].value[c->network.count], (size_t)labels * sizeof(double));
  release(&w);
  robust_network signs = {.steps = c->network, .labels = labels, .each_sign = true};
  assert_int_equal(robust_signs_settle(&c->ball.label, &signs, &c->x, -1, NULL), ATTCERT_OK);
  c->network = signs.steps;
  assert_int_equal(robust_margin_evaluate(&margin, &c->network, &c->ball, NULL), ATTCERT_OK);
  for (int e = 0; margin.ended < 0 && e < EXECUTED_MANNERS; e++) {
    double executed = INFINITY;
    for (int k = 0; k < labels; k++) executed = fmin(executed, signs.signs.sign[k] * score[e][k]);
    if (!(margin.margin.lo <= executed && executed <= margin.margin.hi))
      fail_msg("%s, %s: executed signs' margin %g outside %g, %g", c->name, c->ball.format->name, executed,
               margin.margin.lo, margin.margin.hi);
  }
  found->signs += margin.ended < 0;
  robust_margin_clear(&margin);
}

static void print_findings(const findings *found, const char *format, int cases) {
  print_message(
      "%s: %d of %d networks bounded to the end (%d of signs), %ld values; parts of the bounds used: margin %.3f",
      format, found->bounded, cases, found->signs, found->checked, found->margin);
  for (int k = 0; k < KINDS; k++)
    print_message(", %s %.3f (alone %.3f)", kinds[k]->name, found->largest[k], found->own[k]);
  print_message("\n");
}

static void executions_stay_within_forms(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  for (int f = 0; f < FORMATS; f++) {
    findings found = {0};
    const step_format format = step_format_of(float_format_named(names[f]), EXECUTED_ULP);
    for (uint64_t index = 0; index < cases; index++) {
      random_source r = random_source_make(11, 6, index);
      network_case c;
      network_case_init(&c, seed, index);
      if (index % 4 == 3) network_case_pair(&c, &r);
      if (index % 2 == 1) make_sloped(&c);
      make_hostile(&c, index % 3 == 0 ? PLAIN : (int)(index / 3 % TEMPERS));
      c.ball.format = &format;
      c.ball.region.radius *= 0x1p-12; /* so that roundings count beside what is not linear */
      check_ball(&found, &c, &r);
      check_center(&found, &c);
      check_signs(&found, &c, &r);
      network_case_clear(&c);
    }
    print_findings(&found, names[f], (int)cases);
    assert_true(f > 1 || (found.bounded > (int)cases / 2 && found.signs > (int)cases / 2));
  }
}

/* 1 + u + ... + u from the left is 1: each of the additions is off by half a unit, which nearly attains the bound of a
 * sum, so that half of it would be too little. */
static void a_sum_can_lose_every_summand(void **state) {
  (void)state;
  enum { TERMS = 32 };
  double weight[2 * TERMS] = {1.0}, eps[TERMS] = {0.0};
  network_case c = {.name = "a sum", .network = {.tokens = 1, .dim = TERMS}};
  network_builder b = {.network = &c.network, .layer = -1};
  step_format format;
  robust_margin margin;
  for (int k = 1; k < TERMS; k++) weight[k] = 0x1p-24;
  format = step_format_of(float_format_named("float32"), EXECUTED_ULP);
  step_affine_add(&b, 0, &(affine_weights){.weight = weight}, 2);
  assert_int_equal(b.status, ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&c.x, 1, TERMS, NULL), ATTCERT_OK);
  for (int k = 0; k < TERMS; k++) c.x.data[k] = 1.0;
  c.ball = (robust_ball){.input = &c.x, .label = 0, .format = &format};
  watcher w = {.c = &c, .eps = eps};
  execute_all(&w, c.x.data);
  assert_int_equal(robust_margin_observe(&margin, &c.network, &c.ball, check_value, &w, NULL), ATTCERT_OK);
  /* the symbols of the input's rounding hide the sum's own error: it is a step's loss */
  const double lost = fabs(w.of[0].value[1][0] - (1.0 + (TERMS - 1) * 0x1p-24));
  assert_true(lost == (TERMS - 1) * 0x1p-24);
  assert_true(lost <= margin.loss[0] && lost >= 0.9 * margin.loss[0]);
  release(&w);
  robust_margin_clear(&margin);
  network_case_clear(&c);
}

/* Biases by a slope that others make up for, so that the scores are 0 but for what the slope is off, as much as its
 * function may be, times the distance: that much the last token's mean moves, and the bound is not much larger. */
enum { SLOPE_ULP = 1000 };
static const double slope = 61.25;

static attcert_status check_slope(void *context, int value, const form *f, const form_symbols *symbols) {
  const double *const x = context, off = SLOPE_ULP * 0x1p-18; /* 2^-18: a unit in the last place of the slope */
  const int last = f->rows - 1;
  double sum = 0.0, mean = 0.0, plain = 0.0;
  if (value < 2) return ATTCERT_OK;
  for (int j = 0; j < f->rows; j++) {
    sum += exp(-off * (last - j));
    mean += exp(-off * (last - j)) * x[j];
    plain += x[j] / f->rows;
  }
  const form_layout *const layout = &f->row[last].layout;
  const double bound = symbols->segment[layout->id[layout->count - 1]].bound[0], moved = fabs(mean / sum - plain);
  print_message("a slope that is off: %.3f of the bound\n", moved / bound);
  assert_true(moved <= bound && moved >= 0.05 * bound);
  return ATTCERT_OK;
}

static void a_slope_is_off(void **state) {
  (void)state;
  enum { TOKENS = RANDOM_NETWORK_TOKENS, OFFSETS = 2 * TOKENS - 1 };
  static const double zero[1] = {0.0}, low[OFFSETS] = {0.0};
  double bias[OFFSETS], pair[TOKENS * TOKENS], x[TOKENS];
  for (int k = 0; k < OFFSETS; k++) bias[k] = -slope * abs(k + 1 - TOKENS);
  for (int k = 0; k < TOKENS * TOKENS; k++) pair[k] = slope * abs(k % TOKENS - k / TOKENS);
  for (int k = 0; k < TOKENS; k++) x[k] = k < TOKENS / 2 ? 1.0 : -1.0;
  const attention_pair_lists pairs = {.rows = TOKENS, .keys = TOKENS, .biases = 1, .bias = pair};
  attention_heads heads = step_attention_plain(1, 1);
  heads.bias = bias;
  heads.bias_low = low;
  heads.span = TOKENS;
  heads.after = 0;
  heads.pairs = &pairs;
  network_steps network = {.tokens = TOKENS, .dim = 1};
  network_builder b = {.network = &network, .layer = -1};
  const int q = step_affine_add(&b, 0, &(affine_weights){.weight = zero}, 1);
  step_attention_add(&b, (const int[]){q, q, 0}, &heads);
  assert_int_equal(b.status, ATTCERT_OK);
  const step_format format = step_format_of(float_format_named("float32"), SLOPE_ULP);
  const attcert_matrix input = {TOKENS, 1, x};
  const robust_ball ball = {.input = &input, .label = 0, .format = &format};
  robust_margin margin;
  assert_int_equal(robust_margin_observe(&margin, &network, &ball, check_slope, x, NULL), ATTCERT_OK);
  robust_margin_clear(&margin);
  network_clear(&network);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_slope_is_off), cmocka_unit_test(executions_stay_within_forms),
                                     cmocka_unit_test(a_sum_can_lose_every_summand)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
