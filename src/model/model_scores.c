#include "model/model_scores.h"

#include "model/family/families.h"
#include "model/model_maps.h"
#include "model/position_bias.h"
#include "model/position_shift.h"
#include "model/slope_bias.h"
#include "model/transformer.h"

/* Of the family's table, of block l's own or by slopes, with what their doubles miss in *low; NULL: none. */
double *model_position_bias(network_builder *b, const model *m, int l, double **low) {
  char own[TENSOR_NAME_SIZE];
  const char *const table = m->config.family->position_bias;
  const int heads = m->config.heads, span = b->network->tokens;
  const bool owned = m->config.family->own_position_bias, slopes = m->config.position_slopes;
  *low = slopes ? model_numbers(b, heads, 2 * span - 1) : NULL;
  if (m->config.position_buckets == 0 && !slopes) return NULL;
  double *const bias = model_numbers(b, heads, 2 * span - 1);
  if (owned) transformer_part(own, &m->source, l, table);
  if (b->status == ATTCERT_OK && slopes) slope_bias_fill(bias, *low, heads, span);
  if (b->status == ATTCERT_OK && !slopes)
    b->status = position_bias_read(bias, span, &m->source, owned ? own : table, b->err);
  return bias;
}

double *model_sinks(network_builder *b, const model *m, int l) {
  char name[TENSOR_NAME_SIZE];
  if (!m->config.sinks) return NULL;
  double *const sink = model_numbers(b, 1, m->config.heads);
  transformer_part(name, &m->source, l, m->config.family->sinks);
  if (b->status == ATTCERT_OK) b->status = tensor_source_vector(sink, &m->source, name, m->config.heads, b->err);
  return sink;
}

/* The rows of the table, normed where they are; in *first the number of the first. */
static attcert_status read_rows(attcert_matrix *x, const model *m, int span, attcert_error *err) {
  const char *const table = m->config.family->position_shift.table;
  const int d = m->config.dim;
  int first;
  const int rows = position_shift_rows(&first, span, &m->config);
  attcert_status status = tensor_source_check_shape(&m->source, table, 2 * model_config_shift_span(&m->config), d, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(x, rows, d, err);
  for (int i = 0; i < rows && status == ATTCERT_OK; i++)
    status = tensor_source_row(x->data + (size_t)i * (size_t)d, &m->source, table, first + i, d, err);
  return status;
}

/* *high and *low, of the queries or of the keys of block l, by the map of that part, and what their sum misses. */
static void shift(network_builder *b, double **high, double **low, double *error, const model *m, int l,
                  const char *part) {
  const int span = b->network->tokens, cols = m->config.heads * m->config.head_dim;
  attcert_matrix x = {0};
  *high = model_numbers(b, 2 * span - 1, cols);
  *low = model_numbers(b, 2 * span - 1, cols);
  if (b->status == ATTCERT_OK) b->status = read_rows(&x, m, span, b->err);
  if (b->status == ATTCERT_OK) {
    network_steps rows = {.tokens = x.rows, .dim = x.cols};
    network_builder of_rows = {.network = &rows, .err = b->err, .layer = l};
    const char *const norm = m->config.family->position_shift.norm;
    model_part_map(&of_rows, m->config.position_shift.normed ? model_norm(&of_rows, 0, m, norm) : 0, m, l, part, true,
                   cols);
    b->status = of_rows.status;
    if (b->status == ATTCERT_OK)
      b->status = position_shift_fill(*high, *low, error, &rows, &x, span, &m->config, b->err);
    network_clear(&rows);
  }
  attcert_matrix_clear(&x);
}

const attention_shifts *model_shifts(network_builder *b, const model *m, int l, double *own[4]) {
  const model_family *const family = m->config.family;
  const bool maps = m->config.position_shift.own_maps;
  attention_shifts of = {0};
  if (!model_config_is_shifted(&m->config)) return NULL;
  if (m->config.position_shift.query)
    shift(b, &own[0], &own[1], &of.error, m, l, maps ? family->position_shift.query : family->attention.query);
  if (m->config.position_shift.key)
    shift(b, &own[2], &own[3], &of.error, m, l, maps ? family->position_shift.key : family->attention.key);
  of.query = own[0];
  of.query_low = own[1];
  of.key = own[2];
  of.key_low = own[3];
  return network_copy(b, &of, sizeof of);
}
