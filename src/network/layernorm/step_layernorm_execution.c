/* What executing LayerNorm adds, in whichever of the ways its moments are computed (step_execution.h): how much the
 * mean is off, and the largest factor by which the reciprocal of the root s is. Nothing is stored inside. */
#include "base/arrays.h"
#include "linalg/rounding/upward.h"
#include "network/layernorm/step_layernorm.h"
#include "network/step_normalize.h"

#include <math.h>

/* Merges of parts on an entry's way that add a larger part to a smaller one, or weigh both means: in PyTorch one a
 * level of a tree, and a part is what one of at least four lanes sums. */
enum { OTHER_MERGES = 8, LANES = 4 };
static const double ADDED = 2.4143; /* at least 1 + sqrt(OTHER_MERGES / LANES) */

/* A row of an executed input x, mean m, c = x - m, s = sqrt(||c||^2 / d + epsilon); upper bounds but for root and
 * least, lower ones. */
typedef struct {
  double *size, *centered, *off; /* [d]: |x_c|; |c_c|; how much the executed c_c is off beside the mean's error */
  double mean, mean_size;        /* |m|; mean |x| */
  double deviation;              /* ||c|| / sqrt(d) */
  double least, root;            /* of ||c||; of s */
  double mean_error;             /* of the executed mean */
  double inverse_error;          /* relative, of the executed 1 / s */
  double met;
} executed_row;

static double larger(double a, double b) {
  return isnan(a) || a >= b ? a : b; /* or NaN */
}

/* The exact mean of the center is within gamma_{d+1} mean |center| of the computed one, m0, and so
 * ||c|| >= ||center - m0|| - sqrt(d) |m - m0| at the center; centering shrinks what is added to it (a projection).
 * |c_c| <= |center_c - m0| + |m - m0| + spread_c + mean spread, and at most |x_c| + mean |x|. */
static void measure_row(executed_row *r, const form *in, int i, const form_norm *norm) {
  const int d = in->cols;
  const size_t at = (size_t)i * (size_t)d;
  const double *const center = in->center + at;
  double sum = 0.0, sizes = 0.0, spreads = 0.0, squares = 0.0;
  for (int c = 0; c < d; c++) {
    r->size[c] = step_execution_size(in, i, c);
    sum += center[c];
    sizes += r->size[c];
    spreads += form_spread(in, i, c);
  }
  const double middle = sum / d, spread = round_up_nonnegative(spreads / d, d);
  r->mean_size = round_up_nonnegative(sizes / d, d);
  const double missed = upward_mul(gamma_upper(d + 1.0), r->mean_size);
  const double mean = upward_add3(fabs(middle), missed, spread);
  r->mean = mean < r->mean_size ? mean : r->mean_size;
  for (int c = 0; c < d; c++) {
    const double from_middle = fabs(center[c] - middle), either = upward_add(r->size[c], r->mean_size);
    squares += from_middle * from_middle;
    const double near = round_up_nonnegative(from_middle + missed + form_spread(in, i, c) + spread, 4.0);
    r->centered[c] = near < either ? near : either;
  }
  const double away = round_up_nonnegative(norm->input + norm->other + norm_upper(in->radius + at, (size_t)d), 2.0);
  const double lost = upward_add(away, round_up_nonnegative(missed * sqrt(d), 2.0));
  const double length = sqrt(squares) * (1.0 - gamma_upper(d + 6.0)); /* d squares, each off by three roundings */
  r->least = length > 0x1p-400 && length > lost ? (length - lost) * (1.0 - 2.0 * UNIT_ROUNDOFF) : 0.0;
  const double most = upward_add(round_up_nonnegative(sqrt(squares) + 0x1p-500, d + 6.0), lost);
  const double entries = norm_upper(r->centered, (size_t)d);
  r->deviation = round_up_nonnegative((most < entries ? most : entries) / sqrt(d), 2.0);
}

/* ---- the mean and the root --------------------------------------------------------------------------------------- */

/* Of either way of finding the moments. */
static void take_root(executed_row *r, int d, double tau, double theta, const step_format *format) {
  r->inverse_error = larger(r->inverse_error, step_normalize_inverse(r->root, d, tau, theta, format));
}

/* The mean of squares less the square of the mean, which is a sum over d and off by a. With S = m^2 + ||c||^2 / d the
 * mean of squares is off by gamma_{d+2} S, the other square by 2 |m| a + a^2 and three roundings, and their difference
 * rounds; a negative one may become 0. a = gamma_{d+2} mean |x|. (Chan, Golub and LeVeque, Algorithms for computing the
 * sample variance, 1983: d u S / s^2, to first order.) */
static void subtract_squares(executed_row *r, int d, const step_format *format) {
  const double of_mean_size = upward_mul(step_format_gamma(format, d + 2.0), r->mean_size);
  const double a = upward_add(of_mean_size, 4.0 * format->compute.tiny);
  const double size = upward_add(r->mean, a), variance = upward_mul(r->deviation, r->deviation);
  const double whole = upward_add(upward_mul(r->mean, r->mean), variance);
  const double of_mean = upward_mul(a, upward_add(2.0 * r->mean, a));
  const double of_square = upward_mul(step_format_gamma(format, 3.0), upward_mul(size, size));
  const double off = upward_add3(upward_mul(step_format_gamma(format, d + 2.0), whole), of_mean, of_square);
  const double all =
      upward_compound(upward_div(off, r->root * r->root * (1.0 - 4.0 * UNIT_ROUNDOFF)), step_format_gamma(format, 4.0));
  take_root(r, d, 0.0, upward_mul(all, upward_add(1.0, format->compute.unit)), format);
}

/* Updates, merges, and the squares of the centered row, a part that is all of it: a node of a binary tree has the mean
 * of its n = n_A + n_B entries from those of its children, m_A + (m_B - m_A) n_B / n, of an entry alone (B) or of two
 * parts; their M = sum of squares around the mean from M_A + M_B + (m_B - m_A)^2 n_A n_B / n, or by (x - m_A) (x - m).
 *
 * Let e_v be what the roundings of node v add to its mean. The computed means are the exact ones of the entries x_i +
 * p_i, p_i = sum over the nodes v above i of e_v, as a shift of all entries of v moves its mean and nothing else in it;
 * and the terms of M, without their own roundings, add up to the squares of those entries around their mean. So the
 * mean is off by |mean p| <= q, and ||c|| by ||p|| <= sqrt(d) q, where sqrt(d) q bounds the norm of the sums of |e_v|.
 * |e_v| <= u |m_v| + gamma_4 |m_B - m_A| n_B / n, of computed means. Over the D <= d nodes above an entry, by Cauchy
 * and Schwarz (and Jensen):
 *   sum_i (sum_v |m_v|)^2 <= D sum_v n_v m_v^2 <= D^2 d (|m| + ||c|| / sqrt(d) + q)^2,
 *   sum_i (sum_v |m_B - m_A| n_B / n_v)^2 <= D sum_v (n_A n_B / n_v) (m_B - m_A)^2 n_B / n_A,
 * in which the terms without n_B / n_A add up to the squares, (||c|| + sqrt(d) q)^2; n_B <= n_A, but for at most
 * OTHER_MERGES nodes on a way, where n_B / n_A <= d / LANES:
 *   |m| + l and l, l = ||c|| / sqrt(d), times
 *   alpha = gamma_{d+3},  beta = gamma_4 sqrt(d) (1 + sqrt(OTHER_MERGES / LANES)).
 * Or these nodes weigh the means, (n_A m_A + n_B m_B) / n: off by gamma_5 |m_v| and gamma_7 |m_B - m_A| n_A n_B / n^2,
 *   alpha = gamma_{d+3} + OTHER_MERGES gamma_5,  beta = gamma_4 sqrt(d) + gamma_7 sqrt(OTHER_MERGES) / 2.
 * A part whose mean is the sum of its b entries over b counts as b + 2 nodes, gamma_{b+2} of its mean |x|. With either
 *   q (1 - alpha - beta) <= alpha (|m| + l) + beta l + 4 d tiny.
 *
 * M: its terms take eight roundings, at most d additions, then d and epsilon, and where the mean's addition is off
 * inside (x - m_A) (x - m) four more: gamma_{d+16}; for the rest of that, by Cauchy and Schwarz again, u (l + q)
 * (sqrt(2) |m| + sqrt(d) (l + q)) of M / d; squares around a sum's mean, q^2. (Chan, Golub and LeVeque: d u sqrt(S) /
 * s, to first order.) */
static double means_error(const executed_row *r, int d, double alpha, double beta, const step_format *format) {
  const double of_rows =
      upward_add(upward_mul(alpha, upward_add(r->mean, r->deviation)), upward_mul(beta, r->deviation));
  const double means = upward_add(of_rows, 4.0 * d * format->compute.tiny);
  return upward_mul(means, upward_add(1.0, upward_inverse(upward_add(alpha, beta))));
}

static void update(executed_row *r, int d, const step_format *format) {
  const double length = round_up_nonnegative(sqrt(d), 1.0), gamma = step_format_gamma(format, d + 3.0);
  const double differences = upward_mul(length, step_format_gamma(format, 4.0));
  const double weighed = round_up_nonnegative(0.5 * sqrt(OTHER_MERGES) * step_format_gamma(format, 7.0), 3.0);
  const double added = means_error(r, d, gamma, upward_mul(ADDED, differences), format);
  const double averaged = means_error(r, d, upward_add(gamma, upward_mul(OTHER_MERGES, step_format_gamma(format, 5.0))),
                                      upward_add(differences, weighed), format);
  const double q = larger(added, averaged);
  const double tau = upward_div(q, r->root), whole = upward_add(r->deviation, q);
  const double products =
      upward_mul(1.5 * format->compute.unit, upward_mul(whole, upward_add(r->mean, upward_mul(length, whole))));
  const double square = r->root * r->root * (1.0 - 4.0 * UNIT_ROUNDOFF);
  const double shrunk = upward_add(1.0, upward_inverse(tau)); /* theta is relative to the root that is off by tau */
  const double rest =
      upward_mul(upward_div(upward_add(products, upward_mul(q, q)), square), upward_mul(shrunk, shrunk));
  r->mean_error = q;
  take_root(r, d, tau, upward_compound(step_format_gamma(format, d + 16.0), rest), format);
}

/* A centered entry is x_c - m less the mean's error within off_c = gamma_2 (|x_c| + |m| + q), whether it is rounded
 * once, or x_c and m are divided by s first. */
static void bound_moments(executed_row *r, int d, double epsilon, const step_format *format) {
  const double square = r->least > 0x1p-400 ? r->least * r->least / d : 0.0, gamma = step_format_gamma(format, 2.0);
  r->root = sqrt(square + epsilon) * (1.0 - 8.0 * UNIT_ROUNDOFF);
  r->inverse_error = 0.0;
  subtract_squares(r, d, format);
  update(r, d, format);
  for (int c = 0; c < d; c++) {
    const double sizes = upward_add3(r->size[c], r->mean, r->mean_error);
    r->off[c] = upward_add(upward_mul(gamma, sizes), 2.0 * format->compute.tiny);
  }
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

/* Sums are enlarged by less than 2: of |x|, of squares, which merges multiply by n_A n_B <= d^2 / 4 and means' squares
 * by 4; and what is divided by s. */
static void meet(executed_row *r, int d) {
  double squares = 0.0, longest = 0.0;
  for (int c = 0; c < d; c++) {
    const double size = upward_add3(r->size[c], r->off[c], r->mean_error);
    squares += size * size;
    if (!(r->size[c] <= longest)) longest = r->size[c];
  }
  const double sum = round_up_nonnegative(2.0 * d * r->mean_size, 1.0);
  const double quotient = upward_mul(4.0, upward_div(upward_add3(longest, r->mean_size, 1.0), r->root));
  r->met = upward_mul(4.0 * d * d, round_up_nonnegative(squares, 2.0 * d));
  if (!(sum <= r->met)) r->met = sum;
  if (!(quotient <= r->met)) r->met = quotient;
}

static attcert_status execute_row(form *out, const layernorm_weights *w, const form *in, int i, executed_row *r,
                                  const form_symbols *symbols, const step_format *format, attcert_error *err) {
  const form_row *const row = &in->row[i];
  const size_t at = (size_t)i * (size_t)in->cols;
  form_norm norm;
  const attcert_status status =
      form_norm_of(&norm, row->linear, in->cols, &row->layout, in->support + at, symbols, err);
  if (status != ATTCERT_OK) return status;
  measure_row(r, in, i, &norm);
  bound_moments(r, in->cols, w->epsilon, format);
  meet(r, in->cols);
  for (int c = 0; c < in->cols; c++) {
    const step_normalized z = {
        r->centered[c], upward_add(r->off[c], r->mean_error), r->root, r->inverse_error, r->met, 0.0};
    step_normalize_execute(out, i, c, in->cols, w->gain[c], w->bias[c], &z, format);
  }
  return ATTCERT_OK;
}

attcert_status step_layernorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err) {
  const size_t d = (size_t)out->cols;
  executed_row r = {0};
  const array_table table = {{ARRAY(r.size, d), ARRAY(r.centered, d), ARRAY(r.off, d)}};
  attcert_status status = array_table_allocate(&table, err, "an executed row of %d numbers", out->cols);
  for (int i = 0; i < out->rows && status == ATTCERT_OK; i++)
    status = execute_row(out, s->of, in[0], i, &r, symbols, format, err);
  if (r.size != NULL) array_table_release(&table);
  return status;
}
