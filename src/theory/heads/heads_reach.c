/* |q_i| and its derivative on a ball, of one head. */
#include "theory/heads/heads_norms.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"

void heads_reach_init(heads_reach *r) {
  interval_init(&r->size, THEORY_PRECISION);
  interval_init(&r->slope, THEORY_PRECISION);
  interval_init(&r->centre, THEORY_PRECISION);
}

void heads_reach_clear(heads_reach *r) {
  interval_clear(&r->size);
  interval_clear(&r->slope);
  interval_clear(&r->centre);
}

/* norm := |W centre + b| of those rows. */
static attcert_status centre_norm(interval *norm, const heads_path *path, heads_rows rows, int dim,
                                  const double *centre, attcert_error *err) {
  const size_t d = (size_t)dim;
  interval_scratch ws;
  interval entry;
  interval_set_zero(norm);
  if (centre == NULL && path->map->bias == NULL) return ATTCERT_OK;
  point *const row = point_vec_new(d, THEORY_PRECISION), *const at = point_vec_new(d, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  interval_init(&entry, THEORY_PRECISION);
  if (at != NULL && centre != NULL) point_vec_set_d(at, centre, d);
  for (int r = rows.first; row != NULL && at != NULL && r < rows.first + rows.count; r++) {
    point_vec_set_d(row, path->map->weight + (size_t)r * d, d);
    interval_dot_points(&entry, row, at, d, &ws);
    interval_set_d(&ws.q, path->map->bias != NULL ? path->map->bias[r] : 0.0);
    interval_add(&entry, &entry, &ws.q);
    interval_sqr(&entry, &entry, &ws);
    interval_add(norm, norm, &entry);
  }
  interval_sqrt(norm, norm);
  const bool allocated = row != NULL && at != NULL;
  interval_clear(&entry);
  interval_scratch_clear(&ws);
  point_vec_free(row);
  point_vec_free(at);
  if (allocated) return ATTCERT_OK;
  return array_out_of_memory(err, 2 * (uint64_t)point_vec_bytes(d, THEORY_PRECISION), "a token of %d numbers", dim);
}

/* root := sqrt(u^2 / p + epsilon) */
static void normal_root(interval *root, const interval *u, int p, double epsilon, interval_scratch *ws) {
  interval number;
  interval_init(&number, THEORY_PRECISION);
  interval_sqr(root, u, ws);
  interval_set_si(&number, p);
  interval_div(root, root, &number, ws);
  interval_set_d(&number, epsilon);
  interval_add(root, root, &number);
  interval_sqrt(root, root);
  interval_clear(&number);
}

/* On entry size is the largest |u|, least the smallest, and slope ||W||. The quotient grows with |u|. */
static void apply_norm(heads_reach *r, const heads_path *path, int head, const interval *least, interval_scratch *ws) {
  interval root, gain;
  const int p = heads_path_rows(path, head).count;
  interval_init(&root, THEORY_PRECISION);
  interval_init(&gain, THEORY_PRECISION);
  interval_set_d(&gain, heads_path_gain(path, head));
  normal_root(&root, &r->size, p, path->norm->epsilon, ws);
  interval_div(&r->size, &r->size, &root, ws);
  interval_mul(&r->size, &r->size, &gain, ws);
  normal_root(&root, least, p, path->norm->epsilon, ws);
  interval_div(&r->slope, &r->slope, &root, ws);
  interval_mul(&r->slope, &r->slope, &gain, ws);
  interval_clear(&gain);
  interval_clear(&root);
}

attcert_status heads_reach_set(heads_reach *r, const heads_path *path, int head, const interval *map_norm, int dim,
                               const token_ball *at, attcert_error *err) {
  interval move, least;
  interval_scratch ws;
  interval_init(&move, THEORY_PRECISION);
  interval_init(&least, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  const attcert_status status = centre_norm(&least, path, heads_path_rows(path, head), dim, at->centre, err);
  interval_set(&r->centre, &least);
  interval_set_d(&move, at->radius);
  interval_mul(&move, &move, map_norm, &ws);
  interval_add(&r->size, &least, &move);
  interval_sub(&least, &least, &move);
  interval_set_zero(&move);
  interval_max(&least, &least, &move);
  interval_set(&r->slope, map_norm);
  if (path->norm != NULL) apply_norm(r, path, head, &least, &ws);
  interval_scratch_clear(&ws);
  interval_clear(&least);
  interval_clear(&move);
  return status;
}
