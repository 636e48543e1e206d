/* The theory's bounds for heads of any kind (theory/heads), on random ones: above the certified lower end at the input,
 * and, on a ball, at whatever input in it a search finds; in the order that their proofs say; equal to those of
 * attcert_layer's heads where the heads are plain; T6 and T7 what their definitions say, with derivatives of steps;
 * and the numbers of a ball what they say at points of it.
 *   ATTCERT_CASES=N  layers     ATTCERT_SEED=S  which ones */
#include <stdio.h> /* before mpfr.h, for its printf */

#include "lipschitz/lipschitz.h"
#include "network/affine/step_affine.h"
#include "network/attention/step_attention.h"
#include "network/rotary/step_rotary.h"
#include "random_layer.h"
#include "random_network.h"
#include "singular_value.h"
#include "test_setting.h"
#include "theory/heads/heads_ball.h"
#include "theory/heads/heads_theory.h"
#include "theory/theory.h"
#include "theory/token_ball.h"
#include "with_norms.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 150, TRIES = 12 };

static const theory_id on_ball[] = {THEORY_T1, THEORY_T2, THEORY_T4, THEORY_T5, THEORY_T9};

static void *zeros(size_t count, size_t element) {
  void *const memory = calloc(count, element);
  assert_non_null(memory);
  return memory;
}

static void evaluate(theory_table *table, const network_steps *network, const attcert_matrix *x, double radius,
                     const char *name) {
  attcert_options options;
  attcert_error err = {.message = ""};
  attcert_options_default(&options);
  options.threads = 1;
  theory_table_init(table);
  if (heads_theory_evaluate(table, network, x, radius, &options, &err) != ATTCERT_OK)
    fail_msg("%s: %s", name, err.message);
}

/* The certified lower end at x, 0 where rounding leaves none. */
static double certified(const network_steps *network, const attcert_matrix *x, const char *name) {
  attcert_certificate c;
  attcert_options options;
  attcert_error err = {.message = ""};
  attcert_options_default(&options);
  options.engine = ATTCERT_ENGINE_DENSE;
  options.threads = 1;
  attcert_certificate_init(&c);
  if (lipschitz_certify(&c, network, x, &options, &err) != ATTCERT_OK) fail_msg("%s: %s", name, err.message);
  const double lower = mpfr_get_d(c.lower, MPFR_RNDD);
  attcert_certificate_clear(&c);
  return lower;
}

static double value_of(const theory_table *table, theory_id id) {
  return mpfr_get_d(table->bound[id].value, MPFR_RNDU);
}

static void assert_above(const theory_table *table, theory_id id, double lower, const char *name) {
  const theory_bound *const b = &table->bound[id];
  if (b->available && !(value_of(table, id) >= lower))
    fail_msg("%s: %s = %.17g (%s), certified >= %.17g", name, b->id, value_of(table, id), b->applies, lower);
}

static void assert_order(const theory_table *table, theory_id small, theory_id large, const char *name) {
  const theory_bound *const a = &table->bound[small], *const b = &table->bound[large];
  if (a->available && b->available && !(value_of(table, small) <= value_of(table, large) * (1.0 + 1e-12)))
    fail_msg("%s: %s exceeds %s", name, a->id, b->id);
}

static void assert_orders(const theory_table *table, const char *name) {
  assert_order(table, THEORY_T4, THEORY_T1, name);
  assert_order(table, THEORY_T4, THEORY_T2, name);
  assert_order(table, THEORY_T9, THEORY_T4, name);
}

/* ---- above what is certified ------------------------------------------------------------------------------------- */

static void above_at_the_input(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  double closest[THEORY_COUNT];
  for (int t = 0; t < THEORY_COUNT; t++) closest[t] = INFINITY;
  long refused = 0;
  for (uint64_t k = 0; k < cases; k++) {
    network_case c;
    theory_table table;
    random_source r = random_source_make(seed, 3, k);
    network_case_init_attention(&c, seed, k);
    const double scale = exp2(random_integer(&r, -6, 3));
    for (int i = 0; i < c.x.rows * c.x.cols; i++) c.x.data[i] *= scale;
    if (random_chance(&r, 0.4)) network_case_pair(&c, &r);
    const double lower = certified(&c.network, &c.x, c.name);
    evaluate(&table, &c.network, &c.x, 0.0, c.name);
    assert_orders(&table, c.name);
    refused += !table.bound[THEORY_T6].available;
    for (int t = 0; t < THEORY_COUNT; t++) {
      assert_above(&table, (theory_id)t, lower, c.name);
      if (table.bound[t].available && lower > 1e-9)
        closest[t] = fmin(closest[t], value_of(&table, (theory_id)t) / lower);
    }
    theory_table_clear(&table);
    network_case_clear(&c);
  }
  print_message("bound / certified, smallest: T1 %.3g T2 %.3g T4 %.4g T5 %.3g T6 %.4g T7 %.3g T9 %.4g; no T6: %ld\n",
                closest[THEORY_T1], closest[THEORY_T2], closest[THEORY_T4], closest[THEORY_T5], closest[THEORY_T6],
                closest[THEORY_T7], closest[THEORY_T9], refused);
  assert_true(refused < (long)cases / 2);
}

/* A point of the ball, tokens on its border or inside. */
static void draw(double *token, int dim, double radius, random_source *r) {
  double norm = 0.0;
  random_fill_gaussian(token, (size_t)dim, 1.0, r);
  for (int a = 0; a < dim; a++) norm += token[a] * token[a];
  const double length = radius * (random_chance(r, 0.7) ? 1.0 - 1e-12 : random_uniform(r, 0.0, 0.9));
  for (int a = 0; a < dim; a++) token[a] *= norm > 0.0 ? length / sqrt(norm) : 0.0;
}

/* Moves one token at a time, to a new place, to that of another, or opposite to it; keeps what is larger. */
static double search(network_case *c, double radius, random_source *r) {
  const int n = c->x.rows, d = c->x.cols;
  const size_t bytes = (size_t)d * sizeof(double);
  double best = 0.0, *const before = zeros((size_t)d, sizeof *before);
  for (int i = 0; i < n; i++) draw(c->x.data + i * d, d, radius, r);
  for (int t = 0; t < TRIES; t++) {
    double *const token = c->x.data + random_integer(r, 0, n - 1) * d;
    memcpy(before, token, bytes);
    if (t > 0 && random_chance(r, 0.5)) {
      memmove(token, c->x.data + random_integer(r, 0, n - 1) * d, bytes);
      const double sign = random_chance(r, 0.5) ? -1.0 : 1.0;
      for (int a = 0; a < d; a++) token[a] *= sign;
    } else if (t > 0) {
      draw(token, d, radius, r);
    }
    const double found = certified(&c->network, &c->x, c->name);
    if (found > best)
      best = found;
    else
      memcpy(token, before, bytes);
  }
  free(before);
  return best;
}

static void above_on_the_ball(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  double closest = INFINITY;
  for (uint64_t k = 0; k < cases; k++) {
    network_case c;
    theory_table table;
    random_source r = random_source_make(seed, 4, k);
    const double radius = exp2(random_uniform(&r, -6.0, 3.0));
    network_case_init_attention(&c, seed + 1, k);
    if (random_chance(&r, 0.3)) network_case_pair(&c, &r);
    const double found = search(&c, radius, &r);
    evaluate(&table, &c.network, &c.x, radius, c.name);
    assert_orders(&table, c.name);
    for (size_t t = 0; t < sizeof on_ball / sizeof on_ball[0]; t++) assert_above(&table, on_ball[t], found, c.name);
    if (found > 1e-9) closest = fmin(closest, value_of(&table, THEORY_T9) / found);
    theory_table_clear(&table);
    network_case_clear(&c);
  }
  print_message("T9 on a ball / the largest found in it: %.4g at least\n", closest);
}

/* ---- T6 and T7 by their definitions, in double ------------------------------------------------------------------- */

/* The values of all steps. */
static attcert_matrix *values_of(const network_case *c) {
  attcert_matrix *const value = zeros((size_t)c->network.count + 1, sizeof *value);
  assert_int_equal(attcert_matrix_init(&value[0], c->x.rows, c->x.cols, NULL), ATTCERT_OK);
  memcpy(value[0].data, c->x.data, (size_t)c->x.rows * (size_t)c->x.cols * sizeof(double));
  for (int s = 0; s < c->network.count; s++) assert_int_equal(network_value(value, &c->network, s, NULL), ATTCERT_OK);
  return value;
}

/* out [n, cols, d]: of every row of a value, made row by row of the input's, entries first .. derived by it. */
static double *derivatives(const network_steps *network, const attcert_matrix *value, int of, int first, int cols) {
  const int n = network->tokens, d = network->dim;
  double *const out = zeros((size_t)(n * cols * d), sizeof *out);
  for (int a = 0; a < cols; a++) {
    attcert_matrix at;
    assert_int_equal(attcert_matrix_init(&at, n, value[of].cols, NULL), ATTCERT_OK);
    for (int i = 0; i < n; i++) at.data[i * at.cols + first + a] = 1.0;
    for (int v = of; v > 0; v = network->step[v - 1].input[0]) {
      const step *const s = &network->step[v - 1];
      attcert_matrix before, *const to = &before;
      const attcert_matrix *const x = &value[s->input[0]];
      assert_int_equal(attcert_matrix_init(&before, n, x->cols, NULL), ATTCERT_OK);
      assert_int_equal(s->kind->pull_back(&to, s, &x, &at, NULL), ATTCERT_OK);
      attcert_matrix_clear(&at);
      at = before;
    }
    for (int i = 0; i < n; i++) memcpy(out + (i * cols + a) * d, at.data + i * d, (size_t)d * sizeof(double));
    attcert_matrix_clear(&at);
  }
  return out;
}

static double dot(const double *a, const double *b, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* One head at the input: derivatives of queries, keys and values, weights, slopes of the curve. */
typedef struct {
  const attention_heads *of;
  const attention_pairs *pairs; /* as asked for */
  int head, n, d;
  const double *q, *k, *v; /* of token 0 */
  int q_cols, k_cols, v_cols;
  double *dq, *dk, *dv;
  double range, gradient, own; /* the largest difference of scores of a row, the largest |g_ij| and |h_ij| */
  double p[RANDOM_NETWORK_TOKENS][RANDOM_NETWORK_TOKENS], slope[RANDOM_NETWORK_TOKENS][RANDOM_NETWORK_TOKENS];
} head_case;

static double number_of_pair(const head_case *h, int i, int j) {
  const attention_pairs *const p = h->pairs;
  return p->biases == 0 ? 0.0 : p->bias[((p->biases == 1 ? 0 : h->head) * h->n + i) * h->n + j];
}

static bool attends(const head_case *h, int i, int j) {
  const attention_pairs *const p = h->pairs;
  if (i - j > h->of->before || j - i > h->of->after || number_of_pair(h, i, j) == -INFINITY) return false;
  return p->masks == 0 || p->mask[((p->masks == 1 ? 0 : h->head) * h->n + i) * h->n + j];
}

static void set_weights(head_case *h, int i) {
  double sum = 0.0, largest = -INFINITY, smallest = INFINITY, score[RANDOM_NETWORK_TOKENS];
  for (int j = 0; j < h->n; j++) {
    if (!attends(h, i, j)) continue;
    double s = dot(h->q + i * h->q_cols, h->k + j * h->k_cols, h->of->head_dim) / sqrt(h->of->divided_by);
    h->slope[i][j] = h->of->curve != NULL ? 1.0 / pow(cosh(s / h->of->cap), 2) : 1.0;
    if (h->of->curve != NULL) s = h->of->cap * tanh(s / h->of->cap);
    score[j] = s + attention_heads_bias(h->of, h->head, i, j) + number_of_pair(h, i, j);
    largest = fmax(largest, score[j]);
    smallest = fmin(smallest, score[j]);
  }
  h->range = fmax(h->range, largest - smallest);
  for (int j = 0; j < h->n; j++)
    if (attends(h, i, j)) sum += h->p[i][j] = exp(score[j] - largest);
  for (int j = 0; j < h->n; j++) h->p[i][j] /= sum;
}

/* g_ij and h_ij, [d] each. */
static void score_gradients(double *g, double *own, const head_case *h, int i, int j) {
  const int d = h->d, k = h->of->head_dim;
  const double scale = h->slope[i][j] / sqrt(h->of->divided_by);
  for (int e = 0; e < d; e++) {
    g[e] = own[e] = 0.0;
    for (int c = 0; c < k; c++) {
      g[e] += scale * h->q[i * h->q_cols + c] * h->dk[(j * k + c) * d + e];
      own[e] += scale * h->k[j * h->k_cols + c] * h->dq[(i * k + c) * d + e];
    }
  }
}

/* alpha_i and beta_i. */
static void row_terms(double *alpha, double *beta, head_case *h, int i) {
  const int n = h->n, d = h->d, v = h->of->value_dim;
  double *const wide = zeros((size_t)(v * n * d), sizeof *wide), *const own = zeros((size_t)(v * d), sizeof *own);
  double *const g = zeros((size_t)d, sizeof *g), *const of_query = zeros((size_t)d, sizeof *of_query);
  for (int j = 0; j < n; j++) {
    score_gradients(g, of_query, h, i, j);
    for (int a = 0; a < v; a++) {
      double deviation = h->v[j * h->v_cols + a];
      for (int m = 0; m < n; m++) deviation -= h->p[i][m] * h->v[m * h->v_cols + a];
      for (int e = 0; e < d; e++) {
        wide[(a * n + j) * d + e] = sqrt(h->p[i][j]) * (h->dv[(j * v + a) * d + e] + deviation * g[e]);
        own[a * d + e] += h->p[i][j] * deviation * of_query[e];
      }
    }
    h->gradient = fmax(h->gradient, sqrt(dot(g, g, d)));
    h->own = fmax(h->own, sqrt(dot(of_query, of_query, d)));
  }
  *alpha = largest_singular_value(wide, v, n * d);
  *beta = largest_singular_value(own, v, d);
  free(of_query);
  free(g);
  free(own);
  free(wide);
}

/* T7 of a head, but for ||V||: ||P|| + ||X|| (G + H) max_i p1 (1 - p1 + p2). */
static double spread_of(const head_case *h, double tokens) {
  const int n = h->n, d = h->d;
  const size_t count = (size_t)(n * n * d);
  double *const g = zeros(count, sizeof *g), *const own = zeros(count, sizeof *own),
                weights[RANDOM_NETWORK_TOKENS * RANDOM_NETWORK_TOKENS];
  double by_key = 0.0, by_row = 0.0, spread = 0.0;
  for (int i = 0; i < n; i++) {
    double first = 0.0, second = 0.0;
    for (int j = 0; j < n; j++) {
      const double p = weights[i * n + j] = h->p[i][j];
      second = fmax(second, fmin(first, p));
      first = fmax(first, p);
      score_gradients(g + (j * n + i) * d, own + (i * n + j) * d, h, i, j);
    }
    spread = fmax(spread, first * (1.0 - first + second));
  }
  for (int i = 0; i < n; i++) {
    by_key = fmax(by_key, largest_singular_value(g + i * n * d, n, d));
    by_row = fmax(by_row, largest_singular_value(own + i * n * d, n, d));
  }
  free(own);
  free(g);
  return largest_singular_value(weights, n, n) + tokens * (by_key + by_row) * spread;
}

static head_case head_of(const network_case *c, const attcert_matrix *value, const step *s, int head) {
  const attention_heads *const of = s->of;
  const int k = of->head_dim, v = of->value_dim, g = attention_heads_key_head(of, head);
  const attcert_matrix *const q = &value[s->input[0]], *const keys = &value[s->input[1]];
  const attcert_matrix *const vs = &value[s->input[2]];
  head_case h = {.of = of, .n = c->x.rows, .d = c->x.cols, .q_cols = q->cols, .k_cols = keys->cols, .v_cols = vs->cols};
  h.pairs = &c->pairs;
  h.head = head;
  h.q = q->data + head * k;
  h.k = keys->data + g * k;
  h.v = vs->data + g * v;
  h.dq = derivatives(&c->network, value, s->input[0], head * k, k);
  h.dk = derivatives(&c->network, value, s->input[1], g * k, k);
  h.dv = derivatives(&c->network, value, s->input[2], g * v, v);
  for (int i = 0; i < h.n; i++) set_weights(&h, i);
  return h;
}

static void head_clear(head_case *h) {
  free(h->dq);
  free(h->dk);
  free(h->dv);
}

/* T6 of a head. */
static double pointwise_of(head_case *h) {
  double sum[RANDOM_NETWORK_TOKENS] = {0.0}, largest = 0.0, own = 0.0;
  for (int i = 0; i < h->n; i++) {
    double alpha, beta;
    row_terms(&alpha, &beta, h, i);
    own = fmax(own, beta);
    for (int j = 0; j < h->n; j++) sum[j] += h->p[i][j] * alpha * alpha;
  }
  for (int j = 0; j < h->n; j++) largest = fmax(largest, sum[j]);
  return sqrt(largest) + own;
}

/* T6 and T7 at the input. */
static void define(double bound[2], const network_case *c, const heads_layer *layer) {
  attcert_matrix *const value = values_of(c);
  const step *const last = &c->network.step[c->network.count - 1], *const s = &c->network.step[layer->attention];
  const attention_heads *const of = s->of;
  const int v = of->value_dim, d = c->x.cols;
  const double *const w = layer->output->weight, tokens = largest_singular_value(c->x.data, c->x.rows, d);
  double squares[2] = {0.0}, sum[2] = {0.0}, *const part = zeros((size_t)(last->cols * v), sizeof *part);
  for (int i = 0; i < of->heads; i++) {
    head_case h = head_of(c, value, s, i);
    const double *const map = layer->values.map->weight + attention_heads_key_head(of, i) * v * d;
    const double of_head[] = {pointwise_of(&h), largest_singular_value(map, v, d) * spread_of(&h, tokens)};
    for (int r = 0; r < last->cols; r++) memcpy(part + r * v, w + r * s->cols + i * v, (size_t)v * sizeof(double));
    for (int t = 0; t < 2; t++) {
      squares[t] += of_head[t] * of_head[t];
      sum[t] += of_head[t] * largest_singular_value(part, last->cols, v);
    }
    head_clear(&h);
  }
  for (int t = 0; t < 2; t++)
    bound[t] = fmin(largest_singular_value(w, last->cols, s->cols) * sqrt(squares[t]), sum[t]);
  for (int i = 0; i <= c->network.count; i++) attcert_matrix_clear(&value[i]);
  free(value);
  free(part);
}

/* T7 is evaluated with bounds of its norms, and where keys do not differ it leaves out what cancels. */
static void point_bounds_are_their_definitions(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  double furthest = 0.0, loosest = 0.0;
  long compared = 0;
  for (uint64_t k = 0; k < cases; k++) {
    network_case c;
    theory_table table;
    heads_layer layer;
    double expected[2];
    random_source r = random_source_make(seed, 5, k);
    network_case_init_attention(&c, seed + 2, k);
    if (random_chance(&r, 0.4)) network_case_pair(&c, &r);
    evaluate(&table, &c.network, &c.x, 0.0, c.name);
    assert_null(heads_layer_read(&layer, &c.network));
    define(expected, &c, &layer);
    const double t6 = value_of(&table, THEORY_T6), t7 = value_of(&table, THEORY_T7);
    if (table.bound[THEORY_T6].available) {
      if (!(fabs(t6 / expected[0] - 1.0) <= 1e-9)) fail_msg("%s: T6 is %.17g, expected %.17g", c.name, t6, expected[0]);
      furthest = fmax(furthest, fabs(t6 / expected[0] - 1.0));
      compared++;
    }
    if (heads_layer_is_by_key(&layer)) {
      if (!(t7 >= expected[1] * (1.0 - 1e-9))) fail_msg("%s: T7 is %.17g, below %.17g", c.name, t7, expected[1]);
      loosest = fmax(loosest, t7 / expected[1]);
    }
    theory_table_clear(&table);
    network_case_clear(&c);
  }
  print_message("T6 of %ld layers within %.2g of its definition, T7 up to %.3g times it\n", compared, furthest,
                loosest);
  assert_true(compared > (long)cases / 2);
}

/* What does not hold, and for how many tokens the others do. */
static void refusals(void **state) {
  (void)state;
  const uint64_t seed = test_setting("ATTCERT_SEED", 1);
  for (uint64_t k = 0; k < DEFAULT_CASES; k++) {
    network_case c;
    theory_table table;
    heads_layer layer;
    random_source r = random_source_make(seed, 7, k);
    network_case_init_attention(&c, seed + 4, k);
    if (random_chance(&r, 0.3)) network_case_pair(&c, &r);
    bool masked = c.pairs.masks > 0;
    for (int i = 0; i < c.pairs.biases * c.x.rows * c.x.rows; i++) masked = masked || c.pairs.bias[i] == -INFINITY;
    evaluate(&table, &c.network, &c.x, 0.0, c.name);
    assert_null(heads_layer_read(&layer, &c.network));
    const attention_heads *const of = layer.of;
    const bool all = of->before == ATTENTION_ALL && !masked, biased = of->bias != NULL || c.pairs.biases > 0;
    const bool turns = layer.query.rotary != NULL || layer.key.rotary != NULL;
    const bool every_offset = !turns || layer.query.norm != NULL || layer.key.norm != NULL;
    const theory_bound *const t2 = &table.bound[THEORY_T2], *const t5 = &table.bound[THEORY_T5];
    assert_true(t2->available == (all && of->after == ATTENTION_ALL));
    assert_true(t5->available == (all && of->after == 0));
    if (t2->available || t5->available)
      assert_true((strstr((t2->available ? t2 : t5)->applies, "any n") != NULL) == (!biased && every_offset));
    assert_false(table.bound[THEORY_T3].available || table.bound[THEORY_T10].available);
    theory_table_clear(&table);
    network_case_clear(&c);
  }
}

/* ---- the numbers of a ball --------------------------------------------------------------------------------------- */

/* What a number says it is at least, found to be that much, as a share; more than 1 refutes it. */
static void assert_at_most(double found, const interval *number, double *closest, const char *what, const char *name) {
  const double most = mpfr_get_d(number->hi, MPFR_RNDU);
  if (!(found <= most * (1.0 + 1e-9) + 1e-12)) fail_msg("%s: %s is %.17g, more than %.17g", name, what, found, most);
  if (most > 1e-9) *closest = fmax(*closest, found / most);
}

typedef struct {
  double gradient, score, range, column_sum, share;
} shares;

static void check_numbers(shares *most, const ball_head *b, head_case *h, double radius, const char *name) {
  double column[RANDOM_NETWORK_TOKENS] = {0.0}, share[RANDOM_NETWORK_TOKENS] = {0.0}, largest = 0.0, own = 0.0;
  const double value = mpfr_get_d(b->value.hi, MPFR_RNDU);
  int rows[RANDOM_NETWORK_TOKENS] = {0};
  for (int i = 0; i < h->n; i++) {
    double alpha, beta;
    int count = 0;
    for (int j = 0; j < h->n; j++) count += attends(h, i, j);
    row_terms(&alpha, &beta, h, i);
    own = fmax(own, value > 0.0 ? beta / value : 0.0);
    for (int j = 0; j < h->n; j++) {
      if (!attends(h, i, j)) continue;
      column[j] += h->p[i][j];
      share[j] += 1.0 / count;
      rows[j]++;
    }
  }
  for (int j = 0; j < h->n; j++) {
    largest = fmax(largest, column[j]);
    assert_at_most(share[j], &b->share, &most->share, "what rows attend to one token", name);
    assert_true(rows[j] <= b->tokens);
  }
  assert_at_most(radius * h->gradient, &b->gradient, &most->gradient, "R |g|", name);
  assert_at_most(own, &b->score, &most->score, "the own part of a row", name);
  if (b->by_key) assert_at_most(radius * h->own, &b->score, &most->score, "R |h|", name); /* else some of it cancels */
  assert_at_most(h->range, &b->range, &most->range, "the range of scores", name);
  assert_at_most(largest, &b->column_sum, &most->column_sum, "a column sum", name);
}

/* Of every head, at points of a ball around a centre, or around 0. */
static void try_ball(shares *most, network_case *c, const heads_layer *layer, const heads_norms *norms,
                     random_source *r) {
  const int n = c->x.rows, d = c->x.cols;
  const double radius = exp2(random_uniform(r, -8.0, 3.0));
  double *const centre = random_chance(r, 0.5) ? zeros((size_t)d, sizeof *centre) : NULL;
  ball_head b;
  ball_scratch s;
  ball_head_init(&b);
  ball_scratch_init(&s);
  if (centre != NULL) random_fill_gaussian(centre, (size_t)d, exp2(random_uniform(r, -3.0, 3.0)), r);
  for (int t = 0; t < TRIES; t++) {
    for (int i = 0; i < n; i++) draw(c->x.data + i * d, d, radius, r);
    for (int k = 0; centre != NULL && k < n * d; k++) c->x.data[k] += centre[k % d];
    attcert_matrix *const value = values_of(c);
    for (int h = 0; h < layer->of->heads; h++) {
      const token_ball at = {centre, token_ball_radius(&c->x, centre)};
      assert_int_equal(heads_ball_set(&b, layer, norms, h, &at, &s, NULL), ATTCERT_OK);
      head_case of = head_of(c, value, &c->network.step[layer->attention], h);
      check_numbers(most, &b, &of, at.radius, c->name);
      head_clear(&of);
    }
    for (int i = 0; i <= c->network.count; i++) attcert_matrix_clear(&value[i]);
    free(value);
  }
  ball_scratch_clear(&s);
  ball_head_clear(&b);
  free(centre);
}

static void numbers_hold_on_the_ball(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  shares most = {.share = 0.0};
  for (uint64_t k = 0; k < cases; k++) {
    network_case c;
    heads_layer layer;
    heads_norms norms;
    random_source r = random_source_make(seed, 6, k);
    network_case_init_attention(&c, seed + 3, k);
    if (random_chance(&r, 0.3)) network_case_pair(&c, &r);
    assert_null(heads_layer_read(&layer, &c.network));
    assert_int_equal(heads_norms_init(&norms, &layer, NULL), ATTCERT_OK);
    try_ball(&most, &c, &layer, &norms, &r);
    heads_norms_clear(&norms);
    network_case_clear(&c);
  }
  print_message("largest share found of: w %.3f, z %.3f, range %.3f, column sums %.3f, m %.3f\n", most.gradient,
                most.score, most.range, most.column_sum, most.share);
  assert_true(most.gradient > 0.9 && most.score > 0.5 && most.range > 0.9 && most.column_sum > 0.99);
}

/* ---- plain heads ------------------------------------------------------------------------------------------------- */

/* The layer as steps; all its matrices stay its own. */
static void add_layer(network_steps *network, const layer_case *c) {
  const attcert_layer *const l = &c->layer;
  const int width = l->heads * l->head_dim;
  *network = (network_steps){.tokens = c->x.rows, .dim = l->dim};
  network_builder b = {.network = network, .layer = -1};
  attention_heads heads = step_attention_plain(l->heads, l->head_dim);
  heads.after = attention_heads_after(l->mask);
  const int input[] = {step_affine_add(&b, 0, &(affine_weights){l->query_weight, l->query_bias}, width),
                       step_affine_add(&b, 0, &(affine_weights){l->key_weight, l->key_bias}, width),
                       step_affine_add(&b, 0, &(affine_weights){l->value_weight, l->value_bias}, width)};
  const int mean = step_attention_add(&b, input, &heads);
  step_affine_add(&b, mean, &(affine_weights){l->output_weight, l->output_bias}, l->out_dim);
  assert_int_equal(b.status, ATTCERT_OK);
}

static void assert_same(const theory_table *plain, const theory_table *steps, int heads, const char *name) {
  for (int t = 0; t < THEORY_COUNT; t++) {
    const theory_bound *const a = &plain->bound[t], *const b = &steps->bound[t];
    if (t == THEORY_T3 || t == THEORY_T10) continue;
    assert_int_equal(a->available, b->available);
    assert_string_equal(a->applies, b->applies);
    const double ratio = value_of(steps, (theory_id)t) / value_of(plain, (theory_id)t);
    const bool below = t == THEORY_T6 && heads > 1; /* plain heads are combined in one way there, the others in two */
    if (a->available && isfinite(ratio) && !(ratio <= 1.0 + 1e-10 && (below || ratio >= 1.0 - 1e-10)))
      fail_msg("%s: %s is %.17g times that of plain heads", name, a->id, ratio);
  }
}

static void equal_for_plain_heads(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 5, 0);
  for (int trial = 0; trial < 60; trial++) {
    const layer_shape shape = {.n = random_integer(&r, 1, 6),
                               .dim = random_integer(&r, 2, 6),
                               .heads = random_integer(&r, 1, 3),
                               .head_dim = random_integer(&r, 1, 4),
                               .out_dim = random_integer(&r, 1, 5),
                               .biases = random_chance(&r, 0.5),
                               .mask = random_chance(&r, 0.5) ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
    char name[32];
    layer_case c;
    layer_enclosure e;
    network_steps network;
    theory_table plain, steps;
    snprintf(name, sizeof name, "trial %d", trial);
    layer_case_init_gaussian(&c, &shape, &r);
    add_layer(&network, &c);
    const double radius = trial % 2 == 0 ? 0.0 : 2.0 * token_ball_radius(&c.x, NULL);
    theory_table_init(&plain);
    assert_int_equal(layer_enclosure_init(&e, &c.layer, &c.x, 128, 1, NULL), ATTCERT_OK);
    assert_int_equal(theory_with_norms(&plain, &c.layer, &c.x, &e, radius, NULL), ATTCERT_OK);
    evaluate(&steps, &network, &c.x, radius, name);
    assert_same(&plain, &steps, shape.heads, name);
    theory_table_clear(&steps);
    theory_table_clear(&plain);
    layer_enclosure_clear(&e);
    network_clear(&network);
    layer_case_clear(&c);
  }
}

/* ---- keys that turn ---------------------------------------------------------------------------------------------- */

/* A head in the plane whose keys turn by a radian a token, which refutes T4 and T9 of plain heads: tokens 0 and 22,
 * almost an odd number of half turns apart, are e and about -e and share all attention, and the gradients of their
 * scores turn with them, so that values and scores add up: sqrt(c) (1 + w), not sqrt(c (1 + w^2)). */
static void keys_that_turn(void **state) {
  (void)state;
  enum { TOKENS = 202, FAR = 22 };
  static const double identity[] = {1.0, 0.0, 0.0, 1.0};
  static const double w = 6.0;
  const double query[] = {-w * sqrt(2.0), 0.0, 0.0, -w * sqrt(2.0)};
  network_steps network = {.tokens = TOKENS, .dim = 2};
  network_builder b = {.network = &network, .layer = -1};
  attention_heads heads = step_attention_plain(1, 2);
  const rotary_heads rotary = {.heads = 1,
                               .head_dim = 2,
                               .pairing = ROTARY_NEIGHBOURS,
                               .rule = rotary_rule_scaled(10000.0, 2, &(rotary_scaling){.factor = 1.0}),
                               .token = -1};
  attcert_matrix x;
  theory_table table;
  assert_int_equal(attcert_matrix_init(&x, TOKENS, 2, NULL), ATTCERT_OK);
  for (int i = 0; i < TOKENS; i++) {
    const double side = i == 0 || i == FAR ? 1.0 : -1.0; /* turned by its place: (side, 0) */
    x.data[2 * i] = (1.0 - 1e-12) * side * cos(i);
    x.data[2 * i + 1] = (1.0 - 1e-12) * side * -sin(i);
  }
  const int q = step_affine_add(&b, 0, &(affine_weights){query, NULL}, 2);
  const int k = step_affine_add(&b, 0, &(affine_weights){identity, NULL}, 2);
  const int v = step_affine_add(&b, 0, &(affine_weights){identity, NULL}, 2);
  const int input[] = {step_rotary_add(&b, q, &rotary), step_rotary_add(&b, k, &rotary), v};
  step_affine_add(&b, step_attention_add(&b, input, &heads), &(affine_weights){identity, NULL}, 2);
  assert_int_equal(b.status, ATTCERT_OK);
  const double found = certified(&network, &x, "keys that turn");
  evaluate(&table, &network, &x, 1.0, "keys that turn");
  const double c = TOKENS, h = (1.0 + pow(w + 0.25 / w, 2)) / 2.0;
  print_message("certified %.5g, T9 %.5g; T9 of plain heads %.5g, T4 with c = n / 2 %.5g\n", found,
                value_of(&table, THEORY_T9), sqrt(c * h) + w, sqrt(c / 2.0 * (1.0 + w * w)) + w);
  assert_true(found > sqrt(c * h) + w && found > sqrt(c / 2.0 * (1.0 + w * w)) + w);
  assert_true(value_of(&table, THEORY_T9) >= found && value_of(&table, THEORY_T9) < 1.12 * found);
  theory_table_clear(&table);
  attcert_matrix_clear(&x);
  network_clear(&network);
}

/* Weights that add up to less than 1, rotations that amplify, and keys that come from a shorter vector by a norm and a
 * second map are other heads than those of the bounds. */
static void other_heads_are_refused(void **state) {
  (void)state;
  static const double identity[] = {1.0, 0.0, 0.0, 1.0}, sink = 0.5, rows[6] = {0.0};
  static const char *const words[] = {"a sink takes a part", "its rotations are amplified", "shifted by",
                                      "not a map, a norm and a rotation of it"};
  const attention_shifts shifts = {.query = rows, .query_low = rows};
  for (int k = 0; k < 4; k++) {
    network_steps network = {.tokens = 2, .dim = 2};
    network_builder b = {.network = &network, .layer = -1};
    attention_heads heads = step_attention_plain(1, 2);
    const rotary_scaling scaling = {
        .factor = 2.0, .low = 0.1, .high = 1.0, .length = 8.0, .by_pair = k == 1, .amplitude = 1.5};
    const rotary_heads rotary = {.heads = 1,
                                 .head_dim = 2,
                                 .pairing = ROTARY_HALVES,
                                 .rule = rotary_rule_scaled(10.0, 2, &scaling),
                                 .token = -1};
    int map[3];
    double numbers[] = {1.0, 2.0, -1.0, 0.5};
    const attcert_matrix x = {2, 2, numbers};
    theory_table table;
    attcert_options options;
    attcert_error err = {.message = ""};
    if (k == 0) heads.sink = &sink;
    if (k == 2) heads.shifts = &shifts;
    heads.span = 2;
    for (int i = 0; i < 3; i++) map[i] = step_affine_add(&b, 0, &(affine_weights){identity, NULL}, 2);
    const int shorter = step_rmsnorm_add(&b, map[1], &(rmsnorm_weights){identity, 1e-6, 1, false});
    if (k == 3) map[1] = step_affine_add(&b, shorter, &(affine_weights){identity, NULL}, 2);
    const int input[] = {step_rotary_add(&b, map[0], &rotary), step_rotary_add(&b, map[1], &rotary), map[2]};
    step_affine_add(&b, step_attention_add(&b, input, &heads), &(affine_weights){identity, NULL}, 2);
    attcert_options_default(&options);
    theory_table_init(&table);
    assert_int_equal(heads_theory_evaluate(&table, &network, &x, 1.0, &options, &err), ATTCERT_RESOURCE);
    if (strstr(err.message, words[k]) == NULL) fail_msg("%s", err.message);
    theory_table_clear(&table);
    network_clear(&network);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(above_at_the_input),
      cmocka_unit_test(above_on_the_ball),
      cmocka_unit_test(point_bounds_are_their_definitions),
      cmocka_unit_test(refusals),
      cmocka_unit_test(numbers_hold_on_the_ball),
      cmocka_unit_test(equal_for_plain_heads),
      cmocka_unit_test(keys_that_turn),
      cmocka_unit_test(other_heads_are_refused),
  };
  return cmocka_run_group_tests_name("heads_theory", tests, NULL, NULL);
}
