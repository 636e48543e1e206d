/* What a run does with the other processes of its group. Every function is called by all of them in the same order; in
 * a run of its own, group = NULL, nothing happens. */
#ifndef ATTCERT_BASE_PROCESS_GROUP_H
#define ATTCERT_BASE_PROCESS_GROUP_H

#include "attcert.h"

/* Whether this process is the one that prints and writes files. */
static inline bool process_group_reports(const attcert_process_group *group) {
  return group == NULL || group->rank == 0;
}

/* Every process takes what `root` has. */
void process_group_broadcast(const attcert_process_group *group, void *data, size_t bytes, int root);

/* x := the sum of every process's x, the same bits everywhere; a NaN stays one. */
void process_group_allreduce_sum(const attcert_process_group *group, double *x, size_t count);

/* The least, the largest of every process's x (not a NaN, where there is another number). */
uint64_t process_group_allreduce_min(const attcert_process_group *group, uint64_t x);
double process_group_allreduce_max(const attcert_process_group *group, double x);

/* ATTCERT_OK when it is every process's status; otherwise the status and the message of the lowest rank that failed,
 * everywhere. So no process waits for one that has given up. */
attcert_status process_group_allreduce_status(const attcert_process_group *group, attcert_status status,
                                              attcert_error *err);

#endif
