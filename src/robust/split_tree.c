#include "robust/split_tree.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

attcert_status split_tree_init(split_tree *tree, int open, attcert_error *err) {
  *tree = (split_tree){.open = open, .count = 1, .capacity = 64};
  tree->part = array_new((size_t)tree->capacity, sizeof *tree->part, err, "a tree of parts");
  if (tree->part == NULL) {
    *tree = (split_tree){0};
    return ATTCERT_RESOURCE;
  }
  tree->part[0] = (split_tree_part){.entry = SPLIT_TREE_LEAF};
  return ATTCERT_OK;
}

void split_tree_clear(split_tree *tree) {
  for (int p = 0; p < tree->count; p++) free(tree->part[p].slope);
  free(tree->part);
  *tree = (split_tree){0};
}

static attcert_status grow(split_tree *tree, attcert_error *err) {
  if (tree->count + 2 <= tree->capacity) return ATTCERT_OK;
  const int capacity = 2 * tree->capacity;
  split_tree_part *const more = array_new((size_t)capacity, sizeof *more, err, "a tree of %d parts", capacity);
  if (more == NULL) return ATTCERT_RESOURCE;
  memcpy(more, tree->part, (size_t)tree->count * sizeof *more);
  free(tree->part);
  tree->part = more;
  tree->capacity = capacity;
  return ATTCERT_OK;
}

attcert_status split_tree_halve(int *above, split_tree *tree, int part, int entry, attcert_error *err) {
  const attcert_status status = grow(tree, err);
  if (status != ATTCERT_OK) return status;
  *above = tree->part[part].above = tree->count;
  tree->part[part].entry = entry;
  for (int half = 0; half < 2; half++) tree->part[tree->count++] = (split_tree_part){.entry = SPLIT_TREE_LEAF};
  return ATTCERT_OK;
}

attcert_status split_tree_settle(split_tree *tree, int part, const split_node *node, attcert_error *err) {
  uint16_t *const slope = array_new((size_t)tree->open, sizeof *slope, err, "the slopes of %d entries", tree->open);
  if (slope == NULL) return ATTCERT_RESOURCE;
  for (int k = 0; k < tree->open; k++) slope[k] = (uint16_t)(node->slope[k] / SPLIT_SLOPE);
  tree->part[part].slope = slope;
  return ATTCERT_OK;
}

/* ---- written ----------------------------------------------------------------------------------------------------- */

/* How many leaves; -1: one has no slopes. */
static int count_leaves(const split_tree *tree) {
  int leaves = 0;
  for (int p = 0; p < tree->count; p++) {
    if (tree->part[p].entry != SPLIT_TREE_LEAF) continue;
    if (tree->part[p].slope == NULL) return -1;
    leaves++;
  }
  return leaves;
}

/* In preorder; waiting: room for the parts below. */
static void put_nodes(robust_found_difference *found, const split_tree *tree, int *waiting) {
  const size_t open = (size_t)tree->open;
  int count = 1;
  waiting[0] = 0;
  while (count > 0) {
    const split_tree_part *const part = &tree->part[waiting[--count]];
    found->node[found->nodes++] = (uint16_t)part->entry;
    if (part->entry == SPLIT_TREE_LEAF) {
      if (open > 0) memcpy(found->multiplier + found->multipliers, part->slope, open * sizeof *part->slope);
      found->multipliers += open;
    } else {
      waiting[count++] = part->above + 1;
      waiting[count++] = part->above;
    }
  }
}

attcert_status split_tree_write(robust_found_difference *found, const split_tree *tree, uint64_t most,
                                attcert_error *err) {
  const int leaves = count_leaves(tree);
  if (leaves < 0 || ((uint64_t)leaves * (uint64_t)tree->open + (uint64_t)tree->count) * sizeof(uint16_t) > most)
    return ATTCERT_OK;
  int *waiting = NULL;
  const array_table table = {{ARRAY(waiting, (size_t)tree->count + 1), ARRAY(found->node, (size_t)tree->count),
                              ARRAY(found->multiplier, (size_t)leaves, (size_t)tree->open)}};
  const attcert_status status = array_table_allocate(&table, err, "a tree of %d parts", tree->count);
  if (status == ATTCERT_OK) put_nodes(found, tree, waiting);
  free(waiting);
  return status;
}

/* ---- read -------------------------------------------------------------------------------------------------------- */

/* The part that a walk through the nodes is at. */
typedef struct {
  split_node node;
  int *path; /* [open]: the entries it is split at */
  int depth;
} place;

/* To the half below of the last part that has not been there; false: there is none, the tree has ended. */
static bool go_below(place *at) {
  while (at->depth > 0 && at->node.side[at->path[at->depth - 1]] == SPLIT_BELOW)
    at->node.side[at->path[--at->depth]] = SPLIT_OPEN;
  if (at->depth == 0) return false;
  at->node.side[at->path[at->depth - 1]] = SPLIT_BELOW;
  return true;
}

static double leaf_bound(place *at, split_bound *room, const uint16_t *multiplier) {
  for (int k = 0; k < room->row->before; k++)
    at->node.slope[k] = split_bound_slope(&at->node, k, multiplier[k] * SPLIT_SLOPE);
  return split_bound_evaluate(room, &at->node);
}

static double lowest_leaf(place *at, split_bound *room, const robust_found_difference *found) {
  const size_t open = (size_t)room->model->open.count;
  double lowest = INFINITY;
  size_t leaves = 0;
  for (size_t i = 0; i < found->nodes; i++) {
    const int entry = found->node[i];
    if (entry == SPLIT_TREE_LEAF) {
      if ((leaves + 1) * open > found->multipliers) return -INFINITY;
      const double bound = leaf_bound(at, room, found->multiplier + leaves++ * open);
      if (!(bound > -INFINITY)) return -INFINITY;
      lowest = fmin(lowest, bound);
      if (!go_below(at)) return i + 1 == found->nodes ? lowest : -INFINITY;
    } else {
      if (entry >= room->row->before || at->node.side[entry] != SPLIT_OPEN) return -INFINITY;
      at->node.side[entry] = SPLIT_ABOVE;
      at->path[at->depth++] = entry;
    }
  }
  return -INFINITY;
}

attcert_status split_tree_bound(double *bound, split_bound *room, const split_node *root,
                                const robust_found_difference *found, attcert_error *err) {
  const size_t open = (size_t)room->model->open.count;
  place at = {0};
  const array_table table = {{ARRAY(at.node.side, open), ARRAY(at.node.slope, open), ARRAY(at.path, open)}};
  const attcert_status status = array_table_allocate(&table, err, "a part of %zu open entries", open);
  *bound = -INFINITY;
  if (status != ATTCERT_OK) return status;
  if (open > 0) memcpy(at.node.side, root->side, open);
  *bound = lowest_leaf(&at, room, found);
  array_table_release(&table);
  return ATTCERT_OK;
}
