#include "report/sweep/sweep_plot.h"

#include "report/sweep/sweep_plot_data.h"
#include "report/sweep/sweep_statistics.h"

#include <math.h>

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

/* The largest number that is drawn: the bounds lie above the points. */
static double largest_drawn(const sweep_plot_data *data) {
  double high = data->high;
  for (int i = 0; i < data->length_count; i++) {
    for (int j = 0; j < DRAWN_COUNT; j++) high = fmax(high, data->lengths[i].median[drawn[j].id]);
  }
  return high;
}

static void put_axes(FILE *out, const sweep_plot_data *data) {
  const double first = data->points[0].n, last = data->points[data->count - 1].n;
  fputs("set xlabel 'sequence length n (tokens)'\nset ylabel 'local Lipschitz constant'\n", out);
  sweep_look_axes(out, first, last, data->low, largest_drawn(data));
  sweep_look_tics(out, 'x', first, last);
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

attcert_status sweep_plot(FILE *script, sweep_plot_format format, const void *picture, attcert_error *err) {
  const sweep_picture *const p = picture;
  sweep_plot_data data;
  sweep_fit fit;
  const attcert_status status = sweep_plot_data_init(&data, p->rows, p->count, err);
  if (status != ATTCERT_OK) return status;
  sweep_look_style(script, format);
  sweep_look_title(script, p->subject);
  put_axes(script, &data);
  put_points(script, &data);
  for (int i = 0; i < DRAWN_COUNT; i++) put_medians(script, &data, drawn[i].id);
  put_curves(script, &data, sweep_fit_lower(&fit, p->rows, p->count) ? &fit : NULL);
  sweep_plot_data_clear(&data);
  return ATTCERT_OK;
}
