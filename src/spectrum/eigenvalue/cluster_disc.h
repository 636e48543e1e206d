/* The disc of one cluster (clusters.h). */
#ifndef ATTCERT_SPECTRUM_EIGENVALUE_CLUSTER_DISC_H
#define ATTCERT_SPECTRUM_EIGENVALUE_CLUSTER_DISC_H

#include "spectrum/eigenvalue/disc.h"
#include "spectrum/eigenvalue/similarity.h"

enum { CLUSTER_SQUARINGS = 32 };

typedef struct {
  const spectrum_similarity *s;
  mpfr_ptr modulus;      /* >= |S_ij|, k x k */
  const size_t *cluster; /* of each row: the least row of its cluster */
  size_t *member;        /* scratch: the rows of the cluster at hand */
  interval *re, *im;     /* scratch: N, then its powers */
  interval *square_re, *square_im;
  mpfr_ptr power; /* ||N^(2^t)||, t < CLUSTER_SQUARINGS */
} cluster_work;

/* disc := that of the cluster whose least row is `least`. */
void cluster_disc_enclose(spectrum_disc *disc, cluster_work *w, size_t least);

#endif
