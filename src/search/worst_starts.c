#include "search/worst_starts.h"

#include "base/arrays.h"
#include "base/gaussian.h"
#include "linalg/norm/euclidean_norm.h"
#include "search/worst_directions.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONSTRUCTIONS = 4 }; /* of a head */

/* ---- the list ---------------------------------------------------------------------------------------------------- */

uint64_t worst_starts_bytes(const attcert_layer *layer, int n, int random) {
  const uint64_t count = CONSTRUCTIONS * (uint64_t)layer->heads + (uint64_t)random;
  return count * (sizeof(worst_start) + (uint64_t)n * (uint64_t)layer->dim * sizeof(double));
}

/* Appends a start of n x dim zeros. */
static attcert_status add_start(worst_start **start, worst_starts *s, int n, int dim, attcert_error *err) {
  *start = &s->start[s->count];
  const attcert_status status = attcert_matrix_init(&(*start)->x, n, dim, err);
  if (status == ATTCERT_OK) s->count++;
  return status;
}

void worst_starts_clear(worst_starts *s) {
  for (int i = 0; i < s->count; i++) attcert_matrix_clear(&s->start[i].x);
  free(s->start);
  *s = (worst_starts){0};
}

/* ---- the constructions ------------------------------------------------------------------------------------------- */

/* What the starts of one head are made from. */
typedef struct {
  worst_starts *list;
  worst_directions directions;
  int n;
  double radius;
} builder;

static const char *const direction_names[] = {
    [WORST_NEGATIVE] = "negative eigenvalue", [WORST_POSITIVE] = "positive eigenvalue", [WORST_SINGULAR] = "||A||"};

static attcert_status add_named(worst_start **start, const builder *b, const char *what, worst_direction which,
                                attcert_error *err) {
  const attcert_status status = add_start(start, b->list, b->n, b->directions.layer->dim, err);
  if (status != ATTCERT_OK) return status;
  char head[32] = "";
  if (b->directions.layer->heads > 1) snprintf(head, sizeof head, ", head %d", b->directions.head);
  snprintf((*start)->name, sizeof(*start)->name, "%s, %s%s", what, direction_names[which], head);
  return ATTCERT_OK;
}

/* x_i := a u. */
static void set_token(attcert_matrix *x, int i, double a, const double *u) {
  for (int c = 0; c < x->cols; c++) x->data[(size_t)i * (size_t)x->cols + (size_t)c] = a * u[c];
}

/* x_1 = a u, the others b u. */
static attcert_status add_t3(const builder *b, worst_direction which, double first, double others, attcert_error *err) {
  worst_start *start;
  if (!b->directions.has[which] || b->n < 2) return ATTCERT_OK;
  const attcert_status status = add_named(&start, b, "T3", which, err);
  for (int i = 0; status == ATTCERT_OK && i < b->n; i++)
    set_token(&start->x, i, b->radius * (i == 0 ? first : others), b->directions.vector[which]);
  return status;
}

/* The c of the header's two clusters: slope = |A u| R^2, cosine = u . w. */
static double separation(double slope, double cosine, int n) {
  enum { STEPS = 1000 };
  double best = 0.0, largest = -1.0;
  for (int t = -STEPS + 1; t < STEPS; t++) {
    const double c = (double)t / STEPS, weight = 1.0 / (2.0 + (n - 2.0) * exp(-(c - cosine) * slope));
    if (sqrt(1.0 - c * c) * weight > largest) {
      largest = sqrt(1.0 - c * c) * weight;
      best = c;
    }
  }
  return best;
}

/* w and e hold d doubles each. */
static attcert_status fill_clusters(const builder *b, worst_direction which, double *w, double *e, attcert_error *err) {
  const int d = b->directions.layer->dim;
  const double *const u = b->directions.vector[which];
  worst_score_map(w, &b->directions, u);
  const double norm = euclidean_norm(w, d);
  if (!(norm > 0.0) || !isfinite(norm)) return ATTCERT_OK;
  for (int c = 0; c < d; c++) w[c] /= norm;
  bool found;
  worst_start *start;
  attcert_status status = worst_value_direction(e, &found, &b->directions, w, err);
  if (status != ATTCERT_OK || !found) return status;
  status = add_named(&start, b, "two clusters", which, err);
  if (status != ATTCERT_OK) return status;
  const double c = separation(norm * b->radius * b->radius, cblas_ddot(d, u, 1, w, 1), b->n), s = sqrt(1.0 - c * c);
  for (int i = 0; i < b->n; i++) set_token(&start->x, i, b->radius * (i < 2 ? c : 1.0), i < 2 ? w : u);
  cblas_daxpy(d, b->radius * s, e, 1, start->x.data, 1);
  cblas_daxpy(d, -b->radius * s, e, 1, start->x.data + d, 1);
  return ATTCERT_OK;
}

static attcert_status add_clusters(const builder *b, worst_direction which, attcert_error *err) {
  const size_t d = (size_t)b->directions.layer->dim;
  if (!b->directions.has[which] || b->n < 3) return ATTCERT_OK;
  double *const w = array_new(ARRAY_COUNT(2, d), sizeof *w, err, "a pair of vectors of %zu doubles", d);
  if (w == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = fill_clusters(b, which, w, w + d, err);
  free(w);
  return status;
}

static attcert_status add_constructions(const builder *b, attcert_error *err) {
  attcert_status status = add_t3(b, WORST_NEGATIVE, -1.0, 1.0, err);
  if (status == ATTCERT_OK) status = add_t3(b, WORST_POSITIVE, 1.0, 0.5, err);
  if (status == ATTCERT_OK) status = add_clusters(b, WORST_NEGATIVE, err);
  if (status == ATTCERT_OK) status = add_clusters(b, WORST_SINGULAR, err);
  return status;
}

/* ---- random inputs ----------------------------------------------------------------------------------------------- */

/* Gaussian tokens, brought to length r. */
static void fill_random(attcert_matrix *x, double r, uint64_t seed, int index) {
  char stream[64];
  snprintf(stream, sizeof stream, "worst input, random start %d", index);
  gaussian_fill(x->data, seed, gaussian_stream(stream), 0, (size_t)x->rows * (size_t)x->cols);
  for (int i = 0; i < x->rows; i++) {
    double *const token = x->data + (size_t)i * (size_t)x->cols;
    const double norm = euclidean_norm(token, x->cols);
    for (int c = 0; c < x->cols; c++) token[c] = token[c] / norm * r;
  }
}

static attcert_status add_random(worst_starts *s, const attcert_layer *layer, int n, double radius, double moderate,
                                 int index, uint64_t seed, attcert_error *err) {
  worst_start *start;
  const attcert_status status = add_start(&start, s, n, layer->dim, err);
  if (status != ATTCERT_OK) return status;
  snprintf(start->name, sizeof start->name, "random %d", index + 1);
  fill_random(&start->x, index % 2 == 1 ? moderate : radius, seed, index);
  return ATTCERT_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static attcert_status add_head_starts(worst_starts *s, double *largest_norm, const attcert_layer *layer, int h, int n,
                                      double radius, attcert_error *err) {
  builder b = {.list = s, .n = n, .radius = radius};
  attcert_status status = worst_directions_init(&b.directions, layer, h, err);
  if (status != ATTCERT_OK) return status;
  if (b.directions.has[WORST_SINGULAR]) *largest_norm = fmax(*largest_norm, b.directions.value[WORST_SINGULAR]);
  status = add_constructions(&b, err);
  worst_directions_clear(&b.directions);
  return status;
}

attcert_status worst_starts_init(worst_starts *s, const attcert_layer *layer, int n, double radius, int random,
                                 uint64_t seed, attcert_error *err) {
  const size_t capacity = CONSTRUCTIONS * (size_t)layer->heads + (size_t)random;
  *s = (worst_starts){.start = array_new(capacity, sizeof(worst_start), err, "a list of %zu inputs", capacity)};
  if (s->start == NULL) return ATTCERT_RESOURCE;
  double norm = 0.0; /* the largest ||A|| */
  attcert_status status = ATTCERT_OK;
  for (int h = 0; status == ATTCERT_OK && h < layer->heads; h++)
    status = add_head_starts(s, &norm, layer, h, n, radius, err);
  const double moderate = norm > 0.0 ? fmin(radius, sqrt((1.0 + log(n)) / norm)) : radius;
  for (int i = 0; status == ATTCERT_OK && i < random; i++)
    status = add_random(s, layer, n, radius, moderate, i, seed, err);
  if (status != ATTCERT_OK) worst_starts_clear(s);
  return status;
}
