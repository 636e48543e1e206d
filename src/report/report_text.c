/* The report for people: one fact a line, then the table of the theory's bounds, then the claim. */
#include "report/claim.h"
#include "report/number_text.h"
#include "report/report.h"
#include "report/subject_input.h"

#include <inttypes.h>

static void put_subject(FILE *out, const report_subject *s) {
  fprintf(out, "layer      %s", subject_name_text(s->name));
  if (s->from_model) fprintf(out, ", layer %d", s->model_layer);
  if (s->random) fprintf(out, ", seed %" PRIu64, s->seed);
  if (s->head != REPORT_WHOLE_LAYER) fprintf(out, ", head %d alone", s->head);
  fprintf(out, "\nshape      n = %d tokens, d = %d, %d head%s of dimension %d, mask %s\n", s->tokens, s->dim, s->heads,
          s->heads > 1 ? "s" : "", s->head_dim, subject_mask_name(s->mask));
  subject_print_input(out, s);
  for (int i = 0; i < s->file_count; i++) fprintf(out, "sha256     %s  %s\n", s->files[i].sha256, s->files[i].path);
}

static void put_enclosure(FILE *out, const attcert_certificate *c) {
  char lower[NUMBER_TEXT_SIZE], upper[NUMBER_TEXT_SIZE];
  fprintf(out, "enclosure  %s <= ||D_X f||_2 <= %s\n", number_text_end(lower, c->lower, MPFR_RNDD),
          number_text_end(upper, c->upper, MPFR_RNDU));
  fprintf(out, "hexadecimal %s <= ||D_X f||_2 <= %s\n", number_text_hex(lower, c->lower),
          number_text_hex(upper, c->upper));
}

static void put_width(FILE *out, const attcert_certificate *c, double tolerance) {
  char width[NUMBER_TEXT_SIZE];
  fprintf(out, "width      %s relative", number_text_double(width, c->relative_width, 3, MPFR_RNDU));
  if (tolerance > 0) fprintf(out, " (asked: %g, %s)", tolerance, c->tolerance_met ? "met" : "NOT met");
  fputc('\n', out);
}

static void put_run(FILE *out, const report *r) {
  const attcert_certificate *const c = r->certificate;
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, "engine     %s, %d bits\nplan       %s\n", attcert_engine_name(c->engine), c->precision, c->plan);
  if (r->incomplete != NULL) fprintf(out, "INCOMPLETE %s: this is the best valid bound so far\n", r->incomplete);
  fprintf(out, "estimate   %s by power iteration in double: not certified, a lower estimate\n",
          number_text_double(text, c->estimate, NUMBER_TEXT_DIGITS, MPFR_RNDN));
  fprintf(out, "time       %.2f s (layer %.2f, lower %.2f, upper %.2f", c->seconds.total, c->seconds.layer,
          c->seconds.lower, c->seconds.upper);
  if (r->bounds != NULL) fprintf(out, "; theory bounds %.2f more", r->bounds_seconds);
  fprintf(out, "), peak memory %s\n", number_text_bytes(text, c->peak_memory));
}

static void put_bound(FILE *out, const theory_bound *bound, const attcert_certificate *c) {
  const mpfr_rnd_t outward = bound->lower ? MPFR_RNDD : MPFR_RNDU;
  char value[NUMBER_TEXT_SIZE], factor[NUMBER_TEXT_SIZE];
  mpfr_t ratio;
  if (!bound->available) {
    fprintf(out, "  %-4s %-26s %s: %s\n", bound->id, "not available", bound->title, bound->applies);
    return;
  }
  mpfr_init2(ratio, 53);
  report_bound_ratio(ratio, bound, c);
  number_text_short(value, bound->value, 6, outward);
  number_text_short(factor, ratio, 4, MPFR_RNDU);
  fprintf(out, "  %-4s %s %-13s %-9s %s: %s\n", bound->id, bound->lower ? ">=" : "<=", value,
          mpfr_nan_p(ratio) ? "-" : factor, bound->title, bound->applies);
  mpfr_clear(ratio);
}

static void put_bounds(FILE *out, const report *r) {
  fprintf(out, "\ntheory    %-13s ratio     to the certified upper end; rounded outward\n", "bound");
  for (int i = 0; i < THEORY_COUNT; i++) put_bound(out, &r->bounds->bound[i], r->certificate);
}

static void put_direction(FILE *out, const estimate_check *check) {
  char lower[NUMBER_TEXT_SIZE], upper[NUMBER_TEXT_SIZE];
  fprintf(out, "vector     %s <= ||J u|| / ||u|| <= %s, whatever was claimed for it\n",
          number_text_end(lower, check->direction_lo, MPFR_RNDD),
          number_text_end(upper, check->direction_hi, MPFR_RNDU));
}

static void put_check(FILE *out, const estimate_check *check) {
  static const char *const meaning[] = {
      [ESTIMATE_INSIDE] = "inside the enclosure: consistent with the exact value",
      [ESTIMATE_BELOW] = "below the lower end: an iteration that has not converged, or lost this much to rounding",
      [ESTIMATE_ABOVE] = "above the upper end: no direction stretches that much",
  };
  char gap[NUMBER_TEXT_SIZE];
  fprintf(out, "\nchecked    %s is %s\n", check->text,
          check->printed ? "outside, by no more than the ends are rounded outward where they are printed"
                         : meaning[check->verdict]);
  if (check->verdict != ESTIMATE_INSIDE)
    fprintf(out, "gap        %s relative", number_text_decimal(gap, check->gap, 3, MPFR_RNDU));
  if (check->explains != NULL)
    fprintf(out, ": within %s's rounding of this norm, about %.1e (a model, no bound)", check->explains->name,
            check->rounding);
  if (check->verdict != ESTIMATE_INSIDE) fputc('\n', out);
  if (check->has_direction) put_direction(out, check);
  fprintf(out, "verdict    %s", check->consistent ? "consistent" : "refuted");
  if (check->printed) fputs(" within the printed digits", out);
  if (check->slack > 0) fprintf(out, " with a slack of %g", check->slack);
  if (check->dtype != NULL) fprintf(out, ", what %s's rounding explains", check->dtype->name);
  if (!check->consistent && check->explains != NULL && check->dtype == NULL)
    fprintf(out, ", but --dtype %s allows for its rounding", check->explains->name);
  fputc('\n', out);
}

void report_text(FILE *out, const report *r) {
  put_subject(out, r->subject);
  put_enclosure(out, r->certificate);
  put_width(out, r->certificate, r->options->tolerance);
  if (r->ball != NULL) report_ball_text(out, r->ball);
  if (r->ball_missing != NULL) fprintf(out, "no ball    %s\n", r->ball_missing);
  put_run(out, r);
  if (r->bounds != NULL) put_bounds(out, r);
  if (r->bounds_missing != NULL) fprintf(out, "\nno theory bounds: %s\n", r->bounds_missing);
  if (r->check != NULL) put_check(out, r->check);
  if (r->worst != NULL) report_worst_text(out, r->worst, r->certificate, r->bounds);
  fputs("\nclaim      " REPORT_CLAIM_NUMBERS "\n           " REPORT_CLAIM_FUNCTION ".\n", out);
}
