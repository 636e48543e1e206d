#include "report/sweep/sweep_curve.h"

#include "base/arrays.h"
#include "report/number_text.h"
#include "report/subject_input.h"

#include <math.h>
#include <stdlib.h>

attcert_status sweep_curve_reserve(sweep_curve *c, int most, attcert_error *err) {
  c->rows = array_new((size_t)most, sizeof *c->rows, err, "a curve of %d radii", most);
  return c->rows == NULL ? ATTCERT_RESOURCE : ATTCERT_OK;
}

void sweep_curve_clear(sweep_curve *c) {
  for (int i = 0; i < c->count; i++) mpfr_clears(c->rows[i].lower, c->rows[i].upper, c->rows[i].sharp, (mpfr_ptr)0);
  free(c->rows);
  free(c->header);
}

void sweep_curve_add(sweep_curve *c, double radius, const ball_enclosure *b) {
  const theory_bound *const sharp = &b->bounds.bound[THEORY_T9];
  sweep_curve_row *const row = &c->rows[c->count++];
  *row = (sweep_curve_row){
      .radius = radius, .upper_by = b->upper_by, .has_sharp = sharp->available, .seconds = b->seconds};
  mpfr_inits2(53, row->lower, row->upper, row->sharp, (mpfr_ptr)0);
  mpfr_set(row->lower, b->lower, MPFR_RNDD);
  mpfr_set(row->upper, b->upper, MPFR_RNDU);
  if (sharp->available) mpfr_set(row->sharp, sharp->value, MPFR_RNDU);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Nothing of what is not there is a number. */
static void write_real(FILE *out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, "%s,", mpfr_number_p(x) ? number_text_end(text, x, rounding) : "");
}

void sweep_curve_write(FILE *out, bool json, const void *curve) {
  const sweep_curve *const c = curve;
  char text[NUMBER_TEXT_SIZE];
  (void)json;
  fprintf(out, "%s\nradius,point_lower,point_upper,found,upper,upper_by,T9,seconds\n", c->header);
  for (const sweep_curve_row *row = c->rows; row < c->rows + c->count; row++) {
    fprintf(out, "%s,", number_text_double(text, row->radius, NUMBER_TEXT_DIGITS, MPFR_RNDN));
    write_real(out, c->point->lower, MPFR_RNDD);
    write_real(out, c->point->upper, MPFR_RNDU);
    write_real(out, row->lower, MPFR_RNDD);
    write_real(out, row->upper, MPFR_RNDU);
    fprintf(out, "%s,", row->upper_by);
    write_real(out, row->sharp, MPFR_RNDU);
    fprintf(out, "%.3f\n", row->seconds);
  }
}

void sweep_curve_summary(FILE *out, bool json, const void *curve) {
  const sweep_curve *const c = curve;
  const sweep_curve_row *const last = &c->rows[c->count - 1];
  char lower[NUMBER_TEXT_SIZE], upper[NUMBER_TEXT_SIZE];
  (void)json;
  subject_print_tokens(out, c->subject);
  fprintf(out, "point      %s <= ||D_X f||_2 <= %s\n", number_text_end(lower, c->point->lower, MPFR_RNDD),
          number_text_end(upper, c->point->upper, MPFR_RNDU));
  fprintf(out, "rows       %d in %s; radius %.6g to %.6g\n", c->count, c->path, c->rows[0].radius, last->radius);
  fprintf(out, "last       %s <= sup ||D_X' f||_2 <= %s, by %s\n", number_text_end(lower, last->lower, MPFR_RNDD),
          number_text_end(upper, last->upper, MPFR_RNDU), last->upper_by);
}

/* ---- the picture ------------------------------------------------------------------------------------------------- */

/* Colours as in sweep_plot.c. */
typedef struct {
  const char *name, *title, *style;
} drawn_curve;

enum { CURVE_SHARP, CURVE_UPPER, CURVE_FOUND, CURVE_POINT, CURVES };

static const drawn_curve curves[CURVES] = {
    [CURVE_SHARP] = {"$sharp", "T9 on a ball that holds it", "pt 4 ps 0.6 lw 2.5 dt '-' lc rgb '#D55E00'"},
    [CURVE_UPPER] = {"$upper", "certified upper end", "pt 7 ps 0.6 lw 2.5 lc rgb '#0072B2'"},
    [CURVE_FOUND] = {"$found", "found and certified", "pt 6 ps 0.6 lw 2.5 dt '_.' lc rgb '#009E73'"},
    [CURVE_POINT] = {"$point", "at the input itself", "pt 0 ps 0 lw 2 dt '.' lc rgb '#888888'"},
};

/* The number that a curve has at a row; 0 where it has none, or none that a logarithmic axis of doubles can show. */
static double value_of(const sweep_curve *c, int which, const sweep_curve_row *row) {
  mpfr_srcptr const ends[CURVES] = {row->sharp, row->upper, row->lower, c->point->upper};
  if (which == CURVE_SHARP && !row->has_sharp) return 0.0;
  const double value = mpfr_get_d(ends[which], MPFR_RNDN);
  return isfinite(value) && value > 0.0 && row->radius > 0.0 ? value : 0.0;
}

typedef struct {
  double first, last, low, high; /* of what is drawn */
  bool has[CURVES];
} extent;

static bool extent_of(extent *e, const sweep_curve *c) {
  *e = (extent){.first = INFINITY, .low = INFINITY};
  for (int i = 0; i < c->count; i++) {
    for (int which = 0; which < CURVES; which++) {
      const double value = value_of(c, which, &c->rows[i]);
      if (value == 0.0) continue;
      e->has[which] = true;
      e->first = fmin(e->first, c->rows[i].radius);
      e->last = fmax(e->last, c->rows[i].radius);
      e->low = fmin(e->low, value);
      e->high = fmax(e->high, value);
    }
  }
  return e->high > 0.0;
}

static void put_data(FILE *out, const sweep_curve *c, int which) {
  fprintf(out, "%s << END\n", curves[which].name);
  for (int i = 0; i < c->count; i++) {
    const double value = value_of(c, which, &c->rows[i]);
    if (value > 0.0) fprintf(out, "%.17g %.17g\n", c->rows[i].radius, value);
  }
  fputs("END\n", out);
}

attcert_status sweep_curve_plot(FILE *script, sweep_plot_format format, const void *curve, attcert_error *err) {
  const sweep_curve *const c = curve;
  extent e;
  if (!extent_of(&e, c)) return attcert_fail(err, ATTCERT_INPUT, "--plot: no row can be drawn on logarithmic axes");
  sweep_look_style(script, format);
  sweep_look_title(script, c->subject);
  fputs("set xlabel 'radius of the ball'\nset ylabel 'largest local Lipschitz constant in it'\n", script);
  sweep_look_axes(script, e.first, e.last, e.low, e.high);
  fputs("set format x '10^{%L}'\n", script);
  for (int which = 0; which < CURVES; which++) put_data(script, c, which);
  const char *separator = "plot ";
  for (int which = 0; which < CURVES; which++) {
    if (!e.has[which]) continue;
    fprintf(script, "%s%s with linespoints %s title '%s'", separator, curves[which].name, curves[which].style,
            curves[which].title);
    separator = ", ";
  }
  fputc('\n', script);
  return ATTCERT_OK;
}
