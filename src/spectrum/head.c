#include "spectrum/head.h"

#include "spectrum/matrix/folded_norm.h"

/* The spectral radius is at most the norm, and what encloses both norms agrees: ||W||_2 <= ||W||_F. */
static void intersect(spectrum_head *head) {
  mpfr_min(head->norm.hi, head->norm.hi, head->traces.frobenius.hi, MPFR_RNDU);
  mpfr_min(head->radius.hi, head->radius.hi, head->norm.hi, MPFR_RNDU);
}

attcert_status spectrum_head_enclose(spectrum_head *head, const attcert_layer *layer, int h, const double *gain,
                                     attcert_error *err) {
  spectrum_factors f;
  *head = (spectrum_head){0};
  spectrum_traces_init(&head->traces);
  interval_init(&head->norm, SPECTRUM_PRECISION);
  interval_init(&head->radius, SPECTRUM_PRECISION);
  attcert_status status = spectrum_factors_init(&f, layer, h, gain, err);
  if (status != ATTCERT_OK) return status;
  status = spectrum_traces_enclose(&head->traces, &f, err);
  if (status == ATTCERT_OK) status = spectrum_folded_norm(&head->norm, layer, h, gain, err);
  if (status == ATTCERT_OK) status = spectrum_eigenvalues_enclose(&head->eigenvalues, &f, head->norm.hi, err);
  if (status == ATTCERT_OK) {
    spectrum_eigenvalues_radius(&head->radius, &head->eigenvalues);
    intersect(head);
  }
  spectrum_factors_clear(&f);
  return status;
}

void spectrum_head_clear(spectrum_head *head) {
  spectrum_traces_clear(&head->traces);
  interval_clear(&head->norm);
  interval_clear(&head->radius);
  spectrum_eigenvalues_clear(&head->eigenvalues);
}
