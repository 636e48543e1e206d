#include "certify/shared_problem.h"

#include "base/process_group.h"

#include <string.h>

enum { CHUNK = 4096 };

/* Whether count doubles are those of process 0. */
static bool same_doubles(const attcert_process_group *group, const double *x, size_t count) {
  bool same = true;
  double theirs[CHUNK];
  for (size_t at = 0; at < count; at += CHUNK) {
    const size_t bytes = sizeof(double) * (count - at < CHUNK ? count - at : CHUNK);
    memcpy(theirs, x + at, bytes);
    process_group_broadcast(group, theirs, bytes, 0);
    same = same && memcmp(theirs, x + at, bytes) == 0;
  }
  return same;
}

static attcert_status agree_on(const attcert_process_group *group, bool same, const char *what, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  if (!same)
    status = attcert_fail(err, ATTCERT_INPUT, "process %d has another %s than process 0: expected the same of all",
                          group->rank, what);
  return process_group_allreduce_status(group, status, err);
}

/* Everything that decides which way a run goes, as numbers. */
static bool same_shape(const attcert_layer *layer, const attcert_matrix *x, const attcert_options *options) {
  const double numbers[] = {x->rows,
                            x->cols,
                            layer->dim,
                            layer->heads,
                            layer->head_dim,
                            layer->out_dim,
                            (double)layer->mask,
                            layer->output_weight != NULL,
                            layer->query_bias != NULL,
                            layer->key_bias != NULL,
                            layer->value_bias != NULL,
                            layer->output_bias != NULL,
                            (double)options->engine,
                            options->precision,
                            options->tolerance,
                            options->failure,
                            options->scratch != NULL};
  return same_doubles(options->group, numbers, sizeof numbers / sizeof numbers[0]);
}

attcert_status shared_problem_check(const attcert_layer *layer, const attcert_matrix *x, const attcert_options *options,
                                    attcert_error *err) {
  const attcert_process_group *const group = options->group;
  if (group == NULL) return ATTCERT_OK;
  attcert_status status = agree_on(group, same_shape(layer, x, options), "shape or option", err);
  const size_t d = (size_t)layer->dim, rows = (size_t)layer->heads * (size_t)layer->head_dim;
  const size_t out = (size_t)layer->out_dim;
  const struct {
    const double *data;
    size_t count;
    const char *name;
  } parts[] = {{x->data, (size_t)x->rows * d, "input"},     {layer->query_weight, rows * d, "query.weight"},
               {layer->key_weight, rows * d, "key.weight"}, {layer->value_weight, rows * d, "value.weight"},
               {layer->query_bias, rows, "query.bias"},     {layer->key_bias, rows, "key.bias"},
               {layer->value_bias, rows, "value.bias"},     {layer->output_weight, out * rows, "output.weight"},
               {layer->output_bias, out, "output.bias"}};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == ATTCERT_OK; i++)
    if (parts[i].data != NULL)
      status = agree_on(group, same_doubles(group, parts[i].data, parts[i].count), parts[i].name, err);
  return status;
}
