#include "network_oracle.h"

#include "arb_curve.h"
#include "arb_head.h"
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

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const slong bits = NETWORK_ORACLE_BITS;

static void affine(arb_mat_t y, const affine_weights *w, const arb_mat_t x) {
  arb_t term;
  arb_init(term);
  for (slong i = 0; i < arb_mat_nrows(y); i++) {
    for (slong c = 0; c < arb_mat_ncols(y); c++) {
      arb_set_d(arb_mat_entry(y, i, c), w->bias != NULL ? w->bias[c] : 0.0);
      for (slong a = 0; a < arb_mat_ncols(x); a++) {
        arb_set_d(term, w->weight[c * arb_mat_ncols(x) + a]);
        arb_addmul(arb_mat_entry(y, i, c), term, arb_mat_entry(x, i, a), bits);
      }
    }
  }
  arb_clear(term);
}

static void layernorm(arb_mat_t y, const layernorm_weights *w, const arb_mat_t x) {
  const slong d = arb_mat_ncols(x);
  arb_t mean, variance, c;
  arb_init(mean);
  arb_init(variance);
  arb_init(c);
  for (slong i = 0; i < arb_mat_nrows(x); i++) {
    arb_zero(mean);
    arb_zero(variance);
    for (slong a = 0; a < d; a++) arb_add(mean, mean, arb_mat_entry(x, i, a), bits);
    arb_div_si(mean, mean, d, bits);
    for (slong a = 0; a < d; a++) {
      arb_sub(c, arb_mat_entry(x, i, a), mean, bits);
      arb_addmul(variance, c, c, bits);
    }
    arb_div_si(variance, variance, d, bits);
    arb_set_d(c, w->epsilon);
    arb_add(variance, variance, c, bits);
    arb_rsqrt(variance, variance, bits);
    for (slong a = 0; a < d; a++) {
      arb_sub(c, arb_mat_entry(x, i, a), mean, bits);
      arb_mul(c, c, variance, bits);
      arb_set_d(arb_mat_entry(y, i, a), w->gain[a]);
      arb_mul(c, c, arb_mat_entry(y, i, a), bits);
      arb_set_d(arb_mat_entry(y, i, a), w->bias[a]);
      arb_add(arb_mat_entry(y, i, a), arb_mat_entry(y, i, a), c, bits);
    }
  }
  arb_clear(mean);
  arb_clear(variance);
  arb_clear(c);
}

static void rmsnorm(arb_mat_t y, const rmsnorm_weights *w, const arb_mat_t x) {
  const slong d = arb_mat_ncols(x) / w->parts;
  arb_t square, t;
  arb_init(square);
  arb_init(t);
  for (slong k = 0; k < arb_mat_nrows(x) * w->parts; k++) {
    const slong i = k / w->parts, first = k % w->parts * d;
    arb_zero(square);
    for (slong a = first; a < first + d; a++) arb_addmul(square, arb_mat_entry(x, i, a), arb_mat_entry(x, i, a), bits);
    arb_div_si(square, square, d, bits);
    arb_set_d(t, w->epsilon);
    arb_add(square, square, t, bits);
    arb_rsqrt(square, square, bits);
    for (slong a = first; a < first + d; a++) {
      arb_set_d(t, w->gain[a]);
      arb_mul(t, t, arb_mat_entry(x, i, a), bits);
      arb_mul(arb_mat_entry(y, i, a), t, square, bits);
    }
  }
  arb_clear(square);
  arb_clear(t);
}

static void activation(arb_mat_t y, const range_curve *curve, const arb_mat_t x) {
  for (slong i = 0; i < arb_mat_nrows(x); i++) {
    for (slong a = 0; a < arb_mat_ncols(x); a++)
      arb_curve_value(arb_mat_entry(y, i, a), curve, arb_mat_entry(x, i, a), bits);
  }
}

/* score += z . the shift of head h, offset j - token. */
static void add_shift(arb_t score, const double *high, const double *low, const attention_heads *of, slong h,
                      slong offset, const arb_mat_t z, slong row, slong first) {
  if (high == NULL) return;
  arb_t term, rest;
  arb_init(term);
  arb_init(rest);
  for (slong c = 0; c < of->head_dim; c++) {
    const slong at = ((offset + of->span - 1) * of->heads + h) * of->head_dim + c;
    arb_set_d(term, high[at]);
    arb_set_d(rest, low[at]);
    arb_add(term, term, rest, bits);
    arb_addmul(score, term, arb_mat_entry(z, row, first + c), bits);
  }
  arb_clear(term);
  arb_clear(rest);
}

/* Number (h, i, j) of a mask or bias of so many heads. */
static slong pair_of(const attention_pairs *pairs, slong count, slong h, slong i, slong j) {
  return ((count == 1 ? 0 : h) * pairs->rows + i) * pairs->keys + j;
}

/* Head h of row i of y. pairs: NULL, or what was asked for, whatever the step made of it. */
static void attend(arb_mat_t y, slong i, slong token, slong h, const attention_heads *of, const attention_pairs *pairs,
                   arb_mat_t *const *x) {
  const slong g = h * of->key_heads / of->heads, dim = of->head_dim, first = h * of->value_dim;
  arb_t score, sum, root, cap, term;
  arb_init(term);
  arb_init(score);
  arb_init(sum);
  arb_init(root);
  arb_init(cap);
  arb_set_d(root, of->divided_by);
  arb_rsqrt(root, root, bits);
  arb_set_d(cap, of->cap);
  for (slong j = 0; j < arb_mat_nrows(*x[1]); j++) {
    if (token - j > of->before || j - token > of->after) continue;
    if (pairs != NULL && pairs->masks > 0 && !pairs->mask[pair_of(pairs, pairs->masks, h, token, j)]) continue;
    const double added =
        pairs != NULL && pairs->biases > 0 ? pairs->bias[pair_of(pairs, pairs->biases, h, token, j)] : 0.0;
    if (added == -INFINITY) continue;
    arb_zero(score);
    for (slong c = 0; c < dim; c++)
      arb_addmul(score, arb_mat_entry(*x[0], i, h * dim + c), arb_mat_entry(*x[1], j, g * dim + c), bits);
    const attention_shifts none = {0}, *const shifts = of->shifts != NULL ? of->shifts : &none;
    add_shift(score, shifts->key, shifts->key_low, of, h, j - token, *x[0], i, h * dim);
    add_shift(score, shifts->query, shifts->query_low, of, h, j - token, *x[1], j, g * dim);
    arb_mul(score, score, root, bits);
    if (of->curve != NULL) {
      arb_div(score, score, cap, bits);
      arb_curve_value(score, of->curve, score, bits);
      arb_mul(score, score, cap, bits);
    }
    if (of->bias != NULL) {
      arb_set_d(term, of->bias[h * (2 * of->span - 1) + j - token + of->span - 1]);
      arb_add(score, score, term, bits);
    }
    arb_set_d(term, added);
    arb_add(score, score, term, bits);
    arb_exp(score, score, bits);
    arb_add(sum, sum, score, bits);
    for (slong c = 0; c < of->value_dim; c++)
      arb_addmul(arb_mat_entry(y, i, first + c), score, arb_mat_entry(*x[2], j, g * of->value_dim + c), bits);
  }
  if (of->sink != NULL) {
    arb_set_d(term, of->sink[h]);
    arb_exp(term, term, bits);
    arb_add(sum, sum, term, bits);
  }
  for (slong c = first; c < first + of->value_dim; c++)
    arb_div(arb_mat_entry(y, i, c), arb_mat_entry(y, i, c), sum, bits);
  arb_clear(term);
  arb_clear(cap);
  arb_clear(score);
  arb_clear(sum);
  arb_clear(root);
}

static void attention(arb_mat_t y, const step *s, const attention_pairs *pairs, arb_mat_t *const *x) {
  const attention_heads *const of = s->of;
  for (slong i = 0; i < s->rows; i++) {
    const slong token = of->token >= 0 ? of->token : i;
    for (slong h = 0; h < of->heads; h++) attend(y, i, token, h, of, pairs, x);
  }
}

/* dim log(length / (2 pi turns)) / (2 log base). */
static void pair_of_turns(arb_t x, const rotary_rule *rule, double turns) {
  arb_t t;
  arb_init(t);
  arb_set_d(x, rule->scaling.length);
  arb_set_d(t, turns);
  arb_div(x, x, t, bits);
  arb_const_pi(t, bits);
  arb_div(x, x, t, bits);
  arb_mul_2exp_si(x, x, -1);
  arb_log(x, x, bits);
  arb_set_d(t, rule->base);
  arb_log(t, t, bits);
  arb_div(x, x, t, bits);
  arb_mul_si(x, x, rule->dim, bits);
  arb_mul_2exp_si(x, x, -1);
  arb_clear(t);
}

/* As YaRN's code has it: 1 - min(1, max(0, (m - first) / (last - first))). */
static void share_of_pair(arb_t share, const rotary_rule *rule, slong m) {
  arb_t first, last, t;
  arb_init(first);
  arb_init(last);
  arb_init(t);
  pair_of_turns(first, rule, rule->scaling.high);
  pair_of_turns(last, rule, rule->scaling.low);
  if (rule->scaling.whole) {
    arb_floor(first, first, bits);
    arb_ceil(last, last, bits);
  }
  arb_max(first, first, t, bits);
  arb_set_si(t, rule->dim - 1);
  arb_min(last, last, t, bits);
  arb_sub(last, last, first, bits);
  if (arb_is_zero(last)) {
    arb_one(last);
    arb_div_si(last, last, 1000, bits);
  }
  arb_set_si(share, m);
  arb_sub(share, share, first, bits);
  arb_div(share, share, last, bits);
  arb_zero(t);
  arb_max(share, share, t, bits);
  arb_one(t);
  arb_min(share, share, t, bits);
  arb_sub(share, t, share, bits);
  arb_clear(first);
  arb_clear(last);
  arb_clear(t);
}

/* sqrt(1 + log(extent / length) / log length), or 1 where nothing is extended. */
static void longrope_amplitude(arb_t amplitude, const rotary_scaling *of) {
  arb_t t;
  arb_one(amplitude);
  if (of->extent <= of->length) return;
  arb_init(t);
  arb_set_d(amplitude, of->extent);
  arb_set_d(t, of->length);
  arb_div(amplitude, amplitude, t, bits);
  arb_log(amplitude, amplitude, bits);
  arb_log(t, t, bits);
  arb_div(amplitude, amplitude, t, bits);
  arb_add_si(amplitude, amplitude, 1, bits);
  arb_sqrt(amplitude, amplitude, bits);
  arb_clear(t);
}

static void yarn_amplitude(arb_t amplitude, const rotary_scaling *of) {
  arb_set_d(amplitude, of->factor);
  arb_log(amplitude, amplitude, bits);
  arb_div_si(amplitude, amplitude, 10, bits);
  if (of->slope > 0.0) {
    arb_t slope;
    arb_init(slope);
    arb_set_d(slope, of->slope);
    arb_mul(amplitude, amplitude, slope, bits);
    arb_clear(slope);
  }
  arb_add_si(amplitude, amplitude, 1, bits);
}

/* What YaRN and LongRoPE multiply by. */
static void amplify(arb_t cosine, arb_t sine, const rotary_scaling *of) {
  arb_t amplitude;
  if (!of->by_pair && of->divisor == NULL) return;
  arb_init(amplitude);
  if (of->amplitude > 0.0)
    arb_set_d(amplitude, of->amplitude);
  else if (of->by_pair)
    yarn_amplitude(amplitude, of);
  else
    longrope_amplitude(amplitude, of);
  arb_mul(cosine, cosine, amplitude, bits);
  arb_mul(sine, sine, amplitude, bits);
  arb_clear(amplitude);
}

/* f becomes f ((1 - s) / factor + s), s = (length f / (2 pi) - low) / (high - low) within 0 and 1, or pair m's; or f
 * over the pair's divisor. */
static void slow_down(arb_t f, const rotary_rule *rule, slong m) {
  const rotary_scaling *const of = &rule->scaling;
  arb_t share, rest, t;
  arb_init(share);
  arb_init(rest);
  arb_init(t);
  if (of->divisor != NULL) {
    arb_set_d(t, of->divisor[m]);
    arb_div(f, f, t, bits);
    arb_one(share);
  } else if (of->by_pair) {
    share_of_pair(share, rule, m);
  } else if (of->high > 0.0) {
    arb_set_d(t, 0.5 * of->length);
    arb_mul(share, f, t, bits);
    arb_const_pi(t, bits);
    arb_div(share, share, t, bits);
    arb_set_d(t, of->low);
    arb_sub(share, share, t, bits);
    arb_set_d(rest, of->high);
    arb_sub(rest, rest, t, bits);
    arb_div(share, share, rest, bits);
    arb_zero(t);
    arb_max(share, share, t, bits);
    arb_one(t);
    arb_min(share, share, t, bits);
  }
  arb_one(rest);
  arb_sub(rest, rest, share, bits);
  arb_set_d(t, of->factor);
  arb_div(rest, rest, t, bits);
  arb_add(rest, rest, share, bits);
  arb_mul(f, f, rest, bits);
  arb_clear(share);
  arb_clear(rest);
  arb_clear(t);
}

/* The complex number of each pair times exp(i a), a = position times the slowed base^(-2 m / dim). */
static void rotary(arb_mat_t y, const step *s, const arb_mat_t x) {
  const rotary_heads *const of = s->of;
  const slong dim = of->rule.dim;
  arb_t a, cosine, sine, exponent;
  arb_init(a);
  arb_init(cosine);
  arb_init(sine);
  arb_init(exponent);
  arb_mat_set(y, x);
  for (slong i = 0; i < s->rows; i++) {
    for (slong c = 0; c < s->cols; c++) {
      const slong at = c % of->head_dim;
      if (at >= dim && at < dim + of->rule.still) {
        arb_one(cosine);
        amplify(cosine, sine, &of->rule.scaling);
        arb_mul(arb_mat_entry(y, i, c), arb_mat_entry(x, i, c), cosine, bits);
      }
      const bool halves = of->pairing == ROTARY_HALVES;
      const slong m = halves ? at : at / 2, other = halves ? c + dim / 2 : c + 1;
      if (halves ? at >= dim / 2 : at >= dim || at % 2 == 1) continue;
      arb_set_d(a, of->rule.base);
      arb_set_si(exponent, -2 * m);
      arb_div_si(exponent, exponent, dim, bits);
      arb_pow(a, a, exponent, bits);
      slow_down(a, &of->rule, m);
      arb_mul_si(a, a, of->token >= 0 ? of->token : i, bits);
      arb_sin_cos(sine, cosine, a, bits);
      amplify(cosine, sine, &of->rule.scaling);
      arb_mul(arb_mat_entry(y, i, c), arb_mat_entry(x, i, c), cosine, bits);
      arb_submul(arb_mat_entry(y, i, c), arb_mat_entry(x, i, other), sine, bits);
      arb_mul(arb_mat_entry(y, i, other), arb_mat_entry(x, i, other), cosine, bits);
      arb_addmul(arb_mat_entry(y, i, other), arb_mat_entry(x, i, c), sine, bits);
    }
  }
  arb_clear(a);
  arb_clear(cosine);
  arb_clear(sine);
  arb_clear(exponent);
}

static void arrange(arb_mat_t y, const step_arrangement *of, const arb_mat_t x) {
  const slong cols = arb_mat_ncols(x);
  for (slong i = 0; i < of->rows; i++) {
    for (slong c = 0; c < of->cols; c++) {
      const slong at = i * of->cols + c, from = of->from[at];
      if (from >= 0)
        arb_set(arb_mat_entry(y, i, c), arb_mat_entry(x, from / cols, from % cols));
      else
        arb_set_d(arb_mat_entry(y, i, c), of->constant != NULL ? of->constant[at] : 0.0);
    }
  }
}

/* Column by column: (x - mean) / sqrt(variance + epsilon) weight + bias. */
static void batchnorm(arb_mat_t y, const step_batchnorm_parameters *of, const arb_mat_t x) {
  arb_t root, t;
  arb_init(root);
  arb_init(t);
  for (slong c = 0; c < of->cols; c++) {
    arb_set_d(root, of->variance[c]);
    arb_set_d(t, of->epsilon);
    arb_add(root, root, t, bits);
    arb_sqrt(root, root, bits);
    for (slong i = 0; i < arb_mat_nrows(x); i++) {
      arb_ptr entry = arb_mat_entry(y, i, c);
      arb_set_d(t, of->mean[c]);
      arb_sub(entry, arb_mat_entry(x, i, c), t, bits);
      arb_div(entry, entry, root, bits);
      arb_set_d(t, of->weight != NULL ? of->weight[c] : 1.0);
      arb_mul(entry, entry, t, bits);
      arb_set_d(t, of->bias != NULL ? of->bias[c] : 0.0);
      arb_add(entry, entry, t, bits);
    }
  }
  arb_clear(root);
  arb_clear(t);
}

static void evaluate(arb_mat_t y, const step *s, const attention_pairs *pairs, arb_mat_t *const *x) {
  if (s->kind == &step_affine) {
    affine(y, s->of, *x[0]);
  } else if (s->kind == &step_layernorm) {
    layernorm(y, s->of, *x[0]);
  } else if (s->kind == &step_rmsnorm) {
    rmsnorm(y, s->of, *x[0]);
  } else if (s->kind == &step_arrange) {
    arrange(y, s->of, *x[0]);
  } else if (s->kind == &step_batchnorm) {
    batchnorm(y, s->of, *x[0]);
  } else if (s->kind == &step_activation) {
    activation(y, s->of, *x[0]);
  } else if (s->kind == &step_attention) {
    attention(y, s, pairs, x);
  } else if (s->kind == &step_rotary) {
    rotary(y, s, *x[0]);
  } else if (s->kind == &step_product) {
    for (slong k = 0; k < s->rows * s->cols; k++)
      arb_mul(arb_mat_entry(y, k / s->cols, k % s->cols), arb_mat_entry(*x[0], k / s->cols, k % s->cols),
              arb_mat_entry(*x[1], k / s->cols, k % s->cols), bits);
  } else if (s->kind == &step_scale) {
    arb_t factor;
    arb_init(factor);
    for (slong k = 0; k < s->rows * s->cols; k++) {
      arb_set_d(factor, ((const scale_weights *)s->of)->factor[k % s->cols]);
      arb_mul(arb_mat_entry(y, k / s->cols, k % s->cols), factor, arb_mat_entry(*x[0], k / s->cols, k % s->cols), bits);
    }
    arb_clear(factor);
  } else if (s->kind == &step_sum) {
    arb_mat_add(y, *x[0], *x[1], bits);
  } else if (s->kind == &step_join) {
    const slong cols = arb_mat_ncols(*x[0]);
    for (slong k = 0; k < s->rows * s->cols; k++) {
      const slong i = k / s->cols, c = k % s->cols;
      arb_set(arb_mat_entry(y, i, c), c < cols ? arb_mat_entry(*x[0], i, c) : arb_mat_entry(*x[1], i, c - cols));
    }
  } else if (s->kind == &step_mean) {
    const slong first = *(const int *)s->of, rows = arb_mat_nrows(*x[0]);
    for (slong c = 0; c < s->cols; c++) {
      for (slong i = first; i < rows; i++)
        arb_add(arb_mat_entry(y, 0, c), arb_mat_entry(y, 0, c), arb_mat_entry(*x[0], i, c), bits);
      arb_div_si(arb_mat_entry(y, 0, c), arb_mat_entry(y, 0, c), rows - first, bits);
    }
  } else {
    assert_ptr_equal(s->kind, &step_select);
    for (slong c = 0; c < s->cols; c++) arb_set(arb_mat_entry(y, 0, c), arb_mat_entry(*x[0], *(const int *)s->of, c));
  }
}

void network_values_init(network_values *v, const network_steps *network, const attcert_matrix *x) {
  network_values_init_paired(v, network, NULL, x);
}

void network_values_init_paired(network_values *v, const network_steps *network, const attention_pairs *pairs,
                                const attcert_matrix *x) {
  v->count = network->count + 1;
  v->value = calloc((size_t)v->count, sizeof *v->value);
  assert_non_null(v->value);
  arb_mat_init(v->value[0], x->rows, x->cols);
  arb_mat_set_doubles(v->value[0], x->data);
  for (int k = 0; k < network->count; k++) {
    const step *const s = &network->step[k];
    arb_mat_t *in[STEP_MAX_INPUTS];
    for (int i = 0; i < s->inputs; i++) in[i] = &v->value[s->input[i]];
    arb_mat_init(v->value[k + 1], s->rows, s->cols);
    evaluate(v->value[k + 1], s, pairs, in);
  }
}

void network_values_clear(network_values *v) {
  for (int k = 0; k < v->count; k++) arb_mat_clear(v->value[k]);
  free(v->value);
}
