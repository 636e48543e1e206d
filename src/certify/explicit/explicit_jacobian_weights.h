/* The weights of an explicit Jacobian as exact numbers: K^T and Q^T of every head, and W_O. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_WEIGHTS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_WEIGHTS_H

#include "certify/explicit/explicit_jacobian_builder.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept.acsl"
#endif

/*@ predicate weights_given{L}(double *w, integer n) = \valid_read(w + (0 .. n - 1)) && finite_weights(w, n);
    // All of builder_ready(b) but what is to be written.
    predicate weights_awaited{L}(jacobian_builder *b) =
      \valid_read(b) && \valid_read(b->layer) && builder_sides(b) && enclosure_readable(b->e) && layer_encloses(b->e) &&
      builder_arrays(b) && builder_blocks(b) && builder_distinct(b) &&
      weights_given(b->layer->value_weight, value_size(b)) && weights_given(b->layer->key_weight, value_size(b)) &&
      weights_given(b->layer->query_weight, value_size(b)) &&
      (b->output != \null ==> weights_given(b->layer->output_weight, output_points(b))) &&
      outside_points(\base_addr(b->layer->key_weight), b) && outside_points(\base_addr(b->layer->query_weight), b) &&
      (b->output != \null ==> outside_points(\base_addr(b->layer->output_weight), b));
    // The real layer f has the sides of b; its tokens' projections are in e's intervals, its weights are the doubles.
    predicate layer_stored{L}(jacobian_builder *b, real_layer f) =
      layer_models(b->e, f) && layer_out_dim(f) == b->layer->out_dim &&
      layer_weighted(f) == (b->output == \null ? 0 : 1) &&
      weights_are(b->layer->key_weight, layer_key_weight(f), value_size(b)) &&
      weights_are(b->layer->query_weight, layer_query_weight(f), value_size(b)) &&
      weights_are(b->layer->value_weight, layer_value_weight(f), value_size(b)) &&
      (b->output != \null ==> weights_are(b->layer->output_weight, layer_output_weight(f), output_points(b))); */

/* b is then ready for explicit_jacobian_maps, and stands for the layers of its doubles. */
/*@ requires awaited: weights_awaited(b) && builder_precise(b);
    terminates \true;
    assigns b->keys[0 .. weights_size(b) - 1], b->queries[0 .. weights_size(b) - 1],
      b->output[0 .. output_points(b) - 1];
    ensures ready: builder_ready(b);
    ensures places: same_places{Pre, Post}(b);
    ensures enclosure: enclosure_kept{Pre, Post}(\old(b->e));
    ensures squares: block_kept{Pre, Post}(\base_addr(b->squares));
    ensures models: \forall real_layer f; layer_stored{Pre}(b, f) ==> builder_models(b, f); */
void explicit_jacobian_weights(jacobian_builder *b);

#endif
