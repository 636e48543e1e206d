/* What is added to attention's scores in proportion to the distance of query and key, by a slope a head. (O. Press et
 * al., Train short, test long: attention with linear biases enables input length extrapolation, ICLR 2022.) */
#ifndef ATTCERT_MODEL_SLOPE_BIAS_H
#define ATTCERT_MODEL_SLOPE_BIAS_H

/* bias [heads][2 span - 1] of the offsets from 1 - span on, and in `low` what its doubles miss, but for 2^-104 of them:
 * -2^-e_h |offset|, with e_h = 8 (h + 1) / H of H = `heads` a power of 2. Of another number of heads, of those of the
 * next power of 2 every second one, then the others, as many as there are heads. */
void slope_bias_fill(double *bias, double *low, int heads, int span);

#endif
