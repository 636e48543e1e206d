#include "certify/explicit/explicit_jacobian_maps.h"

#include "base/parallel.h"
#include "certify/explicit/explicit_jacobian_heads.h"
#include "certify/explicit/explicit_jacobian_tokens.h"
#include "interval/interval_vec.h"

#ifdef __FRAMAC__
#include "explicit_rows/prepared_lemmas.acsl"
#include "matrix/side_lemmas.acsl"
#endif

PARALLEL_TASK(explicit_jacobian_token)

/* All tokens of all heads. */
/*@ requires ready: builder_ready(b);
    terminates \true;
    assigns b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1], b->channel[0 .. outputs_size(b) - 1],
      b->mean[0 .. outputs_size(b) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures prepared: \forall real_layer f; builder_models{Pre}(b, f) ==> tokens_prepared(b, f, all_tokens(b->e)); */
static void prepare_tokens(jacobian_builder *b, int threads) {
  //@ assert product: row(b->e->heads, b->e->n) == b->e->heads * b->e->n;
  //@ assert bound: 0 <= row(b->e->heads, b->e->n) <= DIM_MAX * DIM_MAX;
  //@ assert range: 0 <= b->e->heads * b->e->n <= DIM_MAX * DIM_MAX;
  const int tokens = b->e->heads * b->e->n;
  //@ assert tokens: tokens == all_tokens(b->e);
  /*@ loop invariant range: 0 <= parallel_index <= tokens;
      loop invariant lives: same_lives{Pre, Here};
      loop invariant kept: builder_kept{Pre, Here}(b);
      loop invariant ready: builder_ready(b);
      loop invariant prepared: \forall real_layer f; builder_models{Pre}(b, f) ==>
        tokens_prepared(b, f, parallel_index);
      loop assigns parallel_index, b->g[0 .. gradients_size{Pre}(b) - 1], b->h[0 .. gradients_size{Pre}(b) - 1],
        b->channel[0 .. outputs_size{Pre}(b) - 1], b->mean[0 .. outputs_size{Pre}(b) - 1], mpfr_lives;
      loop variant tokens - parallel_index; */
  PARALLEL_FOR(tokens, threads, explicit_jacobian_token, b);
}

/* The maps of one head. */
/*@ requires ready: builder_ready(b) && \valid(&b->failed);
    requires head: 0 <= head < b->e->heads;
    terminates \true;
    assigns b->value[0 .. maps_size(b) - 1], b->failed, column_place[0 .. b->e->head_dim + b->height - 1], mpfr_lives;
    ensures lives: lives_elsewhere{Pre, Post}(\base_addr(column_place));
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures tokens: tokens_kept{Pre, Post}(b, all_tokens{Pre}(b->e));
    ensures earlier: ends_kept{Pre, Post}(\at(b->value, Pre), row(head, row(\at(b->height, Pre), \at(b->e->dim, Pre))));
    ensures failed: \old(b->failed) != 0 ==> b->failed != 0;
    ensures maps: b->failed == 0 ==> \forall real_layer f; builder_models{Pre}(b, f) ==> head_maps_in(b, f, head); */
static void prepare_head(jacobian_builder *b, int head) {
  interval *const column = jacobian_builder_column(b);
  //@ assert kept: builder_kept{Pre, Here}(b);
  //@ assert live: builder_live(b);
  //@ assert readable: enclosure_readable(b->e);
  //@ assert arrays: builder_arrays(b);
  //@ assert ready: builder_ready(b);
  if (column == NULL) {
    atomic_store(&b->failed, true);
    return;
  }
  explicit_jacobian_head(b, head, column);
  //@ ghost Done:;
  //@ assert places: same_places{Pre, Here}(b);
  //@ assert sizes: maps_size(b) == maps_size{Pre}(b) && gradients_size(b) == gradients_size{Pre}(b);
  //@ assert sizes_outputs: outputs_size(b) == outputs_size{Pre}(b) && weights_size(b) == weights_size{Pre}(b);
  interval_vec_free(column);
  //@ assert others: kept_elsewhere{Done, Here}(\base_addr(column));
  //@ assert outside: outside_sources{Done}(\base_addr(column), b) && outside_builder{Done}(\base_addr(column), b);
  //@ assert kept_after: builder_kept{Done, Here}(b);
  //@ assert content: builder_content(b);
  //@ assert live_after: builder_live(b);
  //@ assert readable_after: enclosure_readable(b->e);
  //@ assert maps_after: builder_maps(b);
  //@ assert weights_after: builder_weights(b);
  //@ assert arrays_after: builder_arrays(b);
  //@ assert blocks: builder_blocks(b) && builder_distinct(b);
}
PARALLEL_TASK(prepare_head)

void explicit_jacobian_maps(jacobian_builder *b, int threads) {
  const int heads = b->e->heads;
  prepare_tokens(b, threads);
  /*@ loop invariant range: 0 <= parallel_index <= heads;
      loop invariant lives: lives_elsewhere{Pre, Here}(\base_addr(column_place));
      loop invariant kept: builder_kept{Pre, Here}(b);
      loop invariant ready: builder_ready(b);
      loop invariant tokens: \forall real_layer f; builder_models{Pre}(b, f) ==>
        tokens_prepared(b, f, all_tokens(b->e));
      loop invariant failed: \at(b->failed, Pre) != 0 ==> b->failed != 0;
      loop invariant maps: b->failed == 0 ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        heads_prepared(b, f, parallel_index);
      loop assigns parallel_index, b->value[0 .. maps_size{Pre}(b) - 1], b->failed,
        column_place[0 .. \at(b->e->head_dim + b->height, Pre) - 1], mpfr_lives;
      loop variant heads - parallel_index; */
  PARALLEL_FOR(heads, threads, prepare_head, b);
}
