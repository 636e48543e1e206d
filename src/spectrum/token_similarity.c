#include "spectrum/token_similarity.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

typedef struct {
  interval mean, entry, deviations, squares, tokens;
  interval_scratch ws;
} similarity_sums;

/* Column c's part of both sums. */
static void add_column(similarity_sums *s, const interval *y, size_t n, size_t columns, size_t c) {
  interval_set_zero(&s->mean);
  for (size_t i = 0; i < n; i++) {
    interval_add(&s->mean, &s->mean, &y[i * columns + c]);
    interval_sqr(&s->entry, &y[i * columns + c], &s->ws);
    interval_add(&s->squares, &s->squares, &s->entry);
  }
  interval_div(&s->mean, &s->mean, &s->tokens, &s->ws);
  for (size_t i = 0; n > 1 && i < n; i++) {
    interval_sub(&s->entry, &y[i * columns + c], &s->mean);
    interval_sqr(&s->entry, &s->entry, &s->ws);
    interval_add(&s->deviations, &s->deviations, &s->entry);
  }
}

void spectrum_token_similarity(interval *ratio, const interval *y, size_t n, size_t columns) {
  const mpfr_prec_t bits = mpfr_get_prec(ratio->lo);
  similarity_sums s;
  interval *const all[] = {&s.mean, &s.entry, &s.deviations, &s.squares, &s.tokens};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) interval_init(all[i], bits);
  interval_scratch_init(&s.ws, bits);
  interval_set_si(&s.tokens, (long)n);
  for (size_t c = 0; c < columns; c++) add_column(&s, y, n, columns, c);
  if (mpfr_sgn(s.squares.lo) > 0) {
    interval_div(ratio, &s.deviations, &s.squares, &s.ws);
    interval_sqrt(ratio, ratio);
    if (mpfr_cmp_ui(ratio->hi, 1) > 0) mpfr_set_ui(ratio->hi, 1, MPFR_RNDU); /* the mean is the best constant row */
  } else {
    interval_set_whole(ratio);
  }
  interval_scratch_clear(&s.ws);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) interval_clear(all[i]);
}
