#include "robust/form/layout.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

int form_layout_input_columns(const form_layout *layout, const form_symbols *symbols) {
  int s = 0;
  while (s < layout->count && symbols->segment[layout->id[s]].input) s++;
  return s > 0 ? layout->start[s] : 0;
}

attcert_status form_layout_set(form_layout *layout, const int *id, int count, const form_symbols *symbols,
                               attcert_error *err) {
  *layout = (form_layout){0};
  const array_table table = {{ARRAY(layout->id, (size_t)count), ARRAY(layout->start, (size_t)count + 1)}};
  const attcert_status status = array_table_allocate(&table, err, "a list of %d segments", count);
  if (status != ATTCERT_OK) return status;
  layout->count = count;
  for (int s = 0; s < count; s++) {
    layout->id[s] = id[s];
    layout->start[s + 1] = layout->start[s] + symbols->segment[id[s]].width;
  }
  return ATTCERT_OK;
}

attcert_status form_layout_unite(form_layout *layout, const form_layout *const *in, int count, int first,
                                 const form_symbols *symbols, attcert_error *err) {
  *layout = (form_layout){0};
  char *const used = array_new((size_t)symbols->count, 1, err, "a list of %d segments", symbols->count);
  int *const id = array_new((size_t)symbols->count, sizeof *id, err, "a list of %d segments", symbols->count);
  attcert_status status = ATTCERT_RESOURCE;
  int total = 0;
  if (used != NULL && id != NULL) {
    for (int l = 0; l < count; l++) {
      for (int s = 0; s < in[l]->count; s++) used[in[l]->id[s]] = 1;
    }
    for (int s = 0; s < symbols->count; s++) {
      if (used[s] || s >= first) id[total++] = s;
    }
    status = form_layout_set(layout, id, total, symbols, err);
  }
  free(used);
  free(id);
  return status;
}

form_layout_run form_layout_older(const form_layout *layout, int before, int entries, const form_symbols *symbols) {
  form_layout_run run = {0, 0};
  while (run.first < layout->count && symbols->segment[layout->id[run.first]].input) run.first++;
  run.last = run.first;
  while (run.last < layout->count && layout->id[run.last] < before) run.last++;
  if (run.first == run.last || layout->start[run.last] - layout->start[run.first] <= entries) run.last = run.first;
  return run;
}

attcert_status form_layout_merge(form_layout *merged, const form_layout *layout, form_layout_run run, int fresh,
                                 const form_symbols *symbols, attcert_error *err) {
  const int behind = layout->count - run.last, count = run.first + behind + 1;
  int *const id = array_new((size_t)count, sizeof *id, err, "a list of %d segments", count);
  if (id == NULL) return ATTCERT_RESOURCE;
  for (int s = 0; s < run.first; s++) id[s] = layout->id[s];
  for (int s = 0; s < behind; s++) id[run.first + s] = layout->id[run.last + s];
  id[count - 1] = fresh;
  const attcert_status status = form_layout_set(merged, id, count, symbols, err);
  free(id);
  return status;
}

void form_layout_clear(form_layout *layout) {
  free(layout->id);
  free(layout->start);
  *layout = (form_layout){0};
}

/* One row of a segment. */
static void add_run(double *out, const double *in, int width, double factor) {
  for (int k = 0; k < width; k++) out[k] += factor * in[k];
}

void form_layout_add(double *out, const form_layout *to, const double *in, const form_layout *from, int rows,
                     double factor) {
  const size_t out_columns = (size_t)form_layout_columns(to), in_columns = (size_t)form_layout_columns(from);
  for (int s = 0, t = 0; s < from->count; s++, t++) {
    while (to->id[t] != from->id[s]) t++;
    const int width = from->start[s + 1] - from->start[s];
    for (size_t c = 0; c < (size_t)rows; c++)
      add_run(out + c * out_columns + to->start[t], in + c * in_columns + from->start[s], width, factor);
  }
}
