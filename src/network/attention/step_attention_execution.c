/* What executing attention adds, head by head. */
#include "linalg/rounding/upward.h"
#include "network/attention/step_attention.h"

#include <math.h>

/* What is executed of one head of one row, bounded over all tokens that it attends to. */
typedef struct {
  double score;     /* |s'_j| */
  double low, high; /* of s'_j before its curve, which takes two no further apart, up to ROUNDED_ENDS of the score */
  double least_bias, most_bias;
  double error; /* |s'_j - s_j| */
  double met;   /* on the way */
} executed_scores;

/* The ends and their difference are rounded a few times each, as is the scale. */
#define ROUNDED_ENDS 0x1p-48

/* One head's entries in a row of a form. */
typedef struct {
  const form *of;
  int row, first;
} executed_head;

/* q . k_j of executed queries and keys. */
typedef struct {
  step_summands sum;
  double middle, radius, size; /* the product is within `radius` of the middle; size >= |q . k_j| */
  double factors;              /* >= |q_c|, |k_jc| */
  double below;                /* what underflows, of factors, products and sums */
} executed_product;

static const double *center_of(executed_head h, int c) {
  return &h.of->center[(size_t)h.row * (size_t)h.of->cols + (size_t)(h.first + c)];
}

/* The products q_c k_jc around those of the centers. A factor that underflows as it is scaled is off by tiny times the
 * other one; a product, or a partial sum, by tiny; what follows enlarges these by less than 2. */
static executed_product product_of(executed_head q, executed_head k, int dim, const step_format *format) {
  executed_product p = {0};
  double sizes = 0.0, rest = 0.0, each = 0.0;
  for (int c = 0; c < dim; c++) {
    const double x = *center_of(q, c), of_x = form_spread(q.of, q.row, q.first + c);
    const double y = *center_of(k, c), of_y = form_spread(k.of, k.row, k.first + c);
    const double spread = round_up_nonnegative(fabs(x) * of_y + of_x * fabs(y) + of_x * of_y, 5.0);
    step_summands_add(&p.sum, x * y, spread);
    p.middle += x * y;
    sizes += fabs(x * y);
    rest += spread;
    each += fabs(x) + of_x + fabs(y) + of_y;
  }
  p.factors = round_up_nonnegative(each, 4.0 * dim);
  p.below = upward_mul(2.0 * step_format_tiny(format), round_up_nonnegative(each + 2.0 * dim + 4.0, dim + 4.0));
  p.radius = round_up_nonnegative(gamma_upper(dim + 2.0) * sizes + rest, dim + 8.0);
  p.size = upward_add(fabs(p.middle), p.radius);
  return p;
}

/* What the curve cap tanh(s / cap) adds to scores of at most `score` that are off already: the curve does not stretch
 * that, and
 *   moved   the argument is off by a factor within theta of 1 (the constant's two roundings, the product or quotient),
 *           by which tanh moves theta / (1 - theta) max |t tanh'(t)|, less than 0.448 and at most its argument;
 *   inside  tanh is off by f, and stored; the last constant by two roundings, and the product rounds.
 * Three results may underflow, the first one before the product with the cap. No other curve is known to be executed
 * in any way. */
static double curve_error(const attention_heads *of, double score, const step_format *format) {
  if (of->curve != &curve_tanh) return INFINITY;
  const double theta = step_format_roundings(format, 3.0, 2.0), tiny = step_format_tiny(format);
  const double steepest = upward_mul(0.448, of->cap), size = fmin(score, of->cap);
  const double moved = upward_mul(upward_inverse(theta), fmin(steepest, upward_mul(score, 1.0 + 2.0 * theta)));
  const double f = upward_compound(step_format_function(format), step_format_roundings(format, 0.0, 1.0));
  const double inside = upward_compound(f, step_format_roundings(format, 3.0, 2.0));
  const double below = upward_mul(tiny, upward_add(3.0, upward_mul(3.0, of->cap)));
  return upward_add3(moved, upward_mul(inside, upward_add(size, moved)), below);
}

/* What `error`, of a score of at most `size`, becomes as the bias is added, which rounds and may be stored. */
static double biased_error(double size, double error, const step_format *format) {
  return step_execution_stored(format, size, step_execution_rounded(&format->compute, size, error));
}

/* What is added to a score, by offset and by pair, in either order or first to each other; how many there are. The
 * first may be off by `off`, and be as large as `size` where all of a row's are shifted by one number, which a softmax
 * does not see. */
typedef struct {
  double offset, pair, size, off;
  int count;
} executed_biases;

/* How far computed biases -2^-e |offset| of at most `size` are off: the slope by float32 or wider, the power of a base
 * whose exponent is an integer up to twice the heads, the base off by two roundings, or 2 to an exact exponent and a
 * reciprocal; its product with the distance, or with a place counted from the first or the last token, exact; and
 * slope, place and product may be stored. The double of the bias is off by a rounding, too. */
static double slope_error(const attention_heads *of, double size, const step_format *format) {
  const step_format wide = step_format_of(float_format_named("float32"), format->ulp);
  const double computed = step_format_roundings(&wide, 4.0 * of->heads + 2.0, 0.0);
  const double power = upward_compound(computed, step_format_function(&wide));
  const double all = upward_compound(power, step_format_roundings(format, 0.0, 3.0));
  return upward_add(upward_mul(upward_add(all, 2.0 * UNIT_ROUNDOFF), size), 2.0 * step_format_tiny(format));
}

/* Of the heads' token and key; off: of biases that are computed. */
static executed_biases biases_of(const attention_heads *of, int h, int token, int key, double size, double off) {
  const double offset = attention_heads_bias(of, h, token, key);
  return (executed_biases){.offset = offset,
                           .pair = attention_heads_pair_bias(of, h, token, key),
                           .size = of->bias_low != NULL ? size : fabs(offset),
                           .off = off,
                           .count = (of->bias != NULL) + (of->pairs != NULL && of->pairs->biases > 0)};
}

/* A score s = q . k / sqrt(divided_by), then its curve and bias, either of two ways; the worse bound is taken.
 * Queries and keys are scaled first, by constants that are off by two roundings and stored, and stored again: each
 * product is off by seven roundings and four of storing (step_summands_error); the sum is stored.
 * The sum of products is stored, and scaled by such a constant: three roundings and one of storing; that is stored.
 * What is scaled up may overflow: factors, products and sums; a factor that underflows meets one that was scaled. */
static void add_score(executed_scores *to, const attention_heads *of, executed_head q, executed_head k,
                      const executed_biases *biases, const step_format *format) {
  const double scale = round_up_nonnegative(1.0 / sqrt(of->divided_by), 2.0);
  double met_before, met_after;
  const executed_product p = product_of(q, k, of->head_dim, format);
  const bool up = !(of->divided_by >= 1.0);
  const double size = upward_mul(p.size, scale), below = up ? upward_mul(p.below, scale) : p.below;
  const double scaled = step_summands_error(&met_before, &p.sum, step_format_roundings(format, 7.0, 4.0), format);
  const double before = step_execution_stored(format, size, upward_add(upward_mul(scaled, scale), below));
  const double plain = step_summands_error(&met_after, &p.sum, step_format_gamma(format, 1.0), format);
  const double moved = upward_mul(step_execution_stored(format, p.size, upward_add(plain, p.below)), scale);
  const double factor = upward_mul(step_format_roundings(format, 3.0, 1.0), upward_add(size, moved));
  const double after = step_execution_stored(format, size, upward_add3(moved, factor, step_format_tiny(format)));
  const double plain_error = before <= after ? after : before;
  const double curved = of->curve != NULL ? curve_error(of, upward_add(size, plain_error), format) : 0.0;
  const double bias = biases->offset + biases->pair, low = range_down(bias), high = range_up(bias);
  const double most = upward_add3(size, biases->size, fabs(biases->pair));
  double error = upward_add3(plain_error, curved, biases->off);
  for (int added = 0; added < biases->count; added++) error = biased_error(most, error, format);
  const double score = upward_add(most, error);
  const double half = upward_add(upward_mul(p.radius, scale), error);
  const double sums = upward_add3(met_before, met_after, below), factors = upward_mul(2.0 * scale, p.factors);
  const double met = up ? upward_add(upward_mul(sums, scale), step_execution_keep(factors, factors, format)) : sums;
  if (!(met <= to->met)) to->met = met;
  if (!(error <= to->error)) to->error = error;
  if (!(score <= to->score)) to->score = score;
  if (!(p.middle * scale - half >= to->low)) to->low = p.middle * scale - half;
  if (!(p.middle * scale + half <= to->high)) to->high = p.middle * scale + half;
  to->least_bias = fmin(to->least_bias, biases->count > 1 ? low : bias);
  to->most_bias = fmax(to->most_bias, biases->count > 1 ? high : bias);
}

/* A sink's is stored; its query and key are 0. */
static void add_sink(executed_scores *to, double sink) {
  to->score = fmax(to->score, fabs(sink));
  to->low = fmin(to->low, 0.0);
  to->high = fmax(to->high, 0.0);
  to->least_bias = fmin(to->least_bias, sink);
  to->most_bias = fmax(to->most_bias, sink);
}

/* How often a softmax over `count` keys rescales, a sink apart, which may be a block of its own. */
static double rescalings(const attention_heads *of, int count) {
  return ceil(count / (double)SOFTMAX_BLOCK) + (of->sink != NULL ? 1.0 : 0.0);
}

/* How much the logarithm of an executed exponential is off from s_j - max s', beside what underflows: by the score; by
 * its argument; by log(1 + f) <= f / (1 - f), and as much for storing it. The argument is (s'_j - max s') log2 e: the
 * difference, which may be stored, the constant (two roundings) and the product round, or s'_j log2 e - (max s' log2 e)
 * as one FMA, whose subtrahend is rounded by u S, S the largest score: also where s'_j is the largest, whose
 * exponential is then at least exp(-1/2) (1 - f). A sink's product with log2 e may round before it. A softmax that
 * rescales multiplies by as many
 * exponentials, of how the largest score grew: their arguments add up to no more than the scores are apart; the
 * product's rounding counts elsewhere. */
static double exponent_error(const executed_scores *scores, double rescaled, bool sinks, const step_format *format) {
  const double each = upward_add(step_format_roundings(format, 5.0, 1.0), step_format_gamma(format, 5.0));
  const double products = fmax(0.0, scores->high - scores->low), biases = scores->most_bias - scores->least_bias;
  const double apart = upward_add3(products, biases, ROUNDED_ENDS * scores->score);
  const double subtrahends =
      upward_mul(upward_mul(1.0 + sinks + rescaled, step_format_gamma(format, 2.0)), scores->score);
  const double functions = upward_mul(1.0 + rescaled, upward_inverse(step_format_function(format)));
  const double stored = upward_inverse(step_format_roundings(format, 0.0, 1.0));
  if (!(subtrahends <= 0.5)) return INFINITY;
  return upward_add3(scores->error, upward_add(upward_mul(apart, each), subtrahends), upward_add(functions, stored));
}

/* Half of the interval that column c of the executed values of these keys, and of a sink, lies in, and *size >= |v_jc|.
 * The ends are rounded once each and so is their difference: at most 4 u of the size. */
static double half_range(double *size, const form *v, int c, const attention_keys *keys, bool sinks) {
  double lo = sinks ? 0.0 : INFINITY, hi = sinks ? 0.0 : -INFINITY;
  *size = 0.0;
  for (int k = 0; k < keys->count; k++) {
    const int j = attention_keys_row(keys, k);
    const double center = v->center[(size_t)j * (size_t)v->cols + (size_t)c], spread = form_spread(v, j, c);
    lo = fmin(lo, center - spread);
    hi = fmax(hi, center + spread);
    *size = fmax(*size, upward_add(fabs(center), spread));
  }
  return upward_add(0.5 * (hi - lo), upward_mul(4.0 * UNIT_ROUNDOFF, *size));
}

/* Head h of row i. Let P be the softmax of the exact scores of the executed queries and keys, P' the exactly normalised
 * executed exponentials, whose logarithms are off by at most eta (exponent_error). Along the line between the scores
 * d/dt sum_j P_j v_j is the covariance of v and that error under P, at most the product of their standard deviations,
 * and one of a random variable is at most half of its range (Popoviciu):
 *   |sum_j (P'_j - P_j) v_j| <= eta h,   h half of the range of v_j over j.
 * An exponential that underflows, or one of its R rescalings, is off by tiny; their sum is at least exp(-1/2) (1 - f) -
 * (R + 1) n tiny >= 1/4, as the largest is not rescaled: together sum_j |P'_j - P_j| <= 8 (R + 1) n tiny more, times h.
 * Then the sum of n exponentials and R rescalings of it and of the mean, its reciprocal, a product with
 * it, the product with v_j and the mean's sum, in either order: gamma_{2n+2R+1}; and the sum, its reciprocal and the
 * weights may be stored: three roundings of sum_j P'_j |v_j| <= max |v_j|. Nothing is said where a constant, what
 * scores are divided by or their cap, is not held by the format, nor of shifts. A key
 * that takes no part has the weight exp(-inf) = 0, with which nothing rounds; n counts it all the same, as softmaxes
 * that rescale pass it. A sink is one key more, of a stored score and the value 0. */
static void execute_head(form *out, const step *s, const form *const *in, int i, int h, const step_format *format) {
  const attention_heads *const of = s->of;
  const int g = attention_heads_key_head(of, h);
  const int token = attention_heads_position(of, i);
  const attention_keys attended = attention_heads_listed(of, h, token, in[1]->rows);
  const int keys = attention_heads_keys(of, token, in[1]->rows).count, count = attention_heads_weights(of, keys);
  const bool sinks = of->sink != NULL;
  const double largest_bias = fabs(attention_heads_entry(of->bias, of->span, h, 1 - of->span));
  const double off = of->bias_low != NULL ? slope_error(of, largest_bias, format) : 0.0;
  const double tiny = step_format_tiny(format), rescaled = rescalings(of, keys);
  const double lost = upward_mul(count * (rescaled + 1.0), tiny);
  executed_scores scores = {.low = INFINITY, .high = -INFINITY, .least_bias = INFINITY, .most_bias = -INFINITY};
  for (int k = 0; k < attended.count; k++) {
    const int j = attention_keys_row(&attended, k);
    const executed_biases biases = biases_of(of, h, token, j, largest_bias, off);
    add_score(&scores, of, (executed_head){in[0], i, h * of->head_dim}, (executed_head){in[1], j, g * of->head_dim},
              &biases, format);
  }
  if (sinks) add_sink(&scores, of->sink[h]);
  const double f = upward_compound(step_format_function(format), step_format_roundings(format, 0.0, 1.0));
  const bool held = step_format_holds(format, sqrt(of->divided_by)) &&
                    (of->curve == NULL || step_format_holds(format, of->cap)) && of->shifts == NULL;
  const double eta = held && f <= 0.25 && lost <= 0.125 ? exponent_error(&scores, rescaled, sinks, format) : INFINITY;
  const double relative = step_format_roundings(format, 2.0 * count + 2.0 * rescaled + 1.0, 3.0);
  for (int c = 0; c < of->value_dim; c++) {
    double size;
    const double half = half_range(&size, in[2], g * of->value_dim + c, &attended, sinks);
    const double moved = upward_mul(upward_add(eta, upward_mul(8.0, lost)), half);
    const double below = upward_mul(upward_mul(4.0 * count + 2.0 * rescaled + 4.0, tiny), upward_add(1.0, size));
    const double met = upward_mul(2.0 * count, upward_add(1.0, size));
    const double error = upward_add3(moved, upward_mul(relative, size), below);
    const double most = scores.met <= met ? met : scores.met;
    step_execution_add(out, i, h * of->value_dim + c, error, step_execution_keep(most, 2.0 * count, format), format);
  }
}

attcert_status step_attention_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err) {
  const attention_heads *const of = s->of;
  (void)symbols;
  (void)err;
  for (int i = 0; i < out->rows; i++) {
    for (int h = 0; h < of->heads; h++) execute_head(out, s, in, i, h, format);
  }
  return ATTCERT_OK;
}
