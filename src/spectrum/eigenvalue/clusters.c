#include "spectrum/eigenvalue/clusters.h"

#include "base/arrays.h"
#include "interval/interval_convert.h"
#include "spectrum/eigenvalue/cluster_disc.h"

#include <stdlib.h>

enum { MAGNITUDE_BITS = 64 };

typedef struct {
  cluster_work work;
  size_t *cluster;
  spectrum_disc *disc; /* of the cluster whose least row is i; for others unused */
  bool *fresh;         /* the disc is that of the cluster as it is */
} joining;

static array_table arrays_of(joining *j, size_t k) {
  return (array_table){{ARRAY(j->cluster, k), ARRAY(j->work.member, k), ARRAY(j->disc, k), ARRAY(j->fresh, k)}};
}

static void joining_clear(joining *j, size_t k) {
  for (size_t i = 0; j->disc != NULL && i < k; i++) spectrum_disc_clear(&j->disc[i]);
  const array_table arrays = arrays_of(j, 0);
  array_table_release(&arrays);
  interval_vec_free(j->work.re);
  interval_vec_free(j->work.im);
  interval_vec_free(j->work.square_re);
  interval_vec_free(j->work.square_im);
  mpfr_block_free(j->work.modulus);
  mpfr_block_free(j->work.power);
}

static attcert_status joining_init(joining *j, const spectrum_similarity *s, attcert_error *err) {
  const size_t k = s->size, count = k * k;
  const mpfr_prec_t bits = mpfr_get_prec(s->matrix->lo);
  *j = (joining){.work.s = s};
  const array_table arrays = arrays_of(j, k);
  const attcert_status status = array_table_allocate(&arrays, err, "clusters of %zu eigenvalues", k);
  if (status != ATTCERT_OK) return status;
  for (size_t i = 0; i < k; i++) {
    spectrum_disc_init(&j->disc[i]);
    j->cluster[i] = i;
  }
  j->work.cluster = j->cluster;
  j->work.re = interval_vec_new(count, bits);
  j->work.im = interval_vec_new(count, bits);
  j->work.square_re = interval_vec_new(count, bits);
  j->work.square_im = interval_vec_new(count, bits);
  j->work.modulus = mpfr_block_new(count, MAGNITUDE_BITS);
  j->work.power = mpfr_block_new(CLUSTER_SQUARINGS, MAGNITUDE_BITS);
  if (j->work.re != NULL && j->work.im != NULL && j->work.square_re != NULL && j->work.square_im != NULL &&
      j->work.modulus != NULL && j->work.power != NULL)
    return ATTCERT_OK;
  joining_clear(j, k);
  return array_out_of_memory(err, 4 * (uint64_t)interval_vec_bytes(count, bits), "clusters of %zu eigenvalues", k);
}

static void set_moduli(joining *j) {
  const spectrum_similarity *const s = j->work.s;
  mpfr_t y;
  mpfr_init2(y, MAGNITUDE_BITS);
  for (size_t i = 0; i < s->size * s->size; i++) {
    interval_mag(j->work.modulus + i, &s->real[i]);
    interval_mag(y, &s->imaginary[i]);
    mpfr_hypot(j->work.modulus + i, j->work.modulus + i, y, MPFR_RNDU);
  }
  mpfr_clear(y);
}

static void enclose_clusters(joining *j) {
  for (size_t i = 0; i < j->work.s->size; i++) {
    if (j->cluster[i] != i || j->fresh[i]) continue;
    cluster_disc_enclose(&j->disc[i], &j->work, i);
    j->fresh[i] = true;
  }
}

/* Every row of `other` goes to `one`, the less. */
static void join(joining *j, size_t one, size_t other) {
  for (size_t i = 0; i < j->work.s->size; i++) {
    if (j->cluster[i] == other) j->cluster[i] = one;
  }
  j->fresh[one] = false;
}

/* Joins the clusters whose discs meet; false when there are none. A disc that was joined stands for what it was until
 * the next round. */
static bool join_meeting(joining *j) {
  const size_t k = j->work.s->size;
  bool joined = false;
  for (size_t a = 0; a < k; a++) {
    for (size_t b = a + 1; j->disc[a].multiplicity > 0 && b < k; b++) {
      const size_t one = j->cluster[a], other = j->cluster[b];
      if (j->disc[b].multiplicity == 0 || one == other || !spectrum_disc_meets(&j->disc[a], &j->disc[b])) continue;
      join(j, one < other ? one : other, one < other ? other : one);
      joined = true;
    }
  }
  for (size_t i = 0; i < k; i++) {
    if (j->cluster[i] != i) j->disc[i].multiplicity = 0;
  }
  return joined;
}

attcert_status spectrum_clusters_enclose(spectrum_disc *disc, int *count, const spectrum_similarity *s,
                                         attcert_error *err) {
  joining j;
  *count = 0;
  const attcert_status status = joining_init(&j, s, err);
  if (status != ATTCERT_OK) return status;
  set_moduli(&j);
  do {
    enclose_clusters(&j);
  } while (join_meeting(&j));
  for (size_t i = 0; i < s->size; i++) {
    if (j.cluster[i] == i) spectrum_disc_set(&disc[(*count)++], &j.disc[i]);
  }
  joining_clear(&j, s->size);
  return ATTCERT_OK;
}
