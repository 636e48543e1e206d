/* See sweep_curve.h. */
#include "report/sweep/sweep_curve.h"

#include "report/number_text.h"
#include "report/sweep/sweep_gnuplot.h"

#include <math.h>

void sweep_curve_row_init(sweep_curve_row *row) {
  *row = (sweep_curve_row){.upper_by = ""};
  mpfr_inits2(53, row->lower, row->upper, row->sharp, (mpfr_ptr)0);
}

void sweep_curve_row_clear(sweep_curve_row *row) {
  mpfr_clears(row->lower, row->upper, row->sharp, (mpfr_ptr)0);
}

void sweep_curve_row_set(sweep_curve_row *row, double radius, const ball_enclosure *b) {
  const theory_bound *const sharp = &b->bounds.bound[THEORY_T9];
  row->radius = radius;
  mpfr_set(row->lower, b->lower, MPFR_RNDD);
  mpfr_set(row->upper, b->upper, MPFR_RNDU);
  row->upper_by = b->upper_by;
  row->has_sharp = sharp->available;
  if (sharp->available) mpfr_set(row->sharp, sharp->value, MPFR_RNDU);
  row->seconds = b->seconds;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

void sweep_curve_write_names(FILE *out) {
  fputs("radius,point_lower,point_upper,found,upper,upper_by,T9,seconds\n", out);
}

static void write_real(FILE *out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, "%s,", mpfr_number_p(x) ? number_text_end(text, x, rounding) : "");
}

void sweep_curve_write(FILE *out, const sweep_curve_row *row, const attcert_certificate *point) {
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, "%s,", number_text_double(text, row->radius, NUMBER_TEXT_DIGITS, MPFR_RNDN));
  write_real(out, point->lower, MPFR_RNDD);
  write_real(out, point->upper, MPFR_RNDU);
  write_real(out, row->lower, MPFR_RNDD);
  write_real(out, row->upper, MPFR_RNDU);
  fprintf(out, "%s,", row->upper_by);
  if (row->has_sharp)
    write_real(out, row->sharp, MPFR_RNDU);
  else
    fputc(',', out);
  fprintf(out, "%.3f\n", row->seconds);
}

/* ---- the picture ------------------------------------------------------------------------------------------------- */

/* Colours as in sweep_plot.c. */
typedef struct {
  const char *name, *title, *style;
} curve;

enum { CURVE_SHARP, CURVE_UPPER, CURVE_FOUND, CURVE_POINT, CURVES };

static const curve curves[CURVES] = {
    [CURVE_SHARP] = {"$sharp", "T9 on a ball that holds it", "pt 4 ps 0.6 lw 2.5 dt '-' lc rgb '#D55E00'"},
    [CURVE_UPPER] = {"$upper", "certified upper end", "pt 7 ps 0.6 lw 2.5 lc rgb '#0072B2'"},
    [CURVE_FOUND] = {"$found", "found and certified", "pt 6 ps 0.6 lw 2.5 dt '_.' lc rgb '#009E73'"},
    [CURVE_POINT] = {"$point", "at the input itself", "pt 0 ps 0 lw 2 dt '.' lc rgb '#888888'"},
};

/* The number that a curve has at a row; 0 where it has none, or none that a logarithmic axis of doubles can show. */
static double value_of(int which, const sweep_curve_row *row, const attcert_certificate *point) {
  mpfr_srcptr const ends[CURVES] = {row->sharp, row->upper, row->lower, point->upper};
  if (which == CURVE_SHARP && !row->has_sharp) return 0.0;
  const double value = mpfr_get_d(ends[which], MPFR_RNDN);
  return isfinite(value) && value > 0.0 && row->radius > 0.0 ? value : 0.0;
}

typedef struct {
  double first, last, low, high; /* of what is drawn */
  bool has[CURVES];
} extent;

static bool extent_of(extent *e, const sweep_curve_row *rows, int count, const attcert_certificate *point) {
  *e = (extent){.first = INFINITY, .low = INFINITY};
  for (int i = 0; i < count; i++) {
    for (int which = 0; which < CURVES; which++) {
      const double value = value_of(which, &rows[i], point);
      if (value == 0.0) continue;
      e->has[which] = true;
      e->first = fmin(e->first, rows[i].radius);
      e->last = fmax(e->last, rows[i].radius);
      e->low = fmin(e->low, value);
      e->high = fmax(e->high, value);
    }
  }
  return e->high > 0.0;
}

static void put_data(FILE *out, int which, const sweep_curve_row *rows, int count, const attcert_certificate *point) {
  fprintf(out, "%s << END\n", curves[which].name);
  for (int i = 0; i < count; i++) {
    const double value = value_of(which, &rows[i], point);
    if (value > 0.0) fprintf(out, "%.17g %.17g\n", rows[i].radius, value);
  }
  fputs("END\n", out);
}

static void put_script(FILE *out, sweep_plot_format format, const report_subject *subject, const extent *e,
                       const sweep_curve_row *rows, int count, const attcert_certificate *point) {
  sweep_look_style(out, format);
  sweep_look_title(out, subject);
  fputs("set logscale xy\nset xlabel 'radius of the ball'\nset ylabel 'largest local Lipschitz constant in it'\n", out);
  fprintf(out, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\nset format x '10^{%%L}'\n", e->first / 1.08,
          e->last * 1.08, e->low / 1.2, e->high * 1.2);
  if (e->high / e->low < 1000)
    sweep_look_tics(out, 'y', e->low, e->high);
  else
    fputs("set format y '10^{%L}'\n", out);
  for (int which = 0; which < CURVES; which++) put_data(out, which, rows, count, point);
  const char *separator = "plot ";
  for (int which = 0; which < CURVES; which++) {
    if (!e->has[which]) continue;
    fprintf(out, "%s%s with linespoints %s title '%s'", separator, curves[which].name, curves[which].style,
            curves[which].title);
    separator = ", ";
  }
  fputc('\n', out);
}

attcert_status sweep_curve_plot(FILE *image, sweep_plot_format format, const report_subject *subject,
                                const attcert_certificate *point, const sweep_curve_row *rows, int count,
                                attcert_error *err) {
  extent e;
  if (!extent_of(&e, rows, count, point))
    return attcert_fail(err, ATTCERT_INPUT, "--plot: no row can be drawn on logarithmic axes");
  FILE *const script = sweep_gnuplot_script(err);
  if (script == NULL) return ATTCERT_RESOURCE;
  put_script(script, format, subject, &e, rows, count, point);
  const attcert_status status = sweep_gnuplot_run(script, image, err);
  fclose(script);
  return status;
}
