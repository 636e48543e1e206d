#include "network/select/step_select.h"

#include "interval/interval_arith.h"
#include "interval/interval_set.h"

#include <string.h>

static int token_of(const step *s) {
  return *(const int *)s->of;
}

static int sources(step_source *from, const step *s, const step_row *row) {
  (void)row;
  from[0] = (step_source){0, token_of(s)};
  return 1;
}

static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const form *const in = inputs[0];
  const form_row *const row = &in->row[token_of(s)];
  const form_layout *const layout = &row->layout;
  const size_t cols = (size_t)in->cols, from = (size_t)token_of(s) * cols;
  (void)origin;
  attcert_status status = form_init(out, 1, in->cols, err);
  if (status == ATTCERT_OK) status = operation_row_layout(out, 0, &layout, 1, symbols->count, symbols, err);
  if (status != ATTCERT_OK) return status;
  out->row[0].token = token_of(s);
  const size_t columns = (size_t)form_layout_columns(layout);
  if (columns > 0) memcpy(out->row[0].linear, row->linear, cols * columns * sizeof(double));
  memcpy(out->center, in->center + from, cols * sizeof(double));
  memcpy(out->radius, in->radius + from, cols * sizeof(double));
  return ATTCERT_OK;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  memcpy(y->data, x[0]->data + (size_t)token_of(s) * (size_t)y->cols, (size_t)y->cols * sizeof(double));
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)x;
  (void)err;
  for (int c = 0; c < dy->cols; c++) dx[0]->data[(size_t)token_of(s) * (size_t)dy->cols + (size_t)c] += dy->data[c];
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)scratch;
  (void)err;
  for (int c = 0; c < y->cols; c++) interval_set(step_entry(y, 0, c), step_entry(x[0], token_of(s), c));
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)x;
  (void)scratch;
  (void)err;
  for (int c = 0; c < dy->cols; c++) {
    interval *const to = step_entry(dx[0], token_of(s), c);
    interval_add(to, to, step_entry(dy, 0, c));
  }
  return ATTCERT_OK;
}

/* A copy, exact. */
static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  (void)x;
  (void)scratch;
  (void)err;
  l->size[0].norm = 1.0;
  return ATTCERT_OK;
}

/* Where the token's row of vector b begins. */
static size_t begin_of(const step_linear *l, int b) {
  return ((size_t)b * (size_t)l->rows[0] + (size_t)token_of(l->step)) * (size_t)l->cols[0];
}

static void push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  const size_t cols = (size_t)l->cols[0];
  (void)scratch;
  for (int b = 0; b < count; b++) memcpy(y + (size_t)b * cols, x[0] + begin_of(l, b), cols * sizeof *y);
}

static void pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  const size_t cols = (size_t)l->cols[0];
  (void)scratch;
  memset(x[0], 0, (size_t)count * (size_t)l->rows[0] * cols * sizeof *y);
  for (int b = 0; b < count; b++) memcpy(x[0] + begin_of(l, b), y + (size_t)b * cols, cols * sizeof *y);
}

const step_kind step_select = {.name = "select",
                               .sources = sources,
                               .forms = forms,
                               .lower = step_lower_affine,
                               .value = value,
                               .pull_back = pull_back,
                               .enclose = enclose,
                               .enclose_pull_back = enclose_pull_back,
                               .linearize = linearize,
                               .push = push,
                               .pull = pull};

int step_select_add(network_builder *b, int value, int token) {
  if (network_rows(b->network, value) == 1) return value;
  const void *const of = network_copy(b, &token, sizeof token);
  return network_add(b, (step){.kind = &step_select, .of = of, .input = {value}, .inputs = 1, .rows = 1});
}
