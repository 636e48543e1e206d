/* Room for the numbers of one token or head of an explicit Jacobian, which leaves its builder as it is. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_ROOM_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_ROOM_H

#include "certify/enclosure/token_room.h"
#include "certify/explicit/explicit_jacobian_builder.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept.acsl"
#endif

/*@ predicate outside_all{L}(char *x, jacobian_builder *b) = outside_sources(x, b) && outside_builder(x, b); */

/* Of the precision of b's layer, with sqrt(k). explicit_jacobian_room_clear is due. */
/*@ requires ready: builder_ready(b);
    requires valid: \valid(room) && outside_all(\base_addr(room), b);
    terminates \true;
    assigns *room, mpfr_lives;
    ensures owned: owned_room(room);
    ensures root: in(&room->root, rroot(\at(b->e->head_dim, Pre)));
    ensures lives: lives_outside_room{Pre, Post}(room);
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures prepared: tokens_kept{Pre, Post}(b, all_tokens{Pre}(b->e));
    ensures maps: ends_kept{Pre, Post}(\at(b->value, Pre), maps_size{Pre}(b)); */
void explicit_jacobian_room_init(token_room *room, const jacobian_builder *b);

/*@ requires ready: builder_ready(b);
    requires valid: \valid(room) && outside_all(\base_addr(room), b) && owned_room(room);
    terminates \true;
    assigns *room, mpfr_lives;
    ensures lives: lives_outside_room{Pre, Post}(room);
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures prepared: tokens_kept{Pre, Post}(b, all_tokens{Pre}(b->e));
    ensures maps: ends_kept{Pre, Post}(\at(b->value, Pre), maps_size{Pre}(b)); */
void explicit_jacobian_room_clear(token_room *room) /*@ ghost (const jacobian_builder *b) */;

#endif
