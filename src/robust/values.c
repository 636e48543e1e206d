#include "robust/values.h"

#include "base/arrays.h"

#include <string.h>

/* One matrix a value of the network. */
typedef struct {
  const network_steps *network;
  attcert_matrix *value; /* [steps + 1]; value 0 is the caller's x */
  attcert_matrix *slope; /* [steps + 1]: the gradient in each value */
} pass;

/* From the gradient in the scores, which is set, to that in x. */
static attcert_status go_back(pass *p, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int s = p->network->count - 1; s >= 0 && status == ATTCERT_OK; s--) {
    const step *const of = &p->network->step[s];
    const attcert_matrix *in[STEP_MAX_INPUTS];
    attcert_matrix *to[STEP_MAX_INPUTS];
    for (int k = 0; k < of->inputs && status == ATTCERT_OK; k++) {
      const int from = of->input[k];
      in[k] = &p->value[from];
      to[k] = &p->slope[from];
      if (to[k]->data == NULL) status = attcert_matrix_init(to[k], in[k]->rows, in[k]->cols, err);
    }
    if (status == ATTCERT_OK) status = of->kind->pull_back(to, of, in, &p->slope[s + 1], err);
  }
  return status;
}

static int largest(const double *score, int count, int except) {
  int best = except == 0 ? 1 : 0;
  for (int c = best + 1; c < count; c++) {
    if (c != except && score[c] > score[best]) best = c;
  }
  return best;
}

static attcert_status differentiate(pass *p, attcert_matrix *gradient, int label, int rival, attcert_error *err) {
  const int steps = p->network->count;
  attcert_status status = attcert_matrix_init(&p->slope[steps], 1, network_cols(p->network, steps), err);
  if (status != ATTCERT_OK) return status;
  p->slope[steps].data[label] = 1.0;
  p->slope[steps].data[rival] = -1.0;
  status = go_back(p, err);
  if (status == ATTCERT_OK)
    memcpy(gradient->data, p->slope[0].data, (size_t)gradient->rows * (size_t)gradient->cols * sizeof(double));
  return status;
}

attcert_status robust_values_margin(double *margin, int *label, attcert_matrix *gradient, const network_steps *network,
                                    const attcert_matrix *x, attcert_error *err) {
  const size_t values = (size_t)network->count + 1;
  pass p = {.network = network};
  const array_table table = {{ARRAY(p.value, values), ARRAY(p.slope, values)}};
  attcert_status status = array_table_allocate(&table, err, "a pass of %d steps", network->count);
  if (status != ATTCERT_OK) return status;
  p.value[0] = *x;
  for (int s = 0; s < network->count && status == ATTCERT_OK; s++) status = network_value(p.value, network, s, err);
  if (status == ATTCERT_OK) {
    const attcert_matrix *const scores = &p.value[network->count];
    const double *const score = scores->data;
    if (*label < 0) *label = largest(score, scores->cols, -1);
    const int rival = largest(score, scores->cols, *label);
    *margin = score[*label] - score[rival];
    if (gradient != NULL) status = differentiate(&p, gradient, *label, rival, err);
  }
  for (size_t v = 0; v < values; v++) {
    if (v > 0) attcert_matrix_clear(&p.value[v]);
    attcert_matrix_clear(&p.slope[v]);
  }
  array_table_release(&table);
  return status;
}
