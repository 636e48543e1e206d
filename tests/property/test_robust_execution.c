/* Executions in a format stay within the forms: on random small networks, at points of the ball, every value that an
 * emulated execution stores in float32, bfloat16 or float16 (sums forward, backward or in pairs) lies within the form
 * of that execution around center + L eps. The largest part of a bound that was used is printed.
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

enum { DEFAULT_CASES = 120, MOST_COLUMNS = RANDOM_NETWORK_TOKENS * 12, VALUES = 200, ORDERS = 3 };

static const step_format formats[] = {{"float32", 0x1p-24, 0x1p-24, 0x1p-149, 0x1.fffffep+127, 4.0},
                                      {"bfloat16", 0x1p-24, 0x1p-8, 0x1p-133, 0x1.fep+127, 4.0},
                                      {"float16", 0x1p-24, 0x1p-11, 0x1p-24, 65504.0, 4.0}};

enum { FORMATS = sizeof formats / sizeof formats[0] };

/* ---- an emulated execution --------------------------------------------------------------------------------------- */

/* To nearest, ties to even; what is below the normal range on its grid. */
static double rounded(double x, int bits, int least) {
  int exponent;
  if (x == 0.0 || !isfinite(x)) return x;
  frexp(x, &exponent);
  const int last = exponent - bits < least ? least : exponent - bits;
  return ldexp(nearbyint(ldexp(x, -last)), last);
}

static double single(double x) {
  return rounded(x, 24, -149);
}

static double stored(double x, const step_format *f) {
  if (f->store == 0x1p-8) return rounded(single(x), 8, -133);
  if (f->store == 0x1p-11) return rounded(single(x), 11, -24);
  return single(x);
}

/* count terms in one of the orders. */
static double sum(double *term, int count, int order) {
  double total = 0.0;
  if (order < 2) {
    for (int k = 0; k < count; k++) total = single(total + term[order == 0 ? k : count - 1 - k]);
    return total;
  }
  while (count > 1) {
    for (int k = 0; k < count / 2; k++) term[k] = single(term[2 * k] + term[2 * k + 1]);
    if (count % 2 == 1) term[count / 2] = term[count - 1];
    count = (count + 1) / 2;
  }
  return count == 1 ? term[0] : 0.0;
}

static double dot(const double *a, const double *b, int count, int order) {
  double term[64];
  for (int k = 0; k < count; k++) term[k] = single(a[k] * b[k]);
  return sum(term, count, order);
}

static void run_affine(double *y, const step *s, const double *x, int in, const step_format *f, int order) {
  double weight[64], term[64];
  for (int i = 0; i < s->rows; i++) {
    for (int c = 0; c < s->cols; c++) {
      for (int a = 0; a < in; a++) weight[a] = stored(s->weight[c * in + a], f);
      for (int a = 0; a < in; a++) term[a] = single(weight[a] * x[i * in + a]);
      const double product = sum(term, in, order);
      y[i * s->cols + c] = stored(s->bias != NULL ? single(product + stored(s->bias[c], f)) : product, f);
    }
  }
}

static void run_layernorm(double *y, const step *s, const double *x, const step_format *f, int order) {
  const int d = s->cols;
  double term[64], c[64];
  for (int i = 0; i < s->rows; i++) {
    memcpy(term, x + i * d, (size_t)d * sizeof *term);
    const double mean = single(sum(term, d, order) / d);
    for (int a = 0; a < d; a++) {
      c[a] = single(x[i * d + a] - mean);
      term[a] = single(c[a] * c[a]);
    }
    const double variance = single(single(sum(term, d, order) / d) + single(s->epsilon));
    const double inverse = single(single(1.0 / sqrt(variance)) * (1.0 + 0x1p-23)); /* a unit off */
    for (int a = 0; a < d; a++)
      y[i * d + a] =
          stored(single(single(single(c[a] * inverse) * stored(s->weight[a], f)) + stored(s->bias[a], f)), f);
  }
}

static double run_curve(const range_curve *curve, double x) {
  if (curve == &curve_relu) return fmax(x, 0.0);
  if (curve == &curve_tanh) return single(tanh(x));
  const double half = single(0.5 * x);
  if (curve == &curve_gelu)
    return single(half * single(1.0 + single(single(erf(single(x * single(sqrt(0.5))))) * (1.0 + 0x1p-23))));
  const double cube = single(single(0.044715) * single(single(x * x) * x));
  const double u = single(single(0.79788456080286536) * single(x + cube));
  return single(half * single(1.0 + single(tanh(u))));
}

static void run_attention(double *y, const step *s, double *const *x, int keys, const step_format *f, int order) {
  const int dim = s->cols / s->heads;
  double score[RANDOM_NETWORK_TOKENS], term[RANDOM_NETWORK_TOKENS];
  for (int i = 0; i < s->rows; i++) {
    const int token = s->token >= 0 ? s->token : i, count = s->causal ? token + 1 : keys;
    for (int h = 0; h < s->heads; h++) {
      double largest = -INFINITY;
      for (int j = 0; j < count; j++) {
        const double product = dot(x[0] + i * s->cols + h * dim, x[1] + j * s->cols + h * dim, dim, order);
        score[j] = stored(single(product * single(1.0 / sqrt(dim))), f);
        largest = fmax(largest, score[j]);
      }
      for (int j = 0; j < count; j++) score[j] = term[j] = single(exp(single(score[j] - largest)));
      const double total = sum(term, count, order);
      for (int j = 0; j < count; j++) score[j] = stored(single(score[j] / total), f);
      for (int c = h * dim; c < (h + 1) * dim; c++) {
        for (int j = 0; j < count; j++) term[j] = single(score[j] * x[2][j * s->cols + c]);
        y[i * s->cols + c] = stored(sum(term, count, order), f);
      }
    }
  }
}

typedef struct {
  double *value[VALUES];
} execution;

static void execute(execution *e, const network_case *c, const double *input, const step_format *f, int order) {
  const robust_network *const n = &c->network;
  const size_t count = (size_t)(n->tokens * n->dim);
  assert_true(n->count < VALUES);
  assert_non_null(e->value[0] = calloc(count, sizeof(double)));
  for (size_t k = 0; k < count; k++) e->value[0][k] = stored(input[k], f);
  for (int k = 0; k < n->count; k++) {
    const step *const s = &n->step[k];
    double *x[STEP_MAX_INPUTS], *y;
    assert_non_null(y = e->value[k + 1] = calloc((size_t)(s->rows * s->cols), sizeof(double)));
    for (int i = 0; i < s->inputs; i++) x[i] = e->value[s->input[i]];
    const step *const from = s->input[0] > 0 ? &n->step[s->input[0] - 1] : NULL;
    const int in = from != NULL ? from->cols : n->dim;
    if (s->kind == &step_affine) run_affine(y, s, x[0], in, f, order);
    if (s->kind == &step_layernorm) run_layernorm(y, s, x[0], f, order);
    if (s->kind == &step_attention)
      run_attention(y, s, x, s->input[1] > 0 ? n->step[s->input[1] - 1].rows : n->tokens, f, order);
    for (int i = 0; i < s->rows * s->cols; i++) {
      if (s->kind == &step_activation) y[i] = stored(run_curve(s->curve, x[0][i]), f);
      if (s->kind == &step_sum) y[i] = stored(single(x[0][i] + x[1][i]), f);
      if (s->kind == &step_select) y[i] = x[0][s->token * s->cols + i];
    }
  }
}

/* ---- against the forms ------------------------------------------------------------------------------------------- */

typedef struct {
  const network_case *c;
  const double *eps; /* [words, d] */
  execution of[ORDERS];
  double largest;
  long checked;
} watcher;

static attcert_status check_value(void *context, int value, const form *f, const form_symbols *symbols) {
  watcher *const w = context;
  const int d = w->c->x.cols;
  for (int at = 0; at < f->rows * f->cols; at++) {
    const form_layout *const layout = &f->row[at / f->cols].layout;
    const double *const row =
        f->row[at / f->cols].linear + (size_t)(at % f->cols) * (size_t)form_layout_columns(layout);
    long double z = f->center[at];
    for (int s = 0; s < layout->count && symbols->segment[layout->id[s]].input; s++) {
      for (int k = 0; k < d; k++)
        z += (long double)row[layout->start[s] + k] * (long double)w->eps[layout->id[s] * d + k];
    }
    const double limit = f->support[at].other + f->radius[at];
    for (int order = 0; order < ORDERS; order++) {
      const double off = fabs((double)((long double)w->of[order].value[value][at] - z));
      if (off > limit * (1.0 + 1e-12))
        fail_msg("%s, %s: value %d (%s), entry %d: off by %g, bound %g", w->c->name, w->c->ball.format->name, value,
                 value > 0 ? w->c->network.step[value - 1].kind->name : "input", at, off, limit);
      w->largest = fmax(w->largest, off / limit);
      w->checked++;
    }
  }
  return ATTCERT_OK;
}

static void check_case(network_case *c, uint64_t index, int *bounded, double *largest, long *checked) {
  random_source r = random_source_make(11, 6, index);
  double eps[MOST_COLUMNS], moved[MOST_COLUMNS], squares = 0.0;
  robust_margin margin;
  watcher w = {.c = c, .eps = eps};
  const int d = c->x.cols, columns = c->word_count * d;
  for (int k = 0; k < columns; k++) {
    eps[k] = random_gaussian(&r);
    squares += eps[k] * eps[k];
  }
  memcpy(moved, c->x.data, (size_t)(c->x.rows * d) * sizeof *moved);
  for (int k = 0; k < columns; k++) {
    eps[k] = ldexp(trunc(ldexp(eps[k] * c->ball.region.radius * (1.0 - 0x1p-30) / sqrt(squares), 40)), -40);
    moved[c->words[k / d] * d + k % d] += eps[k];
  }
  for (int order = 0; order < ORDERS; order++) execute(&w.of[order], c, moved, c->ball.format, order);
  assert_int_equal(robust_margin_observe(&margin, &c->network, &c->ball, check_value, &w, NULL), ATTCERT_OK);
  *bounded += margin.ended < 0;
  robust_margin_clear(&margin);
  for (int k = 0; k <= c->network.count; k++) {
    for (int order = 0; order < ORDERS; order++) free(w.of[order].value[k]);
  }
  *largest = fmax(*largest, w.largest);
  *checked += w.checked;
}

static void executions_stay_within_forms(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  for (int f = 0; f < FORMATS; f++) {
    double largest = 0.0;
    long checked = 0;
    int bounded = 0;
    for (uint64_t index = 0; index < cases; index++) {
      network_case c;
      network_case_init(&c, seed, index);
      c.ball.format = &formats[f];
      c.ball.region.radius *= 0x1p-12; /* so that roundings count beside what is not linear */
      check_case(&c, index, &bounded, &largest, &checked);
      network_case_clear(&c);
    }
    print_message("%s: %d of %d networks bounded to the end, %ld values, largest part of a bound used %.3f\n",
                  formats[f].name, bounded, (int)cases, checked, largest);
    assert_true(f > 0 || bounded > (int)cases / 2);
  }
}

/* A number beyond the format ends the run. */
static void overflow_is_undecided(void **state) {
  (void)state;
  network_case c;
  robust_margin margin;
  network_case_init(&c, 1, 3);
  c.x.data[0] = 1e5;
  c.ball.format = &formats[2];
  assert_int_equal(robust_margin_evaluate(&margin, &c.network, &c.ball, NULL), ATTCERT_OK);
  assert_false(margin.margin.lo > -INFINITY);
  robust_margin_clear(&margin);
  network_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(executions_stay_within_forms),
                                     cmocka_unit_test(overflow_is_undecided)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
