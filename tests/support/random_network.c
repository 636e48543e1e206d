#include "random_network.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

typedef struct {
  network_case *c;
  random_source r;
  int dim, heads, hidden;
  double scale;
  bool causal, norm_first;
  const range_curve *curve;
} builder;

static double *numbers(builder *b, int count, double scale, double shift) {
  double *array;
  assert_int_equal(robust_network_array(&array, &b->c->network, (size_t)count, NULL), ATTCERT_OK);
  for (int i = 0; i < count; i++) array[i] = shift + scale * random_gaussian(&b->r);
  return array;
}

static int add(builder *b, step s) {
  int value;
  s.layer = -1;
  assert_int_equal(robust_network_add(&value, &b->c->network, &s, NULL), ATTCERT_OK);
  return value;
}

static int rows_of(const builder *b, int value) {
  return value == 0 ? b->c->network.tokens : b->c->network.step[value - 1].rows;
}

static int cols_of(const builder *b, int value) {
  return value == 0 ? b->dim : b->c->network.step[value - 1].cols;
}

static int map(builder *b, int value, int cols) {
  const int in = cols_of(b, value);
  const double scale = b->scale / sqrt(in);
  return add(b, (step){.kind = &step_affine,
                       .input = {value},
                       .inputs = 1,
                       .rows = rows_of(b, value),
                       .cols = cols,
                       .weight = numbers(b, in * cols, scale, 0.0),
                       .bias = random_chance(&b->r, 0.8) ? numbers(b, cols, 0.3, 0.0) : NULL});
}

static int norm(builder *b, int value) {
  const int d = cols_of(b, value);
  return add(b, (step){.kind = &step_layernorm,
                       .input = {value},
                       .inputs = 1,
                       .rows = rows_of(b, value),
                       .cols = d,
                       .weight = numbers(b, d, 0.2, 1.0),
                       .bias = numbers(b, d, 0.2, 0.0),
                       .epsilon = random_chance(&b->r, 0.5) ? 1e-12 : 1e-5});
}

static int curve(builder *b, int value, const range_curve *of) {
  return add(b, (step){.kind = &step_activation,
                       .input = {value},
                       .inputs = 1,
                       .rows = rows_of(b, value),
                       .cols = cols_of(b, value),
                       .curve = of});
}

static int sum(builder *b, int x, int y) {
  return add(b, (step){.kind = &step_sum, .input = {x, y}, .inputs = 2, .rows = rows_of(b, x), .cols = cols_of(b, x)});
}

static int select_token(builder *b, int value, int token) {
  return add(
      b,
      (step){
          .kind = &step_select, .input = {value}, .inputs = 1, .rows = 1, .cols = cols_of(b, value), .token = token});
}

static int attend(builder *b, int value, int token) {
  const int from = token >= 0 ? select_token(b, value, token) : value;
  const int q = map(b, from, b->dim), k = map(b, value, b->dim), v = map(b, value, b->dim);
  const int y = add(b, (step){.kind = &step_attention,
                              .input = {q, k, v},
                              .inputs = 3,
                              .rows = rows_of(b, q),
                              .cols = b->dim,
                              .heads = b->heads,
                              .causal = b->causal,
                              .token = token});
  return map(b, y, b->dim);
}

static int feed_forward(builder *b, int value) {
  return map(b, curve(b, map(b, value, b->hidden), b->curve), b->dim);
}

/* token >= 0: for this one alone. */
static int block(builder *b, int x, int token) {
  const int attended = attend(b, b->norm_first ? norm(b, x) : x, token);
  int y = sum(b, token >= 0 ? select_token(b, x, token) : x, attended);
  if (!b->norm_first) y = norm(b, y);
  y = sum(b, y, feed_forward(b, b->norm_first ? norm(b, y) : y));
  return b->norm_first ? y : norm(b, y);
}

static void make_network(builder *b) {
  static const range_curve *const curves[] = {&curve_gelu, &curve_gelu_tanh, &curve_relu, &curve_tanh};
  const int layers = random_integer(&b->r, 1, 3), token = random_integer(&b->r, 0, b->c->network.tokens - 1);
  b->curve = curves[random_integer(&b->r, 0, 3)];
  int value = 0;
  for (int l = 0; l < layers; l++) value = block(b, value, l == layers - 1 ? token : -1);
  if (b->norm_first) value = norm(b, value);
  if (random_chance(&b->r, 0.5)) value = curve(b, map(b, value, b->dim), &curve_tanh);
  b->c->network.classes = random_integer(&b->r, 2, 4);
  map(b, value, b->c->network.classes);
}

static void make_ball(builder *b) {
  network_case *const c = b->c;
  assert_int_equal(attcert_matrix_init(&c->x, c->network.tokens, b->dim, NULL), ATTCERT_OK);
  random_fill_gaussian(c->x.data, (size_t)c->network.tokens * (size_t)b->dim, 1.0, &b->r);
  /* few enough bits that a point of the ball can be given exactly */
  for (int i = 0; i < c->network.tokens * b->dim; i++) c->x.data[i] = ldexp(trunc(ldexp(c->x.data[i], 40)), -40);
  c->ball = (robust_ball){.input = &c->x, .region.moves = c->moves, .label = -1};
  c->ball.region.radius = exp2(random_uniform(&b->r, -14.0, 0.0));
  const bool all = random_chance(&b->r, 0.4);
  for (int i = 0; i < c->network.tokens; i++) c->moves[i] = all || random_chance(&b->r, 0.3);
  if (ball_region_count(&c->ball.region, c->network.tokens) == 0)
    c->moves[random_integer(&b->r, 0, c->network.tokens - 1)] = true;
  for (int i = 0; i < c->network.tokens; i++) {
    if (c->moves[i]) c->words[c->word_count++] = i;
  }
}

void network_case_init(network_case *c, uint64_t seed, uint64_t index) {
  *c = (network_case){.name = ""};
  builder b = {.c = c, .r = random_source_make(seed, 1, index)};
  b.heads = random_integer(&b.r, 1, 3);
  b.dim = b.heads * random_integer(&b.r, 1, 4);
  if (b.dim == 1) b.dim = 2; /* LayerNorm of one number is its bias */
  b.hidden = random_integer(&b.r, 1, 9);
  b.scale = random_uniform(&b.r, 0.3, 1.6);
  b.causal = random_chance(&b.r, 0.5);
  b.norm_first = random_chance(&b.r, 0.5);
  c->network = (robust_network){.tokens = random_integer(&b.r, 1, RANDOM_NETWORK_TOKENS), .dim = b.dim};
  make_network(&b);
  make_ball(&b);
  snprintf(c->name, sizeof c->name, "ATTCERT_SEED=%" PRIu64 " case %" PRIu64 ": d %d, %d heads, %d tokens, radius %g",
           seed, index, b.dim, b.heads, c->network.tokens, c->ball.region.radius);
}

void network_case_clear(network_case *c) {
  robust_network_clear(&c->network);
  attcert_matrix_clear(&c->x);
}
