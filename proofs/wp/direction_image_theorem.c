/* The theorem about the image along a direction: from intervals of dy to intervals of J u = W_O dy, all tokens.
 *
 * No program calls this function: direction.c makes the same call. */
#include "certify/enclosure/direction_image.h"
#include "certify/enclosure/jacobian_enclosure.h"

#include "direction/direction_cells_lemmas.acsl"

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
    ensures contains: \forall rvec dy, w, z; in_vec{Pre}(\old(t->dy), dy, 0, joined_size{Pre}(t->e)) ==>
      is_layer_output{Pre}(z, dy, w, t) ==> in_vec(\old(t->image), z, 0, image_size{Pre}(t)); */
void direction_image_theorem(derivative *t) {
  direction_image(t, 1);
  /*@ assert weighed: \forall rvec dy, w, z;
        in_vec{Pre}(\at(t->dy, Pre), dy, 0, joined_size{Pre}(\at(t->e, Pre))) ==>
        is_layer_output{Pre}(z, dy, w, t) ==> weighs_output{Pre}(t, dy, w, z); */
  /*@ assert cells: \forall rvec dy, w, z; in_vec{Pre}(\at(t->dy, Pre), dy, 0, joined_size{Pre}(\at(t->e, Pre))) ==>
        is_layer_output{Pre}(z, dy, w, t) ==>
        in_matrix(\at(t->image, Pre), z, \at(t->e->n, Pre), \at(t->layer->out_dim, Pre)); */
}
