/* A row that attends to keys[a] tokens of cluster a gives all of them together the weight
 *   P_a = exp(s_a + ln keys[a]) / sum_b exp(s_b + ln keys[b]),   s_a = q . k_a / sqrt(k),
 * which is a softmax again, over `attended` scores instead of n. Then y = sum_a P_a v_a,
 *   dy = sum_a P_a (dv_a + (v_a - y) ds_a),   ds_a = (q . dk_a + dq . k_a) / sqrt(k). */
#include "cluster_direction.h"

#include "certify/enclosure/attention_enclosure.h"
#include "certify/enclosure/projection.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

enum { PRECISION = 128, PARTS = 6 };

typedef struct {
  const clusters *c;
  interval *q, *k, *v, *dq, *dk, *dv; /* distinct x k each */
  interval *p, *y, *ds;               /* the row's weights, their mean of the values, the derivatives of its scores */
  interval root, t, s;                /* sqrt(k); scratch */
  interval image, direction;          /* sums of ||dy_i||^2 and ||u_i||^2 */
  interval_scratch ws;
} clustered;

/* out := W x_a for every cluster. */
static attcert_status project_all(interval *out, const double *weight, const double *x, const clusters *c, int k,
                                  attcert_error *err) {
  const projection_shape shape = {c->distinct, c->dim, 1, k, PRECISION, 1};
  return projection_enclosure(out, weight, NULL, x, &shape, err);
}

static attcert_status project_head(clustered *m, const attcert_layer *head, const double *u, attcert_error *err) {
  const struct {
    interval *out, *derivative;
    const double *weight;
  } map[] = {{m->q, m->dq, head->query_weight}, {m->k, m->dk, head->key_weight}, {m->v, m->dv, head->value_weight}};
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < 3 && status == ATTCERT_OK; i++) {
    status = project_all(map[i].out, map[i].weight, m->c->x, m->c, head->head_dim, err);
    if (status == ATTCERT_OK) status = project_all(map[i].derivative, map[i].weight, u, m->c, head->head_dim, err);
  }
  return status;
}

static attcert_status clustered_init(clustered *m, const clusters *c, const attcert_layer *head, const double *u,
                                     attcert_error *err) {
  const size_t side = (size_t)c->distinct * (size_t)head->head_dim;
  interval *const all = interval_vec_new(PARTS * side + 2 * CLUSTERS_MAX + CLUSTERS_DIM_MAX, PRECISION);
  *m = (clustered){.c = c, .q = all};
  interval_init(&m->root, PRECISION);
  interval_init(&m->t, PRECISION);
  interval_init(&m->s, PRECISION);
  interval_init(&m->image, PRECISION);
  interval_init(&m->direction, PRECISION);
  interval_scratch_init(&m->ws, PRECISION);
  attcert_status status = ATTCERT_OK;
  if (all == NULL) {
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d clusters in intervals", c->distinct);
  } else {
    m->k = m->q + side, m->v = m->k + side, m->dq = m->v + side, m->dk = m->dq + side, m->dv = m->dk + side;
    m->p = m->dv + side, m->ds = m->p + CLUSTERS_MAX, m->y = m->ds + CLUSTERS_MAX;
    interval_set_si(&m->root, head->head_dim);
    interval_sqrt(&m->root, &m->root);
    status = project_head(m, head, u, err);
  }
  return status;
}

static void clustered_clear(clustered *m) {
  interval_vec_free(m->q);
  interval_clear(&m->root);
  interval_clear(&m->t);
  interval_clear(&m->s);
  interval_clear(&m->image);
  interval_clear(&m->direction);
  interval_scratch_clear(&m->ws);
}

/* P and y of a row. */
static void attend(clustered *m, const cluster_row *r, int k) {
  score_enclosure(m->p, m->q + (size_t)r->own * (size_t)k, m->k, &m->root, r->attended, k, &m->ws);
  for (int a = 0; a < r->attended; a++) {
    interval_set_si(&m->t, r->keys[a]);
    interval_log(&m->t, &m->t);
    interval_add(&m->p[a], &m->p[a], &m->t);
  }
  softmax_enclosure(m->p, r->attended, PRECISION, &m->ws);
  mean_enclosure(m->y, m->p, m->v, r->attended, k, &m->ws);
}

/* ds_a for every cluster attended to. */
static void differentiate_scores(clustered *m, const cluster_row *r, size_t k) {
  const size_t own = (size_t)r->own * k;
  for (size_t a = 0; a < (size_t)r->attended; a++) {
    interval_dot(&m->s, m->q + own, m->dk + a * k, k, &m->ws);
    interval_dot(&m->t, m->dq + own, m->k + a * k, k, &m->ws);
    interval_add(&m->s, &m->s, &m->t);
    interval_div(&m->ds[a], &m->s, &m->root, &m->ws);
  }
}

/* s := component t of dy. */
static void derivative(clustered *m, const cluster_row *r, size_t t, size_t k) {
  interval_set_zero(&m->s);
  for (size_t a = 0; a < (size_t)r->attended; a++) {
    interval_sub(&m->t, &m->v[a * k + t], &m->y[t]);
    interval_fma(&m->t, &m->t, &m->ds[a], &m->dv[a * k + t], &m->ws);
    interval_fma(&m->s, &m->p[a], &m->t, &m->s, &m->ws);
  }
}

/* sum := sum + copies s^2. */
static void add_squares(interval *sum, clustered *m, int copies) {
  interval_sqr(&m->s, &m->s, &m->ws);
  interval_set_si(&m->t, copies);
  interval_fma(sum, &m->t, &m->s, sum, &m->ws);
}

static void add_row(clustered *m, const cluster_row *r, size_t k) {
  attend(m, r, (int)k);
  differentiate_scores(m, r, k);
  for (size_t t = 0; t < k; t++) {
    derivative(m, r, t, k);
    add_squares(&m->image, m, r->copies);
  }
}

static void add_direction(clustered *m, const double *u) {
  for (int i = 0; i < m->c->distinct * m->c->dim; i++) {
    interval_set_d(&m->s, u[i]);
    add_squares(&m->direction, m, m->c->count[i / m->c->dim]);
  }
}

attcert_status cluster_direction(interval *ratio, const clusters *c, const attcert_layer *head, const double *u,
                                 attcert_error *err) {
  clustered m;
  cluster_row r;
  attcert_status status = clusters_check_head(head, err);
  if (status != ATTCERT_OK) return status;
  status = clustered_init(&m, c, head, u, err);
  if (status == ATTCERT_OK) {
    cluster_row_first(&r, c, head->mask, NULL);
    do {
      add_row(&m, &r, (size_t)head->head_dim);
    } while (cluster_row_next(&r, c, head->mask, NULL));
    add_direction(&m, u);
    interval_div(ratio, &m.image, &m.direction, &m.ws);
    interval_sqrt(ratio, ratio);
  }
  clustered_clear(&m);
  return status;
}
