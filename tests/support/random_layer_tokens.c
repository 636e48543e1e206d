/* Families of random_layer.h that differ in their tokens, scores and arithmetic. */
#include "random_layer_family.h"

#include <math.h>
#include <string.h>

static void copy_token(layer_array x, size_t to, size_t from) {
  memmove(x.data + to * x.cols, x.data + from * x.cols, x.cols * sizeof(double));
}

void equal_tokens(layer_case *c, random_source *r) {
  (void)r;
  layer_array x = layer_case_array(c, INPUT);
  for (size_t i = 1; i < x.rows; i++) copy_token(x, i, 0);
}

/* Some tokens repeat an earlier one, exactly or up to a last digit here and there. */
void duplicate_tokens(layer_case *c, random_source *r) {
  layer_array x = layer_case_array(c, INPUT);
  for (size_t i = 1; i < x.rows; i++) {
    if (random_chance(r, 0.3)) continue;
    copy_token(x, i, (size_t)random_integer(r, 0, (int)i - 1));
    if (random_chance(r, 0.5)) continue;
    for (size_t j = 0; j < x.cols; j++)
      if (random_chance(r, 0.5)) x.data[i * x.cols + j] = nextafter(x.data[i * x.cols + j], INFINITY);
  }
}

/* x_i = c e_i; sometimes with the same c for all. */
void orthogonal_tokens(layer_case *c, random_source *r) {
  layer_array x = layer_case_array(c, INPUT);
  const bool same = random_chance(r, 0.5);
  const double scale = random_magnitude(r, -2, 3);
  memset(x.data, 0, x.rows * x.cols * sizeof(double));
  for (size_t i = 0; i < x.rows; i++) x.data[i * x.cols + i] = same ? scale : random_magnitude(r, -2, 3);
}

/* All tokens, or some, are the origin. */
void zero_tokens(layer_case *c, random_source *r) {
  layer_array x = layer_case_array(c, INPUT);
  const double probability = random_chance(r, 0.5) ? 1 : 0.5;
  for (size_t i = 0; i < x.rows; i++)
    if (random_chance(r, probability)) memset(x.data + i * x.cols, 0, x.cols * sizeof(double));
}

static void fill(layer_case *c, int which, int low, int high, random_source *r) {
  layer_array a = layer_case_array(c, which);
  if (a.data) random_fill_integers(a.data, a.rows * a.cols, low, high, r);
}

/* Scores are small integers: many are equal, and their rounding is exact. */
void tied_scores(layer_case *c, random_source *r) {
  static const int score_arrays[] = {QUERY_WEIGHT, KEY_WEIGHT, QUERY_BIAS, KEY_BIAS, INPUT};
  for (int i = 0; i < 5; i++) fill(c, score_arrays[i], -1, 1, r);
}

void zero_query_or_key(layer_case *c, random_source *r) {
  const int which = random_integer(r, 0, 2);
  layer_array query = layer_case_array(c, QUERY_WEIGHT), key = layer_case_array(c, KEY_WEIGHT);
  if (which != 0) memset(query.data, 0, query.rows * query.cols * sizeof(double));
  if (which != 1) memset(key.data, 0, key.rows * key.cols * sizeof(double));
}

void random_integers(layer_case *c, random_source *r) {
  for (int which = 0; which < ARRAYS; which++) fill(c, which, -2, 2, r);
}

void powers_of_two(layer_case *c, random_source *r) {
  for (int which = 0; which < ARRAYS; which++) {
    layer_array a = layer_case_array(c, which);
    if (!a.data) continue;
    for (size_t i = 0; i < a.rows * a.cols; i++)
      a.data[i] = ldexp(random_chance(r, 0.5) ? 1 : -1, random_integer(r, -3, 2));
  }
}

void sparse_entries(layer_case *c, random_source *r) {
  const double zeros = random_uniform(r, 0.3, 0.9);
  for (int which = 0; which < ARRAYS; which++) {
    layer_array a = layer_case_array(c, which);
    if (!a.data) continue;
    for (size_t i = 0; i < a.rows * a.cols; i++)
      if (random_chance(r, zeros)) a.data[i] = 0;
  }
}

/* Some weights and sometimes the input become outer products, of rank one up to rounding. */
void random_low_rank(layer_case *c, random_source *r) {
  static const int candidates[] = {QUERY_WEIGHT, KEY_WEIGHT, VALUE_WEIGHT, OUTPUT_WEIGHT, INPUT};
  for (int m = 0; m < 5; m++) {
    layer_array a = layer_case_array(c, candidates[m]);
    if (!a.data || random_chance(r, 0.4)) continue;
    for (size_t i = 1; i < a.rows; i++) {
      const double factor = random_chance(r, 0.3) ? 1 : random_gaussian(r);
      for (size_t j = 0; j < a.cols; j++) a.data[i * a.cols + j] = factor * a.data[j];
    }
  }
}
