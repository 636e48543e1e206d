/* See pointwise_bound.h. */
#include "theory/pointwise_bound.h"

#include "certify/engine/pointwise.h"
#include "certify/jacobian/factored_jacobian_from_enclosure.h"

#include <stdio.h>

attcert_status pointwise_bound_fill(theory_bound *entry, const theory_subject *s, attcert_error *err) {
  attcert_options options;
  factored_jacobian m;
  attcert_options_default(&options);
  attcert_status status = factored_jacobian_from_enclosure(&m, s->layer, s->e, options.threads, err);
  if (status != ATTCERT_OK) return status;
  mpfr_set_zero(entry->value, 1);
  if (!m.zero) status = pointwise_upper(entry->value, s->layer, s->e, &m, &options, err);
  factored_jacobian_clear(&m);
  entry->available = status == ATTCERT_OK;
  snprintf(entry->applies, sizeof entry->applies, "this input");
  return status;
}
