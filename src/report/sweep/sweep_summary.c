#include "report/sweep/sweep_summary.h"

#include "report/number_text.h"
#include "report/sweep/sweep_statistics.h"

#include <inttypes.h>
#include <math.h>

static void put_subject(FILE *out, const report_subject *s) {
  fprintf(out, "sweep      %s, layer %d", s->name, s->model_layer);
  if (s->random) fprintf(out, ", seed %" PRIu64, s->seed);
  if (s->head != REPORT_WHOLE_LAYER) fprintf(out, ", head %d alone", s->head);
  fprintf(out, ", mask %s\ntext       %s from token %d on (%s)\n", subject_mask_name(s->mask), s->input, s->offset,
          s->tokenizer);
}

static void put_rows(FILE *out, const sweep_file *f, int added) {
  char width[NUMBER_TEXT_SIZE];
  int first = f->rows[0].n, last = first;
  double widest = 0;
  for (int i = 0; i < f->count; i++) {
    if (f->rows[i].n < first) first = f->rows[i].n;
    if (f->rows[i].n > last) last = f->rows[i].n;
    widest = fmax(widest, f->rows[i].relative_width);
  }
  fprintf(out, "rows       %d in %s, %d of them new; n = %d to %d\n", f->count, f->file.path, added, first, last);
  fprintf(out, "width      at most %s relative\n", number_text_double(width, widest, 3, MPFR_RNDU));
}

static void put_fit(FILE *out, const sweep_file *f) {
  sweep_fit fit;
  if (sweep_fit_lower(&fit, f->rows, f->count))
    fprintf(out, "fit        lower ~ %.4g n^%.4g, least squares of log lower against log n, %d rows\n", fit.constant,
            fit.exponent, fit.count);
  else
    fputs("fit        none: fewer than two lengths with a positive lower end\n", out);
}

void sweep_summary(FILE *out, bool json, const void *outcome) {
  const sweep_outcome *const o = outcome;
  (void)json;
  put_subject(out, o->subject);
  put_rows(out, o->file, o->added);
  put_fit(out, o->file);
  fprintf(out, "checked    no estimate exceeds an upper end%s\n",
          o->bounds ? ", no lower end exceeds a bound of the theory" : "");
}
