/* Families of random_layer.h that differ in magnitude. */
#include "random_layer_family.h"

static void scale_array(layer_case *c, int which, int exponent) {
  layer_array_scale(layer_case_array(c, which), exponent);
}

/* Multiplies all scores by about 4^exponent. */
static void scale_scores(layer_case *c, int exponent) {
  static const int score_arrays[] = {QUERY_WEIGHT, KEY_WEIGHT, QUERY_BIAS, KEY_BIAS};
  for (int i = 0; i < 4; i++) scale_array(c, score_arrays[i], exponent);
}

/* Scores of some tens to thousands: attention on one token, with tails from 1e-10 to underflow. */
void saturated_softmax(layer_case *c, random_source *r) {
  scale_scores(c, random_integer(r, 2, 5));
}

/* Scores up to about 1e9. */
void large_scores(layer_case *c, random_source *r) {
  scale_scores(c, random_integer(r, 4, 15));
}

/* Weights about 1e200, scores about 1e400. */
void astronomic_scores(layer_case *c, random_source *r) {
  scale_scores(c, random_integer(r, 640, 664));
}

enum { SMALLEST = -996, LARGEST = 664 }; /* 1e-300 and 1e+200 */

/* Each array, the input apart, has a magnitude of its own between 1e-300 and 1e+200; in half of the cases those of Q
 * and K cancel, so that attention is neither uniform nor saturated. */
void extreme_weights(layer_case *c, random_source *r) {
  for (int which = 0; which < INPUT; which++) {
    if (which != QUERY_WEIGHT && which != KEY_WEIGHT) scale_array(c, which, random_integer(r, SMALLEST, LARGEST));
  }
  const int query = random_integer(r, SMALLEST, LARGEST);
  const bool cancel = random_chance(r, 0.5) && query >= -LARGEST;
  scale_array(c, QUERY_WEIGHT, query);
  scale_array(c, KEY_WEIGHT, cancel ? -query : random_integer(r, SMALLEST, LARGEST));
  if (!cancel && random_chance(r, 0.5)) scale_array(c, INPUT, random_integer(r, SMALLEST, LARGEST));
}

/* Each row, head or entry of the weights has a magnitude of its own. */
void mixed_scales(layer_case *c, random_source *r) {
  const size_t group_rows[] = {1, (size_t)c->layer.head_dim, 0};
  const size_t rows = group_rows[random_integer(r, 0, 2)];
  for (int which = 0; which <= OUTPUT_WEIGHT; which++) {
    layer_array a = layer_case_array(c, which);
    if (!a.data) continue;
    const size_t group = rows > 0 ? rows * a.cols : 1;
    for (size_t i = 0; i < a.rows * a.cols; i += group) {
      const size_t left = a.rows * a.cols - i;
      layer_array_scale((layer_array){a.data + i, 1, group < left ? group : left},
                        random_integer(r, SMALLEST, LARGEST));
    }
  }
}

/* Subnormal inputs; often with a huge K and with a b_Q that brings the scores back to about 1; sometimes a subnormal V
 * or W_O too. */
void subnormal_numbers(layer_case *c, random_source *r) {
  const int input = random_integer(r, -1070, -1030), key = random_integer(r, 400, 664);
  scale_array(c, INPUT, input);
  if (random_chance(r, 0.7)) {
    scale_array(c, QUERY_WEIGHT, random_integer(r, 400, 664));
    scale_array(c, KEY_WEIGHT, key);
    scale_array(c, QUERY_BIAS, random_integer(r, -2, 4) - input - key);
  }
  if (random_chance(r, 0.3)) scale_array(c, VALUE_WEIGHT, random_integer(r, -1065, -1040));
  if (random_chance(r, 0.2)) scale_array(c, OUTPUT_WEIGHT, random_integer(r, -1065, -1040));
}

/* Tokens at 1e8 + small with large biases: all differences are small against the numbers they come from. */
void common_offset(layer_case *c, random_source *r) {
  layer_array x = layer_case_array(c, INPUT);
  const double offset = random_chance(r, 0.5) ? 1e8 : random_magnitude(r, 10, 30);
  for (size_t i = 0; i < x.rows * x.cols; i++) x.data[i] += offset;
  for (int which = QUERY_BIAS; which <= OUTPUT_BIAS; which++) scale_array(c, which, random_integer(r, 10, 30));
  if (random_chance(r, 0.6)) scale_scores(c, random_integer(r, -28, -20));
}
