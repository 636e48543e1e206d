/* The arrays that an explicit Jacobian is made from (explicit_jacobian.h). What is stated here of allocation is trusted
 * (proofs/TRUST.md). */
#ifndef ATTCERT_EXPLICIT_JACOBIAN_MEMORY_H
#define ATTCERT_EXPLICIT_JACOBIAN_MEMORY_H

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
#include "linalg/sum_upward.h"

#include "explicit_jacobian/builder.acsl"
#endif

/* Zeros, of e's precision; false when out of memory. jacobian_builder_clear is due either way. */
/*@ requires valid: \valid(b) && \valid(j) && \valid_read(layer) && \valid_read(e);
    requires sides: enclosure_sides(e) && side(layer->out_dim) && 1 <= layer->out_dim;
    requires precision: 53 <= e->precision;
    requires separated: \separated(b, j, layer, e);
    terminates \true;
    assigns *b, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures given: b->layer == layer && b->e == e && b->j == j && b->failed == 0;
    ensures height: b->height == (layer->output_weight == \null ? e->head_dim : layer->out_dim);
    ensures output: \result ==> (b->output == \null <==> layer->output_weight == \null);
    ensures arrays: \result ==> builder_arrays(b) && builder_precise(b);
    ensures blocks: builder_blocks(b);
    ensures distinct: \result ==> builder_distinct(b);
    ensures zeros: \result ==> \forall integer i; 0 <= i < e->n ==> zero(&b->squares[i][0]); */
bool jacobian_builder_init(jacobian_builder *b, explicit_jacobian *j, const attcert_layer *layer,
                           const layer_enclosure *e);

/*@ requires valid: \valid_read(b);
    terminates \true;
    assigns mpfr_lives;
    ensures others: \forall mpfr_srcptr x; outside_builder(\base_addr(x), b) ==> same_life{Pre, Post}(x); */
void jacobian_builder_clear(jacobian_builder *b);

#endif
