#include "network/join/step_join.h"

#include "interval/interval_arith.h"
#include "interval/interval_set.h"

#include <string.h>

/* Copies, exact. */
static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  (void)origin;
  attcert_status status = form_init(out, s->rows, s->cols, err);
  for (int i = 0; i < s->rows && status == ATTCERT_OK; i++) {
    const form_row *const part[] = {&in[0]->row[i], &in[1]->row[i]};
    const form_layout *const layouts[] = {&part[0]->layout, &part[1]->layout};
    form_row *const row = &out->row[i];
    row->token = part[0]->token;
    status = operation_row_layout(out, i, layouts, 2, symbols->count, symbols, err);
    for (int k = 0, first = 0; k < 2 && status == ATTCERT_OK; first += in[k++]->cols) {
      const size_t cols = (size_t)in[k]->cols, from = (size_t)i * cols,
                   to = (size_t)i * (size_t)s->cols + (size_t)first;
      const size_t columns = (size_t)form_layout_columns(&row->layout);
      form_layout_add(row->linear + (size_t)first * columns, &row->layout, part[k]->linear, layouts[k], in[k]->cols,
                      1.0);
      memcpy(out->center + to, in[k]->center + from, cols * sizeof(double));
      memcpy(out->radius + to, in[k]->radius + from, cols * sizeof(double));
    }
  }
  return status;
}

/* ---- in double and in intervals ---------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  for (int i = 0; i < s->rows; i++) {
    double *to = y->data + (size_t)i * (size_t)y->cols;
    for (int k = 0; k < 2; to += x[k++]->cols)
      memcpy(to, x[k]->data + (size_t)i * (size_t)x[k]->cols, (size_t)x[k]->cols * sizeof *to);
  }
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const double *from = dy->data;
  (void)x;
  (void)err;
  for (int i = 0; i < s->rows; i++) {
    for (int k = 0; k < 2; k++) {
      for (int c = 0; c < dx[k]->cols; c++) dx[k]->data[(size_t)i * (size_t)dx[k]->cols + (size_t)c] += *from++;
    }
  }
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)scratch;
  (void)err;
  for (int i = 0; i < s->rows; i++) {
    for (int k = 0, first = 0; k < 2; first += x[k++]->cols) {
      for (int c = 0; c < x[k]->cols; c++) interval_set(step_entry(y, i, first + c), step_entry(x[k], i, c));
    }
  }
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)x;
  (void)scratch;
  (void)err;
  for (int i = 0; i < s->rows; i++) {
    for (int k = 0, first = 0; k < 2; first += dx[k++]->cols) {
      for (int c = 0; c < dx[k]->cols; c++) {
        interval *const to = step_entry(dx[k], i, c);
        interval_add(to, to, step_entry(dy, i, first + c));
      }
    }
  }
  return ATTCERT_OK;
}

static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  (void)x;
  (void)scratch;
  (void)err;
  l->size[0].norm = l->size[1].norm = 1.0;
  return ATTCERT_OK;
}

static void push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  (void)scratch;
  for (size_t i = 0; i < (size_t)count * (size_t)l->rows[0]; i++) {
    for (int k = 0; k < 2; y += l->cols[k++]) memcpy(y, x[k] + i * (size_t)l->cols[k], (size_t)l->cols[k] * sizeof *y);
  }
}

static void pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  (void)scratch;
  for (size_t i = 0; i < (size_t)count * (size_t)l->rows[0]; i++) {
    for (int k = 0; k < 2; y += l->cols[k++]) memcpy(x[k] + i * (size_t)l->cols[k], y, (size_t)l->cols[k] * sizeof *y);
  }
}

const step_kind step_join = {.name = "join",
                             .sources = step_sources_of_two,
                             .forms = forms,
                             .lower = step_lower_affine,
                             .value = value,
                             .pull_back = pull_back,
                             .enclose = enclose,
                             .enclose_pull_back = enclose_pull_back,
                             .linearize = linearize,
                             .push = push,
                             .pull = pull};

int step_join_add(network_builder *b, int x, int y) {
  const int cols = network_cols(b->network, x) + network_cols(b->network, y);
  return network_add(b, (step){.kind = &step_join, .input = {x, y}, .inputs = 2, .cols = cols});
}
