/* The theorem behind the discs, where nothing is near: bases that are no eigenvectors, and so few bits that the inverse
 * of a basis is far from exact. The discs hold the planted eigenvalues all the same. */
#include "interval/interval_set.h"
#include "planted_spectrum.h"
#include "spectrum/eigenvalue/clusters.h"
#include "spectrum/eigenvalue/proposal.h"
#include "spectrum_oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CASES = 120 };

/* Distinct and repeated eigenvalues, at most `most` rows. */
static void random_planted(planted_matrix *p, int most, random_source *r) {
  planted_block blocks[PLANTED_SIDE];
  int count = 0, side = 0;
  do {
    const planted_block b = {random_integer(r, -9, 9), random_chance(r, 0.3) ? random_integer(r, 1, 5) : 0, 1};
    blocks[count++] = b;
    side += b.im != 0 ? 2 : 1;
  } while (side + 2 <= most);
  planted_matrix_init(p, blocks, count, random_chance(r, 0.5) ? random_integer(r, 1, 9) : 0, random_integer(r, 0, 12),
                      r);
}

static void similarity_of(spectrum_similarity *s, const planted_matrix *p, mpfr_prec_t bits) {
  const size_t k = (size_t)p->side;
  interval *const matrix = interval_vec_new(k * k, bits);
  assert_non_null(matrix);
  for (size_t i = 0; i < k * k; i++) interval_set_d(&matrix[i], p->matrix[i]);
  assert_int_equal(spectrum_similarity_init(s, matrix, k, NULL), ATTCERT_OK);
  interval_vec_free(matrix);
}

/* Whether the discs hold the eigenvalues; frees them and the similarity. */
static bool discs_agree(spectrum_similarity *s, const planted_matrix *p) {
  spectrum_disc disc[PLANTED_SIDE];
  spectrum_eigenvalues e = {.disc = disc};
  arf_t exact;
  arf_init(exact);
  for (int i = 0; i < p->side; i++) spectrum_disc_init(&disc[i]);
  assert_int_equal(spectrum_clusters_enclose(disc, &e.count, s, NULL), ATTCERT_OK);
  const bool agree = spectrum_oracle_agrees(&e, p->value, p->side, exact);
  for (int i = 0; i < p->side; i++) spectrum_disc_clear(&disc[i]);
  spectrum_similarity_clear(s);
  return agree;
}

/* X = I: Gershgorin's discs of the matrix itself, and powers of all of it. */
static void no_basis(void **state) {
  (void)state;
  for (uint64_t c = 0; c < CASES; c++) {
    random_source r = random_source_make(31, 32, c);
    planted_matrix p;
    spectrum_similarity s;
    random_planted(&p, 6, &r);
    similarity_of(&s, &p, 128);
    for (int i = 0; i < p.side; i++) mpfr_set_ui(s.basis[i * p.side + i].v, 1, MPFR_RNDN);
    assert_true(spectrum_similarity_enclose(&s));
    assert_true(discs_agree(&s, &p));
    planted_matrix_clear(&p);
  }
}

/* Eigenvectors and their inverse in 22 bits: what the inverse misses counts. */
static void few_bits(void **state) {
  (void)state;
  int certified = 0;
  for (uint64_t c = 0; c < CASES; c++) {
    random_source r = random_source_make(33, 34, c);
    planted_matrix p;
    spectrum_similarity s;
    bool found;
    random_planted(&p, 4, &r);
    similarity_of(&s, &p, 22);
    assert_int_equal(spectrum_proposal(&found, &s, 0.0, NULL), ATTCERT_OK);
    if (found && spectrum_similarity_enclose(&s)) {
      certified++;
      assert_true(discs_agree(&s, &p));
    } else {
      spectrum_similarity_clear(&s);
    }
    planted_matrix_clear(&p);
  }
  assert_true(certified > CASES / 2);
}

/* A singular basis, and one whose inverse means nothing. */
static void no_similarity(void **state) {
  (void)state;
  planted_matrix p = {.side = 2, .matrix = {1, 2, 3, 4}};
  spectrum_similarity s;
  similarity_of(&s, &p, 53);
  assert_false(spectrum_similarity_enclose(&s));
  mpfr_set_nan(s.basis[0].v);
  mpfr_set_ui(s.basis[3].v, 1, MPFR_RNDN);
  assert_false(spectrum_similarity_enclose(&s));
  spectrum_similarity_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_basis), cmocka_unit_test(few_bits),
                                     cmocka_unit_test(no_similarity)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
