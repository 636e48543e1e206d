#include "network/network_needed.h"

#include "base/arrays.h"

#include <stdlib.h>

/* What row i of step s reads is needed, too. source: room for the rows of all inputs. */
static void need_sources(network_needed *needed, const network_steps *network, int s, int i, step_source *source) {
  const step *const of = &network->step[s];
  const int keys = network_rows(network, of->input[of->inputs > 1 ? 1 : 0]);
  step_row row = {.row = i, .in_cols = network_cols(network, of->input[0])};
  if (of->kind->attended != NULL) row.attended = of->kind->attended(of, i, keys);
  source[0] = (step_source){0, i};
  const int count = of->kind->sources != NULL ? of->kind->sources(source, of, &row) : 1;
  for (int k = 0; k < count; k++) needed->row[needed->first[of->input[source[k].input]] + (size_t)source[k].row] = true;
}

static attcert_status need_all(network_needed *needed, const network_steps *network, size_t rows, attcert_error *err) {
  step_source *const source = array_new(rows, sizeof *source, err, "a list of %zu rows", rows);
  if (source == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < network_rows(network, network->count); i++)
    needed->row[needed->first[network->count] + (size_t)i] = true;
  for (int s = network->count - 1; s >= 0; s--) {
    for (int i = 0; i < network_rows(network, s + 1); i++)
      if (network_needed_row(needed, s + 1, i)) need_sources(needed, network, s, i, source);
  }
  free(source);
  return ATTCERT_OK;
}

attcert_status network_needed_init(network_needed *needed, const network_steps *network, attcert_error *err) {
  const size_t values = (size_t)network->count + 1;
  size_t rows = 0, most = 0;
  *needed = (network_needed){0};
  for (int v = 0; v <= network->count; v++) rows += (size_t)network_rows(network, v);
  for (int s = 0; s < network->count; s++) {
    size_t read = 0;
    for (int k = 0; k < network->step[s].inputs; k++) read += (size_t)network_rows(network, network->step[s].input[k]);
    if (read > most) most = read;
  }
  const array_table table = {{ARRAY(needed->first, values), ARRAY(needed->row, rows)}};
  const attcert_status status = array_table_allocate(&table, err, "the rows of %zu values", values);
  if (status != ATTCERT_OK) return status;
  for (int v = 1; v <= network->count; v++)
    needed->first[v] = needed->first[v - 1] + (size_t)network_rows(network, v - 1);
  return need_all(needed, network, most, err);
}

void network_needed_clear(network_needed *needed) {
  const array_table table = {{ARRAY(needed->first, 0), ARRAY(needed->row, 0)}};
  array_table_release(&table);
}
