#include "report/spectrum/spectrum_report.h"

const char *spectrum_report_matrix(const spectrum_report *r) {
  static const char *const matrix[2][2] = {
      {"Q^T K, d x d, without the factor 1/sqrt(head_dim) of the scores",
       "Q^T K, d x d, of the stored weights: the scores of this layer have no factor 1/sqrt(head_dim)"},
      {"diag(gamma) Q^T K diag(gamma), d x d, without the factor 1/sqrt(head_dim) of the scores",
       "diag(gamma) Q^T K diag(gamma), d x d, of the stored weights: the scores of this layer have no factor "
       "1/sqrt(head_dim)"}};
  return matrix[r->folded][r->undivided];
}

int spectrum_report_head(const spectrum_report *r, int h) {
  return r->subject->head == REPORT_WHOLE_LAYER ? h : r->subject->head;
}
