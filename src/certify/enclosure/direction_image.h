/* The last step of the derivative of a layer along a direction: J u = W_O dy, token by token. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_IMAGE_H
#define ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_IMAGE_H

#include "certify/enclosure/direction_memory.h"

#ifdef __FRAMAC__
#include "direction/direction_image.acsl"
#endif

/* The image from dy, in a layer with W_O. output takes the entries of W_O, exactly. */
/*@ requires sides: \valid_read(t) && \valid_read(t->e) && \valid_read(t->layer) && derivative_sides(t);
    requires room: room_for(t->image, image_size(t)) && readable_vec(t->dy, joined_size(t->e)) && room_for_output(t);
    requires weighted: t->layer->output_weight != \null;
    requires weight: \valid_read(t->layer->output_weight + (0 .. output_size(t) - 1)) &&
      finite_entries(t->layer->output_weight, output_size(t));
    requires apart_image: \base_addr(t->image) != \base_addr(t->dy) && \base_addr(t->image) != \base_addr(t->e) &&
      \base_addr(t->image) != \base_addr(t->layer) && \base_addr(t->image) != \base_addr(t);
    requires apart_output: \base_addr(t->output) != \base_addr(t->image) &&
      \base_addr(t->output) != \base_addr(t->dy) && \base_addr(t->output) != \base_addr(t->layer->output_weight) &&
      \base_addr(t->output) != \base_addr(t->e) && \base_addr(t->output) != \base_addr(t->layer) &&
      \base_addr(t->output) != \base_addr(t);
    terminates \true;
    assigns t->image[0 .. image_size(t) - 1], t->output[0 .. output_size(t) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures weighted: \forall integer i; 0 <= i < \old(t->e->n) ==> token_output{Pre, Post}(t, i); */
void direction_image(derivative *t, int threads);

#endif
