/* The spectra of a layer's heads, as text for people or JSON for programs; ends are rounded outward, and the radii of
 * eigenvalues have room for the rounding of their centres, which are doubles (spectrum_eigenvalues_to_doubles). */
#ifndef ATTCERT_REPORT_SPECTRUM_SPECTRUM_REPORT_H
#define ATTCERT_REPORT_SPECTRUM_SPECTRUM_REPORT_H

#include "report/fact_writer.h"
#include "report/subject.h"
#include "spectrum/layer.h"

typedef struct {
  const report_subject *subject;
  const spectrum_layer *spectrum;
  spectrum_walk walk;
  bool folded;    /* W has the gain of the LayerNorm before the layer */
  bool undivided; /* the layer's scores have no factor 1/sqrt(head_dim) */
  double seconds;
} spectrum_report;

report_writer spectrum_report_write; /* of a spectrum_report */

/* The index in the layer of head h of the report. */
int spectrum_report_head(const spectrum_report *r, int h);

#endif
