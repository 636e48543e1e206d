/* Heads whose W = Q^T K has a known Jordan form: integers, so that the eigenvalues are exact
 * whatever their structure. */
#ifndef ATTCERT_TESTS_SUPPORT_PLANTED_SPECTRUM_H
#define ATTCERT_TESTS_SUPPORT_PLANTED_SPECTRUM_H

#include "attcert.h"
#include "random_source.h"

#include <acb.h>

enum { PLANTED_SIDE = 24 };

/* A Jordan block of the eigenvalue re + i im of that size; im != 0: and one of its conjugate. */
typedef struct {
  int re, im, size;
} planted_block;

/* B, an integer matrix, is similar to the blocks by at most `mixing` random row and column operations. `above` is what
 * stands right of each block's last column (0: nothing): the farther from normal, the larger. */
typedef struct {
  int side; /* of B, at most PLANTED_SIDE */
  double matrix[PLANTED_SIDE * PLANTED_SIDE];
  acb_struct value[PLANTED_SIDE];
} planted_matrix;

void planted_matrix_init(planted_matrix *p, const planted_block *blocks, int count, int above, int mixing,
                         random_source *r);
void planted_matrix_clear(planted_matrix *p);

/* A head with W = 2^(query + key) B and zeros around it: d = side + more, k = side; wide: d = side, k = side + more.
 * values (d of them) := its eigenvalues, exactly. */
typedef struct {
  int more;
  bool wide;
  int query, key; /* exponents of what Q and K are multiplied by */
} planted_head;

void planted_head_init(attcert_layer *layer, acb_ptr values, const planted_matrix *p, const planted_head *head);

#endif
