/* What an explicit Jacobian is made from (explicit_jacobian.h). */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_BUILDER_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_BUILDER_H

#include "certify/explicit/explicit_jacobian.h"

#include <stdatomic.h>

/* Head-wise maps with W_O absorbed. `height` rows a head: out_dim, or k when there is no W_O. */
typedef struct {
  const attcert_layer *layer;
  const layer_enclosure *e;
  explicit_jacobian *j;
  int height;
  point *output;     /* [out_dim][H k] or NULL */
  interval *value;   /* [H][height][d]: W_h V_h */
  interval *channel; /* [H][n][height]: W_h v_l */
  interval *mean;    /* [H][n][height]: W_h y_i */
  interval *g, *h;   /* [H][n][d]: K^T q_i / sqrt(k), Q^T k_j / sqrt(k) */
  point *keys;       /* [H][d][k]: K^T */
  point *queries;    /* [H][d][k]: Q^T */
  mpfr_t *squares;   /* [n]: sum of squared radii of token i's rows */
  atomic_bool failed;
} jacobian_builder;

#ifdef __FRAMAC__
#include "certify/enclosure/jacobian_enclosure.h"
#include "certify/explicit/head_output.h"
#include "linalg/rounding/sum_upward.h"

#include "explicit_jacobian/builder.acsl"
#endif

#endif
