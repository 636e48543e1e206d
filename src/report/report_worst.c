#include "report/report_worst.h"

#include "report/number_text.h"
#include "theory/theory_refuted.h"

#include <inttypes.h>
#include <math.h>

/* What is known of Lip(f | B_R^n): the certified lower end at one input, and the theory's
 * smallest bound on the ball. */
typedef struct {
  mpfr_srcptr lower;
  const theory_bound *upper; /* NULL: none */
  mpfr_t ratio;              /* upper / lower, rounded up; NaN without both */
} ball_constant;

static void ball_constant_init(ball_constant *b, const attcert_certificate *certificate, const theory_table *bounds) {
  b->lower = certificate->lower;
  b->upper = bounds != NULL ? theory_smallest_on_ball(bounds) : NULL;
  mpfr_init2(b->ratio, 53); /* NaN */
  if (b->upper != NULL && mpfr_sgn(b->lower) > 0) mpfr_div(b->ratio, b->upper->value, b->lower, MPFR_RNDU);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void put_ball_text(FILE *out, const ball_constant *b, const worst_options *search) {
  char lower[NUMBER_TEXT_SIZE], upper[NUMBER_TEXT_SIZE], ratio[NUMBER_TEXT_SIZE];
  fprintf(out, "\non ball    %s <= Lip(f | B_R^n)", number_text_end(lower, b->lower, MPFR_RNDD));
  if (b->upper != NULL) fprintf(out, " <= %s", number_text_end(upper, b->upper->value, MPFR_RNDU));
  fprintf(out, ", R = %.17g, n = %d\n", search->radius, search->tokens);
  if (!mpfr_nan_p(b->ratio))
    fprintf(out, "           the upper end is %s, %s times the lower\n", b->upper->id,
            number_text_short(ratio, b->ratio, 4, MPFR_RNDU));
}

static void put_starts_text(FILE *out, const worst_result *result) {
  char before[NUMBER_TEXT_SIZE], after[NUMBER_TEXT_SIZE];
  fprintf(out, "  %-46s %-13s %-13s steps   estimates, not certified\n", "start", "before", "after");
  for (int i = 0; i < result->count; i++) {
    const worst_record *const r = &result->record[i];
    fprintf(out, "%c %-46s %-13s %-13s %d\n", i == result->best ? '*' : ' ', r->name,
            number_text_double(before, r->before, 7, MPFR_RNDN), number_text_double(after, r->after, 7, MPFR_RNDN),
            r->steps);
  }
}

void report_worst_text(FILE *out, const report_worst *worst, const attcert_certificate *certificate,
                       const theory_table *bounds) {
  const worst_options *const search = worst->search;
  char norm[NUMBER_TEXT_SIZE];
  ball_constant b;
  ball_constant_init(&b, certificate, bounds);
  put_ball_text(out, &b, search);
  fprintf(out, "           the input is in the ball: max ||x_i|| <= %s\n",
          number_text_double(norm, worst->token_ball_radius, NUMBER_TEXT_DIGITS, MPFR_RNDU));
  fprintf(out,
          "search     %d starts, %d of them random (seed %" PRIu64
          "), at most %d steps from each; * became the input\n",
          worst->result->count, search->random, search->seed, search->steps);
  put_starts_text(out, worst->result);
  mpfr_clear(b.ratio);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_ball_json(json_writer *w, const ball_constant *b) {
  json_write_object(w, "lipschitz_on_ball");
  json_write_real(w, "lower", b->lower, MPFR_RNDD);
  if (b->upper != NULL) {
    json_write_real(w, "upper", b->upper->value, MPFR_RNDU);
    json_write_string(w, "upper_by", b->upper->id);
    json_write_real(w, "ratio", b->ratio, MPFR_RNDU);
  }
  json_write_close(w);
}

static void put_starts_json(json_writer *w, const worst_result *result) {
  json_write_array(w, "starts");
  for (int i = 0; i < result->count; i++) {
    const worst_record *const r = &result->record[i];
    json_write_object(w, NULL);
    json_write_string(w, "name", r->name);
    json_write_double(w, "before", r->before, MPFR_RNDN);
    json_write_double(w, "after", r->after, MPFR_RNDN);
    json_write_integer(w, "steps", (uint64_t)r->steps);
    json_write_close(w);
  }
  json_write_close(w);
}

/* Every upper bound on the ball over the certified lower end: at least its distance from the Lipschitz constant. */
static void put_ratios_json(json_writer *w, const attcert_certificate *certificate, const theory_table *bounds) {
  mpfr_t ratio;
  mpfr_init2(ratio, 53);
  json_write_object(w, "bound_over_lower");
  for (int i = 0; bounds != NULL && mpfr_sgn(certificate->lower) > 0 && i < THEORY_COUNT; i++) {
    const theory_bound *const bound = &bounds->bound[i];
    if (!bound->available || bound->lower || bound->radius == 0) continue;
    mpfr_div(ratio, bound->value, certificate->lower, MPFR_RNDU);
    json_write_real(w, bound->id, ratio, MPFR_RNDU);
  }
  json_write_close(w);
  mpfr_clear(ratio);
}

void report_worst_json(json_writer *w, const report_worst *worst, const attcert_certificate *certificate,
                       const theory_table *bounds) {
  const worst_options *const search = worst->search;
  ball_constant b;
  ball_constant_init(&b, certificate, bounds);
  json_write_object(w, "worst");
  json_write_double(w, "radius", search->radius, MPFR_RNDN);
  json_write_double(w, "token_ball_radius", worst->token_ball_radius, MPFR_RNDU);
  put_ball_json(w, &b);
  put_ratios_json(w, certificate, bounds);
  json_write_integer(w, "random_starts", (uint64_t)search->random);
  json_write_integer(w, "max_steps", (uint64_t)search->steps);
  json_write_integer(w, "seed", search->seed);
  json_write_string(w, "best", worst->result->record[worst->result->best].name);
  put_starts_json(w, worst->result);
  json_write_close(w);
  mpfr_clear(b.ratio);
}
