#include "report/report_ball.h"

#include "report/number_text.h"
#include "report/report_words.h"

/* upper / lower rounded up, 53 bits; NaN when the lower end is 0. */
static void set_ratio(mpfr_t ratio, const ball_enclosure *b) {
  mpfr_init2(ratio, 53);
  if (mpfr_sgn(b->lower) > 0) mpfr_div(ratio, b->upper, b->lower, MPFR_RNDU);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

void report_ball_text(FILE *out, const report_ball *ball) {
  const ball_enclosure *const b = ball->enclosure;
  char lower[NUMBER_TEXT_SIZE], upper[NUMBER_TEXT_SIZE];
  mpfr_t ratio;
  set_ratio(ratio, b);
  fprintf(out, "ball       %s <= %.17g", ball_region_kind(ball->region)->bounded, ball->region->radius);
  if (!report_words_all(ball->region, ball->tokens)) {
    fputs(", and x'_i = x_i but for i = ", out);
    report_words_text(out, ball->region, ball->tokens, ball->list);
  }
  fprintf(out, "\nin ball    %s <= sup ||D_X' f||_2 <= %s\n", number_text_end(lower, b->lower, MPFR_RNDD),
          number_text_end(upper, b->upper, MPFR_RNDU));
  fprintf(out, "hexadecimal %s <= sup ||D_X' f||_2 <= %s\n", number_text_hex(lower, b->lower),
          number_text_hex(upper, b->upper));
  fprintf(out, "           so ||f(Y) - f(Z)||_F <= %s ||Y - Z||_F for all Y, Z in the ball\n",
          number_text_short(upper, b->upper, 6, MPFR_RNDU));
  fprintf(out, "           the upper end is by %s", b->upper_by);
  if (!mpfr_nan_p(ratio)) fprintf(out, ", %s times the lower", number_text_short(upper, ratio, 4, MPFR_RNDU));
  fprintf(out, ", found after %d step%s of ascent (%.2f s more)\n", b->steps, b->steps == 1 ? "" : "s", b->seconds);
  mpfr_clear(ratio);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

void report_ball_json(json_writer *w, const report_ball *ball) {
  const ball_enclosure *const b = ball->enclosure;
  char text[NUMBER_TEXT_SIZE];
  mpfr_t ratio;
  set_ratio(ratio, b);
  json_write_object(w, "ball");
  json_write_double(w, "radius", ball->region->radius, MPFR_RNDN);
  json_write_string(w, "kind", ball_region_kind(ball->region)->name);
  report_words_json(w, ball->region, ball->tokens);
  json_write_real(w, "lower", b->lower, MPFR_RNDD);
  json_write_real(w, "upper", b->upper, MPFR_RNDU);
  json_write_string(w, "lower_hex", number_text_hex(text, b->lower));
  json_write_string(w, "upper_hex", number_text_hex(text, b->upper));
  json_write_string(w, "upper_by", b->upper_by);
  json_write_real(w, "ratio", ratio, MPFR_RNDU);
  json_write_string(w, "claim", "||f(Y) - f(Z)||_F <= upper ||Y - Z||_F for all Y, Z in the ball");
  json_write_integer(w, "steps", (uint64_t)b->steps);
  json_write_double(w, "seconds", b->seconds, MPFR_RNDN);
  json_write_close(w);
  mpfr_clear(ratio);
}
