#include "report/spectrum/spectrum_plot.h"

#include "report/number_text.h"

/* Okabe and Ito's colours; heads beyond them begin again, with another mark. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000", "#F0E442"};
static const int marks[] = {7, 5, 9, 13};

enum { COLOURS = sizeof colours / sizeof colours[0], MARKS = sizeof marks / sizeof marks[0] };

static void put_title(FILE *out, const spectrum_report *r, const char *what) {
  char text[80];
  const report_subject *const s = r->subject;
  if (s->from_model)
    snprintf(text, sizeof text, "layer %d%s", s->model_layer, r->folded ? ", folded" : "");
  else
    snprintf(text, sizeof text, "weights");
  sweep_look_names(out, s->name, text, what);
}

/* plot: the data blocks $headH as `with`, one after the other. */
static void put_series(FILE *out, const spectrum_report *r, int h, const char *using, const char *style) {
  fprintf(out, "%s$head%d using %s %s lc rgb '%s' pt %d", h > 0 ? ", \\\n  " : "plot ", h, using, style,
          colours[h % COLOURS], marks[h / COLOURS % MARKS]);
  fprintf(out, " title 'head %d'", spectrum_report_head(r, h));
}

enum { DIGITS = 9 };

static void put_number(FILE *out, mpfr_srcptr x) {
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, "%s ", number_text_short(text, x, DIGITS, MPFR_RNDN));
}

/* One row a disc: its centre. Radii are far below what can be seen, but for clusters. */
static void put_eigenvalue_data(FILE *out, const spectrum_layer *s, int h) {
  const spectrum_eigenvalues *const e = &s->head[h].eigenvalues;
  fprintf(out, "$head%d << END\n", h);
  for (int i = 0; i < e->count; i++) {
    put_number(out, e->disc[i].re);
    put_number(out, e->disc[i].im);
    put_number(out, e->disc[i].radius);
    fputc('\n', out);
  }
  fputs("END\n", out);
}

static void put_eigenvalues(FILE *out, const spectrum_report *r) {
  const spectrum_layer *const s = r->spectrum;
  put_title(out, r, "eigenvalues of W = Q^T K");
  fputs("set xlabel 'real part'\nset ylabel 'imaginary part'\nset xzeroaxis lt 1 lc rgb '#888888'\n"
        "set yzeroaxis lt 1 lc rgb '#888888'\nset style fill transparent solid 0.25 noborder\n",
        out);
  for (int h = 0; h < s->heads; h++) put_eigenvalue_data(out, s, h);
  for (int h = 0; h < s->heads; h++) put_series(out, r, h, "1:2", "with points ps 0.7");
  for (int h = 0; h < s->heads; h++)
    fprintf(out, ", \\\n  $head%d using 1:2:3 with circles lc rgb '%s' notitle", h, colours[h % COLOURS]);
  fputc('\n', out);
}

/* One row a token: i / T, rho, and the walks' frequency with its ends. */
static void put_propagation_data(FILE *out, const spectrum_layer *s, int h) {
  fprintf(out, "$head%d << END\n", h);
  for (int i = 1; i <= s->length; i++) {
    const size_t at = (size_t)h * (size_t)s->length + (size_t)i - 1;
    fprintf(out, "%.6g ", (double)i / s->length);
    put_number(out, s->propagation[at].rho.hi);
    if (s->walk != NULL) fprintf(out, " %.6g %.6g %.6g", s->walk[at].frequency, s->walk[at].low, s->walk[at].high);
    fputc('\n', out);
  }
  fputs("END\n", out);
}

static void put_propagation(FILE *out, const spectrum_report *r) {
  const spectrum_layer *const s = r->spectrum;
  char what[64];
  snprintf(what, sizeof what, s->walk != NULL ? "T = %d, 95 %% of %d walks" : "T = %d", s->length, r->walk.samples);
  put_title(out, r, what);
  fputs("set xlabel 'i / T'\nset ylabel 'propagation probability rho'\nset xrange [0:1.02]\nset yrange [0:1.05]\n",
        out);
  for (int h = 0; h < s->heads; h++) put_propagation_data(out, s, h);
  for (int h = 0; h < s->heads; h++) put_series(out, r, h, "1:2", "with lines lw 2");
  for (int h = 0; s->walk != NULL && h < s->heads; h++)
    fprintf(out, ", \\\n  $head%d using 1:3:4:5 with yerrorbars lc rgb '%s' pt 7 ps 0.3 title 'walks of head %d'", h,
            colours[h % COLOURS], spectrum_report_head(r, h));
  fputc('\n', out);
}

attcert_status spectrum_plot(FILE *script, sweep_plot_format format, const void *report, attcert_error *err) {
  const spectrum_report *const r = report;
  (void)err;
  sweep_look_style(script, format);
  fputs("set key width 1\n", script);
  if (r->spectrum->length > 0)
    put_propagation(script, r);
  else
    put_eigenvalues(script, r);
  return ATTCERT_OK;
}
