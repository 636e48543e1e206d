/* What one head adds to the rows of one token in an explicit Jacobian: where it is made from. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_PART_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_PART_H

#include "certify/explicit/explicit_jacobian_builder.h"
#include "certify/explicit/head_rows.h"

/*@ // What the rows of a token are made from.
    predicate rows_given{L}(jacobian_builder *b) =
      \valid_read(b) && \valid_read(b->layer) && builder_sides(b) && enclosure_readable(b->e) &&
      layer_encloses(b->e) && builder_maps(b);
    predicate is_head_part{L}(jacobian_builder *b, head_rows f, integer h, integer i) =
      f.tokens == b->e->n && f.n == attended_keys(b->e->mask, i, b->e->n) && f.height == b->height &&
      f.d == b->e->dim && f.i == i && f.p == b->e->p + row(token_index(b->e, h, i), b->e->n) &&
      f.values == b->channel + row(row(h, b->e->n), b->height) &&
      f.means == b->mean + row(token_index(b->e, h, i), b->height) &&
      f.maps == b->value + row(h, row(b->height, b->e->dim)) &&
      f.g == b->g + row(token_index(b->e, h, i), b->e->dim) && f.h == b->h + row(row(h, b->e->n), b->e->dim);
    predicate are_part_factors{L}(head_rows p, real_layer f, integer h, integer i) =
      are_head_factors(p, head_weights_of(f, h, i), head_values(f, h), head_mean(f, h, i), head_maps(f, h),
                       head_query_gradient(f, h, i), head_key_gradients(f, h)); */

/* What head h adds to the rows of token i. */
/*@ requires given: rows_given(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    terminates \true;
    assigns \nothing;
    ensures part: is_head_part(b, \result, h, i);
    ensures attended: 0 <= i < \result.n <= \result.tokens;
    ensures readable: head_rows_readable(\result);
    ensures factors: \forall real_layer f; maps_model(b, f) ==> are_part_factors(\result, f, h, i); */
head_rows explicit_jacobian_part(const jacobian_builder *b, int h, int i);

#endif
