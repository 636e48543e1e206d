/* The theory's bounds for heads of any kind (theory/heads), on random ones: above the certified lower end at the input,
 * and, on a ball, at whatever input in it a search finds; in the order that their proofs say; equal to those of
 * attcert_layer's heads where the heads are plain; T6 what its definition says, with derivatives of steps.
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
#include "theory/heads/heads_theory.h"
#include "theory/theory.h"
#include "theory/token_ball.h"

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

/* ---- T6 by its definition, in double --------------------------------------------------------------------------- */

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
  int n, d;
  const double *q, *k, *v; /* of token 0 */
  int q_cols, k_cols, v_cols;
  double *dq, *dk, *dv;
  double p[RANDOM_NETWORK_TOKENS][RANDOM_NETWORK_TOKENS], slope[RANDOM_NETWORK_TOKENS][RANDOM_NETWORK_TOKENS];
} head_case;

static void set_weights(head_case *h, int head, int i) {
  const step_keys keys = attention_heads_keys(h->of, i, h->n);
  double sum = 0.0, largest = -INFINITY, score[RANDOM_NETWORK_TOKENS];
  for (int j = keys.first; j < keys.first + keys.count; j++) {
    double s = dot(h->q + i * h->q_cols, h->k + j * h->k_cols, h->of->head_dim) / sqrt(h->of->divided_by);
    h->slope[i][j] = h->of->curve != NULL ? 1.0 / pow(cosh(s / h->of->cap), 2) : 1.0;
    if (h->of->curve != NULL) s = h->of->cap * tanh(s / h->of->cap);
    score[j] = s + attention_heads_bias(h->of, head, i, j);
    largest = fmax(largest, score[j]);
  }
  for (int j = keys.first; j < keys.first + keys.count; j++) sum += h->p[i][j] = exp(score[j] - largest);
  for (int j = keys.first; j < keys.first + keys.count; j++) h->p[i][j] /= sum;
}

/* alpha_i and beta_i. */
static void row_terms(double *alpha, double *beta, const head_case *h, int i) {
  const int n = h->n, d = h->d, v = h->of->value_dim, k = h->of->head_dim;
  double *const wide = zeros((size_t)(v * n * d), sizeof *wide), *const own = zeros((size_t)(v * d), sizeof *own);
  for (int j = 0; j < n; j++) {
    for (int a = 0; a < v; a++) {
      double deviation = h->v[j * h->v_cols + a];
      for (int m = 0; m < n; m++) deviation -= h->p[i][m] * h->v[m * h->v_cols + a];
      for (int e = 0; e < d; e++) {
        double g = 0.0, of_query = 0.0;
        for (int c = 0; c < k; c++) {
          g += h->q[i * h->q_cols + c] * h->dk[(j * k + c) * d + e];
          of_query += h->k[j * h->k_cols + c] * h->dq[(i * k + c) * d + e];
        }
        const double factor = h->slope[i][j] / sqrt(h->of->divided_by) * deviation;
        wide[(a * n + j) * d + e] = sqrt(h->p[i][j]) * (h->dv[(j * v + a) * d + e] + factor * g);
        own[a * d + e] += h->p[i][j] * factor * of_query;
      }
    }
  }
  *alpha = largest_singular_value(wide, v, n * d);
  *beta = largest_singular_value(own, v, d);
  free(own);
  free(wide);
}

static double pointwise_of_head(const network_case *c, const attcert_matrix *value, const step *s, int head) {
  const attention_heads *const of = s->of;
  const int k = of->head_dim, v = of->value_dim, g = attention_heads_key_head(of, head);
  const attcert_matrix *const q = &value[s->input[0]], *const keys = &value[s->input[1]],
                              *const vs = &value[s->input[2]];
  head_case h = {.of = of, .n = c->x.rows, .d = c->x.cols, .q_cols = q->cols, .k_cols = keys->cols, .v_cols = vs->cols};
  h.q = q->data + head * k;
  h.k = keys->data + g * k;
  h.v = vs->data + g * v;
  h.dq = derivatives(&c->network, value, s->input[0], head * k, k);
  h.dk = derivatives(&c->network, value, s->input[1], g * k, k);
  h.dv = derivatives(&c->network, value, s->input[2], g * v, v);
  double sum[RANDOM_NETWORK_TOKENS] = {0.0}, largest = 0.0, own = 0.0;
  for (int i = 0; i < h.n; i++) {
    double alpha, beta;
    set_weights(&h, head, i);
    row_terms(&alpha, &beta, &h, i);
    own = fmax(own, beta);
    for (int j = 0; j < h.n; j++) sum[j] += h.p[i][j] * alpha * alpha;
  }
  for (int j = 0; j < h.n; j++) largest = fmax(largest, sum[j]);
  free(h.dq);
  free(h.dk);
  free(h.dv);
  return sqrt(largest) + own;
}

static double pointwise_of(const network_case *c) {
  attcert_matrix *const value = values_of(c);
  const step *const last = &c->network.step[c->network.count - 1], *const s = &c->network.step[last->input[0] - 1];
  const attention_heads *const of = s->of;
  const double *const w = ((const affine_weights *)last->of)->weight;
  double squares = 0.0, sum = 0.0, *const part = zeros((size_t)(last->cols * of->value_dim), sizeof *part);
  for (int h = 0; h < of->heads; h++) {
    const double bound = pointwise_of_head(c, value, s, h);
    for (int i = 0; i < last->cols; i++)
      memcpy(part + i * of->value_dim, w + i * s->cols + h * of->value_dim, (size_t)of->value_dim * sizeof(double));
    squares += bound * bound;
    sum += bound * largest_singular_value(part, last->cols, of->value_dim);
  }
  for (int i = 0; i <= c->network.count; i++) attcert_matrix_clear(&value[i]);
  free(value);
  free(part);
  return fmin(largest_singular_value(w, last->cols, s->cols) * sqrt(squares), sum);
}

static void pointwise_is_its_definition(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  double furthest = 0.0;
  long compared = 0;
  for (uint64_t k = 0; k < cases; k++) {
    network_case c;
    theory_table table;
    network_case_init_attention(&c, seed + 2, k);
    evaluate(&table, &c.network, &c.x, 0.0, c.name);
    if (table.bound[THEORY_T6].available) {
      const double expected = pointwise_of(&c), off = value_of(&table, THEORY_T6) / expected - 1.0;
      if (!(fabs(off) <= 1e-9))
        fail_msg("%s: T6 is %.17g, expected %.17g", c.name, value_of(&table, THEORY_T6), expected);
      furthest = fmax(furthest, fabs(off));
      compared++;
    }
    theory_table_clear(&table);
    network_case_clear(&c);
  }
  print_message("T6 of %ld layers within %.2g of its definition\n", compared, furthest);
  assert_true(compared > (long)cases / 2);
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
    assert_int_equal(theory_evaluate(&plain, &c.layer, &c.x, &e, radius, NULL), ATTCERT_OK);
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

/* Which no bound knows. */
static void shifted_heads_have_none(void **state) {
  (void)state;
  network_case c;
  theory_table table;
  attcert_options options;
  attcert_error err = {.message = ""};
  const attention_shifts shifts = {0};
  network_case_init_attention(&c, 1, 0);
  for (int i = 0; i < c.network.count; i++) {
    if (c.network.step[i].kind == &step_attention) ((attention_heads *)c.network.step[i].of)->shifts = &shifts;
  }
  attcert_options_default(&options);
  theory_table_init(&table);
  assert_int_equal(heads_theory_evaluate(&table, &c.network, &c.x, 0.0, &options, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "shifted by position"));
  theory_table_clear(&table);
  network_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(above_at_the_input),
      cmocka_unit_test(above_on_the_ball),
      cmocka_unit_test(pointwise_is_its_definition),
      cmocka_unit_test(equal_for_plain_heads),
      cmocka_unit_test(keys_that_turn),
      cmocka_unit_test(shifted_heads_have_none),
  };
  return cmocka_run_group_tests_name("heads_theory", tests, NULL, NULL);
}
