#include "random_network.h"

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

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX_PAIRS = 32 }; /* of a head */

typedef struct {
  network_case *c;
  network_builder steps;
  random_source r;
  int dim, heads, hidden;
  double scale;
  attention_heads attention;
  rotary_heads rotary;
  double divisor[MAX_PAIRS];
  bool norm_first, centers; /* centers: LayerNorm; otherwise RMSNorm */
  bool rotates, gates;      /* queries and keys; the feed-forward part */
  bool biases, sinks;       /* of scores, by offset; one a head */
  bool shifts_queries, shifts_keys;
  bool norms_heads, norms_rows, from_one;
  bool scales;                   /* each part's end, column by column */
  bool pools;                    /* the head reads the mean of the tokens from one on */
  int tokens;                    /* of every value but the input, which arranges may give another shape */
  bool arranges, mixes, batches; /* the input; tokens, between two blocks; BatchNorm instead of the other norms */
  const range_curve *curve;
} builder;

static double *numbers(builder *b, int count, double scale, double shift) {
  double *const array = network_new(&b->steps, (size_t)count, sizeof *array);
  assert_non_null(array);
  for (int i = 0; i < count; i++) array[i] = shift + scale * random_gaussian(&b->r);
  /* few enough bits that array[i] - 1 is a double */
  for (int i = 0; i < count; i++) array[i] = ldexp(trunc(ldexp(array[i], 44)), -44);
  return array;
}

static int map(builder *b, int value, int cols) {
  const int in = network_cols(&b->c->network, value);
  affine_weights weights = {.weight = numbers(b, in * cols, b->scale / sqrt(in), 0.0)};
  if (random_chance(&b->r, 0.8)) weights.bias = numbers(b, cols, 0.3, 0.0);
  return step_affine_add(&b->steps, value, &weights, cols);
}

/* Of a scale that is nearly lost now and then. */
static int batch_norm(builder *b, int value) {
  const int d = network_cols(&b->c->network, value);
  double *const variance = numbers(b, d, 0.7, 0.0);
  for (int c = 0; c < d; c++) variance[c] = random_chance(&b->r, 0.1) ? 0.0 : fabs(variance[c]) + 0.25;
  step_batchnorm_parameters of = {.mean = numbers(b, d, 0.7, 0.0),
                                  .variance = variance,
                                  .epsilon = random_chance(&b->r, 0.5) ? 1e-1 : 1e-2,
                                  .cols = d};
  if (random_chance(&b->r, 0.8)) of.weight = numbers(b, d, 0.5, 0.5);
  if (random_chance(&b->r, 0.8)) of.bias = numbers(b, d, 0.3, 0.0);
  return step_batchnorm_add(&b->steps, value, &of);
}

static int norm(builder *b, int value) {
  const int d = network_cols(&b->c->network, value);
  if (b->batches) return batch_norm(b, value);
  const double *const gain = numbers(b, d, 0.2, 1.0), epsilon = random_chance(&b->r, 0.5) ? 1e-12 : 1e-5;
  if (b->centers)
    return step_layernorm_add(&b->steps, value, &(layernorm_weights){gain, numbers(b, d, 0.2, 0.0), epsilon});
  return step_rmsnorm_add(&b->steps, value, &(rmsnorm_weights){gain, epsilon, 1, b->from_one});
}

/* Of queries or keys: head by head, or of the whole row. */
static int norm_heads(builder *b, int value, int heads) {
  const int d = network_cols(&b->c->network, value), parts = b->norms_rows ? 1 : heads;
  const rmsnorm_weights weights = {numbers(b, d, 0.2, 1.0), random_chance(&b->r, 0.5) ? 1e-6 : 1e-2, parts,
                                   b->from_one};
  return b->norms_heads ? step_rmsnorm_add(&b->steps, value, &weights) : value;
}

static int curve(builder *b, int value, const range_curve *of) {
  return step_activation_add(&b->steps, value, of);
}

static int scale(builder *b, int value) {
  if (!b->scales) return value;
  return step_scale_add(&b->steps, value, &(scale_weights){numbers(b, network_cols(&b->c->network, value), 0.7, 0.2)});
}

static int sum(builder *b, int x, int y) {
  return step_sum_add(&b->steps, x, y);
}

/* A step also where there is one token alone. */
static int select_token(builder *b, int value, int token) {
  const void *const of = network_copy(&b->steps, &token, sizeof token);
  return network_add(&b->steps, (step){.kind = &step_select, .of = of, .input = {value}, .inputs = 1, .rows = 1});
}

/* Of the only row's token, or -1. */
static int rotate(builder *b, int value, int heads, int token) {
  rotary_heads of = b->rotary;
  of.heads = heads;
  of.token = token;
  return b->rotates ? step_rotary_add(&b->steps, value, &of) : value;
}

/* Of the queries or keys of these heads, and in *low what its doubles miss. */
static const double *shift(builder *b, const double **low, const attention_heads *of) {
  const int count = (2 * of->span - 1) * of->heads * of->head_dim;
  const double *const high = numbers(b, count, 0.7, 0.0);
  double *const missed = numbers(b, count, 0.3, 0.0);
  for (int i = 0; i < count; i++) missed[i] *= 0x1p-54 * high[i];
  *low = missed;
  return high;
}

/* Tokens that ask, and those that are asked, which may be of another value. */
static int attend_to(builder *b, int value, int asked, int token) {
  const int from = token >= 0 ? select_token(b, value, token) : value;
  attention_heads heads = b->attention;
  heads.token = token;
  const int keys = network_rows(&b->c->network, asked);
  heads.span = (keys > b->tokens ? keys : b->tokens) + random_integer(&b->r, 0, 1);
  if (b->biases) heads.bias = numbers(b, heads.heads * (2 * heads.span - 1), 1.0, 0.0);
  if (b->sinks) heads.sink = numbers(b, heads.heads, random_chance(&b->r, 0.1) ? 1e3 : 1.5, 0.0);
  attention_shifts shifts = {0};
  if (b->shifts_queries) shifts.query = shift(b, &shifts.query_low, &heads);
  if (b->shifts_keys) shifts.key = shift(b, &shifts.key_low, &heads);
  if (b->shifts_queries || b->shifts_keys) heads.shifts = network_copy(&b->steps, &shifts, sizeof shifts);
  const int q = norm_heads(b, map(b, from, heads.heads * heads.head_dim), heads.heads);
  const int k = norm_heads(b, map(b, asked, heads.key_heads * heads.head_dim), heads.key_heads);
  const int input[] = {rotate(b, q, heads.heads, token), rotate(b, k, heads.key_heads, -1),
                       map(b, asked, heads.key_heads * heads.value_dim)};
  return scale(b, map(b, step_attention_add(&b->steps, input, &heads), b->dim));
}

static int attend(builder *b, int value, int token) {
  return attend_to(b, value, value, token);
}

static int feed_forward(builder *b, int value) {
  const int active = curve(b, map(b, value, b->hidden), b->curve);
  return scale(b, map(b, b->gates ? step_product_add(&b->steps, active, map(b, value, b->hidden)) : active, b->dim));
}

/* token >= 0: for this one alone. */
static int block(builder *b, int x, int token) {
  const int attended = attend(b, b->norm_first ? norm(b, x) : x, token);
  int y = sum(b, token >= 0 ? select_token(b, x, token) : x, attended);
  if (!b->norm_first) y = norm(b, y);
  y = sum(b, y, feed_forward(b, b->norm_first ? norm(b, y) : y));
  return b->norm_first ? y : norm(b, y);
}

/* Queries that share a head of keys, values of another size than queries, another divisor, a curve. */
static void generalise(builder *b) {
  attention_heads *const of = &b->attention;
  const bool grouped = random_chance(&b->r, 0.5);
  of->head_dim = random_integer(&b->r, 1, 4);
  of->value_dim = random_integer(&b->r, 1, 4);
  if (grouped) of->key_heads = 1;
  if (grouped && random_chance(&b->r, 0.5)) of->heads *= 2;
  if (!grouped && random_chance(&b->r, 0.5)) of->heads *= 2;
  of->divided_by = random_chance(&b->r, 0.5) ? of->head_dim : random_uniform(&b->r, 0.5, 8.0);
  if (random_chance(&b->r, 0.5)) {
    of->curve = &curve_tanh;
    of->cap = random_uniform(&b->r, 0.3, 4.0);
  }
}

/* As LongRoPE has it, pairs also faster than by the powers alone. */
static void divide(builder *b, rotary_scaling *scaling, int pairs) {
  assert_true(pairs <= MAX_PAIRS);
  for (int m = 0; m < pairs; m++) b->divisor[m] = exp2(random_uniform(&b->r, -2.0, 6.0));
  *scaling = (rotary_scaling){.factor = 1.0, .divisor = b->divisor, .length = random_uniform(&b->r, 4.0, 64.0)};
  scaling->extent = scaling->length * random_uniform(&b->r, 0.5, 8.0);
  scaling->amplitude = random_chance(&b->r, 0.5) ? 0.0 : random_uniform(&b->r, 0.5, 1.5);
}

/* Bases below 1 turn faster the later the pair is. */
static void choose_rotation(builder *b) {
  static const double bases[] = {10000.0, 500000.0, 3.0, 0x1p-12};
  const int pairs = b->attention.head_dim / 2;
  b->rotates = pairs > 0 && random_chance(&b->r, 0.5);
  if (!b->rotates) return;
  rotary_scaling scaling = {.factor = 1.0};
  if (random_chance(&b->r, 0.5)) scaling.factor = random_uniform(&b->r, 1.0, 16.0);
  if (scaling.factor > 1.0 && random_chance(&b->r, 0.6)) {
    scaling.low = random_uniform(&b->r, 0.0, 1.0);
    scaling.high = scaling.low + random_uniform(&b->r, 0.1, 4.0);
    scaling.length = random_uniform(&b->r, 1.0, 64.0);
    scaling.by_pair = random_chance(&b->r, 0.4);
  }
  const double base = bases[random_integer(&b->r, 0, scaling.by_pair ? 2 : 3)];
  if (scaling.by_pair) {
    scaling.low = random_uniform(&b->r, 0.1, 1.0);
    scaling.high = scaling.low * random_uniform(&b->r, 1.1, 8.0);
    scaling.whole = random_chance(&b->r, 0.5);
    scaling.amplitude = random_chance(&b->r, 0.5) ? 0.0 : random_uniform(&b->r, 0.5, 1.5);
    scaling.slope = random_chance(&b->r, 0.5) ? 0.0 : random_uniform(&b->r, 0.5, 1.5);
  }
  if (scaling.factor == 1.0 && random_chance(&b->r, 0.3)) divide(b, &scaling, pairs);
  b->rotary = (rotary_heads){.head_dim = b->attention.head_dim,
                             .pairing = random_chance(&b->r, 0.5) ? ROTARY_HALVES : ROTARY_NEIGHBOURS,
                             .rule = rotary_rule_scaled(base, 2 * random_integer(&b->r, 1, pairs), &scaling)};
  const int behind = (b->attention.head_dim - b->rotary.rule.dim) / 2;
  if (scaling.by_pair && behind > 0) b->rotary.rule.still = 2 * random_integer(&b->r, 0, behind);
}

/* Entries of a value, each from anywhere: most of them once, some repeated, some constants. */
static int arrange(builder *b, int value, int rows, int cols) {
  const int entries = (int)network_entries(&b->c->network, value), count = rows * cols;
  int *const from = network_new(&b->steps, (size_t)count, sizeof *from);
  assert_non_null(from);
  for (int k = 0; k < count; k++) {
    from[k] = k % entries;
    const int other = random_integer(&b->r, 0, k), moved = from[k];
    from[k] = from[other];
    from[other] = moved;
  }
  const int repeated = random_integer(&b->r, 0, count - 1), replaced = random_integer(&b->r, 0, count - 1);
  if (random_chance(&b->r, 0.5)) from[repeated] = random_integer(&b->r, 0, entries - 1);
  if (random_chance(&b->r, 0.5)) from[replaced] = -1;
  for (int c = 0; c < cols && rows > 1 && random_chance(&b->r, 0.9); c++) from[c] = -1;
  const step_arrangement of = {rows, cols, from, random_chance(&b->r, 0.8) ? numbers(b, count, 1.0, 0.0) : NULL};
  return step_arrange_add(&b->steps, value, &of);
}

static int transpose(builder *b, int value) {
  const int rows = network_rows(&b->c->network, value), cols = network_cols(&b->c->network, value);
  int *const from = network_new(&b->steps, (size_t)(rows * cols), sizeof *from);
  assert_non_null(from);
  for (int k = 0; k < rows * cols; k++) from[k] = k % rows * cols + k / rows;
  return step_arrange_add(&b->steps, value, &(step_arrangement){cols, rows, from, NULL});
}

/* A map of tokens, beside them. */
static int mix(builder *b, int value) {
  return sum(b, value, transpose(b, map(b, transpose(b, value), b->tokens)));
}

static void make_network(builder *b) {
  static const range_curve *const curves[] = {&curve_gelu, &curve_gelu_tanh,  &curve_relu,      &curve_tanh,
                                              &curve_silu, &curve_quick_gelu, &curve_gelu_bloom};
  const int layers = random_integer(&b->r, 1, 3), token = random_integer(&b->r, 0, b->tokens - 1);
  b->curve = curves[random_integer(&b->r, 0, 6)];
  int value = b->arranges ? arrange(b, 0, b->tokens, b->dim) : 0;
  for (int l = 0; l < layers; l++) {
    if (b->mixes) value = mix(b, value);
    value = block(b, value, l == layers - 1 && !b->pools ? token : -1);
  }
  if (b->norm_first) value = norm(b, value);
  if (b->pools) {
    const int mean = step_mean_add(&b->steps, value, token);
    value = random_chance(&b->r, 0.5) ? step_join_add(&b->steps, select_token(b, value, 0), mean) : mean;
  }
  if (random_chance(&b->r, 0.5)) value = curve(b, map(b, value, b->dim), &curve_tanh);
  map(b, value, random_integer(&b->r, 2, 4));
  assert_int_equal(b->steps.status, ATTCERT_OK);
}

/* As the theory's bounds have it: no sink, no shift, turns that do not amplify. */
static void make_attention(builder *b) {
  b->scales = b->sinks = b->shifts_queries = b->shifts_keys = false;
  if (rotary_rule_is_amplified(&b->rotary.rule))
    b->rotary.rule = rotary_rule_powers(b->rotary.rule.base, b->rotary.rule.dim);
  attend(b, 0, -1);
  assert_int_equal(b->steps.status, ATTCERT_OK);
}

/* Constants alone. */
static int constant(builder *b, int rows, int cols) {
  int *const from = network_new(&b->steps, (size_t)(rows * cols), sizeof *from);
  assert_non_null(from);
  for (int k = 0; k < rows * cols; k++) from[k] = -1;
  const step_arrangement of = {rows, cols, from, numbers(b, rows * cols, 1.0, 0.0)};
  return step_arrange_add(&b->steps, 0, &of);
}

/* Of tokens to others, of another number of entries: either may be constant, or both from the input. */
static void make_cross(builder *b) {
  const int rows = random_integer(&b->r, 1, RANDOM_NETWORK_TOKENS), cols = random_integer(&b->r, 1, 5);
  const int kind = random_integer(&b->r, 0, 3);
  b->attention.before = b->attention.after = ATTENTION_ALL;
  b->rotates = b->rotates && random_chance(&b->r, 0.3);
  const int other = kind == 0 ? constant(b, rows, cols) : arrange(b, 0, rows, cols);
  if (kind == 1) b->tokens = rows;
  attend_to(b, kind == 1 ? constant(b, rows, cols) : 0, kind == 1 ? 0 : other, -1);
  assert_int_equal(b->steps.status, ATTCERT_OK);
}

static void make_ball(builder *b) {
  network_case *const c = b->c;
  assert_int_equal(attcert_matrix_init(&c->x, c->network.tokens, c->network.dim, NULL), ATTCERT_OK);
  random_fill_gaussian(c->x.data, (size_t)c->network.tokens * (size_t)c->network.dim, 1.0, &b->r);
  /* few enough bits that a point of the ball can be given exactly */
  for (int i = 0; i < c->network.tokens * c->network.dim; i++)
    c->x.data[i] = ldexp(trunc(ldexp(c->x.data[i], 40)), -40);
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

/* One row, as an image has it, or as many as there are tokens. Drawn from numbers of their own, so that the other
 * networks are the same as without these steps. */
static void choose_arrangement(builder *b, uint64_t seed, uint64_t index) {
  random_source r = random_source_make(seed, 4, index);
  b->arranges = random_chance(&r, 0.25);
  b->mixes = random_chance(&r, 0.15);
  b->batches = random_chance(&r, 0.15);
  if (!b->arranges || random_chance(&r, 0.4)) return;
  b->c->network.dim *= b->tokens;
  b->c->network.tokens = 1;
}

static void make_case(network_case *c, uint64_t seed, uint64_t index, void (*make)(builder *b)) {
  *c = (network_case){.name = ""};
  builder b = {.c = c, .r = random_source_make(seed, 1, index)};
  b.heads = random_integer(&b.r, 1, 3);
  b.dim = b.heads * random_integer(&b.r, 1, 4);
  if (b.dim == 1) b.dim = 2; /* LayerNorm of one number is its bias */
  b.hidden = random_integer(&b.r, 1, 9);
  b.scale = random_uniform(&b.r, 0.3, 1.6);
  b.attention = step_attention_plain(b.heads, b.dim / b.heads);
  if (random_chance(&b.r, 0.5)) b.attention.after = random_chance(&b.r, 0.8) ? 0 : random_integer(&b.r, 0, 2);
  if (random_chance(&b.r, 0.3)) b.attention.before = random_integer(&b.r, 0, 3);
  b.biases = random_chance(&b.r, 0.3);
  b.norms_heads = random_chance(&b.r, 0.25);
  b.norms_rows = random_chance(&b.r, 0.3);
  b.from_one = random_chance(&b.r, 0.3);
  b.scales = random_chance(&b.r, 0.2);
  b.sinks = random_chance(&b.r, 0.1);
  b.pools = random_chance(&b.r, 0.2);
  b.shifts_queries = random_chance(&b.r, 0.08);
  b.shifts_keys = random_chance(&b.r, b.shifts_queries ? 0.7 : 0.05);
  if (random_chance(&b.r, 0.5)) generalise(&b);
  choose_rotation(&b);
  b.gates = random_chance(&b.r, 0.4);
  b.norm_first = random_chance(&b.r, 0.5);
  b.centers = random_chance(&b.r, 0.6);
  b.steps = (network_builder){.network = &c->network, .layer = -1};
  c->network = (network_steps){.tokens = random_integer(&b.r, 1, RANDOM_NETWORK_TOKENS), .dim = b.dim};
  b.tokens = c->network.tokens;
  if (make == make_network) choose_arrangement(&b, seed, index);
  make(&b);
  make_ball(&b);
  snprintf(c->name, sizeof c->name, "ATTCERT_SEED=%" PRIu64 " case %" PRIu64 ": d %d, %d heads, %d tokens, radius %g",
           seed, index, b.dim, b.heads, c->network.tokens, c->ball.region.radius);
}

void network_case_init(network_case *c, uint64_t seed, uint64_t index) {
  make_case(c, seed, index, make_network);
}

void network_case_init_attention(network_case *c, uint64_t seed, uint64_t index) {
  make_case(c, seed, index, make_attention);
}

void network_case_init_cross(network_case *c, uint64_t seed, uint64_t index) {
  make_case(c, seed, index, make_cross);
}

int network_case_classes(const network_case *c) {
  return network_cols(&c->network, c->network.count);
}

void network_case_clear(network_case *c) {
  free((void *)c->pairs.mask);
  free((void *)c->pairs.bias);
  network_clear(&c->network);
  attcert_matrix_clear(&c->x);
}
