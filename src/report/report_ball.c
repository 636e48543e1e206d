#include "report/report_ball.h"

#include "report/number_text.h"
#include "report/report_words.h"

static void put_region(fact_writer *f, const report_ball *ball) {
  const ball_region *const region = ball->region;
  json_write_double(&f->json, "radius", region->radius, MPFR_RNDN);
  json_write_string(&f->json, "kind", ball_region_kind(region)->name);
  json_write_string(&f->json, "norm", ball_region_kind(region)->norm->name);
  report_words_json(&f->json, region, ball->tokens);
  fact_text(f, "ball       %s <= %.17g", ball_region_kind(region)->bounded, region->radius);
  if (f->text != NULL && !report_words_all(region, ball->tokens)) {
    fact_text(f, ", and x'_i = x_i but for i = ");
    report_words_text(f->text, region, ball->tokens, ball->list);
  }
  fact_text(f, "\n");
}

/* ratio: upper / lower rounded up, 53 bits; NaN when the lower end is 0. */
static void put_ratio(fact_writer *f, const ball_enclosure *b) {
  char text[NUMBER_TEXT_SIZE];
  mpfr_t ratio;
  mpfr_init2(ratio, 53);
  if (mpfr_sgn(b->lower) > 0) mpfr_div(ratio, b->upper, b->lower, MPFR_RNDU);
  json_write_real(&f->json, "ratio", ratio, MPFR_RNDU);
  if (!mpfr_nan_p(ratio)) fact_text(f, ", %s times the lower", number_text_short(text, ratio, 4, MPFR_RNDU));
  mpfr_clear(ratio);
}

void report_ball_write(fact_writer *f, const report_ball *ball) {
  const ball_enclosure *const b = ball->enclosure;
  json_writer *const w = &f->json;
  char upper[NUMBER_TEXT_SIZE];
  json_write_object(w, "ball");
  put_region(f, ball);
  fact_ends(f, "in ball", "sup ||D_X' f||_2", b->lower, b->upper);
  fact_text(f, "           so ||f(Y) - f(Z)||_F <= %s ||Y - Z||_F for all Y, Z in the ball\n",
            number_text_short(upper, b->upper, 6, MPFR_RNDU));
  json_write_string(w, "upper_by", b->upper_by);
  fact_text(f, "           the upper end is by %s", b->upper_by);
  put_ratio(f, b);
  json_write_string(w, "claim", "||f(Y) - f(Z)||_F <= upper ||Y - Z||_F for all Y, Z in the ball");
  json_write_integer(w, "steps", (uint64_t)b->steps);
  json_write_double(w, "seconds", b->seconds, MPFR_RNDN);
  fact_text(f, ", found after %d step%s of ascent (%.2f s more)\n", b->steps, b->steps == 1 ? "" : "s", b->seconds);
  json_write_close(w);
}
