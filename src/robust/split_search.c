#include "robust/split_search.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "linalg/blas/blas_single.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOGETHER = 8, FIRST_STEPS = 60, STEPS = 16, NARROW_STEPS = 12, CANDIDATES = 4 };

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

typedef struct {
  split_bound *room;
  split_node *node;
  range *reach;
  int first, count;
} narrowing;

static void narrow_some(void *context, int thread) {
  const narrowing *const n = context;
  for (int k = thread; k < n->count; k += 2)
    split_bound_narrow(&n->room[thread], &n->reach[n->first + k], &n->node[thread], n->first + k, NARROW_STEPS);
}

static signed char side_of(range reach) {
  return (signed char)(reach.lo >= 0.0 ? SPLIT_ABOVE : reach.hi <= 0.0 ? SPLIT_BELOW : SPLIT_OPEN);
}

attcert_status split_search_narrow(split_model *m, const robust_watch *watch, attcert_error *err) {
  const int count = m->open.count;
  split_bound room[2] = {{0}};
  split_node node[2] = {{0}};
  range *reach = NULL;
  const size_t n = (size_t)count;
  const array_table table = {{ARRAY(node[0].side, n), ARRAY(node[1].side, n), ARRAY(node[0].slope, n),
                              ARRAY(node[1].slope, n), ARRAY(reach, n)}};
  attcert_status status = array_table_allocate(&table, err, "ranges of %d open entries", count);
  for (int t = 0; t < 2 && status == ATTCERT_OK; t++) status = split_bound_init(&room[t], m, err);
  blas_single_begin();
  for (int first = 0, last = 0; first < count && status == ATTCERT_OK; first = last) {
    while (last < count && m->open.step[last] == m->open.step[first]) last++;
    status = robust_watch_report(watch, (double)first / count, err);
    memcpy(reach, m->reach, n * sizeof *reach);
    narrowing job = {room, node, reach, first, last - first};
    if (status == ATTCERT_OK) parallel_for(2, parallel_threads(0), narrow_some, &job);
    memcpy(m->reach, reach, n * sizeof *reach);
    for (int k = first; k < last; k++) node[0].side[k] = node[1].side[k] = side_of(m->reach[k]);
  }
  blas_single_end();
  for (int t = 0; t < 2; t++) split_bound_clear(&room[t]);
  array_table_release(&table);
  return status;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

typedef struct {
  split_node node;
  int number;   /* in the tree */
  int choice;   /* the entry that it is to be split at; -1: none is open */
  double value; /* of the model where its bound is attained */
} part;

typedef struct {
  const split_model *model;
  const split_row *row;
  split_tree *tree;
  split_bound room[2 * TOGETHER];
  part *part; /* those that are not positive */
  int count, capacity;
  part child[2 * TOGETHER];
  int children;
  double lowest; /* of all that are */
  int made;
} search;

static void part_clear(part *p) {
  free(p->node.side);
  free(p->node.slope);
  *p = (part){0};
}

static attcert_status part_init(part *p, int count, attcert_error *err) {
  *p = (part){.choice = -1, .node.bound = -INFINITY, .value = INFINITY};
  const array_table table = {{ARRAY(p->node.side, (size_t)count + 1), ARRAY(p->node.slope, (size_t)count + 1)}};
  return array_table_allocate(&table, err, "a part of %d open entries", count);
}

static attcert_status part_copy(part *to, const part *from, int count, attcert_error *err) {
  const attcert_status status = part_init(to, count, err);
  if (status != ATTCERT_OK) return status;
  memcpy(to->node.side, from->node.side, (size_t)count);
  memcpy(to->node.slope, from->node.slope, (size_t)count * sizeof(double));
  return ATTCERT_OK;
}

/* What the line of an open entry loses where the bound is attained, and a part of what it may lose. */
static double lost_at(const split_bound *b, int k) {
  const range reach = b->model->reach[k];
  const double x = fmin(fmax(b->x[k], reach.lo), reach.hi), w = fabs(b->factor[k]);
  const double y = b->factor[k] >= 0.0 ? b->y[k] : reach.hi / (reach.hi - reach.lo) * (x - reach.lo);
  return w * (fabs(fmax(x, 0.0) - y) + 0.1 * reach.hi * -reach.lo / (reach.hi - reach.lo));
}

/* Open entries that lose most, the most first; -1: no more. */
static void find_candidates(int *candidate, const split_bound *b, const split_node *node) {
  double lost[CANDIDATES] = {0};
  for (int c = 0; c < CANDIDATES; c++) candidate[c] = -1;
  for (int k = 0; k < b->row->before; k++) {
    double of = node->side[k] == SPLIT_OPEN ? lost_at(b, k) : 0.0;
    int entry = k;
    for (int c = 0; c < CANDIDATES; c++) {
      if (!(of > lost[c])) continue;
      const double old = lost[c];
      const int other = candidate[c];
      lost[c] = of;
      candidate[c] = entry;
      of = old;
      entry = other;
    }
  }
}

/* The lower one of the bounds of both halves, their slopes as they are; a little of the other one. */
static double halves_at(split_bound *b, split_node *node, int k) {
  const double slope = node->slope[k];
  double half[2];
  node->slope[k] = 0.0;
  for (int side = 0; side < 2; side++) {
    node->side[k] = side == 0 ? SPLIT_ABOVE : SPLIT_BELOW;
    half[side] = fmin(split_bound_evaluate(b, node), 0.0);
  }
  node->side[k] = SPLIT_OPEN;
  node->slope[k] = slope;
  return fmin(half[0], half[1]) + 0.1 * fmax(half[0], half[1]);
}

static void choose(split_bound *b, part *p) {
  int candidate[CANDIDATES];
  double best = -INFINITY;
  split_bound_evaluate(b, &p->node);
  p->value = split_bound_attain(b, &p->node);
  find_candidates(candidate, b, &p->node);
  p->choice = candidate[0];
  for (int c = 0; c < CANDIDATES && candidate[c] >= 0; c++) {
    const double bound = halves_at(b, &p->node, candidate[c]);
    if (!(bound > best)) continue;
    best = bound;
    p->choice = candidate[c];
  }
}

static void bound_child(void *context, int i) {
  search *const s = context;
  part *const p = &s->child[i];
  const double known = p->node.bound;
  split_bound_ascend(&s->room[i], &p->node, STEPS);
  p->node.bound = fmax(known, p->node.bound);
  if (!(p->node.bound > 0.0)) choose(&s->room[i], p);
}

/* The part with the lowest bound comes to the end of the list. */
static void lowest_last(search *s) {
  for (int k = 0; k < s->count - 1; k++) {
    if (s->part[k].node.bound < s->part[s->count - 1].node.bound) {
      const part p = s->part[k];
      s->part[k] = s->part[s->count - 1];
      s->part[s->count - 1] = p;
    }
  }
}

/* The halves of the lowest part become children. */
static attcert_status split_lowest(search *s, attcert_error *err) {
  const int n = s->model->open.count;
  part *const p = &s->part[s->count - 1];
  int above;
  attcert_status status = split_tree_halve(&above, s->tree, p->number, p->choice, err);
  for (int half = 0; half < 2 && status == ATTCERT_OK; half++) {
    part *const child = &s->child[s->children++];
    status = part_copy(child, p, n, err);
    if (status != ATTCERT_OK) break;
    child->node.side[p->choice] = half == 0 ? SPLIT_ABOVE : SPLIT_BELOW;
    child->node.slope[p->choice] = 0.0;
    child->node.bound = p->node.bound;
    child->number = above + half;
  }
  part_clear(p);
  s->count--;
  return status;
}

static attcert_status keep_children(search *s, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < s->children; i++) {
    part *const p = &s->child[i];
    s->made++;
    if (p->node.bound > 0.0) {
      if (status == ATTCERT_OK) status = split_tree_settle(s->tree, p->number, &p->node, err);
      s->lowest = fmin(s->lowest, p->node.bound);
      part_clear(p);
    } else {
      s->part[s->count++] = *p;
    }
    *p = (part){0};
  }
  s->children = 0;
  return status;
}

/* The part of all inputs, and the scale of multipliers, about the size of a factor. */
static attcert_status begin_root(part *root, split_bound *b, attcert_error *err) {
  const int n = b->row->before;
  double sum = 0.0;
  const attcert_status status = part_init(root, b->model->open.count, err);
  if (status != ATTCERT_OK) return status;
  for (int k = 0; k < n; k++) {
    const range reach = b->model->reach[k];
    root->node.side[k] = side_of(reach);
    if (root->node.side[k] == SPLIT_OPEN)
      root->node.slope[k] = split_bound_slope(&root->node, k, reach.hi / (reach.hi - reach.lo));
  }
  split_bound_evaluate(b, &root->node);
  for (int k = 0; k < n; k++) sum += fabs(b->factor[k]);
  if (sum > 0.0) b->scale = sum / n;
  return ATTCERT_OK;
}

static attcert_status begin(search *s, attcert_error *err) {
  part *const root = &s->child[0];
  const attcert_status status = begin_root(root, &s->room[0], err);
  if (status != ATTCERT_OK) return status;
  for (int i = 1; i < 2 * TOGETHER; i++) s->room[i].scale = s->room[0].scale;
  split_bound_ascend(&s->room[0], &root->node, FIRST_STEPS);
  if (!(root->node.bound > 0.0)) choose(&s->room[0], root);
  s->children = 1;
  return keep_children(s, err);
}

static attcert_status go_on(search *s, int parts, const robust_watch *watch, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  while (s->count > 0 && s->made < parts && status == ATTCERT_OK) {
    status = robust_watch_report(watch, (double)s->made / parts, err);
    for (int i = 0; i < TOGETHER && s->count > 0 && status == ATTCERT_OK; i++) {
      lowest_last(s);
      if (s->part[s->count - 1].choice < 0 || s->part[s->count - 1].value <= 0.0) break;
      status = split_lowest(s, err);
    }
    if (s->children == 0) break;
    parallel_for(status == ATTCERT_OK ? s->children : 0, parallel_threads(0), bound_child, s);
    if (status == ATTCERT_OK) status = keep_children(s, err);
  }
  return status;
}

attcert_status split_search(double *bound, split_tree *tree, const split_model *model, const split_row *row, int parts,
                            const robust_watch *watch, attcert_error *err) {
  search s = {.model = model, .row = row, .tree = tree, .lowest = INFINITY};
  attcert_status status = split_tree_init(tree, model->open.count, err);
  for (int i = 0; i < 2 * TOGETHER && status == ATTCERT_OK; i++) {
    status = split_bound_init(&s.room[i], model, err);
    s.room[i].row = row;
  }
  const array_table table = {{ARRAY(s.part, (size_t)parts + 2 * TOGETHER + 1)}};
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "%d parts", parts);
  blas_single_begin();
  if (status == ATTCERT_OK) status = begin(&s, err);
  if (status == ATTCERT_OK) status = go_on(&s, parts, watch, err);
  blas_single_end();
  *bound = s.lowest;
  for (int k = 0; k < s.count; k++) *bound = fmin(*bound, s.part[k].node.bound);
  for (int k = 0; k < s.count; k++) part_clear(&s.part[k]);
  for (int i = 0; i < s.children; i++) part_clear(&s.child[i]);
  for (int i = 0; i < 2 * TOGETHER; i++) split_bound_clear(&s.room[i]);
  array_table_release(&table);
  return status;
}

attcert_status split_search_again(double *bound, const split_model *model, const split_row *row,
                                  const robust_found_difference *found, attcert_error *err) {
  split_bound room;
  part root = {0};
  attcert_status status = split_bound_init(&room, model, err);
  room.row = row;
  if (status == ATTCERT_OK) status = begin_root(&root, &room, err);
  if (status == ATTCERT_OK) status = split_tree_bound(bound, &room, &root.node, found, err);
  part_clear(&root);
  split_bound_clear(&room);
  return status;
}
