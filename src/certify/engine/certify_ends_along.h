/* The lower end of a certificate: by how much the Jacobian of a layer stretches one direction u, in intervals. */
#ifndef ATTCERT_CERTIFY_ENGINE_CERTIFY_ENDS_ALONG_H
#define ATTCERT_CERTIFY_ENGINE_CERTIFY_ENDS_ALONG_H

#include "certify/enclosure/direction.h"
#include "certify/engine/certify_ends.h"

/*@ // J stretches the certificate's vector by the lower end at least: lower ||u|| <= ||J u||. A lower end of 0 is one
    // for any vector.
    predicate vector_certifies{L}(attcert_certificate *c, real_layer f) = value(&c->lower[0]) == 0.0 ||
      \forall rvec u; weights_are(c->vector.data, u, jacobian_columns(f)) ==>
      jacobian_stretches(f, u, value(&c->lower[0]));
    // x is no block of memory that direction_enclosure reads or writes.
    predicate apart_from_direction{L}(char *x, attcert_layer *layer, layer_enclosure *e, double *u) =
      outside_direction(x, layer, e, u) && outside_direction_room(x);
    predicate direction_distinct{L}(attcert_certificate *c, interval *ratio, attcert_error *err) =
      \base_addr(c) != \base_addr(ratio) && \base_addr(c) != \base_addr(c->vector.data) &&
      \base_addr(c->vector.data) != \base_addr(ratio) &&
      (err == \null || (\base_addr(err) != \base_addr(c) && \base_addr(err) != \base_addr(ratio) &&
                        \base_addr(err) != \base_addr(c->vector.data)));
    // b is no block of memory that is written along a direction.
    predicate outside_along{L}(char *b, attcert_certificate *c, interval *ratio, attcert_error *err) =
      outside_direction_room(b) && b != \base_addr(c) && b != \base_addr(c->vector.data) &&
      b != \base_addr(ratio) && b != \base_addr(err); */

/* Raises the lower end to ||J u|| / ||u||, rounded down, and keeps u (n x d) as the certificate's vector, where that is
 * greater; J is the layer's Jacobian at the input that e was evaluated at. ratio: room, takes the interval of the
 * quotient; all numbers where u is no direction, being zero or not finite. Errors: ATTCERT_RESOURCE. */
/*@ requires valid: \valid(c) && \valid(ratio) && (err == \null || \valid(err)) &&
      \valid(c->vector.data + (0 .. row(e->n, e->dim) - 1)) && \valid_read(u + (0 .. row(e->n, e->dim) - 1));
    requires live: live_ends(c) && live(ratio);
    requires lower: lower_end(c);
    requires given: direction_given(layer, e);
    requires apart: apart_from_direction(\base_addr(c), layer, e, u) &&
      apart_from_direction(\base_addr(c->vector.data), layer, e, u) &&
      apart_from_direction(\base_addr(ratio), layer, e, u) && outside_direction_room(\base_addr(u)) &&
      (err == \null || apart_from_direction(\base_addr(err), layer, e, u));
    requires distinct: direction_distinct(c, ratio, err);
    terminates \true;
    assigns (&c->lower[0])[0 .. 0], c->vector.data[0 .. row(e->n, e->dim) - 1], *ratio, *err, mpfr_lives, mpz_lives,
      direction_rooms, direction_room(0)[0 .. vectors_size(e) - 1], direction_room(1)[0 .. vectors_size(e) - 1],
      direction_room(2)[0 .. vectors_size(e) - 1], direction_room(3)[0 .. joined_size(e) - 1],
      direction_room(4)[0 .. e->n - 1], direction_room(5)[0 .. image_room_size(layer, e) - 1],
      direction_points[0 .. output_room_size(layer, e) - 1];
    ensures live: live_ends(c) && live(ratio);
    ensures lower: lower_end(c);
    ensures lives: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
      outside_direction_room{Pre}(\base_addr{Pre}(x)) ==> same_life{Pre, Post}(x);
    ensures numbers: \forall mpfr_srcptr x; outside_along{Pre}(\base_addr{Pre}(x), c, ratio, err) ==>
      unchanged{Pre, Post}(x);
    ensures doubles: \forall double *x; outside_along{Pre}(\base_addr{Pre}(x), c, ratio, err) ==>
      \at(*x, Pre) == \at(*x, Post);
    ensures certifies: \forall attcert_matrix *x, real_layer f; layer_evaluated{Pre}(e, layer, x) ==>
      layer_at{Pre}(layer, x, f) ==> vector_certifies{Pre}(c, f) ==> vector_certifies(c, f); */
attcert_status certify_ends_raise_along(attcert_certificate *c, interval *ratio, const attcert_layer *layer,
                                        const layer_enclosure *e, const double *u, int threads, attcert_error *err);

#endif
