/* The last step of the derivative of a layer along a direction: J u = W_O dy, token by token. */
#ifndef ATTCERT_DIRECTION_IMAGE_H
#define ATTCERT_DIRECTION_IMAGE_H

#include "certify/enclosure/direction_memory.h"

/* The image from dy. output takes the entries of W_O, exactly; without W_O the image is dy. */
/*@ requires sides: \valid_read(t) && \valid_read(t->e) && \valid_read(t->layer) && derivative_sides(t);
    requires room: room_for(t->image, image_size(t)) && readable_vec(t->dy, joined_size(t->e));
    requires output: t->output == \null <==> t->layer->output_weight == \null;
    requires room_output: t->output != \null ==> room_for_output(t);
    requires weight: t->output != \null ==> \valid_read(t->layer->output_weight + (0 .. output_size(t) - 1)) &&
                                            finite_entries(t->layer->output_weight, output_size(t));
    requires image: t->output == \null ==> t->image == t->dy;
    requires apart: t->output != \null ==> \base_addr(t->image) != \base_addr(t->dy) &&
      \base_addr(t->output) != \base_addr(t->image) && \base_addr(t->output) != \base_addr(t->dy);
    requires apart_weight: \base_addr(t->output) != \base_addr(t->layer->output_weight);
    requires apart_image: \base_addr(t->image) != \base_addr(t->e) && \base_addr(t->image) != \base_addr(t->layer) &&
                          \base_addr(t->image) != \base_addr(t);
    requires apart_output: \base_addr(t->output) != \base_addr(t->e) && \base_addr(t->output) != \base_addr(t) &&
                           \base_addr(t->output) != \base_addr(t->layer);
    terminates \true;
    assigns t->image[0 .. image_size(t) - 1], t->output[0 .. output_size(t) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures contains: \forall rvec dy, w, z; in_vec{Pre}(t->dy, dy, 0, joined_size{Pre}(t->e)) ==>
      is_layer_output{Pre}(z, dy, w, t) ==> in_vec(t->image, z, 0, image_size{Pre}(t)); */
void direction_image(derivative *t, int threads);

#endif
