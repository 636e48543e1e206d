/* Roundings. A factor and `sum` are sums of at most count + 1 products each: off by gamma_{count + 2} of the sum of
 * their absolute values, times |y| or the symbols, which `size` of the rows bounds. Slopes and heights are those of the
 * factor as it is computed; constants are added downward. */
#include "robust/split_bound.h"

#include "base/arrays.h"
#include "linalg/rounding/upward.h"
#include "robust/form/form_lowest.h"

#include <cblas.h>
#include <string.h>

#define LENGTH 0.25
#define LENGTH_SHRINKS 0.94
#define FIRST_DECAY 0.8
#define SECOND_DECAY 0.95

static array_table table_of(split_bound *b) {
  const size_t n = b->model != NULL ? (size_t)b->model->open.count : 0;
  const size_t columns = b->model != NULL ? (size_t)b->model->columns : 0;
  return (array_table){{ARRAY(b->factor, n), ARRAY(b->s, n), ARRAY(b->x, n), ARRAY(b->y, n), ARRAY(b->exact, n),
                        ARRAY(b->gradient, n), ARRAY(b->first, n), ARRAY(b->second, n), ARRAY(b->best, n),
                        ARRAY(b->sum, columns), ARRAY(b->eta, columns)}};
}

attcert_status split_bound_init(split_bound *b, const split_model *model, attcert_error *err) {
  *b = (split_bound){.model = model, .scale = 1.0};
  const array_table table = table_of(b);
  return array_table_allocate(&table, err, "bounds of %d open entries", model->open.count);
}

void split_bound_clear(split_bound *b) {
  const array_table table = table_of(b);
  array_table_release(&table);
}

/* ---- a bound ----------------------------------------------------------------------------------------------------- */

static double chord_of(range reach) {
  return reach.hi / (reach.hi - reach.lo);
}

/* s of an entry with factor w, and the height of its line. */
static double line_of(double *height, const split_bound *b, const split_node *node, int k, double w) {
  const range reach = b->model->reach[k];
  *height = 0.0;
  if (node->side[k] == SPLIT_ABOVE) return w - node->slope[k] * b->scale;
  if (node->side[k] == SPLIT_BELOW) return node->slope[k] * b->scale;
  if (w >= 0.0) return w * node->slope[k];
  const double s = w * chord_of(reach);
  *height = range_smaller(range_mul_down(-s, reach.lo), range_mul_down(range_sub_down(w, s), reach.hi));
  return s;
}

static const split_row *row_of(const split_bound *b, int k, double s) {
  return &b->model->row[2 * k + (s < 0.0)];
}

double split_bound_evaluate(split_bound *b, const split_node *node) {
  const split_row *const row = b->row;
  const int n = row->before, columns = b->model->columns;
  double constant = row->constant, size = row->size;
  if (n > 0) memcpy(b->factor, row->side, (size_t)n * sizeof(double));
  if (columns > 0) memcpy(b->sum, row->along, (size_t)columns * sizeof(double));
  for (int k = n - 1; k >= 0; k--) {
    double height;
    const double s = b->s[k] = line_of(&height, b, node, k, b->factor[k]), m = fabs(s);
    constant = range_add_down(constant, height);
    if (s == 0.0) continue;
    const split_row *const x = row_of(b, k, s);
    constant = range_add_down(constant, range_mul_down(m, x->constant));
    size += m * x->size;
    for (int j = 0; j < x->before; j++) b->factor[j] += m * x->side[j];
    cblas_daxpy(columns, m, x->along, 1, b->sum, 1);
  }
  const form_support support = form_support_of(b->sum, &b->model->input, b->model->symbols);
  const double missed = upward_mul(gamma_upper(n + 3.0), round_up_nonnegative(size, 2.0 * n + 2.0));
  return range_sub_down(constant, upward_add(upward_add3(support.input, support.other, missed), UNDERFLOW_ALLOWANCE));
}

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

static double at_symbols(const split_bound *b, const split_row *row, const double *y) {
  double sum = row->constant + cblas_ddot(b->model->columns, row->along, 1, b->eta, 1);
  for (int j = 0; j < row->before; j++) sum += row->side[j] * y[j];
  return sum;
}

/* y of the line at x, and the bound's derivative by the slope. */
static void attain_entry(split_bound *b, const split_node *node, int k) {
  const double x = b->x[k], w = b->factor[k];
  const range reach = b->model->reach[k];
  if (node->side[k] == SPLIT_ABOVE) {
    b->y[k] = x;
    b->gradient[k] = -x * b->scale;
  } else if (node->side[k] == SPLIT_BELOW) {
    b->y[k] = 0.0;
    b->gradient[k] = x * b->scale;
  } else {
    b->y[k] = w >= 0.0 ? node->slope[k] * x : chord_of(reach) * (x - reach.lo);
    b->gradient[k] = w >= 0.0 ? w * x : 0.0;
  }
}

double split_bound_attain(split_bound *b, const split_node *node) {
  form_lowest(b->eta, b->sum, &b->model->input, b->model->symbols);
  for (int k = 0; k < b->row->before; k++) {
    const split_row *const row = row_of(b, k, b->s[k]);
    const double sign = b->s[k] < 0.0 ? -1.0 : 1.0;
    const double linear = at_symbols(b, row, b->y);
    double exact = linear;
    for (int j = 0; j < row->before; j++) exact += row->side[j] * (b->exact[j] - b->y[j]);
    b->x[k] = sign * linear;
    b->exact[k] = fmax(sign * exact, 0.0);
    attain_entry(b, node, k);
  }
  return at_symbols(b, b->row, b->exact);
}

double split_bound_slope(const split_node *node, int k, double slope) {
  const double most = node->side[k] == SPLIT_OPEN ? 1.0 : UINT16_MAX * SPLIT_SLOPE;
  return round(fmin(fmax(slope, 0.0), most) / SPLIT_SLOPE) * SPLIT_SLOPE;
}

/* Adam (Kingma and Ba, 2015). */
static void move(split_bound *b, split_node *node, double length, int moves) {
  const double of_first = 1.0 - pow(FIRST_DECAY, moves + 1), of_second = 1.0 - pow(SECOND_DECAY, moves + 1);
  for (int k = 0; k < b->row->before; k++) {
    const double g = b->gradient[k];
    b->first[k] = FIRST_DECAY * b->first[k] + (1.0 - FIRST_DECAY) * g;
    b->second[k] = SECOND_DECAY * b->second[k] + (1.0 - SECOND_DECAY) * g * g;
    const double spread = sqrt(b->second[k] / of_second);
    if (spread > 0.0)
      node->slope[k] = split_bound_slope(node, k, node->slope[k] + length * b->first[k] / of_first / spread);
  }
}

void split_bound_ascend(split_bound *b, split_node *node, int steps) {
  double length = LENGTH;
  const size_t bytes = (size_t)b->row->before * sizeof(double);
  node->bound = -INFINITY;
  if (bytes > 0) {
    memset(b->first, 0, bytes);
    memset(b->second, 0, bytes);
    memcpy(b->best, node->slope, bytes);
  }
  for (int i = 0;; i++) {
    const double bound = split_bound_evaluate(b, node);
    if (bound > node->bound) {
      node->bound = bound;
      if (bytes > 0) memcpy(b->best, node->slope, bytes);
    }
    if (i == steps || node->bound > 0.0 || !isfinite(bound)) break;
    split_bound_attain(b, node);
    move(b, node, length, i);
    length *= LENGTH_SHRINKS;
  }
  if (bytes > 0) memcpy(node->slope, b->best, bytes);
}

void split_bound_narrow(split_bound *b, range *reach, const split_node *sides, int k, int steps) {
  for (int side = 0; side < 2; side++) {
    split_node node = *sides;
    b->row = &b->model->row[2 * k + side];
    for (int j = 0; j < b->row->before; j++)
      node.slope[j] = sides->side[j] == SPLIT_OPEN ? chord_of(b->model->reach[j]) : 0.0;
    split_bound_ascend(b, &node, steps);
    if (side == 0) reach->lo = range_larger(reach->lo, node.bound);
    if (side == 1) reach->hi = range_smaller(reach->hi, -node.bound);
  }
}
