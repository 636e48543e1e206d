/* The squared norm is the largest eigenvalue of G = sum over rows i of B_i^T B_i, where B_i (k x distinct d) is row i of the
 * Jacobian on the coordinates sqrt(count[a]) u_a, in which the norm of the whole sequence is the Euclidean one:
 *   block a of B_i = ( p_a (V + (v_a - y) g^T) + [a = own] sum_b p_b (v_b - y) h_b^T ) / sqrt(count[a]),
 * p_a the weight that row i gives to all the tokens of cluster a that it attends to, y = sum_a p_a v_a. */
#include "cluster_norm.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

typedef struct {
  const clusters *c;
  const attcert_layer *head;
  double q[CLUSTERS_SIDE_MAX], k[CLUSTERS_SIDE_MAX], v[CLUSTERS_SIDE_MAX]; /* distinct x k */
  double g[CLUSTERS_SIDE_MAX], h[CLUSTERS_SIDE_MAX];                       /* distinct x d, divided by sqrt(k) */
  double row[CLUSTERS_DIM_MAX][CLUSTERS_SIDE_MAX];                         /* B_i */
  double gram[CLUSTERS_SIDE_MAX * CLUSTERS_SIDE_MAX];                      /* lower triangle */
} cluster_gram;

/* out (k) := W x, W k x d. */
static void apply(double *out, const double *w, const double *x, int k, int d) {
  for (int r = 0; r < k; r++) {
    out[r] = 0.0;
    for (int c = 0; c < d; c++) out[r] += w[r * d + c] * x[c];
  }
}

/* out (d) := W^T z / root. */
static void apply_transposed(double *out, const double *w, const double *z, double root, int k, int d) {
  for (int c = 0; c < d; c++) {
    out[c] = 0.0;
    for (int r = 0; r < k; r++) out[c] += w[r * d + c] * z[r];
    out[c] /= root;
  }
}

static void project_clusters(cluster_gram *m) {
  const int d = m->head->dim, k = m->head->head_dim;
  const double root = sqrt(k);
  for (int a = 0; a < m->c->distinct; a++) {
    const double *const x = m->c->x + a * d;
    apply(m->q + a * k, m->head->query_weight, x, k, d);
    apply(m->k + a * k, m->head->key_weight, x, k, d);
    apply(m->v + a * k, m->head->value_weight, x, k, d);
    apply_transposed(m->g + a * d, m->head->key_weight, m->q + a * k, root, k, d);
    apply_transposed(m->h + a * d, m->head->query_weight, m->k + a * k, root, k, d);
  }
}

/* p and y of a row. */
static void attend(double *p, double *y, const cluster_gram *m, const cluster_row *r) {
  const int k = m->head->head_dim;
  double largest = -INFINITY, sum = 0.0;
  for (int a = 0; a < r->attended; a++) {
    p[a] = 0.0;
    for (int t = 0; t < k; t++) p[a] += m->q[r->own * k + t] * m->k[a * k + t];
    p[a] /= sqrt(k);
    largest = fmax(largest, p[a]);
  }
  for (int a = 0; a < r->attended; a++) sum += p[a] = r->keys[a] * exp(p[a] - largest);
  memset(y, 0, (size_t)k * sizeof(double));
  for (int a = 0; a < r->attended; a++) {
    p[a] /= sum;
    for (int t = 0; t < k; t++) y[t] += p[a] * m->v[a * k + t];
  }
}

/* Component t of row r of the Jacobian. */
static void fill_component(double *out, const cluster_gram *m, const cluster_row *r, const double *p, double y, int t) {
  const int d = m->head->dim, k = m->head->head_dim;
  for (int a = 0; a < r->attended; a++) {
    const double w = p[a] * (m->v[a * k + t] - y);
    for (int e = 0; e < d; e++) {
      out[a * d + e] += p[a] * m->head->value_weight[t * d + e] + w * m->g[r->own * d + e];
      out[r->own * d + e] += w * m->h[a * d + e];
    }
  }
  for (int a = 0; a < r->attended; a++) {
    for (int e = 0; e < d; e++) out[a * d + e] /= sqrt(m->c->count[a]);
  }
}

static void add_row(cluster_gram *m, const cluster_row *r) {
  const int d = m->head->dim, side = m->c->distinct * d;
  double p[CLUSTERS_MAX], y[CLUSTERS_DIM_MAX];
  attend(p, y, m, r);
  for (int t = 0; t < m->head->head_dim; t++) {
    double *const b = m->row[t];
    memset(b, 0, (size_t)side * sizeof(double));
    fill_component(b, m, r, p, y[t], t);
    for (int i = 0; i < r->attended * d; i++) {
      for (int j = 0; j <= i; j++) m->gram[i * side + j] += r->copies * b[i] * b[j];
    }
  }
}

/* Rows at positions 32 and on stand for an eighth of their position. */
static int eighth(int position) {
  return position < 32 ? 1 : position / 8;
}

double cluster_norm(double *u, const clusters *c, const attcert_layer *head, bool quick) {
  cluster_gram m = {.c = c, .head = head};
  cluster_row r;
  const int side = c->distinct * head->dim;
  cluster_stride *const stride = quick ? eighth : NULL;
  double eigenvalue[CLUSTERS_SIDE_MAX];
  project_clusters(&m);
  cluster_row_first(&r, c, head->mask, stride);
  do {
    add_row(&m, &r);
  } while (cluster_row_next(&r, c, head->mask, stride));
  for (int i = 0; i < side * side; i++) {
    if (!isfinite(m.gram[i])) return NAN;
  }
  if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, u != NULL ? 'V' : 'N', 'L', side, m.gram, side, eigenvalue) != 0) return NAN;
  for (int i = 0; u != NULL && i < side; i++) u[i] = m.gram[i * side + side - 1] / sqrt(c->count[i / head->dim]);
  return sqrt(fmax(eigenvalue[side - 1], 0.0));
}
