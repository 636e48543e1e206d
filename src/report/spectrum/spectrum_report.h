/* The spectra of a layer's heads, as text for people or JSON for programs. Both say the same; ends are rounded outward,
 * and the radii of eigenvalues have room for the rounding of their centres. */
#ifndef ATTCERT_REPORT_SPECTRUM_SPECTRUM_REPORT_H
#define ATTCERT_REPORT_SPECTRUM_SPECTRUM_REPORT_H

#include "report/subject.h"
#include "spectrum/layer.h"

#include <stdio.h>

typedef struct {
  const report_subject *subject;
  const spectrum_layer *spectrum;
  spectrum_walk walk;
  bool folded; /* W has the gain of the LayerNorm before the layer */
  double seconds;
} spectrum_report;

void spectrum_report_text(FILE *out, const spectrum_report *r);
void spectrum_report_json(FILE *out, const spectrum_report *r);

/* ---- shared by both ---------------------------------------------------------------------------------------------- */

/* What a head's matrix is. */
const char *spectrum_report_matrix(const spectrum_report *r);

/* The index in the layer of head h of the report. */
int spectrum_report_head(const spectrum_report *r, int h);

#define SPECTRUM_CLAIM_NUMBERS "the weights and inputs are exactly the stored floating-point numbers;"
#define SPECTRUM_CLAIM_DISCS \
  "each disc holds exactly as many eigenvalues of W, in exact arithmetic, as its multiplicity says"
#define SPECTRUM_CLAIM_WALK "frequencies of random walks are statistics, their intervals hold with 95 %"

#endif
