/* See clusters.h. */
#include "clusters.h"

#include <string.h>

attcert_matrix clusters_tokens(clusters *c) {
  return (attcert_matrix){c->distinct, c->dim, c->x};
}

int clusters_length(const clusters *c) {
  int n = 0;
  for (int a = 0; a < c->distinct; a++) n += c->count[a];
  return n;
}

bool clusters_from_tokens(clusters *c, const attcert_matrix *x) {
  *c = (clusters){.dim = x->cols};
  if (x->cols > CLUSTERS_DIM_MAX) return false;
  const size_t d = (size_t)x->cols, bytes = d * sizeof(double);
  for (size_t i = 0; i < (size_t)x->rows; i++) {
    const double *const token = x->data + i * d;
    const bool repeated = i > 0 && memcmp(token, token - d, bytes) == 0;
    if (!repeated && c->distinct == CLUSTERS_MAX) return false;
    if (!repeated) memcpy(c->x + (size_t)c->distinct++ * d, token, bytes);
    c->count[c->distinct - 1]++;
  }
  return true;
}

/* Cluster a becomes the clusters a and a + 1. */
static void split(clusters *c, int a) {
  const size_t d = (size_t)c->dim, from = (size_t)a, moved = (size_t)(c->distinct - a);
  memmove(c->x + (from + 1) * d, c->x + from * d, moved * d * sizeof(double));
  memmove(c->count + from + 1, c->count + from, moved * sizeof(int));
  c->count[a] /= 2;
  c->count[a + 1] -= c->count[a];
  c->distinct++;
}

void clusters_split(clusters *c) {
  while (c->distinct < CLUSTERS_MAX) {
    int largest = 0;
    for (int a = 1; a < c->distinct; a++) {
      if (c->count[a] > c->count[largest]) largest = a;
    }
    if (c->count[largest] < 2) return;
    split(c, largest);
  }
}

attcert_status clusters_check_head(const attcert_layer *head, attcert_error *err) {
  if (head->heads != 1 || head->output_weight != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%d heads%s, expected one head without output projection", head->heads,
                        head->output_weight != NULL ? " and an output projection" : "");
  if (head->dim > CLUSTERS_DIM_MAX || head->head_dim > CLUSTERS_DIM_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "a head of %d x %d, expected at most %d x %d", head->head_dim, head->dim,
                        CLUSTERS_DIM_MAX, CLUSTERS_DIM_MAX);
  for (int r = 0; head->query_bias != NULL && r < head->head_dim; r++) {
    if (head->query_bias[r] != 0.0)
      return attcert_fail(err, ATTCERT_INPUT, "query bias %d is %g, expected 0", r, head->query_bias[r]);
  }
  return ATTCERT_OK;
}

/* What the row at r->own, r->position attends to. */
static void attend(cluster_row *r, const clusters *c, attcert_mask mask, cluster_stride *stride) {
  memcpy(r->keys, c->count, sizeof r->keys);
  if (mask == ATTCERT_MASK_NONE) {
    r->attended = c->distinct;
    r->copies = c->count[r->own];
    return;
  }
  const int left = c->count[r->own] - r->position, wanted = stride == NULL ? 1 : stride(r->position);
  r->attended = r->own + 1;
  r->keys[r->own] = r->position + 1;
  r->copies = wanted < left ? wanted : left;
}

void cluster_row_first(cluster_row *r, const clusters *c, attcert_mask mask, cluster_stride *stride) {
  *r = (cluster_row){0};
  attend(r, c, mask, stride);
}

bool cluster_row_next(cluster_row *r, const clusters *c, attcert_mask mask, cluster_stride *stride) {
  r->position += r->copies;
  if (r->position == c->count[r->own]) {
    r->position = 0;
    r->own++;
  }
  if (r->own == c->distinct) return false;
  attend(r, c, mask, stride);
  return true;
}
