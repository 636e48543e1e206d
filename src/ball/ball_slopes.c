#include "ball/ball_slopes.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"

void ball_slopes_scratch_init(ball_slopes_scratch *s, mpfr_prec_t precision) {
  interval_scratch_init(&s->ws, precision);
  interval_init(&s->t, precision);
  interval_init(&s->u, precision);
  interval_init(&s->product, precision);
}

void ball_slopes_scratch_clear(ball_slopes_scratch *s) {
  interval_clear(&s->product);
  interval_clear(&s->u);
  interval_clear(&s->t);
  interval_scratch_clear(&s->ws);
}

static const interval *weight(const ball_slopes *f, int i, int j) {
  return &f->products->p[(size_t)i * (size_t)f->products->n + (size_t)j];
}

static void fill_overlap(interval *overlap, const ball_slopes *f, ball_part part, interval_scratch *ws) {
  const int n = f->products->n;
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < n; l++) {
      interval *const sum = &overlap[(size_t)i * (size_t)n + (size_t)l];
      for (int m = 0; m < n; m++) {
        if (ball_part_has(part, f->region, m)) interval_fma(sum, weight(f, i, m), weight(f, l, m), sum, ws);
      }
    }
  }
}

attcert_status ball_slopes_init(ball_slopes *f, const ball_products *products, const ball_region *region,
                                attcert_error *err) {
  const size_t count = (size_t)products->n * (size_t)products->n;
  interval_scratch ws;
  *f = (ball_slopes){.products = products, .region = region};
  interval_scratch_init(&ws, products->precision);
  attcert_status status = ATTCERT_OK;
  for (int part = 0; part < BALL_PARTS && status == ATTCERT_OK; part++) {
    f->overlap[part] = interval_vec_new(count, products->precision);
    if (f->overlap[part] == NULL)
      status = array_out_of_memory(err, interval_vec_bytes(count, products->precision), "the overlaps of %d rows",
                                   products->n);
    else
      fill_overlap(f->overlap[part], f, (ball_part)part, &ws);
  }
  interval_scratch_clear(&ws);
  return status;
}

void ball_slopes_clear(ball_slopes *f) {
  for (int part = 0; part < BALL_PARTS; part++) {
    interval_vec_free(f->overlap[part]);
    f->overlap[part] = NULL;
  }
}

/* r := c_ijl = delta_jl - P_il. */
static void coefficient(interval *r, const ball_slopes *f, int i, int j, int l) {
  interval_set_si(r, j == l ? 1 : 0);
  interval_sub(r, r, weight(f, i, l));
}

/* r := c_ij . c_lm over the part. */
static void coefficient_product(interval *r, const ball_slopes *f, ball_part part, int i, int j, int l, int m) {
  interval_set(r, &f->overlap[part][(size_t)i * (size_t)f->products->n + (size_t)l]);
  if (ball_part_has(part, f->region, j)) interval_sub(r, r, weight(f, l, j));
  if (!ball_part_has(part, f->region, m)) return;
  interval_sub(r, r, weight(f, i, m));
  if (j != m) return;
  interval one;
  interval_init(&one, f->products->precision);
  interval_set_si(&one, 1);
  interval_add(r, r, &one);
  interval_clear(&one);
}

void ball_slopes_product(interval *r, const ball_slopes *f, ball_part part, int i, int j, int l, int m,
                         ball_slopes_scratch *s) {
  const ball_products *const b = f->products;
  coefficient_product(&s->t, f, part, i, j, l, m);
  interval_mul(r, &s->t, &b->gradient[(size_t)i * (size_t)b->n + (size_t)l], &s->ws);
  if (ball_part_has(part, f->region, l)) {
    coefficient(&s->t, f, i, j, l);
    ball_products_mixed_deviation(&s->u, b, i, l, m);
    interval_fma(r, &s->t, &s->u, r, &s->ws);
  }
  if (!ball_part_has(part, f->region, i)) return;
  coefficient(&s->t, f, l, m, i);
  ball_products_mixed_deviation(&s->u, b, l, i, j);
  interval_fma(r, &s->t, &s->u, r, &s->ws);
  if (i != l) return;
  ball_products_key_deviation(&s->u, b, i, j, m);
  interval_add(r, r, &s->u);
}
