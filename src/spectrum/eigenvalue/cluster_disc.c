#include "spectrum/eigenvalue/cluster_disc.h"

#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"

enum { MAGNITUDE_BITS = 64 }; /* of bounds, rounded upward */

static mpfr_prec_t precision(const cluster_work *w) {
  return mpfr_get_prec(w->s->matrix->lo);
}

/* The rows of the cluster, into member; returns how many. */
static size_t list_members(cluster_work *w, size_t least) {
  size_t count = 0;
  for (size_t i = 0; i < w->s->size; i++) {
    if (w->cluster[i] == least) w->member[count++] = i;
  }
  return count;
}

/* Whether the cluster holds both of a pair, or neither, for each pair. */
static bool is_conjugate(const cluster_work *w, size_t least) {
  for (size_t i = 0; i + 1 < w->s->size; i++) {
    if (w->s->first[i] && (w->cluster[i] == least) != (w->cluster[i + 1] == least)) return false;
  }
  return true;
}

/* sum += the middle of a; t is scratch. */
static void add_middle(mpfr_ptr sum, const interval *a, mpfr_ptr t) {
  mpfr_add(t, a->lo, a->hi, MPFR_RNDN);
  mpfr_div_2ui(t, t, 1, MPFR_RNDN);
  mpfr_add(sum, sum, t, MPFR_RNDN);
}

/* (re, im) := mu, about the mean of the diagonal; real where the cluster is its own conjugate. */
static void set_centre(mpfr_ptr re, mpfr_ptr im, const cluster_work *w, size_t least, size_t m) {
  const size_t k = w->s->size;
  mpfr_t t;
  mpfr_init2(t, precision(w));
  mpfr_set_zero(re, 1);
  mpfr_set_zero(im, 1);
  for (size_t i = 0; i < m; i++) {
    const size_t at = w->member[i] * k + w->member[i];
    add_middle(re, &w->s->real[at], t);
    add_middle(im, &w->s->imaginary[at], t);
  }
  mpfr_div_ui(re, re, m, MPFR_RNDN);
  mpfr_div_ui(im, im, m, MPFR_RNDN);
  if (is_conjugate(w, least)) mpfr_set_zero(im, 1);
  mpfr_clear(t);
}

/* a := a - x for the number x. */
static void subtract_number(interval *a, mpfr_srcptr x) {
  mpfr_sub(a->lo, a->lo, x, MPFR_RNDD);
  mpfr_sub(a->hi, a->hi, x, MPFR_RNDU);
}

/* (re, im) of the work := N, m x m. */
static void set_deviation(cluster_work *w, size_t m, mpfr_srcptr re, mpfr_srcptr im) {
  const size_t k = w->s->size;
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < m; j++) {
      const size_t at = w->member[i] * k + w->member[j];
      interval_set(&w->re[i * m + j], &w->s->real[at]);
      interval_set(&w->im[i * m + j], &w->s->imaginary[at]);
    }
    subtract_number(&w->re[i * m + i], re);
    subtract_number(&w->im[i * m + i], im);
  }
}

/* norm := the largest row sum of moduli of N, rounded up. */
static void row_sum_norm(mpfr_ptr norm, const cluster_work *w, size_t m) {
  mpfr_t sum, x, y;
  mpfr_inits2(MAGNITUDE_BITS, sum, x, y, (mpfr_ptr)0);
  mpfr_set_zero(norm, 1);
  for (size_t i = 0; i < m; i++) {
    mpfr_set_zero(sum, 1);
    for (size_t j = 0; j < m; j++) {
      interval_mag(x, &w->re[i * m + j]);
      interval_mag(y, &w->im[i * m + j]);
      mpfr_hypot(x, x, y, MPFR_RNDU);
      mpfr_add(sum, sum, x, MPFR_RNDU);
    }
    mpfr_max(norm, norm, sum, MPFR_RNDU);
  }
  mpfr_clears(sum, x, y, (mpfr_ptr)0);
}

typedef struct {
  cluster_work *w;
  size_t m;
} squaring;

/* Row i of N^2. */
static void square_row(void *context, int index) {
  const squaring *const q = context;
  const cluster_work *const w = q->w;
  const size_t m = q->m, i = (size_t)index;
  interval_scratch ws;
  interval t;
  interval_scratch_init(&ws, precision(w));
  interval_init(&t, precision(w));
  for (size_t j = 0; j < m; j++) {
    interval *const re = &w->square_re[i * m + j], *const im = &w->square_im[i * m + j];
    interval_set_zero(re);
    interval_set_zero(im);
    for (size_t l = 0; l < m; l++) {
      const size_t il = i * m + l, lj = l * m + j;
      interval_fma(re, &w->re[il], &w->re[lj], re, &ws);
      interval_mul(&t, &w->im[il], &w->im[lj], &ws);
      interval_sub(re, re, &t);
      interval_fma(im, &w->re[il], &w->im[lj], im, &ws);
      interval_fma(im, &w->im[il], &w->re[lj], im, &ws);
    }
  }
  interval_clear(&t);
  interval_scratch_clear(&ws);
}

static void square(cluster_work *w, size_t m) {
  squaring q = {w, m};
  parallel_for((int)m, parallel_threads(0), square_row, &q);
  interval *const re = w->re, *const im = w->im;
  w->re = w->square_re, w->im = w->square_im;
  w->square_re = re, w->square_im = im;
}

/* delta := max_i sum_(j outside) |S_ij|, rounded up. */
static void coupling(mpfr_ptr delta, const cluster_work *w, size_t least, size_t m) {
  const size_t k = w->s->size;
  mpfr_t sum;
  mpfr_init2(sum, MAGNITUDE_BITS);
  mpfr_set_zero(delta, 1);
  for (size_t i = 0; i < m; i++) {
    mpfr_set_zero(sum, 1);
    for (size_t j = 0; j < k; j++) {
      if (w->cluster[j] != least) mpfr_add(sum, sum, w->modulus + w->member[i] * k + j, MPFR_RNDU);
    }
    mpfr_max(delta, delta, sum, MPFR_RNDU);
  }
  mpfr_clear(sum);
}

/* Whether delta f(rho) < 1 and ||N^(2^q)|| < rho^(2^q), rho > 0. Every operation is rounded to the safe side. */
static bool encloses(mpfr_srcptr rho, mpfr_srcptr delta, const cluster_work *w, int q) {
  mpfr_t x, f, t;
  mpfr_inits2(MAGNITUDE_BITS, x, f, t, (mpfr_ptr)0);
  mpfr_ui_div(x, 1, rho, MPFR_RNDU);
  mpfr_mul(f, delta, x, MPFR_RNDU);
  for (int i = 0; i < q; i++) {
    mpfr_mul(t, w->power + i, x, MPFR_RNDU);
    mpfr_add_ui(t, t, 1, MPFR_RNDU);
    mpfr_mul(f, f, t, MPFR_RNDU);
    mpfr_sqr(x, x, MPFR_RNDU);
  }
  mpfr_mul(t, w->power + q, x, MPFR_RNDU);
  mpfr_ui_sub(t, 1, t, MPFR_RNDD);
  bool holds = mpfr_sgn(t) > 0;
  if (holds) {
    mpfr_div(f, f, t, MPFR_RNDU);
    holds = mpfr_cmp_ui(f, 1) < 0;
  }
  mpfr_clears(x, f, t, (mpfr_ptr)0);
  return holds;
}

/* rho := a radius that encloses, within 1/64 of where that ends. */
static void find_radius(mpfr_ptr rho, mpfr_srcptr delta, const cluster_work *w, int q) {
  mpfr_t below, middle;
  mpfr_add(rho, delta, w->power, MPFR_RNDU);
  if (mpfr_zero_p(delta) && mpfr_zero_p(w->power + q))
    mpfr_set_zero(rho, 1); /* N is nilpotent, nothing else is there */
  if (!mpfr_regular_p(rho)) return;
  mpfr_inits2(MAGNITUDE_BITS, below, middle, (mpfr_ptr)0);
  while (!encloses(rho, delta, w, q)) mpfr_mul_2ui(rho, rho, 1, MPFR_RNDU);
  mpfr_div_2ui(below, rho, 1, MPFR_RNDU);
  while (encloses(below, delta, w, q)) {
    mpfr_set(rho, below, MPFR_RNDU);
    mpfr_div_2ui(below, rho, 1, MPFR_RNDU);
  }
  for (int step = 0; step < 6; step++) {
    mpfr_add(middle, below, rho, MPFR_RNDU);
    mpfr_div_2ui(middle, middle, 1, MPFR_RNDU);
    mpfr_set(encloses(middle, delta, w, q) ? rho : below, middle, MPFR_RNDU);
  }
  mpfr_clears(below, middle, (mpfr_ptr)0);
}

void cluster_disc_enclose(spectrum_disc *disc, cluster_work *w, size_t least) {
  const size_t m = list_members(w, least);
  mpfr_t re, im, delta, rho;
  mpfr_inits2(precision(w), re, im, (mpfr_ptr)0);
  mpfr_inits2(MAGNITUDE_BITS, delta, rho, (mpfr_ptr)0);
  set_centre(re, im, w, least, m);
  set_deviation(w, m, re, im);
  coupling(delta, w, least, m);
  int q = 0;
  row_sum_norm(w->power, w, m);
  while ((size_t)1 << q < m) {
    square(w, m);
    row_sum_norm(w->power + ++q, w, m);
  }
  find_radius(rho, delta, w, q);
  spectrum_disc_set_rounded(disc, re, im, rho);
  disc->multiplicity = (int)m;
  mpfr_clears(re, im, delta, rho, (mpfr_ptr)0);
}
