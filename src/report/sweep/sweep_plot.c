/* See sweep_plot.h. */
#include "report/sweep/sweep_plot.h"

#include "report/sweep/sweep_gnuplot.h"
#include "report/sweep/sweep_plot_data.h"
#include "report/sweep/sweep_statistics.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <utf8proc.h>

bool sweep_plot_format_of(sweep_plot_format *format, const char *path) {
  static const char *const endings[] = {[SWEEP_PLOT_SVG] = ".svg", [SWEEP_PLOT_PNG] = ".png"};
  const size_t length = strlen(path);
  for (int i = 0; i < 2; i++) {
    *format = (sweep_plot_format)i;
    if (length > 4 && strcmp(path + length - 4, endings[i]) == 0) return true;
  }
  return false;
}

/* ---- the look ---------------------------------------------------------------------------------------------------- */

/* Colours: M. Okabe, K. Ito, Color Universal Design (2008), distinct under every common colour blindness; the lines
 * differ in their dashes too. */
static const struct {
  theory_id id;
  const char *name, *colour, *dash;
} drawn[] = {
    {THEORY_T1, "T1", "#D55E00", "solid"},
    {THEORY_T4, "T4", "#E69F00", "'-'"},
    {THEORY_T7, "T7", "#CC79A7", "'-..'"},
    {THEORY_T6, "T6", "#009E73", "'_.'"},
};
enum { DRAWN_COUNT = sizeof drawn / sizeof drawn[0] };

static const char *const terminals[] = {
    [SWEEP_PLOT_SVG] = "svg size 800,600 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'",
    [SWEEP_PLOT_PNG] = "pngcairo size 800,600 font 'sans,14'",
};

/* text as a string literal of gnuplot: between single quotes nothing but the quote itself is special. */
static void put_quoted(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text != '\0'; text++) {
    if (*text == '\'') fputc('\'', out);
    fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, out);
  }
  fputc('\'', out);
}

/* An SVG file is UTF-8, and a name that is not would spoil it. */
static const char *printable(const char *name) {
  const char *const slash = strrchr(name, '/');
  const char *const base = slash != NULL && slash[1] != '\0' ? slash + 1 : name;
  const utf8proc_uint8_t *rest = (const utf8proc_uint8_t *)base;
  while (*rest != '\0') {
    utf8proc_int32_t code;
    const utf8proc_ssize_t bytes = utf8proc_iterate(rest, -1, &code);
    if (bytes <= 0) return "?";
    rest += bytes;
  }
  return base;
}

static void put_title(FILE *out, const report_subject *s) {
  char title[512], head[32] = "";
  if (s->head != REPORT_WHOLE_LAYER) snprintf(head, sizeof head, ", head %d", s->head);
  snprintf(title, sizeof title, "%.200s, layer %d%s, mask %s, %.200s", printable(s->name), s->model_layer, head,
           subject_mask_name(s->mask), printable(s->input));
  fputs("set title ", out);
  put_quoted(out, title);
  fputs(" noenhanced\n", out);
}

/* Tics at 1, 2 and 5 times the powers of ten from low to high. */
static void put_tics(FILE *out, char axis, double low, double high) {
  const char *separator = "";
  fprintf(out, "set %ctics (", axis);
  for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++) {
    for (int i = 0; i < 3; i++) {
      static const int steps[] = {1, 2, 5};
      fprintf(out, "%s%de%d", separator, steps[i], power);
      separator = ", ";
    }
  }
  fputs(")\n", out);
}

/* The largest number that is drawn: the bounds lie above the points. */
static double largest_drawn(const sweep_plot_data *data) {
  double high = data->high;
  for (int i = 0; i < data->length_count; i++) {
    for (int j = 0; j < DRAWN_COUNT; j++) high = fmax(high, data->lengths[i].median[drawn[j].id]);
  }
  return high;
}

/* Over many decades the powers of ten are enough. */
static void put_axes(FILE *out, const sweep_plot_data *data) {
  const double first = data->points[0].n, last = data->points[data->count - 1].n, high = largest_drawn(data);
  fputs("set logscale xy\nset xlabel 'sequence length n (tokens)'\nset ylabel 'local Lipschitz constant'\n", out);
  fprintf(out, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", first / 1.08, last * 1.08, data->low / 1.2,
          high * 1.2);
  put_tics(out, 'x', first, last);
  if (high / data->low < 1000)
    put_tics(out, 'y', data->low, high);
  else
    fputs("set format y '10^{%L}'\n", out);
}

static void put_style(FILE *out, sweep_plot_format format) {
  fprintf(out, "set encoding utf8\nset terminal %s\n", terminals[format]);
  fputs("set grid xtics ytics lt 1 dt 1 lw 1 lc rgb '#cccccc'\nset border lw 1.5\nset errorbars small\n", out);
  fputs("set bmargin at screen 0.27\n", out);
  fputs("set key at screen 0.5,0.14 center top horizontal maxcols 4 Left reverse samplen 2.5 spacing 1.3 width -2 font "
        "',13'\n",
        out);
}

/* ---- the data ---------------------------------------------------------------------------------------------------- */

static void put_points(FILE *out, const sweep_plot_data *data) {
  fputs("$certified << END\n", out);
  for (int i = 0; i < data->count; i++)
    fprintf(out, "%d %.17g %.17g\n", data->points[i].n, data->points[i].lower, data->points[i].upper);
  fputs("END\n", out);
}

static void put_medians(FILE *out, const sweep_plot_data *data, theory_id id) {
  fprintf(out, "$bound%d << END\n", (int)id);
  for (int i = 0; i < data->length_count; i++) {
    const double median = data->lengths[i].median[id];
    if (median > 0) fprintf(out, "%d %.17g\n", data->lengths[i].n, median);
  }
  fputs("END\n", out);
}

static void put_curves(FILE *out, const sweep_plot_data *data, const sweep_fit *fit) {
  const sweep_plot_length *const start = &data->lengths[0];
  fputs("plot ", out);
  for (int i = 0; i < DRAWN_COUNT; i++) {
    if (!data->has_bound[drawn[i].id]) continue;
    fprintf(out, "$bound%d with linespoints pt %d ps 0.4 lw 2.5 dt %s lc rgb '%s' title '%s, median', \\\n",
            (int)drawn[i].id, 4 + 2 * i, drawn[i].dash, drawn[i].colour, drawn[i].name);
  }
  fprintf(out, "%.17g * sqrt(x / %d) with lines lw 2 dt '.' lc rgb '#888888' title 'guide √n', \\\n", start->lower,
          start->n);
  if (fit != NULL)
    fprintf(out, "%.17g * x**%.17g with lines lw 2 lc rgb '#000000' title 'fit %.3g n^{%.2f}', \\\n", fit->constant,
            fit->exponent, fit->constant, fit->exponent);
  fputs("$certified using 1:2:2:3 with yerrorbars pt 7 ps 0.6 lw 2 lc rgb '#0072B2' title 'certified range'\n", out);
}

static void put_script(FILE *out, sweep_plot_format format, const report_subject *subject, const sweep_plot_data *data,
                       const sweep_fit *fit) {
  put_style(out, format);
  put_title(out, subject);
  put_axes(out, data);
  put_points(out, data);
  for (int i = 0; i < DRAWN_COUNT; i++) put_medians(out, data, drawn[i].id);
  put_curves(out, data, fit);
}

static attcert_status draw(FILE *image, FILE *script, sweep_plot_format format, const report_subject *subject,
                           const sweep_row *rows, int count, attcert_error *err) {
  sweep_plot_data data;
  sweep_fit fit;
  const attcert_status status = sweep_plot_data_init(&data, rows, count, err);
  if (status != ATTCERT_OK) return status;
  put_script(script, format, subject, &data, sweep_fit_lower(&fit, rows, count) ? &fit : NULL);
  sweep_plot_data_clear(&data);
  return sweep_gnuplot_run(script, image, err);
}

attcert_status sweep_plot(FILE *image, sweep_plot_format format, const report_subject *subject, const sweep_row *rows,
                          int count, attcert_error *err) {
  FILE *const script = tmpfile();
  if (script == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "gnuplot: no temporary file: %s", strerror(errno));
  const attcert_status status = draw(image, script, format, subject, rows, count, err);
  fclose(script);
  return status;
}
