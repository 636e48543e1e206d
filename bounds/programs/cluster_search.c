/* A (1 + 1) evolution strategy with the one-fifth success rule (I. Rechenberg, 1973): steps are random, and kept when
 * the norm grows. In turn they move one token, all tokens, and numbers of copies between two clusters. */
#include "cluster_search.h"

#include "ball/region/ball_region.h"
#include "base/gaussian.h"
#include "cluster_norm.h"
#include "search/worst_starts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RANDOM_STARTS = 2 };
static const uint64_t SEED = 1;

typedef struct {
  const attcert_layer *head;
  double radius;
  int steps;
  uint64_t stream, drawn; /* of standard normal numbers */
  cluster_worst best;
} search;

static double draw(search *s) {
  double z;
  gaussian_fill(&z, SEED, s->stream, s->drawn++, 1);
  return z;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Moves the tokens of clusters first .. last by about `size` radii, and back into the ball. */
static void move_tokens(search *s, clusters *c, int first, int last, double size) {
  attcert_matrix tokens = clusters_tokens(c);
  for (int i = first * c->dim; i < (last + 1) * c->dim; i++) c->x[i] += size * s->radius * draw(s);
  ball_region_project(&tokens, NULL, &(ball_region){.radius = s->radius, .kind = BALL_TOKEN});
}

/* Multiplies count[a] by a random factor, within what the clusters a and b have together. */
static void move_copies(search *s, clusters *c, int a, int b, double size) {
  const int total = c->count[a] + c->count[b];
  const double wanted = round(c->count[a] * exp(4.0 * size * draw(s)));
  c->count[a] = wanted < 1.0 ? 1 : wanted > total - 1.0 ? total - 1 : (int)wanted;
  c->count[b] = total - c->count[a];
}

static void step(search *s, clusters *c, int index, double size) {
  const int a = index % c->distinct, kind = index / c->distinct % 3;
  if (kind == 0)
    move_tokens(s, c, a, a, size);
  else if (kind == 1)
    move_tokens(s, c, 0, c->distinct - 1, size);
  else if (c->distinct > 1)
    move_copies(s, c, a, (a + 1 + index / (3 * c->distinct) % (c->distinct - 1)) % c->distinct, size);
}

static void climb(search *s, clusters *at) {
  double norm = cluster_norm(NULL, at, s->head, true), size = 0.3;
  for (int index = 0; index < s->steps; index++) {
    clusters next = *at;
    step(s, &next, index, size);
    const double found = cluster_norm(NULL, &next, s->head, true);
    const bool better = found > norm || (isnan(norm) && !isnan(found));
    if (better) {
      *at = next;
      norm = found;
    }
    size = fmax(1e-9, fmin(1.0, size * (better ? 1.5 : 0.9036))); /* 0.9036 = 1.5^(-1/4) */
  }
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

/* The start as it is, proved to be in the ball, becomes the best when it is worse than what was found. */
static void keep(search *s, const clusters *start, const char *name) {
  clusters c = *start;
  attcert_matrix tokens = clusters_tokens(&c);
  ball_region_enter(&tokens, NULL, &(ball_region){.radius = s->radius, .kind = BALL_TOKEN});
  const double norm = cluster_norm(NULL, &c, s->head, false);
  if (!(norm > s->best.norm)) return;
  s->best = (cluster_worst){.at = c, .norm = norm};
  snprintf(s->best.name, sizeof s->best.name, "%s", name);
}

static void try_start(search *s, const clusters *start, const char *name) {
  clusters c = *start;
  keep(s, &c, name);
  clusters_split(&c);
  climb(s, &c);
  keep(s, &c, name);
}

static attcert_status try_constructions(search *s, int n, attcert_error *err) {
  worst_starts list;
  attcert_status status = worst_starts_init(&list, s->head, n, s->radius, 0, SEED, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < list.count; i++) {
    clusters c;
    if (clusters_from_tokens(&c, &list.start[i].x)) try_start(s, &c, list.start[i].name);
  }
  worst_starts_clear(&list);
  return ATTCERT_OK;
}

/* Tokens on the sphere; the sizes of the clusters grow by about the same factor. */
static void try_random(search *s, int n, int index) {
  clusters c = {.dim = s->head->dim};
  char name[32];
  for (int left = n; left > 0 && c.distinct < CLUSTERS_MAX; c.distinct++) {
    const int rest = CLUSTERS_MAX - c.distinct, share = (int)pow(left, 1.0 / rest);
    c.count[c.distinct] = share;
    left -= share;
  }
  move_tokens(s, &c, 0, c.distinct - 1, 10.0);
  snprintf(name, sizeof name, "random clusters %d", index + 1);
  try_start(s, &c, name);
}

/* A shorter sequence made longer: all clusters in proportion (without a mask, a sequence written twice has the norm it
 * had), or none but the largest, which takes what is missing in either case. */
static void try_longer(search *s, int n, const cluster_worst *previous, bool in_proportion) {
  clusters c = previous->at;
  const double factor = in_proportion ? (double)n / clusters_length(&c) : 1.0;
  int largest = 0;
  for (int a = 0; a < c.distinct; a++) {
    c.count[a] = (int)(c.count[a] * factor);
    if (c.count[a] >= c.count[largest]) largest = a;
  }
  c.count[largest] += n - clusters_length(&c);
  try_start(s, &c, previous->name);
}

attcert_status cluster_search(cluster_worst *worst, const attcert_layer *head, int n, double radius,
                              const cluster_worst *previous, int steps, attcert_error *err) {
  search s = {.head = head, .radius = radius, .steps = steps, .stream = gaussian_stream("search among clusters")};
  attcert_status status = clusters_check_head(head, err);
  if (status == ATTCERT_OK) status = try_constructions(&s, n, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < RANDOM_STARTS; i++) try_random(&s, n, i);
  if (previous != NULL && clusters_length(&previous->at) < n) {
    try_longer(&s, n, previous, true);
    try_longer(&s, n, previous, false);
  }
  *worst = s.best;
  if (worst->norm > 0.0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "n = %d, radius %g: every norm is 0 or beyond double", n, radius);
}
