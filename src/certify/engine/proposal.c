#include "certify/engine/proposal.h"

#include "base/process_group.h"
#include "certify/jacobian/structured_jacobian.h"
#include "linalg/operator/lanczos.h"

static attcert_status find(double *u, double *sigma, const structured_jacobian *s, const double *start,
                           const attcert_options *options, attcert_error *err) {
  const linear_operator jacobian = structured_jacobian_operator(s);
  const attcert_process_group *const group = options->group;
  attcert_status status = lanczos_top_from(u, sigma, &jacobian, start, options, err);
  status = process_group_allreduce_status(group, status, err);
  if (status != ATTCERT_OK) return status;
  process_group_broadcast(group, u, sizeof(double) * (size_t)s->m->n * (size_t)s->m->dim, 0);
  process_group_broadcast(group, sigma, sizeof *sigma, 0);
  return ATTCERT_OK;
}

/* Room for products with one vector, in every process or in none. */
static attcert_status begin(structured_jacobian *s, const factored_jacobian *m, const attcert_options *options,
                            attcert_error *err) {
  return process_group_allreduce_status(options->group, structured_jacobian_init(s, m, 1, err), err);
}

attcert_status proposal_find(double *u, double *sigma, const factored_jacobian *m, const double *start,
                             const attcert_options *options, attcert_error *err) {
  structured_jacobian s = {0};
  attcert_status status = begin(&s, m, options, err);
  if (status == ATTCERT_OK) status = find(u, sigma, &s, start, options, err);
  structured_jacobian_clear(&s);
  return status;
}

attcert_status proposal_find_from_output(double *u, double *sigma, const factored_jacobian *m, const double *w,
                                         const attcert_options *options, attcert_error *err) {
  structured_jacobian s = {0};
  attcert_status status = begin(&s, m, options, err);
  if (status == ATTCERT_OK) structured_jacobian_multiply(&s, u, w, 1, true);
  if (status == ATTCERT_OK) status = find(u, sigma, &s, u, options, err);
  structured_jacobian_clear(&s);
  return status;
}
