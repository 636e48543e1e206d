/* Executions in a format stay within the forms: on random small networks and hostile ones (scores that saturate, rows
 * that hardly vary, numbers near the largest of float16), at points of the ball, every value that an emulated execution
 * stores lies within the form of that execution around center + L eps, and its margin within the margin's bound. Sums
 * run forward, backward, in pairs or with FMA, functions are off by up to --ulp units, and what may be stored or fused
 * is, in turn. The largest parts of the bounds that were used are printed.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "random_network.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 120, MOST_COLUMNS = RANDOM_NETWORK_TOKENS * 12, VALUES = 200, EXECUTIONS = 8, KINDS = 6 };
enum { ULP = 4 };

static const char *const names[] = {"float64", "float32", "bfloat16", "float16"};
static const step_kind *const kinds[KINDS] = {&step_affine,     &step_attention, &step_layernorm,
                                              &step_activation, &step_sum,       &step_select};

enum { FORMATS = sizeof names / sizeof names[0] };

/* ---- an emulated execution --------------------------------------------------------------------------------------- */

/* To nearest, ties to even; what is below the normal range on its grid. */
static double rounded(double x, int bits, int least) {
  int exponent;
  if (x == 0.0 || !isfinite(x)) return x;
  frexp(x, &exponent);
  const int last = exponent - bits < least ? least : exponent - bits;
  return ldexp(nearbyint(ldexp(x, -last)), last);
}

/* One execution: how it sums, what it fuses, which way its functions err. */
typedef struct {
  const char *format;
  bool wide;  /* computes in double */
  int order;  /* forward, backward, in pairs, forward with FMA */
  bool fused; /* stores nothing inside a step */
  double wrong;
} manner;

static manner manner_of(const char *format, int index) {
  return (manner){format, strcmp(format, "float64") == 0, index % 4, index / 2 % 2 == 1, index < 4 ? 1.0 : -1.0};
}

static double computed(double x, const manner *m) {
  return m->wide ? x : rounded(x, 24, -149);
}

/* The number of the stored format nearest to x: a weight. */
static double nearest(double x, const manner *m) {
  double z = computed(x, m);
  if (strcmp(m->format, "bfloat16") == 0) z = rounded(x, 8, -133);
  if (strcmp(m->format, "float16") == 0) z = rounded(x, 11, -24);
  return strcmp(m->format, "float16") == 0 && fabs(z) > 65504.0 ? copysign(INFINITY, z) : z;
}

/* A result: computed, then stored. */
static double stored(double x, const manner *m) {
  return nearest(computed(x, m), m);
}

/* What an execution that does not fuse stores. */
static double kept(double x, const manner *m) {
  return m->fused ? computed(x, m) : stored(x, m);
}

/* A function's result that is ULP - 1 units, and the rounding, away. */
static double function(double y, const manner *m) {
  const double near = computed(y, m);
  int exponent;
  if (near == 0.0 || !isfinite(near)) return near;
  frexp(near, &exponent);
  return computed(near + m->wrong * ldexp(ULP - 1.0, exponent - (m->wide ? 53 : 24)), m);
}

/* count terms in one of the orders. */
static double sum(double *term, int count, const manner *m) {
  double total = 0.0;
  if (m->order != 2) {
    for (int k = 0; k < count; k++) total = computed(total + term[m->order == 1 ? count - 1 - k : k], m);
    return total;
  }
  while (count > 1) {
    for (int k = 0; k < count / 2; k++) term[k] = computed(term[2 * k] + term[2 * k + 1], m);
    if (count % 2 == 1) term[count / 2] = term[count - 1];
    count = (count + 1) / 2;
  }
  return count == 1 ? term[0] : 0.0;
}

static double dot(const double *a, const double *b, int stride, int count, const manner *m) {
  double term[64], total = 0.0;
  for (int k = 0; k < count; k++) term[k] = computed(a[k] * b[k * stride], m);
  if (m->order < 3) return sum(term, count, m);
  for (int k = 0; k < count; k++) total = computed(fma(a[k], b[k * stride], total), m);
  return total;
}

static void run_affine(double *y, const step *s, const double *x, int in, const manner *m) {
  double weight[64];
  for (int i = 0; i < s->rows; i++) {
    for (int c = 0; c < s->cols; c++) {
      for (int a = 0; a < in; a++) weight[a] = nearest(s->weight[c * in + a], m);
      const double product = dot(weight, x + i * in, 1, in, m);
      y[i * s->cols + c] = stored(s->bias != NULL ? computed(product + nearest(s->bias[c], m), m) : product, m);
    }
  }
}

/* gain (x - mean) / s + bias; fused: gain (x / s - mean / s) + bias. */
static void run_layernorm(double *y, const step *s, const double *x, const manner *m) {
  const int d = s->cols;
  double term[64], c[64];
  for (int i = 0; i < s->rows; i++) {
    memcpy(term, x + i * d, (size_t)d * sizeof *term);
    const double mean = computed(sum(term, d, m) / d, m);
    for (int a = 0; a < d; a++) c[a] = computed(x[i * d + a] - mean, m);
    for (int a = 0; a < d; a++) term[a] = computed(c[a] * c[a], m);
    const double variance = computed(computed(sum(term, d, m) / d, m) + computed(s->epsilon, m), m);
    const double inverse = function(1.0 / sqrt(variance), m), shift = computed(mean * inverse, m);
    for (int a = 0; a < d; a++) {
      const double apart = computed(computed(x[i * d + a] * inverse, m) - shift, m);
      const double normal = m->fused ? apart : computed(c[a] * inverse, m);
      y[i * d + a] = stored(computed(computed(normal * nearest(s->weight[a], m), m) + nearest(s->bias[a], m), m), m);
    }
  }
}

static double run_curve(const range_curve *curve, double x, const manner *m) {
  if (curve == &curve_relu) return fmax(x, 0.0);
  if (curve == &curve_tanh) return function(tanh(x), m);
  const double half = computed(0.5 * x, m);
  if (curve == &curve_gelu)
    return computed(half * computed(1.0 + function(erf(computed(x * computed(sqrt(0.5), m), m)), m), m), m);
  const double cube = computed(computed(0.044715, m) * computed(computed(x * x, m) * x, m), m);
  const double u = computed(computed(0.79788456080286536, m) * computed(x + cube, m), m);
  return computed(half * computed(1.0 + function(tanh(u), m), m), m);
}

/* Fused: the mean of the values before the division by the sum. */
static void run_attention(double *y, const step *s, double *const *x, int keys, const manner *m) {
  const int dim = s->cols / s->heads;
  double score[RANDOM_NETWORK_TOKENS], term[RANDOM_NETWORK_TOKENS];
  for (int i = 0; i < s->rows; i++) {
    const int token = s->token >= 0 ? s->token : i, count = s->causal ? token + 1 : keys;
    for (int h = 0; h < s->heads; h++) {
      double largest = -INFINITY;
      for (int j = 0; j < count; j++) {
        const double product = dot(x[0] + i * s->cols + h * dim, x[1] + j * s->cols + h * dim, 1, dim, m);
        score[j] = kept(kept(product, m) * computed(1.0 / sqrt(dim), m), m);
        largest = fmax(largest, score[j]);
      }
      for (int j = 0; j < count; j++) score[j] = term[j] = function(exp(computed(score[j] - largest, m)), m);
      const double total = sum(term, count, m);
      for (int j = 0; j < count && !m->fused; j++) score[j] = stored(score[j] / total, m);
      for (int c = h * dim; c < (h + 1) * dim; c++) {
        const double mean = dot(score, x[2] + c, s->cols, count, m);
        y[i * s->cols + c] = stored(m->fused ? mean / total : mean, m);
      }
    }
  }
}

typedef struct {
  double *value[VALUES];
} execution;

static void execute(execution *e, const network_case *c, const double *input, const manner *m) {
  const robust_network *const n = &c->network;
  const size_t count = (size_t)(n->tokens * n->dim);
  assert_true(n->count < VALUES);
  assert_non_null(e->value[0] = calloc(count, sizeof(double)));
  for (size_t k = 0; k < count; k++) e->value[0][k] = stored(input[k], m);
  for (int k = 0; k < n->count; k++) {
    const step *const s = &n->step[k];
    double *x[STEP_MAX_INPUTS], *y;
    assert_non_null(y = e->value[k + 1] = calloc((size_t)(s->rows * s->cols), sizeof(double)));
    for (int i = 0; i < s->inputs; i++) x[i] = e->value[s->input[i]];
    const step *const from = s->input[0] > 0 ? &n->step[s->input[0] - 1] : NULL;
    const int in = from != NULL ? from->cols : n->dim;
    if (s->kind == &step_affine) run_affine(y, s, x[0], in, m);
    if (s->kind == &step_layernorm) run_layernorm(y, s, x[0], m);
    if (s->kind == &step_attention)
      run_attention(y, s, x, s->input[1] > 0 ? n->step[s->input[1] - 1].rows : n->tokens, m);
    for (int i = 0; i < s->rows * s->cols; i++) {
      if (s->kind == &step_activation) y[i] = stored(run_curve(s->curve, x[0][i], m), m);
      if (s->kind == &step_sum) y[i] = stored(x[0][i] + x[1][i], m);
      if (s->kind == &step_select) y[i] = x[0][s->token * s->cols + i];
    }
  }
}

/* ---- hostile networks -------------------------------------------------------------------------------------------- */

enum { PLAIN, SATURATED, NEARLY_CONSTANT, NEAR_OVERFLOW, TEMPERS };

/* All numbers keep few bits, as random_network.c has it. */
static void make_hostile(network_case *c, int temper) {
  const robust_network *const n = &c->network;
  for (int k = 0; k < n->count && temper == SATURATED; k++) {
    if (n->step[k].kind != &step_attention) continue;
    const step *const query = &n->step[n->step[k].input[0] - 1];
    for (int a = 0; a < query->cols * c->x.cols; a++) ((double *)query->weight)[a] *= 16.0;
  }
  for (int i = 0; i < c->x.rows * c->x.cols; i++) {
    if (temper == NEARLY_CONSTANT) c->x.data[i] = 3.0 + ldexp(trunc(ldexp(c->x.data[i], 30)), -40);
    if (temper == NEAR_OVERFLOW) c->x.data[i] *= 0x1p13;
  }
}

/* ---- against the forms ------------------------------------------------------------------------------------------- */

typedef struct {
  const network_case *c;
  const double *eps; /* [words, d] */
  execution of[EXECUTIONS];
  double largest[KINDS]; /* of off / limit */
  double own[KINDS];     /* of what one step adds / its bound */
  long checked;
} watcher;

static int kind_of(const step *s) {
  for (int k = 0; k < KINDS; k++) {
    if (s->kind == kinds[k]) return k;
  }
  return 0;
}

/* What the execution adds in this step alone, against the bounds of the symbols that the step leaves: its result less
 * that of the exact step, in double, of its own inputs. */
static void check_step(watcher *w, const execution *e, int value, const form *f, const form_symbols *symbols) {
  step s = w->c->network.step[value - 1];
  attcert_matrix y, from[STEP_MAX_INPUTS];
  const attcert_matrix *in[STEP_MAX_INPUTS];
  double *rounded;
  for (int k = 0; k < s.inputs; k++) {
    const step *const made = s.input[k] > 0 ? &w->c->network.step[s.input[k] - 1] : NULL;
    from[k] = (attcert_matrix){made != NULL ? made->rows : w->c->x.rows, made != NULL ? made->cols : w->c->x.cols,
                               e->value[s.input[k]]};
    in[k] = &from[k];
  }
  assert_int_equal(step_execution_weights(&s, &rounded, in[0]->cols, w->c->ball.format, NULL), ATTCERT_OK);
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
  for (int e = 0; s != NULL && w->c->ball.format->store.bits < 53 && e < EXECUTIONS; e++)
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
    for (int e = 0; e < EXECUTIONS; e++) {
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
static double executed_margin(const execution *e, const network_case *c, int label) {
  const double *const score = e->value[c->network.count];
  double margin = INFINITY;
  for (int k = 0; k < c->network.classes; k++) {
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
  for (int e = 0; e < EXECUTIONS; e++) {
    const manner m = manner_of(w->c->ball.format->name, e);
    execute(&w->of[e], w->c, input, &m);
  }
}

static void release(watcher *w) {
  for (int k = 0; k <= w->c->network.count; k++) {
    for (int e = 0; e < EXECUTIONS; e++) free(w->of[e].value[k]);
  }
}

typedef struct {
  int bounded;
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
  for (int e = 0; margin.ended < 0 && e < EXECUTIONS; e++) {
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
    for (int e = 0; e < EXECUTIONS; e++) {
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

static void print_findings(const findings *found, const char *format, int cases) {
  print_message("%s: %d of %d networks bounded to the end, %ld values; parts of the bounds used: margin %.3f", format,
                found->bounded, cases, found->checked, found->margin);
  for (int k = 0; k < KINDS; k++)
    print_message(", %s %.3f (alone %.3f)", kinds[k]->name, found->largest[k], found->own[k]);
  print_message("\n");
}

static void executions_stay_within_forms(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  for (int f = 0; f < FORMATS; f++) {
    findings found = {0};
    step_format format;
    assert_true(step_format_named(&format, names[f], ULP));
    for (uint64_t index = 0; index < cases; index++) {
      random_source r = random_source_make(11, 6, index);
      network_case c;
      network_case_init(&c, seed, index);
      make_hostile(&c, index % 2 == 0 ? PLAIN : (int)(index / 2 % TEMPERS));
      c.ball.format = &format;
      c.ball.region.radius *= 0x1p-12; /* so that roundings count beside what is not linear */
      check_ball(&found, &c, &r);
      check_center(&found, &c);
      network_case_clear(&c);
    }
    print_findings(&found, names[f], (int)cases);
    assert_true(f > 1 || found.bounded > (int)cases / 2);
  }
}

/* 1 + u + ... + u from the left is 1: each of the additions is off by half a unit, which nearly attains the bound of a
 * sum, so that half of it would be too little. */
static void a_sum_can_lose_every_summand(void **state) {
  (void)state;
  enum { TERMS = 32 };
  double weight[2 * TERMS] = {1.0}, eps[TERMS] = {0.0};
  network_case c = {.name = "a sum", .network = {.tokens = 1, .dim = TERMS, .classes = 2}};
  const step map = {
      .kind = &step_affine, .layer = -1, .input = {0}, .inputs = 1, .rows = 1, .cols = 2, .weight = weight};
  step_format format;
  robust_margin margin;
  int value;
  for (int k = 1; k < TERMS; k++) weight[k] = 0x1p-24;
  assert_true(step_format_named(&format, "float32", ULP));
  assert_int_equal(robust_network_add(&value, &c.network, &map, NULL), ATTCERT_OK);
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

/* A number beyond the format ends the run. */
static void overflow_is_undecided(void **state) {
  (void)state;
  network_case c;
  robust_margin margin;
  step_format format;
  assert_true(step_format_named(&format, "float16", ULP));
  network_case_init(&c, 1, 3);
  c.x.data[0] = 1e5;
  c.ball.format = &format;
  assert_int_equal(robust_margin_evaluate(&margin, &c.network, &c.ball, NULL), ATTCERT_OK);
  assert_false(margin.margin.lo > -INFINITY);
  robust_margin_clear(&margin);
  network_case_clear(&c);
}

/* Known numbers of the formats, and ties. */
static void weights_are_rounded_to_nearest(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double x, nearest;
  } cases[] = {{"float64", 0.1, 0.1},
               {"float32", 0.1, (double)0.1f},
               {"float32", 0x1.000001p0, 1.0},
               {"float32", 0x1.000003p0, 0x1.000004p0},
               {"float32", 0x1.8p-150, 0x1p-149},
               {"bfloat16", 0x1.01p0, 1.0},
               {"bfloat16", -0x1.03p0, -0x1.04p0},
               {"float16", 0x1.002p0, 1.0},
               {"float16", 0x1.8p-25, 0x1p-24},
               {"float16", 65519.0, 65504.0},
               {"float16", 65520.0, INFINITY},
               {"float16", -1e9, -INFINITY}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    step_format format;
    assert_true(step_format_named(&format, cases[k].name, ULP));
    assert_true(step_format_nearest(&format, cases[k].x) == cases[k].nearest);
  }
  step_format format;
  assert_false(step_format_named(&format, "exact", ULP));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(executions_stay_within_forms), cmocka_unit_test(a_sum_can_lose_every_summand),
      cmocka_unit_test(overflow_is_undecided), cmocka_unit_test(weights_are_rounded_to_nearest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
