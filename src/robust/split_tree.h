/* How branch and bound has split a row's open entries: a part is split at an entry, of which one half lies above 0, the
 * other one below, or is a leaf, whose slopes give a bound. Written in preorder, the half above first. */
#ifndef ATTCERT_ROBUST_SPLIT_TREE_H
#define ATTCERT_ROBUST_SPLIT_TREE_H

#include "robust/found.h"
#include "robust/split_bound.h"

enum { SPLIT_TREE_LEAF = UINT16_MAX };

typedef struct {
  int entry;       /* SPLIT_TREE_LEAF: of no halves */
  int above;       /* the number of that half, the one below is behind it */
  uint16_t *slope; /* [open]: of a leaf, in units of SPLIT_SLOPE; NULL: no bound was found */
} split_tree_part;

/* As it grows, from part 0 on. */
typedef struct {
  int open; /* entries */
  int count, capacity;
  split_tree_part *part;
} split_tree;

/* split_tree_clear is due in every case. Errors: ATTCERT_RESOURCE. */
attcert_status split_tree_init(split_tree *tree, int open, attcert_error *err);
void split_tree_clear(split_tree *tree);

/* Halves of a part that is none's; returns the number of the one above in *above. */
attcert_status split_tree_halve(int *above, split_tree *tree, int part, int entry, attcert_error *err);

/* The slopes of a part that is not halved any more. */
attcert_status split_tree_settle(split_tree *tree, int part, const split_node *node, attcert_error *err);

/* Into `found`, where every leaf has slopes and all is at most so many bytes. */
attcert_status split_tree_write(robust_found_difference *found, const split_tree *tree, uint64_t most,
                                attcert_error *err);

/* *bound := a double below the row of `room`: the lowest bound of the leaves of that tree, sides and slopes as they
 * stand there, the first node being `root`; -inf where it is no tree of this row's, or no bound is known. */
attcert_status split_tree_bound(double *bound, split_bound *room, const split_node *root,
                                const robust_found_difference *found, attcert_error *err);

#endif
