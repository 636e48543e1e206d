/* The arrays of the derivative of a layer along a direction (direction.h). A proof stops at their memory. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_MEMORY_H
#define ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_MEMORY_H

#include "certify/enclosure/layer_enclosure.h"
#include "interval/interval_vec.h"

typedef struct {
  const attcert_layer *layer;
  const layer_enclosure *e;
  const double *u;        /* [n][d]: the direction */
  interval *ratio;        /* the result: ||J u|| / ||u|| */
  interval *dq, *dk, *dv; /* [H][n][k] */
  interval *dy;           /* [n][H k] */
  interval *image;        /* [n][out_dim]: J u; dy itself without W_O */
  point *output;          /* [out_dim][H k]: W_O, or NULL */
  interval *squares;      /* [n]: ||(J u)_i||^2 */
} derivative;

#ifdef __FRAMAC__
#include "interval/interval_layer_direction.acsl"
#endif

// Changes where the arrays of a direction are taken, and nowhere else: where the next ones will lie is known before a
// layer is enclosed.
//@ ghost double direction_rooms;

/*@ // Where the next arrays will lie: dq, dk, dv, dy, squares and, with W_O, image; output.
    axiomatic DirectionRoom {
      logic interval *direction_room{L}(integer which) reads direction_rooms;
      logic point *direction_points{L} reads direction_rooms;
    }
    logic integer image_room_size{L}(attcert_layer *layer, layer_enclosure *e) = row(e->n, layer->out_dim);
    logic integer output_room_size{L}(attcert_layer *layer, layer_enclosure *e) = row(layer->out_dim, channels(e));
    predicate in_direction_room{L0, L1}(derivative *t) =
      \at(t->dq, L1) == direction_room{L0}(0) && \at(t->dk, L1) == direction_room{L0}(1) &&
      \at(t->dv, L1) == direction_room{L0}(2) && \at(t->dy, L1) == direction_room{L0}(3) &&
      \at(t->squares, L1) == direction_room{L0}(4) &&
      (\at(t->layer->output_weight, L1) == \null
         ? \at(t->image, L1) == \at(t->dy, L1) && \at(t->output, L1) == \null
         : \at(t->image, L1) == direction_room{L0}(5) && \at(t->output, L1) == direction_points{L0});
    predicate outside_direction_room{L}(char *x) =
      x != \base_addr(direction_room(0)) && x != \base_addr(direction_room(1)) &&
      x != \base_addr(direction_room(2)) && x != \base_addr(direction_room(3)) &&
      x != \base_addr(direction_room(4)) && x != \base_addr(direction_room(5)) &&
      x != \base_addr(direction_points); */

/* Zeros, of e's precision. Errors: ATTCERT_RESOURCE; derivative_clear is due either way. */
/*@ requires valid: \valid(t) && \valid_read(layer) && \valid_read(e) && enclosure_sides(e);
    requires err: err == \null || \valid(err);
    terminates \true;
    assigns *t, *err, mpfr_lives, direction_rooms;
    ensures lives: same_lives{Pre, Post};
    ensures given: t->layer == layer && t->e == e && t->u == u && t->ratio == ratio;
    ensures room: in_direction_room{Pre, Post}(t);
    ensures blocks: \result == ATTCERT_OK ==> derivative_blocks(t, err);
    ensures arrays: \result == ATTCERT_OK ==> derivative_arrays(t);
    ensures zeros: \result == ATTCERT_OK ==> zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, e->n);
    ensures output: \result == ATTCERT_OK ==> layer->output_weight != \null ==> t->output != \null; */
attcert_status derivative_init(derivative *t, interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                               const double *u, attcert_error *err);

/*@ requires valid: \valid_read(t);
    terminates \true;
    assigns mpfr_lives;
    ensures others: \forall mpfr_srcptr x; outside_derivative(\base_addr(x), t) ==> same_life{Pre, Post}(x); */
void derivative_clear(derivative *t);

/* Fails for want of memory for a token of u as integers. */
/*@ requires valid: \valid_read(t);
    requires err: err == \null || \valid(err);
    terminates \true;
    assigns *err;
    ensures error: \result == ATTCERT_RESOURCE; */
attcert_status derivative_lacks_memory(const derivative *t, attcert_error *err);

#endif
