#include "certify/enclosure/direction_norm.h"

#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "linalg/exact_rows.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#endif

/* squares[i] := ||(J u)_i||^2 */
static void square_token(const derivative *t, int i) {
  const size_t out = (size_t)t->layer->out_dim;
  interval_scratch ws;
  interval value;
  interval_scratch_init(&ws, t->e->precision);
  interval_init(&value, t->e->precision);
  for (size_t o = 0; o < out; o++) {
    interval_sqr(&value, &t->image[(size_t)i * out + o], &ws);
    interval_add(&t->squares[i], &t->squares[i], &value);
  }
  interval_clear(&value);
  interval_scratch_clear(&ws);
}
PARALLEL_TASK(square_token)

void direction_squares(derivative *t, int threads) {
  PARALLEL_FOR(t->e->n, threads, square_token, t);
}

/* square contains ||u_i||^2; false when memory runs out. */
static bool row_square(interval *square, const derivative *t, int i, mpz_ptr sum) {
  const size_t d = (size_t)t->e->dim;
  const double *const u = t->u + (size_t)i * d;
  exact_rows row;
  const bool ready = exact_rows_init(&row, u, 1, d, NULL);
  if (ready) exact_rows_dot(square, &row, 0, &row, 0, sum);
  exact_rows_clear(&row);
  return ready;
}

attcert_status direction_norm_ratio(derivative *t, attcert_error *err) {
  bool ready = true;
  interval_scratch ws;
  interval norm, square;
  mpz_t sum;
  mpz_init(sum);
  interval_scratch_init(&ws, t->e->precision);
  interval_init(&norm, t->e->precision);
  interval_init(&square, t->e->precision);
  for (int i = 0; i < t->e->n && ready; i++) {
    ready = row_square(&square, t, i, sum);
    interval_add(&norm, &norm, &square);
    if (i > 0) interval_add(&t->squares[0], &t->squares[0], &t->squares[i]);
  }
  interval_sqrt(&norm, &norm);
  interval_sqrt(&t->squares[0], &t->squares[0]);
  interval_div(t->ratio, &t->squares[0], &norm, &ws);
  interval_clear(&square);
  interval_clear(&norm);
  interval_scratch_clear(&ws);
  mpz_clear(sum);
  return ready ? ATTCERT_OK : derivative_lacks_memory(t, err);
}
