#include "report/report_worst.h"

#include "report/number_text.h"
#include "theory/theory_refuted.h"

#include <inttypes.h>
#include <math.h>

/* What is known of Lip(f | B_R^n): the certified lower end at one input, and the theory's smallest bound on the ball;
 * ratio: of the two, rounded up; NaN without both. */
static void put_ball(fact_writer *f, const worst_options *search, mpfr_srcptr lower, const theory_bound *upper) {
  char low[NUMBER_TEXT_SIZE], high[NUMBER_TEXT_SIZE];
  json_writer *const w = &f->json;
  mpfr_t ratio;
  mpfr_init2(ratio, 53); /* NaN */
  json_write_object(w, "lipschitz_on_ball");
  json_write_real(w, "lower", lower, MPFR_RNDD);
  fact_text(f, "\non ball    %s <= Lip(f | B_R^n)", number_text_end(low, lower, MPFR_RNDD));
  if (upper != NULL) {
    if (mpfr_sgn(lower) > 0) mpfr_div(ratio, upper->value, lower, MPFR_RNDU);
    json_write_real(w, "upper", upper->value, MPFR_RNDU);
    json_write_string(w, "upper_by", upper->id);
    json_write_real(w, "ratio", ratio, MPFR_RNDU);
    fact_text(f, " <= %s", number_text_end(high, upper->value, MPFR_RNDU));
  }
  json_write_close(w);
  fact_text(f, ", R = %.17g, n = %d\n", search->radius, search->tokens);
  if (!mpfr_nan_p(ratio))
    fact_text(f, "           the upper end is %s, %s times the lower\n", upper->id,
              number_text_short(high, ratio, 4, MPFR_RNDU));
  mpfr_clear(ratio);
}

static void put_start(fact_writer *f, const worst_record *r, bool best) {
  char before[NUMBER_TEXT_SIZE], after[NUMBER_TEXT_SIZE];
  json_writer *const w = &f->json;
  json_write_object(w, NULL);
  json_write_string(w, "name", r->name);
  json_write_double(w, "before", r->before, MPFR_RNDN);
  json_write_double(w, "after", r->after, MPFR_RNDN);
  json_write_integer(w, "steps", (uint64_t)r->steps);
  json_write_close(w);
  fact_text(f, "%c %-46s %-13s %-13s %d\n", best ? '*' : ' ', r->name,
            number_text_double(before, r->before, 7, MPFR_RNDN), number_text_double(after, r->after, 7, MPFR_RNDN),
            r->steps);
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

static void put_search(fact_writer *f, const report_worst *worst) {
  const worst_options *const search = worst->search;
  const worst_result *const found = worst->result;
  json_writer *const w = &f->json;
  json_write_integer(w, "random_starts", (uint64_t)search->random);
  json_write_integer(w, "max_steps", (uint64_t)search->steps);
  json_write_integer(w, "seed", search->seed);
  json_write_string(w, "best", found->record[found->best].name);
  fact_text(
      f, "search     %d starts, %d of them random (seed %" PRIu64 "), at most %d steps from each; * became the input\n",
      found->count, search->random, search->seed, search->steps);
  fact_text(f, "  %-46s %-13s %-13s steps   estimates, not certified\n", "start", "before", "after");
  json_write_array(w, "starts");
  for (int i = 0; i < found->count; i++) put_start(f, &found->record[i], i == found->best);
  json_write_close(w);
}

void report_worst_write(fact_writer *f, const report_worst *worst, const attcert_certificate *certificate,
                        const theory_table *bounds) {
  char norm[NUMBER_TEXT_SIZE];
  json_write_object(&f->json, "worst");
  json_write_double(&f->json, "radius", worst->search->radius, MPFR_RNDN);
  json_write_double(&f->json, "token_ball_radius", worst->token_ball_radius, MPFR_RNDU);
  put_ball(f, worst->search, certificate->lower, bounds != NULL ? theory_smallest_on_ball(bounds) : NULL);
  fact_text(f, "           the input is in the ball: max ||x_i|| <= %s\n",
            number_text_double(norm, worst->token_ball_radius, NUMBER_TEXT_DIGITS, MPFR_RNDU));
  put_ratios_json(&f->json, certificate, bounds);
  put_search(f, worst);
  json_write_close(&f->json);
}
