/* T1, T2, T4, T5 and T9 of a layer, each on the ball that serves it best. */
#ifndef ATTCERT_THEORY_BALL_TABLE_H
#define ATTCERT_THEORY_BALL_TABLE_H

#include "certify/enclosure/layer_enclosure.h"
#include "theory/layer_norms.h"
#include "theory/theory_table.h"

/* What the bounds are evaluated for. */
typedef struct {
  const attcert_layer *layer;
  const attcert_matrix *x;
  const layer_enclosure *e;
  const layer_norms *norms;
  double radius; /* asked for; 0: what holds the tokens of x */
} theory_subject;

attcert_status ball_table_fill(theory_bound bound[THEORY_COUNT], const theory_subject *s, attcert_error *err);

#endif
