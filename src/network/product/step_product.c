#include "network/product/step_product.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "linalg/rounding/rounding.h"

#include <stdlib.h>

static int fresh(const step *s, const step_row *row, int k) {
  (void)row;
  return k == 0 ? s->cols : 0;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* With x = x0 + A eta + rho, y = y0 + B eta + sigma, entry by entry,
 *
 *   x y = x0 y0 + (y0 A + x0 B) eta + y0 rho + x0 sigma + (A eta + rho) (B eta + sigma).
 *
 * The last product is within operation_product (Coq: `product_remainder_scalar`) of the middle r^2 a . b / 2, with a, b
 * the columns of the perturbation, which goes to the center. The rest is a fresh symbol an entry. Roundings: three of
 * all numbers of y0 A + x0 B and of the center, whose middle is an inner product of m numbers, r^2 |a| . |b| / 2 at
 * most. */
typedef struct {
  const form *x, *y;
  const form_symbols *symbols;
  double *bound; /* [cols]: of the fresh symbols */
} product_row;

/* r^2 a . b / 2 over the perturbation, both rows' first segments; *terms: of how many numbers. */
static double middle_of(int *terms, const double *a, const form_layout *of_a, const double *b, const form_layout *of_b,
                        const form_symbols *symbols) {
  double dot = 0.0;
  *terms = 0;
  for (int s = 0, t = 0; s < of_a->count && t < of_b->count && symbols->segment[of_a->id[s]].input;) {
    const form_segment *const segment = &symbols->segment[of_a->id[s]];
    if (of_a->id[s] == of_b->id[t]) {
      for (int k = 0; k < segment->width; k++) dot += a[of_a->start[s] + k] * b[of_b->start[t] + k];
      *terms += segment->width;
    }
    const bool first = of_a->id[s] <= of_b->id[t], second = of_b->id[t] <= of_a->id[s];
    s += first;
    t += second;
  }
  if (*terms == 0) return 0.0;
  const double radius = symbols->segment[of_a->id[0]].radius;
  return 0.5 * radius * radius * dot;
}

/* Entry c of row i: its center, and the bound of its symbol. */
static void multiply_entry(form *out, const product_row *r, int i, int c) {
  const form *const x = r->x, *const y = r->y;
  const form_row *const of_x = &x->row[i], *const of_y = &y->row[i];
  const size_t at = (size_t)i * (size_t)x->cols + (size_t)c;
  const double *const a = of_x->linear + (size_t)c * (size_t)form_layout_columns(&of_x->layout);
  const double *const b = of_y->linear + (size_t)c * (size_t)form_layout_columns(&of_y->layout);
  const form_support *const s = &x->support[at], *const t = &y->support[at];
  const double x0 = x->center[at], y0 = y->center[at];
  int terms;
  const double middle = middle_of(&terms, a, &of_x->layout, b, &of_y->layout, r->symbols);
  const double beyond = operation_product(form_spread(x, i, c), s->input, form_spread(y, i, c), t->input);
  const double missed = fabs(y0) * x->radius[at] + fabs(x0) * y->radius[at];
  const double rounded = fabs(y0) * s->magnitude + fabs(x0) * t->magnitude + fabs(x0 * y0) + s->input * t->input;
  out->center[at] = x0 * y0 + middle;
  r->bound[c] = round_up_nonnegative(beyond + missed + gamma_upper(terms + 8.0) * rounded + UNDERFLOW_ALLOWANCE, 16.0);
}

/* y0 A + x0 B, and a fresh symbol an entry. */
static attcert_status multiply_row(form *out, const product_row *r, int i, form_symbols *symbols, int origin,
                                   attcert_error *err) {
  const form_row *const x = &r->x->row[i], *const y = &r->y->row[i];
  const form_layout *const layouts[] = {&x->layout, &y->layout};
  const size_t cols = (size_t)out->cols, at = (size_t)i * cols;
  const size_t of_x = (size_t)form_layout_columns(&x->layout), of_y = (size_t)form_layout_columns(&y->layout);
  form_row *const to = &out->row[i];
  const int first = symbols->count;
  to->token = x->token;
  for (int c = 0; c < out->cols; c++) multiply_entry(out, r, i, c);
  attcert_status status = operation_fresh(symbols, r->bound, out->cols, INFINITY, origin, err);
  if (status == ATTCERT_OK) status = operation_row_layout(out, i, layouts, 2, first, symbols, err);
  if (status != ATTCERT_OK) return status;
  const size_t width = (size_t)form_layout_columns(&to->layout);
  for (size_t c = 0; c < cols; c++) {
    double *const line = to->linear + c * width;
    form_layout_add(line, &to->layout, x->linear + c * of_x, &x->layout, 1, r->y->center[at + c]);
    form_layout_add(line, &to->layout, y->linear + c * of_y, &y->layout, 1, r->x->center[at + c]);
    line[width - cols + c] = 1.0;
  }
  return ATTCERT_OK;
}

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const int cols = in[0]->cols;
  product_row r = {.x = in[0], .y = in[1], .symbols = symbols};
  (void)s;
  attcert_status status = form_init(out, in[0]->rows, cols, err);
  if (status != ATTCERT_OK) return status;
  r.bound = array_new((size_t)cols, sizeof *r.bound, err, "a product of %d entries", cols);
  if (r.bound == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < out->rows && status == ATTCERT_OK; i++) status = multiply_row(out, &r, i, symbols, origin, err);
  free(r.bound);
  return status;
}

/* ---- in double and in intervals ---------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)s;
  (void)err;
  for (size_t k = 0; k < (size_t)y->rows * (size_t)y->cols; k++) y->data[k] = x[0]->data[k] * x[1]->data[k];
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)s;
  (void)err;
  for (int i = 0; i < 2; i++) {
    for (size_t k = 0; k < (size_t)dy->rows * (size_t)dy->cols; k++) dx[i]->data[k] += x[1 - i]->data[k] * dy->data[k];
  }
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)s;
  (void)err;
  for (size_t k = 0; k < (size_t)y->rows * (size_t)y->cols; k++)
    interval_mul(&y->entry[k], &x[0]->entry[k], &x[1]->entry[k], &scratch->ws);
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)s;
  (void)err;
  for (int i = 0; i < 2; i++) {
    for (size_t k = 0; k < (size_t)dy->rows * (size_t)dy->cols; k++)
      interval_fma(&dx[i]->entry[k], &x[1 - i]->entry[k], &dy->entry[k], &dx[i]->entry[k], &scratch->ws);
  }
  return ATTCERT_OK;
}

static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  const attcert_status status = step_linear_rows_init(l, 1, 0, err);
  for (int k = 0; k < 2 && status == ATTCERT_OK; k++) {
    for (int i = 0; i < x[0]->rows; i++) step_linear_rows_set(l, k, i, step_entry(x[1 - k], i, 0), NULL, &scratch->ws);
    step_linear_rows_finish(l, k, NAN);
  }
  return status;
}

const step_kind step_product = {.name = "product",
                                .sources = step_sources_of_two,
                                .fresh = fresh,
                                .forms = forms,
                                .execution = step_execution_operation,
                                .value = value,
                                .pull_back = pull_back,
                                .enclose = enclose,
                                .enclose_pull_back = enclose_pull_back,
                                .linearize = linearize,
                                .push = step_linear_rows_push,
                                .pull = step_linear_rows_pull};

int step_product_add(network_builder *b, int x, int y) {
  return network_add(b, (step){.kind = &step_product, .input = {x, y}, .inputs = 2});
}
