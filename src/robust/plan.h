/* What the forms of a run take before it begins: which symbols every row will depend on is known from the network
 * alone. Where a limit would be passed, symbols are merged (operation_merge) in values that every later one comes from,
 * those of the earliest operations first, and no more than the steps up to the next such value need. */
#ifndef ATTCERT_ROBUST_PLAN_H
#define ATTCERT_ROBUST_PLAN_H

#include "ball/region/ball_region.h"
#include "network/network.h"

typedef struct {
  uint64_t symbols; /* made in all, the perturbation's among them */
  uint64_t merged;  /* of them, columns of rows that gave way to those of merged ones */
  uint64_t bytes;   /* the most that forms and scratch of a step take */
  double products;  /* of numbers, about, that a run of the forms takes */
  uint64_t limit;   /* as it was given */
  bool kept;        /* no form is released before the end: all of them are within the limit, and none is executed */
  int *merge;       /* [steps + 1]: of a value, the symbols from this id on are kept; 0: all */
} robust_plan;

/* For forms over the tokens that move (a radius of 0: none), executed in a format or not. limit: bytes; 0: none.
 * Errors: ATTCERT_RESOURCE, also where merging does not bring the forms below the limit. robust_plan_clear is due in
 * every case. */
attcert_status robust_plan_make(robust_plan *plan, const network_steps *network, const ball_region *region,
                                bool executed, uint64_t limit, attcert_error *err);
void robust_plan_clear(robust_plan *plan);

#endif
