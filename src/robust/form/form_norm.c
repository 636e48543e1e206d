/* Norm of what the symbols add to a vector, ||A eta||_2.
 *
 * Perturbation: ||A_in eps|| <= r ||A_in A_in^T||^(1/2). Other symbols, for any weights s > 0:
 *   ||sum_k a_k eta_k|| <= ||A diag(s)||_2 ||(eta_k / s_k)_k||_2,
 * the second factor at most (sum_k (bound_k / s_k)^2)^(1/2), or radius / s for a segment with a bounded norm and equal
 * weights: an ellipsoid around the zonotope. With s_k^2 = bound_k / ||a_k|| both factors are the same size in every
 * symbol; any other weights hold too, so their roundings do not matter. Segments whose sum of |eta_k| is bounded may
 * stand beside the ellipsoid instead: ||sum_k a_k eta_k|| <= sum max_k ||a_k||, as a ball of that kind is the hull of
 * its vertices. The smallest of these and the norm of the entries' own supports is taken.
 *
 * A column whose squares underflow to 0 has weight 0: its entries are below 2^-537, and fewer than 2^30 of them times
 * bounds of at most 2^300 stay below UNDERFLOWN, which is added.
 *
 * The weights round each entry once more. */
#include "base/arrays.h"
#include "linalg/norm/gram_norm.h"
#include "linalg/rounding/rounding.h"
#include "robust/form/form.h"

#include <stdlib.h>
#include <string.h>

#define UNDERFLOWN 0x1p-190

/* *norm >= ||A||_2 of rows x columns doubles, each within two roundings of the matrix that is meant. */
static attcert_status spectral_norm(double *norm, const double *a, int rows, int columns, attcert_error *err) {
  *norm = 0.0;
  return columns == 0 ? ATTCERT_OK : gram_norm_upper(norm, a, rows, columns, 2.0, err);
}

/* out (rows x width) = width columns of a from column `first`, of `columns`. */
static void take_columns(double *out, const double *a, int rows, int columns, int first, int width) {
  for (size_t c = 0; c < (size_t)rows; c++)
    memcpy(out + c * (size_t)width, a + c * (size_t)columns + (size_t)first, (size_t)width * sizeof *out);
}

/* squares[k] = the square of column k's norm: an estimate, for weights. */
static void column_squares(double *squares, const double *a, int rows, int width) {
  memset(squares, 0, (size_t)width * sizeof *squares);
  for (size_t c = 0; c < (size_t)rows; c++) {
    for (int k = 0; k < width; k++) squares[k] += a[c * (size_t)width + (size_t)k] * a[c * (size_t)width + (size_t)k];
  }
}

/* Weights of a segment's columns, into weight[width]; weight 0: the column adds nothing. Returns a bound of
 * ||(eta_k / s_k)||^2. */
static double set_weights(double *weight, const double *squares, const form_segment *segment) {
  double by_entries = 0.0, total = 0.0;
  for (int k = 0; k < segment->width; k++) total += squares[k];
  const double uniform = sqrt(segment->radius / sqrt(total > 0.0 ? total : 1.0));
  const double by_norm = total > 0.0 && isfinite(uniform) && uniform > 0.0
                             ? round_up_nonnegative(segment->radius / uniform * (segment->radius / uniform), 3.0)
                             : INFINITY;
  for (int k = 0; segment->bound != NULL && k < segment->width; k++) {
    const double bound = segment->bound[k];
    weight[k] = squares[k] > 0.0 && bound > 0.0 ? sqrt(bound / sqrt(squares[k])) : 0.0;
    if (weight[k] > 0.0) by_entries += bound / weight[k] * (bound / weight[k]);
  }
  if (segment->bound != NULL && !(by_norm * total * uniform * uniform < by_entries * by_entries))
    return round_up_nonnegative(by_entries, segment->width + 3.0);
  for (int k = 0; k < segment->width; k++) weight[k] = uniform;
  return total > 0.0 ? by_norm : 0.0;
}

static void scale_columns(double *a, const double *weight, int rows, int columns) {
  for (size_t c = 0; c < (size_t)rows; c++) {
    for (size_t k = 0; k < (size_t)columns; k++) a[c * (size_t)columns + k] *= weight[k];
  }
}

/* sum max_k ||a_k||, given the computed squares of these norms. */
static double vertex_norm(const double *squares, const form_segment *segment, int rows) {
  double longest = 0.0;
  for (int k = 0; k < segment->width; k++) longest = squares[k] > longest ? squares[k] : longest;
  return round_up_nonnegative(segment->sum * sqrt(round_up_nonnegative(longest, rows)), 2.0);
}

static bool some_sum(const form_layout *layout, const form_symbols *symbols) {
  bool some = false;
  for (int s = 0; s < layout->count; s++) some = some || symbols->segment[layout->id[s]].sum > 0.0;
  return some;
}

/* *norm of the columns after the perturbation's, which a (rows x columns) holds and loses. apart: segments with a bound
 * of their sum stand beside the ellipsoid. */
static attcert_status ellipsoid_norm(double *norm, double *a, int rows, int first, const form_layout *layout,
                                     const form_symbols *symbols, bool apart, attcert_error *err) {
  const int columns = form_layout_columns(layout) - first;
  double reach = 0.0, beside = 0.0;
  double *const weight = array_new(2 * (size_t)columns, sizeof *weight, err, "the weights of %d symbols", columns);
  if (weight == NULL) return ATTCERT_RESOURCE;
  double *const squares = weight + columns;
  column_squares(squares, a, rows, columns);
  for (int s = 0; s < layout->count; s++) {
    if (layout->start[s] < first) continue;
    const int at = layout->start[s] - first;
    const form_segment *const segment = &symbols->segment[layout->id[s]];
    if (apart && segment->sum > 0.0)
      beside += vertex_norm(squares + at, segment, rows); /* the weights stay 0 */
    else
      reach += set_weights(weight + at, squares + at, segment);
  }
  scale_columns(a, weight, rows, columns);
  const attcert_status status = spectral_norm(norm, a, rows, columns, err);
  *norm = round_up_nonnegative(*norm * sqrt(round_up_nonnegative(reach, layout->count)) + UNDERFLOWN, 3.0);
  *norm = round_up_nonnegative(*norm + beside, layout->count + 1.0);
  free(weight);
  return status;
}

/* The smaller of both. */
static attcert_status others_norm(double *norm, double *part, const double *linear, int rows, int input,
                                  const form_layout *layout, const form_symbols *symbols, attcert_error *err) {
  const int columns = form_layout_columns(layout);
  attcert_status status = ATTCERT_OK;
  *norm = columns > input ? INFINITY : 0.0;
  for (int apart = 0; apart < 2 && status == ATTCERT_OK && columns > input; apart++) {
    double bound;
    if (apart == 1 && !some_sum(layout, symbols)) break;
    take_columns(part, linear, rows, columns, input, columns - input);
    status = ellipsoid_norm(&bound, part, rows, input, layout, symbols, apart == 1, err);
    if (bound < *norm) *norm = bound;
  }
  return status;
}

/* The norm of the supports of the entries. */
static form_norm entries_norm(const form_support *support, int rows) {
  double input = 0.0, other = 0.0;
  for (int c = 0; c < rows; c++) {
    input += support[c].input * support[c].input;
    other += support[c].other * support[c].other;
  }
  return (form_norm){round_up_nonnegative(sqrt(round_up_nonnegative(input, rows)), 1.0),
                     round_up_nonnegative(sqrt(round_up_nonnegative(other, rows)), 1.0)};
}

attcert_status form_norm_of(form_norm *norm, const double *linear, int rows, const form_layout *layout,
                            const form_support *support, const form_symbols *symbols, attcert_error *err) {
  const int columns = form_layout_columns(layout), input = form_layout_input_columns(layout, symbols);
  *norm = entries_norm(support, rows);
  if (columns == 0) return ATTCERT_OK;
  double *const part = array_new((size_t)rows * (size_t)columns, sizeof *part, err, "%d columns of a form", columns);
  if (part == NULL) return ATTCERT_RESOURCE;
  form_norm spectral = {0};
  take_columns(part, linear, rows, columns, 0, input);
  attcert_status status = spectral_norm(&spectral.input, part, rows, input, err);
  if (input > 0) spectral.input = round_up_nonnegative(symbols->segment[layout->id[0]].radius * spectral.input, 1.0);
  if (status == ATTCERT_OK) status = others_norm(&spectral.other, part, linear, rows, input, layout, symbols, err);
  free(part);
  if (spectral.input < norm->input) norm->input = spectral.input;
  if (spectral.other < norm->other) norm->other = spectral.other;
  return status;
}

/* ---- an ellipsoid around all symbols ----------------------------------------------------------------------------- */

/* Whether some column of weight 0 is not 0, its symbols not either. */
static bool forgets(const double *weight, const double *linear, int rows, int columns, int first,
                    const form_segment *segment) {
  bool some = false;
  for (int k = 0; k < segment->width; k++) {
    if (weight[first + k] > 0.0 || (segment->bound != NULL && !(segment->bound[k] > 0.0))) continue;
    for (size_t c = 0; c < (size_t)rows; c++) some = some || linear[c * (size_t)columns + (size_t)(first + k)] != 0.0;
  }
  return some;
}

attcert_status form_ellipsoid(double *scaled, double *reach, const double *linear, int rows, const form_layout *layout,
                              const form_symbols *symbols, attcert_error *err) {
  const int columns = form_layout_columns(layout), input = form_layout_input_columns(layout, symbols);
  double *const weight = array_new(2 * (size_t)columns, sizeof *weight, err, "the weights of %d symbols", columns);
  double sum = 0.0;
  if (weight == NULL) return ATTCERT_RESOURCE;
  double *const squares = weight + columns;
  take_columns(scaled, linear, rows, columns, 0, columns);
  column_squares(squares, scaled, rows, columns);
  for (int s = 0; s < layout->count; s++) {
    const int at = layout->start[s];
    form_segment segment = symbols->segment[layout->id[s]];
    if (at > 0 && at < input) continue; /* the segments of the perturbation share the first one's ball */
    if (segment.input) segment = (form_segment){.width = input, .radius = segment.radius};
    sum += set_weights(weight + at, squares + at, &segment);
    if (forgets(weight, linear, rows, columns, at, &segment)) sum = INFINITY;
  }
  scale_columns(scaled, weight, rows, columns);
  *reach = round_up_nonnegative(sum, layout->count);
  free(weight);
  return ATTCERT_OK;
}
