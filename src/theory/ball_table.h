/* T1, T2, T4, T5 and T9 of a layer, each on the ball that serves it best. */
#ifndef ATTCERT_THEORY_BALL_TABLE_H
#define ATTCERT_THEORY_BALL_TABLE_H

#include "certify/enclosure/layer_enclosure.h"
#include "theory/ball_bounds.h"
#include "theory/layer_norms.h"
#include "theory/theory_table.h"
#include "theory/token_ball.h"

/* What the bounds are evaluated for. */
typedef struct {
  const attcert_layer *layer;
  const attcert_matrix *x;
  const layer_enclosure *e;
  const layer_norms *norms;
  double radius; /* asked for; 0: what holds the tokens of x */
} theory_subject;

/* A layer whose heads the bounds are evaluated for, whatever heads they are. */
typedef struct {
  const attcert_matrix *x;
  const layer_norms *norms;    /* which combine the heads */
  double radius;               /* asked for; 0: what holds the tokens of x */
  const char *not_t2, *not_t5; /* why they do not hold; NULL: they do */
  bool any_tokens;             /* their numbers do not depend on n */
  /* Sets head to the numbers of head h on the ball, its column sums to what holds there. */
  attcert_status (*set_head)(ball_head *head, const void *of, int h, const token_ball *at, ball_scratch *s,
                             attcert_error *err);
  /* largest := max_j sum_i P_ij of head h at x. */
  void (*column_sum)(interval *largest, const void *of, int h);
  const void *of;
} ball_subject;

attcert_status ball_table_fill(theory_bound bound[THEORY_COUNT], const ball_subject *s, attcert_error *err);

/* Of the plain heads of a layer. */
attcert_status ball_table_fill_plain(theory_bound bound[THEORY_COUNT], const theory_subject *s, attcert_error *err);

#endif
