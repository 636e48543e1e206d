#include "random_layer.h"

#include "random_layer_family.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

layer_array layer_case_array(const layer_case *c, int which) {
  const attcert_layer *l = &c->layer;
  const size_t rows = (size_t)(l->heads * l->head_dim), dim = (size_t)l->dim, out = (size_t)l->out_dim;
  const layer_array arrays[ARRAYS] = {
      [QUERY_WEIGHT] = {l->query_weight, rows, dim}, [KEY_WEIGHT] = {l->key_weight, rows, dim},
      [VALUE_WEIGHT] = {l->value_weight, rows, dim}, [OUTPUT_WEIGHT] = {l->output_weight, out, rows},
      [QUERY_BIAS] = {l->query_bias, rows, 1},       [KEY_BIAS] = {l->key_bias, rows, 1},
      [VALUE_BIAS] = {l->value_bias, rows, 1},       [OUTPUT_BIAS] = {l->output_bias, out, 1},
      [INPUT] = {c->x.data, (size_t)c->x.rows, dim},
  };
  return arrays[which];
}

void layer_array_scale(layer_array a, int exponent) {
  if (!a.data) return;
  for (size_t i = 0; i < a.rows * a.cols; i++) a.data[i] = ldexp(a.data[i], exponent);
}

void layer_case_init_zero(layer_case *c, const layer_shape *s) {
  attcert_status layer = attcert_layer_init(&c->layer, s->dim, s->heads, s->head_dim, s->out_dim, s->biases, NULL);
  attcert_status input = attcert_matrix_init(&c->x, s->n, s->dim, NULL);
  if (layer != ATTCERT_OK || input != ATTCERT_OK) abort();
  c->layer.mask = s->mask;
  c->norm_is_zero = false;
}

void layer_case_init_gaussian(layer_case *c, const layer_shape *shape, random_source *r) {
  layer_case_init_zero(c, shape);
  for (int which = 0; which < ARRAYS; which++) {
    layer_array a = layer_case_array(c, which);
    bool weight = which <= OUTPUT_WEIGHT;
    double scale = ldexp(weight ? 1 / sqrt((double)a.cols) : 1, random_integer(r, -1, 1));
    if (a.data) random_fill_gaussian(a.data, a.rows * a.cols, scale, r);
  }
}

void layer_case_copy(layer_case *copy, const layer_case *c) {
  const attcert_layer *l = &c->layer;
  layer_shape shape = {
      c->x.rows, l->dim, l->heads, l->head_dim, l->output_weight ? l->out_dim : 0, l->query_bias != NULL, l->mask};
  layer_case_init_zero(copy, &shape);
  copy->norm_is_zero = c->norm_is_zero;
  for (int which = 0; which < ARRAYS; which++) {
    layer_array from = layer_case_array(c, which), to = layer_case_array(copy, which);
    if (from.data) memcpy(to.data, from.data, from.rows * from.cols * sizeof(double));
  }
}

void layer_case_clear(layer_case *c) {
  attcert_layer_clear(&c->layer);
  attcert_matrix_clear(&c->x);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static layer_shape small_shape(random_source *r) {
  static const int heads[] = {1, 1, 1, 1, 2, 2, 3, 4};
  layer_shape s;
  s.n = random_integer(r, 1, 5);
  s.dim = random_integer(r, 1, 5);
  s.heads = heads[random_integer(r, 0, 7)];
  s.head_dim = random_integer(r, 1, 4);
  s.out_dim = random_chance(r, 0.4) ? 0 : random_integer(r, 1, 8);
  s.biases = random_chance(r, 0.5);
  s.mask = random_chance(r, 0.4) ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
  return s;
}

typedef void shape_change(layer_shape *s, random_source *r);

static void one_token(layer_shape *s, random_source *r) {
  (void)r;
  s->n = 1;
}

static void one_coordinate(layer_shape *s, random_source *r) {
  (void)r;
  s->dim = 1;
}

static void scalar_heads(layer_shape *s, random_source *r) {
  (void)r;
  s->head_dim = 1;
}

static void up_to_twelve_heads(layer_shape *s, random_source *r) {
  s->heads = random_integer(r, 1, 12);
  s->head_dim = random_integer(r, 1, 2);
}

static void several_heads(layer_shape *s, random_source *r) {
  s->heads = random_integer(r, 2, 4);
}

static void pairs_of_heads(layer_shape *s, random_source *r) {
  s->heads = 2 * random_integer(r, 1, 2);
  if (!s->out_dim) s->out_dim = s->dim;
}

/* J of as many rows as columns. */
static void square_head(layer_shape *s, random_source *r) {
  *s = (layer_shape){.n = random_integer(r, 1, 3), .dim = random_integer(r, 2, 5), .heads = 1};
  s->head_dim = s->dim;
}

static void with_output(layer_shape *s, random_source *r) {
  if (!s->out_dim) s->out_dim = random_integer(r, 1, 8);
}

static void with_biases(layer_shape *s, random_source *r) {
  (void)r;
  s->biases = true;
}

static void two_tokens_or_more(layer_shape *s, random_source *r) {
  s->n = random_integer(r, 2, 6);
}

static void room_for_orthogonal_tokens(layer_shape *s, random_source *r) {
  s->dim = random_integer(r, 2, 6);
  s->n = random_integer(r, 2, s->dim);
}

/* Small numbers of bits and an exact 1/sqrt(k). */
static void exact_arithmetic(layer_shape *s, random_source *r) {
  s->head_dim = random_chance(r, 0.5) ? 1 : 4;
  s->n = random_integer(r, 2, 5);
}

static void larger(layer_shape *s, random_source *r) {
  s->n = random_integer(r, 4, 8);
  s->dim = random_integer(r, 3, 6);
  s->head_dim = random_integer(r, 2, 4);
}

/* ---- families ---------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  shape_change *shape;   /* NULL: any small shape */
  layer_change *entries; /* NULL: as drawn */
} FAMILY[] = {
    {"gaussian", NULL, NULL},
    {"larger", larger, NULL},
    {"one-token", one_token, NULL},
    {"one-coordinate", one_coordinate, NULL},
    {"scalar-heads", scalar_heads, NULL},
    {"many-heads", up_to_twelve_heads, NULL},
    {"saturated-softmax", two_tokens_or_more, saturated_softmax},
    {"large-scores", NULL, large_scores},
    {"astronomic-scores", NULL, astronomic_scores},
    {"extreme-weights", NULL, extreme_weights},
    {"mixed-scales", NULL, mixed_scales},
    {"subnormal", NULL, subnormal_numbers},
    {"common-offset", with_biases, common_offset},
    {"equal-tokens", two_tokens_or_more, equal_tokens},
    {"duplicate-tokens", two_tokens_or_more, duplicate_tokens},
    {"orthogonal-tokens", room_for_orthogonal_tokens, orthogonal_tokens},
    {"zero-tokens", NULL, zero_tokens},
    {"tied-scores", exact_arithmetic, tied_scores},
    {"zero-query-or-key", NULL, zero_query_or_key},
    {"integers", exact_arithmetic, random_integers},
    {"powers-of-two", exact_arithmetic, powers_of_two},
    {"sparse", NULL, sparse_entries},
    {"low-rank", NULL, random_low_rank},
    {"zero-value", NULL, zero_value},
    {"zero-output", with_output, zero_output},
    {"orthogonal-value", NULL, orthogonal_value},
    {"clustered-value", NULL, clustered_value},
    {"equal-heads", several_heads, equal_heads},
    {"cancelling-heads", pairs_of_heads, cancelling_heads},
    {"nearly-cancelling-heads", pairs_of_heads, nearly_cancelling_heads},
    {"cancelling-rows", pairs_of_heads, cancelling_rows},
    {"orthogonal-to-start", square_head, orthogonal_to_start},
};

int random_layer_families(void) {
  return (int)(sizeof FAMILY / sizeof FAMILY[0]);
}

const char *random_layer_family(int family) {
  return FAMILY[family].name;
}

int random_layer_family_find(const char *name) {
  for (int f = 0; f < random_layer_families(); f++)
    if (strcmp(name, FAMILY[f].name) == 0) return f;
  return -1;
}

void layer_case_init(layer_case *c, int family, uint64_t seed, uint64_t index) {
  random_source r = random_source_make(seed, (uint64_t)family, index);
  layer_shape shape = small_shape(&r);
  if (FAMILY[family].shape) FAMILY[family].shape(&shape, &r);
  layer_case_init_gaussian(c, &shape, &r);
  if (FAMILY[family].entries) FAMILY[family].entries(c, &r);
}
