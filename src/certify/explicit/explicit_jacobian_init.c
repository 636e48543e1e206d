#include "certify/explicit/explicit_jacobian_init.h"

#include "base/arrays.h"
#include "certify/explicit/explicit_jacobian_maps.h"
#include "certify/explicit/explicit_jacobian_midpoints.h"
#include "certify/explicit/explicit_jacobian_weights.h"

#ifdef __FRAMAC__
#include "explicit_rows/filled_lemmas.acsl"
#endif

/*@ predicate same_matrix{L1, L2}(jacobian_builder *b) =
      \at(b->j, L1) == \at(b->j, L2) && \at(b->j->mid, L1) == \at(b->j->mid, L2) &&
      \at(b->j->rows, L1) == \at(b->j->rows, L2) && \at(b->j->cols, L1) == \at(b->j->cols, L2); */

/* The maps: the matrix and the squared distances stay as they are. */
/*@ requires ready: builder_ready(b) && \valid(&b->failed) && \valid(b->j);
    requires matrix: outside_maps(\base_addr(b->j), b) && \base_addr(b->j) != \base_addr(b) &&
      outside_scratch(\base_addr(b->j));
    requires squares: outside_maps(\base_addr(b->squares), b) && \base_addr(b->squares) != \base_addr(b) &&
      outside_scratch(\base_addr(b->squares));
    terminates \true;
    assigns b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1], b->channel[0 .. outputs_size(b) - 1],
      b->mean[0 .. outputs_size(b) - 1], b->value[0 .. maps_size(b) - 1], b->failed,
      column_place[0 .. b->e->head_dim + b->height - 1], mpfr_lives;
    ensures lives: lives_elsewhere{Pre, Post}(\base_addr(column_place));
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures matrix: same_matrix{Pre, Post}(b);
    ensures zero: zero_squares{Pre}(b, 0) ==> zero_squares(b, 0);
    ensures models: b->failed == 0 ==> \forall real_layer f; builder_models{Pre}(b, f) ==> maps_model(b, f); */
static void prepare_maps(jacobian_builder *b, int threads) {
  /*@ assert ints_apart: \forall int *x;
        \base_addr(x) == \base_addr(b->j) || \base_addr(x) == \base_addr(b->squares) ==>
        \separated(x, b->value + (0 .. maps_size(b) - 1)) && \separated(x, b->channel + (0 .. outputs_size(b) - 1)) &&
        \separated(x, b->mean + (0 .. outputs_size(b) - 1)) && \separated(x, b->g + (0 .. gradients_size(b) - 1)) &&
        \separated(x, b->h + (0 .. gradients_size(b) - 1)) &&
        \separated(x, column_place + (0 .. b->e->head_dim + b->height - 1)); */
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) == \base_addr(b->squares) ==>
        \separated(x, b->value + (0 .. maps_size(b) - 1)) && \separated(x, b->channel + (0 .. outputs_size(b) - 1)) &&
        \separated(x, b->mean + (0 .. outputs_size(b) - 1)) && \separated(x, b->g + (0 .. gradients_size(b) - 1)) &&
        \separated(x, b->h + (0 .. gradients_size(b) - 1)) &&
        \separated(x, column_place + (0 .. b->e->head_dim + b->height - 1)); */
  explicit_jacobian_maps(b, threads);
  //@ assert rows: b->j->rows == \at(b->j->rows, Pre);
  //@ assert cols: b->j->cols == \at(b->j->cols, Pre);
  //@ assert tokens: b->e->n == \at(b->e->n, Pre) && b->squares == \at(b->squares, Pre);
  /*@ assert kinds: \forall integer i; 0 <= i < \at(b->e->n, Pre) ==>
        \at(&b->squares[i][0], Pre)->model_kind == \at(b->squares[i][0].model_kind, Pre); */
  /*@ assert values: \forall integer i; 0 <= i < \at(b->e->n, Pre) ==>
        \at(&b->squares[i][0], Pre)->model_value == \at(b->squares[i][0].model_value, Pre); */
  //@ assert zero: zero_squares{Pre}(b, 0) ==> zero_squares(b, 0);
}

/* The midpoints: the matrix stays where it is, and as large. */
/*@ requires given: midpoints_given(b) && jacobian_sides(b) && \valid(&b->failed) && zero_squares(b, 0);
    requires apart: jacobian_apart(b) && outside_scratch(\base_addr(b->j));
    terminates \true;
    assigns b->j->mid[0 .. all_entries(b) - 1], (&b->squares[0][0])[0 .. b->e->n - 1],
      (&b->j->radius[0])[0 .. 0],
      b->failed, rows_place[0 .. token_entries(b) - 1], mpfr_lives;
    ensures lives: lives_elsewhere{Pre, Post}(\base_addr(rows_place));
    ensures matrix: same_matrix{Pre, Post}(b);
    ensures encloses: b->failed == 0 ==> number(&b->j->radius[0]) ==> \forall real_layer f, rvec a;
      maps_model{Pre}(b, f) ==> is_real_jacobian(a, f) ==> enclosed_by(b->j, a); */
static void prepare_midpoints(jacobian_builder *b, int threads) {
  /*@ assert ints_apart: \forall int *x; x == &b->j->rows || x == &b->j->cols ==>
        \separated(x, b->j->mid + (0 .. all_entries(b) - 1)) && \separated(x, &b->j->radius[0]) &&
        \separated(x, rows_place + (0 .. token_entries(b) - 1)) &&
        \forall integer i; 0 <= i < b->e->n ==> \separated(x, &b->squares[i][0]); */
  explicit_jacobian_midpoints(b, threads);
  //@ assert rows: b->j->rows == \at(b->j->rows, Pre);
  //@ assert cols: b->j->cols == \at(b->j->cols, Pre);
}

/* The weights, the maps and the midpoints, in the room given. */
/*@ requires awaited: weights_awaited(b) && builder_precise(b) && \valid(&b->failed);
    requires matrix: midpoints_room(b) && \valid(b->j) && initialised(&b->j->radius[0]) && jacobian_sides(b) &&
      jacobian_apart(b) && outside_all_rows(\base_addr(b->j->mid), b);
    requires zero: zero_squares(b, 0);
    requires scratch: outside_scratch(\base_addr(b->j)) && outside_scratch(\base_addr(b->j->mid)) &&
      outside_scratch(\base_addr(b->squares));
    terminates \true;
    assigns b->keys[0 .. weights_size(b) - 1], b->queries[0 .. weights_size(b) - 1],
      b->output[0 .. output_points(b) - 1], b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1],
      b->channel[0 .. outputs_size(b) - 1], b->mean[0 .. outputs_size(b) - 1], b->value[0 .. maps_size(b) - 1],
      b->j->mid[0 .. all_entries(b) - 1], (&b->squares[0][0])[0 .. b->e->n - 1],
      (&b->j->radius[0])[0 .. 0], b->failed,
      column_place[0 .. b->e->head_dim + b->height - 1], rows_place[0 .. token_entries(b) - 1], mpfr_lives;
    ensures lives: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
      outside_scratch(\base_addr{Pre}(x)) ==> same_life{Pre, Post}(x);
    ensures matrix: same_matrix{Pre, Post}(b);
    ensures live: live_points(b->j->mid, all_entries{Pre}(b)) && initialised(&b->j->radius[0]);
    ensures encloses: b->failed == 0 ==> number(&b->j->radius[0]) ==> \forall real_layer f, rvec a;
      layer_stored{Pre}(b, f) ==> is_real_jacobian(a, f) ==> enclosed_by(b->j, a); */
static void fill(jacobian_builder *b, int threads) {
  /*@ assert mid_beside: \separated(&b->j->mid, b->keys + (0 .. weights_size(b) - 1)) &&
        \separated(&b->j->mid, b->queries + (0 .. weights_size(b) - 1)) &&
        \separated(&b->j->mid, b->output + (0 .. output_points(b) - 1)); */
  /*@ assert ints_beside: \forall int *x; \base_addr(x) == \base_addr(b->j) ==>
        \separated(x, b->keys + (0 .. weights_size(b) - 1)) && \separated(x, b->queries + (0 .. weights_size(b) - 1)) &&
        \separated(x, b->output + (0 .. output_points(b) - 1)); */
  explicit_jacobian_weights(b);
  //@ ghost Weights:;
  //@ assert zero: zero_squares(b, 0);
  //@ assert matrix_loaded: same_matrix{Pre, Here}(b);
  /*@ assert matrix_apart: outside_maps(\base_addr(b->j), b) && \base_addr(b->j) != \base_addr(b) &&
        outside_scratch(\base_addr(b->j)); */
  /*@ assert squares_apart: outside_maps(\base_addr(b->squares), b) && \base_addr(b->squares) != \base_addr(b) &&
        outside_scratch(\base_addr(b->squares)); */
  prepare_maps(b, threads);
  //@ assert matrix: same_matrix{Pre, Here}(b);
  //@ assert same_sizes: all_entries(b) == all_entries{Pre}(b);
  //@ assert live_midpoints: live_points(b->j->mid, all_entries(b));
  //@ assert readable_radius: \valid_read(&b->j->radius[0]) && \valid_read{Pre}(&b->j->radius[0]);
  //@ assert live_radius: initialised(&b->j->radius[0]);
  //@ assert still_zero: zero_squares(b, 0);
  //@ assert sides: jacobian_sides(b) && jacobian_apart(b);
  //@ assert given: midpoints_given(b);
  //@ assert maps: b->failed == 0 ==> \forall real_layer f; layer_stored{Pre}(b, f) ==> maps_model(b, f);
  if (atomic_load(&b->failed)) return;
  //@ ghost Maps:;
  prepare_midpoints(b, threads);
  //@ assert end_matrix: same_matrix{Pre, Here}(b);
  //@ assert end_midpoints: live_points(b->j->mid, \at(all_entries(b), Maps));
  //@ assert end_radius: initialised(&b->j->radius[0]);
}

attcert_status explicit_jacobian_init(explicit_jacobian *j, const attcert_layer *layer, const layer_enclosure *e,
                                      int threads, attcert_error *err) {
  jacobian_builder b;
  //@ assert readable: \valid_read(layer) && \valid_read(e);
  const bool ready = jacobian_builder_init(&b, j, layer, e);
  //@ ghost Room:;
  //@ assert parts: b.layer == layer && b.e == e && b.j == j && b.height == head_height(layer, e);
  /*@ assert matrix_sides: j->rows == \at(row(e->n, layer->out_dim), Pre) &&
        j->cols == \at(row(e->n, e->dim), Pre); */
  //@ assert sides: ready ==> builder_sides(&b);
  //@ assert awaited: ready ==> weights_awaited(&b);
  //@ assert enclosed: \forall real_layer f; layer_enclosed{Pre}(layer, e, f) ==> layer_enclosed(layer, e, f);
  //@ assert stored: ready ==> \forall real_layer f; layer_enclosed{Pre}(layer, e, f) ==> layer_stored(&b, f);
  //@ assert apart: jacobian_apart(&b);
  //@ assert room: in_jacobian_room(&b);
  /*@ assert sizes: weights_size(&b) == weights_room{Pre}(e) && output_points(&b) == output_room{Pre}(layer, e) &&
        gradients_size(&b) == gradients_room{Pre}(e) && outputs_size(&b) == outputs_room{Pre}(layer, e) &&
        maps_size(&b) == head_maps_room{Pre}(layer, e) && all_entries(&b) == midpoints_room_size{Pre}(layer, e) &&
        token_entries(&b) == token_room_size{Pre}(layer, e) && e->n == \at(e->n, Pre) &&
        e->head_dim + b.height == \at(e->head_dim + head_height(layer, e), Pre); */
  /*@ assert matrix_sizes: ready ==> 1 <= j->rows <= 0x40000000 && 1 <= j->cols <= 0x40000000 &&
        row(j->rows, j->cols) == midpoints_room_size{Pre}(layer, e); */
  if (ready) fill(&b, threads);
  //@ ghost Filled:;
  //@ assert matrix: same_matrix{Room, Here}(&b);
  /*@ assert matrix_here: j->mid == \at(j->mid, Room) && j->rows == \at(row(e->n, layer->out_dim), Pre) &&
        j->cols == \at(row(e->n, e->dim), Pre); */
  //@ assert readable_numbers: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> \valid_read{Room}(x);
  //@ assert filled_midpoints: ready ==> live_points(j->mid, row(j->rows, j->cols));
  /*@ assert filled_others: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
        x != &j->radius[0] ==> outside_scratch(\base_addr{Pre}(x)) ==> same_life{Pre, Here}(x); */
  const bool filled = ready && !atomic_load(&b.failed);
  jacobian_builder_clear(&b);
  //@ assert outside: outside_builder{Filled}(\base_addr(\at(j->mid, Filled)), &b);
  /*@ assert same_lives: \forall integer t; 0 <= t < row(j->rows, j->cols) ==>
        same_life{Filled, Here}(&(\at(j->mid, Filled) + t)->v[0]); */
  //@ assert live_midpoints: filled ==> live_points(j->mid, row(j->rows, j->cols));
  //@ assert outside_matrix: outside_builder{Filled}(\base_addr(j), &b);
  //@ assert live_radius: filled ==> initialised(&j->radius[0]);
  /*@ assert others: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
        x != &j->radius[0] ==> outside_jacobian_room{Pre}(\base_addr{Pre}(x)) ==> same_life{Filled, Here}(x); */
  if (filled) return ATTCERT_OK;
  explicit_jacobian_clear(j);
  return array_out_of_memory(err, explicit_jacobian_bytes(layer, e->n, e->precision),
                             "the explicit Jacobian at %ld bits", (long)e->precision);
}
