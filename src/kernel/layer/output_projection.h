/* The output projection W_O [y^1; ...; y^H] + b_O that follows the heads; the concatenation itself without W_O. */
#ifndef ATTCERT_KERNEL_LAYER_OUTPUT_PROJECTION_H
#define ATTCERT_KERNEL_LAYER_OUTPUT_PROJECTION_H

#include "attcert.h"

#ifdef __FRAMAC__
#include "layer/layer.acsl"
#endif

/* Columns h k .. h k + k - 1 of concatenation (n x H k) become y (n x k), the output of head h. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 0 <= h < layer->heads;
    requires valid: \valid(concatenation + (0 .. row(n, width(layer)) - 1));
    requires valid_head: \valid_read(y + (0 .. row(n, layer->head_dim) - 1));
    requires separated: \separated(concatenation + (0 .. row(n, width(layer)) - 1),
                                   y + (0 .. row(n, layer->head_dim) - 1));
    terminates \true;
    assigns concatenation[0 .. row(n, width(layer)) - 1];
    ensures joined: \forall integer i, e; 0 <= i < n ==>
      row(h, layer->head_dim) <= e < row(h, layer->head_dim) + layer->head_dim ==>
      concatenation[row(i, width(layer)) + e] == \at(y[row(i, layer->head_dim) + (e - row(h, layer->head_dim))], Pre);
    ensures kept: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
      (e < row(h, layer->head_dim) || row(h, layer->head_dim) + layer->head_dim <= e) ==>
      concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Pre); */
void heads_join(double *concatenation, const double *y, const attcert_layer *layer, int h, int n);

/* The reverse: y (n x k) becomes columns h k .. h k + k - 1 of concatenation (n x H k). */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 0 <= h < layer->heads;
    requires valid: \valid(y + (0 .. row(n, layer->head_dim) - 1));
    requires valid_heads: \valid_read(concatenation + (0 .. row(n, width(layer)) - 1));
    requires separated: \separated(y + (0 .. row(n, layer->head_dim) - 1),
                                   concatenation + (0 .. row(n, width(layer)) - 1));
    terminates \true;
    assigns y[0 .. row(n, layer->head_dim) - 1];
    ensures split: \forall integer i, r; 0 <= i < n ==> 0 <= r < layer->head_dim ==>
      y[row(i, layer->head_dim) + r] ==
        \at(concatenation[row(i, width(layer)) + (row(h, layer->head_dim) + r)], Pre); */
void heads_split(double *y, const double *concatenation, const attcert_layer *layer, int h, int n);

/* out (n x out_dim) = W_O applied to each row of concatenation (n x H k), plus bias (b_O, or NULL for zero; unused
 * without W_O). */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n);
    requires valid: \valid(out + (0 .. row(n, layer->out_dim) - 1));
    requires valid_heads: \valid_read(concatenation + (0 .. row(n, width(layer)) - 1));
    requires valid_weight: layer->output_weight == \null ||
                           \valid_read(layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    requires valid_bias: bias == \null || \valid_read(bias + (0 .. layer->out_dim - 1));
    requires separated: \separated(out + (0 .. row(n, layer->out_dim) - 1),
                                   concatenation + (0 .. row(n, width(layer)) - 1));
    requires separated_weight: layer->output_weight == \null ||
      \separated(out + (0 .. row(n, layer->out_dim) - 1),
                 layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    requires separated_bias: bias == \null ||
                             \separated(out + (0 .. row(n, layer->out_dim) - 1), bias + (0 .. layer->out_dim - 1));
    terminates \true;
    assigns out[0 .. row(n, layer->out_dim) - 1];
    ensures result: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
      out[row(i, layer->out_dim) + o] ==
      projected{Pre}(layer->output_weight, bias, concatenation + row(i, width(layer)), width(layer), o); */
void output_project(double *out, const attcert_layer *layer, const double *bias, const double *concatenation, int n);

/* concatenation (n x H k) = W_O^T applied to each row of c (n x out_dim). */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n);
    requires valid: \valid(concatenation + (0 .. row(n, width(layer)) - 1));
    requires valid_input: \valid_read(c + (0 .. row(n, layer->out_dim) - 1));
    requires valid_weight: layer->output_weight == \null ||
                           \valid_read(layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    requires separated: \separated(concatenation + (0 .. row(n, width(layer)) - 1),
                                   c + (0 .. row(n, layer->out_dim) - 1));
    requires separated_weight: layer->output_weight == \null ||
      \separated(concatenation + (0 .. row(n, width(layer)) - 1),
                 layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    terminates \true;
    assigns concatenation[0 .. row(n, width(layer)) - 1];
    ensures copied: layer->output_weight == \null ==> \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
      concatenation[row(i, width(layer)) + e] == \at(c[row(i, layer->out_dim) + e], Pre);
    ensures multiplied: layer->output_weight != \null ==>
      \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==> concatenation[row(i, width(layer)) + e] ==
        vec_mat{Pre}(c + row(i, layer->out_dim), layer->output_weight, width(layer), e, layer->out_dim); */
void output_project_transposed(double *concatenation, const attcert_layer *layer, const double *c, int n);

#endif
