/* The columns of W_O that belong to one head, among the points of an explicit Jacobian's builder. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_OUTPUT_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_OUTPUT_H

#include "certify/explicit/explicit_jacobian_builder.h"
#include "certify/explicit/head_output.h"

/*@ predicate is_head_output{L}(jacobian_builder *b, head_output f, integer h) =
      (b->output == \null <==> f.weight == \null) &&
      (b->output != \null ==> f.weight == b->output + row(h, b->e->head_dim)) &&
      f.width == output_width(b) && f.k == b->e->head_dim && f.height == b->height; */

/* Those of head `head`; without W_O, none. */
/*@ requires given: builder_given(b) && builder_weights(b);
    requires head: 0 <= head < b->e->heads;
    terminates \true;
    assigns \nothing;
    ensures output: is_head_output(b, \result, head);
    ensures readable: head_output_readable(\result);
    ensures matrix: \forall real_layer f; builder_models(b, f) ==> \result.weight != \null ==>
      is_output(\result, layer_output_part(f, head)); */
head_output explicit_jacobian_output(const jacobian_builder *b, int head);

#endif
