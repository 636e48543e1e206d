/* The output projection W_O [y^1; ...; y^H] + b_O that follows the heads; the concatenation itself without W_O. */
#ifndef ATTCERT_OUTPUT_PROJECTION_H
#define ATTCERT_OUTPUT_PROJECTION_H

#include "attcert.h"

/* Columns h k .. h k + k - 1 of concatenation (n x H k) become y (n x k), the output of head h. */
void heads_join(double *concatenation, const double *y, const attcert_layer *layer, int h, int n);

/* The reverse: y (n x k) becomes columns h k .. h k + k - 1 of concatenation (n x H k). */
void heads_split(double *y, const double *concatenation, const attcert_layer *layer, int h, int n);

/* out (n x out_dim) = W_O applied to each row of concatenation (n x H k), plus bias (b_O, or NULL for zero). */
void output_project(double *out, const attcert_layer *layer, const double *bias, const double *concatenation, int n);

/* concatenation (n x H k) = W_O^T applied to each row of c (n x out_dim). */
void output_project_transposed(double *concatenation, const attcert_layer *layer, const double *c, int n);

#endif
