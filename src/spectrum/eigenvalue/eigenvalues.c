#include "spectrum/eigenvalue/eigenvalues.h"

#include "base/arrays.h"
#include "interval/interval_set.h"
#include "spectrum/eigenvalue/balance.h"
#include "spectrum/eigenvalue/clusters.h"
#include "spectrum/eigenvalue/proposal.h"
#include "spectrum/matrix/traces.h"

#include <math.h>
#include <stdlib.h>

static attcert_status allocate(spectrum_eigenvalues *e, size_t capacity, attcert_error *err) {
  *e = (spectrum_eigenvalues){0};
  e->disc = array_new(capacity, sizeof *e->disc, err, "a list of %zu eigenvalues", capacity);
  if (e->disc == NULL) return ATTCERT_RESOURCE;
  e->capacity = (int)capacity;
  for (size_t i = 0; i < capacity; i++) spectrum_disc_init(&e->disc[i]);
  return ATTCERT_OK;
}

void spectrum_eigenvalues_clear(spectrum_eigenvalues *e) {
  for (int i = 0; i < e->capacity; i++) spectrum_disc_clear(&e->disc[i]);
  free(e->disc);
  *e = (spectrum_eigenvalues){0};
}

/* First-order steps while they gain something; s encloses the similar matrix of the last basis but one, or of the one
 * before where that failed. */
static attcert_status refine(spectrum_similarity *s, attcert_error *err) {
  enum { STEPS = 16 };
  static const double converged = 0x1p-90, gain = 0.75;
  double size = INFINITY, before;
  for (int step = 0; step < STEPS; step++) {
    before = size;
    spectrum_similarity_save(s);
    const attcert_status status = spectrum_proposal_refine(&size, s, err);
    if (status != ATTCERT_OK || size <= converged || size > gain * before) return status;
    if (spectrum_similarity_enclose(s)) continue;
    spectrum_similarity_restore(s);
    spectrum_similarity_enclose(s);
    return ATTCERT_OK;
  }
  return ATTCERT_OK;
}
/* The discs that one proposal leads to; none where it is not certified. */
static attcert_status enclose_attempt(spectrum_eigenvalues *e, spectrum_similarity *s, double perturbation,
                                      attcert_error *err) {
  bool found;
  e->count = 0;
  attcert_status status = spectrum_proposal(&found, s, perturbation, err);
  if (status != ATTCERT_OK || !found || !spectrum_similarity_enclose(s)) return status;
  status = refine(s, err);
  return status == ATTCERT_OK ? spectrum_clusters_enclose(e->disc, &e->count, s, err) : status;
}

/* The sum of the radii, each as often as its multiplicity; infinite without discs. To compare, to nearest. */
static double total_radius(const spectrum_eigenvalues *e) {
  double sum = e->count > 0 ? 0.0 : INFINITY;
  for (int i = 0; i < e->count; i++) sum += e->disc[i].multiplicity * mpfr_get_d(e->disc[i].radius, MPFR_RNDN);
  return sum;
}

/* e := attempt, with their lists exchanged. */
static void take_over(spectrum_eigenvalues *e, spectrum_eigenvalues *attempt) {
  const spectrum_eigenvalues t = *e;
  *e = *attempt;
  *attempt = t;
}

/* The discs of the balanced matrix, of the proposal that leads to the smallest; none where no proposal is certified.
 * A perturbation separates eigenvectors that fall together, as those of a Jordan block do. */
static attcert_status enclose_balanced(spectrum_eigenvalues *e, const interval *matrix, size_t k, attcert_error *err) {
  static const double perturbations[] = {0.0, 0x1p-48, 0x1p-32, 0x1p-16}, small = 0x1p-40;
  spectrum_similarity s;
  spectrum_eigenvalues attempt;
  attcert_status status = spectrum_similarity_init(&s, matrix, k, err);
  if (status != ATTCERT_OK) return status;
  status = allocate(&attempt, k + 1, err);
  for (int i = 0; status == ATTCERT_OK && i < 4 && !(total_radius(e) <= small); i++) {
    status = enclose_attempt(&attempt, &s, perturbations[i], err);
    if (status == ATTCERT_OK && total_radius(&attempt) < total_radius(e)) take_over(e, &attempt);
  }
  spectrum_eigenvalues_clear(&attempt);
  spectrum_similarity_clear(&s);
  return status;
}

static bool is_zero(const interval *m, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!mpfr_zero_p(m[i].lo) || !mpfr_zero_p(m[i].hi)) return false;
  }
  return true;
}

static void scale(spectrum_eigenvalues *e, long exponent) {
  for (int i = 0; i < e->count; i++) {
    mpfr_mul_2si(e->disc[i].re, e->disc[i].re, exponent, MPFR_RNDN);
    mpfr_mul_2si(e->disc[i].im, e->disc[i].im, exponent, MPFR_RNDN);
    mpfr_mul_2si(e->disc[i].radius, e->disc[i].radius, exponent, MPFR_RNDU);
  }
}

/* `count` more eigenvalues 0: to the disc that holds 0 (at most one does), or one more disc, whose place may hold
 * one of an attempt before. */
static void add_zeros(spectrum_eigenvalues *e, int count) {
  if (count == 0) return;
  spectrum_disc *const zero = &e->disc[e->count];
  mpfr_set_zero(zero->re, 1);
  mpfr_set_zero(zero->im, 1);
  mpfr_set_zero(zero->radius, 1);
  zero->multiplicity = count;
  for (int i = 0; i < e->count; i++) {
    if (!spectrum_disc_meets(&e->disc[i], zero)) continue;
    e->disc[i].multiplicity += count;
    return;
  }
  e->count++;
}

static int by_falling_modulus(const void *a, const void *b) {
  mpfr_t x, y, unused;
  mpfr_inits2(53, x, y, unused, (mpfr_ptr)0);
  const spectrum_disc *const one = a, *const other = b;
  spectrum_disc_modulus(unused, x, one);
  spectrum_disc_modulus(unused, y, other);
  int order = mpfr_cmp(y, x);
  if (order == 0) order = mpfr_cmp(other->re, one->re);
  if (order == 0) order = mpfr_cmp(other->im, one->im);
  mpfr_clears(x, y, unused, (mpfr_ptr)0);
  return order;
}

attcert_status spectrum_eigenvalues_enclose(spectrum_eigenvalues *e, const spectrum_factors *f, mpfr_srcptr norm,
                                            attcert_error *err) {
  const size_t k = (size_t)f->side;
  long exponent = 0;
  attcert_status status = allocate(e, k + 1, err);
  if (status != ATTCERT_OK) return status;
  interval *const product = interval_vec_new(k * k, SPECTRUM_PRECISION);
  if (product == NULL)
    return array_out_of_memory(err, interval_vec_bytes(k * k, SPECTRUM_PRECISION), "a product of side %zu", k);
  spectrum_factors_product(product, f, f->left, f->right);
  if (is_zero(product, k * k)) {
    e->disc[e->count++].multiplicity = f->side;
  } else {
    status = spectrum_balance(&exponent, product, k, err);
    if (status == ATTCERT_OK) status = enclose_balanced(e, product, k, err);
    scale(e, exponent);
    if (e->count == 0) {
      mpfr_set(e->disc[0].radius, norm, MPFR_RNDU);
      e->disc[e->count++].multiplicity = f->side;
    }
  }
  interval_vec_free(product);
  add_zeros(e, f->dim - f->side);
  qsort(e->disc, (size_t)e->count, sizeof *e->disc, by_falling_modulus);
  return status;
}

/* Discs that meet become one, until none do. */
static void join_meeting(spectrum_eigenvalues *e) {
  for (int a = 0; a < e->count; a++) {
    for (int b = a + 1; b < e->count; b++) {
      if (!spectrum_disc_meets(&e->disc[a], &e->disc[b])) continue;
      spectrum_disc_join(&e->disc[a], &e->disc[b]);
      spectrum_disc_set(&e->disc[b], &e->disc[--e->count]);
      a = -1; /* from the start, as the disc has grown */
      break;
    }
  }
}

void spectrum_eigenvalues_to_doubles(spectrum_eigenvalues *e) {
  bool grown = false;
  for (int i = 0; i < e->count; i++) {
    if (spectrum_disc_to_doubles(&e->disc[i])) grown = true;
  }
  if (!grown) return;
  join_meeting(e);
  qsort(e->disc, (size_t)e->count, sizeof *e->disc, by_falling_modulus);
}

void spectrum_eigenvalues_radius(interval *radius, const spectrum_eigenvalues *e) {
  interval modulus;
  interval_init(&modulus, 53);
  interval_set_zero(radius);
  for (int i = 0; i < e->count; i++) {
    spectrum_disc_modulus(modulus.lo, modulus.hi, &e->disc[i]);
    mpfr_max(radius->lo, radius->lo, modulus.lo, MPFR_RNDD);
    mpfr_max(radius->hi, radius->hi, modulus.hi, MPFR_RNDU);
  }
  interval_clear(&modulus);
}
