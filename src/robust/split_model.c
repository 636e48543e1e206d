#include "robust/split_model.h"

#include "base/arrays.h"
#include "linalg/rounding/upward.h"
#include "network/activation/step_activation.h"

#include <stdlib.h>
#include <string.h>

enum { TOGETHER = 64 };

/* ---- what is open ------------------------------------------------------------------------------------------------ */

static bool has_corner(const step *s) {
  return s->kind->draws && s->of == &curve_relu;
}

static bool is_open(range of) {
  return of.lo < 0.0 && of.hi > 0.0;
}

/* Entries of step s's input, which are put into the list where there is one. */
static int find_open(split_model *m, int at, const network_steps *network, const network_needed *needed,
                     const form *value, int s) {
  const form *const in = &value[network->step[s].input[0]];
  int count = 0;
  for (int i = 0; i < in->rows; i++) {
    for (int c = 0; c < in->cols; c++) {
      const range of = form_range(in, i, c);
      if (!is_open(of) || !network_needed_row(needed, network->step[s].input[0], i)) continue;
      if (m->open.step != NULL) {
        m->open.step[at + count] = s;
        m->open.entry[at + count] = (size_t)i * (size_t)in->cols + (size_t)c;
        m->reach[at + count] = of;
      }
      count++;
    }
  }
  return count;
}

static int find_all(split_model *m, const network_steps *network, const network_needed *needed, const form *value) {
  int count = 0;
  for (int s = 0; s < network->count; s++)
    if (has_corner(&network->step[s])) count += find_open(m, count, network, needed, value, s);
  return count;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

attcert_status split_row_init(split_row *row, const split_model *m, attcert_error *err) {
  *row = (split_row){.before = m->open.count};
  const array_table table = {{ARRAY(row->along, (size_t)m->columns), ARRAY(row->side, (size_t)m->open.count)}};
  return array_table_allocate(&table, err, "a functional of %d symbols", m->columns);
}

void split_row_clear(split_row *row) {
  const array_table table = {{ARRAY(row->along, 0), ARRAY(row->side, 0)}};
  array_table_release(&table);
}

static double size_of(const split_model *m, const split_row *row) {
  double size = form_support_of(row->along, &m->input, m->symbols).magnitude;
  for (int j = 0; j < row->before; j++) size += fabs(row->side[j]) * m->reach[j].hi;
  return round_up_nonnegative(size + fabs(row->constant), row->before + 3.0);
}

/* Functional b of the walk that l has made. */
static void take_row(split_row *row, const split_model *m, const robust_lower *l, int b, int before) {
  const size_t all = (size_t)form_layout_columns(&l->all), columns = (size_t)m->columns;
  if (columns > 0) memcpy(row->along, l->along + (size_t)b * all, columns * sizeof(double));
  if (before > 0) memcpy(row->side, l->aside + (size_t)b * (size_t)m->open.count, (size_t)before * sizeof(double));
  row->constant = l->best[b];
  row->before = before;
  row->size = size_of(m, row);
}

/* Entries first .. last - 1, of one step, both of their rows. */
static attcert_status take_rows(split_model *m, robust_lower *l, const network_steps *network, double *w, int first,
                                int last, attcert_error *err) {
  const int value = network->step[m->open.step[first]].input[0];
  const size_t entries = network_entries(network, value);
  int before = first;
  while (before > 0 && m->open.step[before - 1] == m->open.step[first]) before--;
  l->count = 2 * (last - first);
  memset(w, 0, (size_t)l->count * entries * sizeof *w);
  for (int k = first; k < last; k++) {
    w[2 * (size_t)(k - first) * entries + m->open.entry[k]] = 1.0;
    w[(2 * (size_t)(k - first) + 1) * entries + m->open.entry[k]] = -1.0;
  }
  const attcert_status status = robust_lower_rows(l, value, w, err);
  for (int b = 0; b < l->count && status == ATTCERT_OK; b++) take_row(&m->row[2 * first + b], m, l, b, before);
  return status;
}

static attcert_status take_all(split_model *m, const network_steps *network, const form *value,
                               const robust_watch *watch, attcert_error *err) {
  robust_lower l;
  double *w = NULL;
  attcert_status status = robust_lower_init(&l, network, value, m->symbols, 2 * TOGETHER, err);
  l.open = &m->open;
  const array_table table = {
      {ARRAY(w, 2 * TOGETHER, network_most_entries(network)), ARRAY(l.aside, 2 * TOGETHER, (size_t)m->open.count)}};
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "directions of open entries");
  for (int first = 0, last; first < m->open.count && status == ATTCERT_OK; first = last) {
    for (last = first; last < m->open.count && last < first + TOGETHER; last++)
      if (m->open.step[last] != m->open.step[first]) break;
    status = robust_watch_report(watch, (double)first / m->open.count, err);
    if (status == ATTCERT_OK) status = take_rows(m, &l, network, w, first, last, err);
  }
  array_table_release(&table);
  robust_lower_clear(&l);
  return status;
}

static bool all_finite(const split_model *m) {
  bool all = true;
  for (int r = 0; r < 2 * m->open.count; r++) all = all && isfinite(m->row[r].constant) && isfinite(m->row[r].size);
  return all;
}

attcert_status split_model_init(split_model *m, const network_steps *network, const network_needed *needed,
                                const form *value, const form_symbols *symbols, int most, const robust_watch *watch,
                                attcert_error *err) {
  *m = (split_model){.symbols = symbols};
  const int count = find_all(m, network, needed, value);
  if (count == 0 || count > most) return ATTCERT_OK;
  attcert_status status = form_unite_rows(&m->input, &value[0], symbols, err);
  m->columns = form_layout_columns(&m->input);
  const size_t n = (size_t)count;
  const array_table table = {{ARRAY(m->open.step, n), ARRAY(m->open.entry, n), ARRAY(m->reach, n), ARRAY(m->row, 2, n),
                              ARRAY(m->along, 2, n, (size_t)m->columns), ARRAY(m->side, 2, n, n)}};
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "%d entries at corners", count);
  if (status != ATTCERT_OK) return status;
  m->open.count = find_all(m, network, needed, value);
  for (size_t r = 0; r < 2 * n; r++) {
    m->row[r].along = m->along + r * (size_t)m->columns;
    m->row[r].side = m->side + r * n;
  }
  status = take_all(m, network, value, watch, err);
  if (status == ATTCERT_OK && !all_finite(m)) m->open.count = 0;
  return status;
}

attcert_status split_model_row(split_row *row, const split_model *m, const network_steps *network, const form *value,
                               int at, const double *w, attcert_error *err) {
  robust_lower l;
  attcert_status status = robust_lower_init(&l, network, value, m->symbols, 1, err);
  l.open = &m->open;
  if (status == ATTCERT_OK) {
    l.aside = array_new((size_t)m->open.count, sizeof(double), err, "open entries");
    status = l.aside != NULL ? robust_lower_rows(&l, at, w, err) : ATTCERT_RESOURCE;
  }
  if (status == ATTCERT_OK) take_row(row, m, &l, 0, m->open.count);
  free(l.aside);
  robust_lower_clear(&l);
  return status;
}

void split_model_clear(split_model *m) {
  const array_table table = {{ARRAY(m->open.step, 0), ARRAY(m->open.entry, 0), ARRAY(m->reach, 0), ARRAY(m->row, 0),
                              ARRAY(m->along, 0), ARRAY(m->side, 0)}};
  array_table_release(&table);
  form_layout_clear(&m->input);
}
