#include "base/process_group.h"

#include <math.h>

void process_group_broadcast(const attcert_process_group *group, void *data, size_t bytes, int root) {
  if (group != NULL) group->broadcast(group->context, data, bytes, root);
}

void process_group_allreduce_sum(const attcert_process_group *group, double *x, size_t count) {
  if (group != NULL) group->sum(group->context, x, count);
}

uint64_t process_group_allreduce_min(const attcert_process_group *group, uint64_t x) {
  uint64_t least = x;
  for (int root = 0; group != NULL && root < group->size; root++) {
    uint64_t theirs = x;
    group->broadcast(group->context, &theirs, sizeof theirs, root);
    if (theirs < least) least = theirs;
  }
  return least;
}

double process_group_allreduce_max(const attcert_process_group *group, double x) {
  double largest = x;
  for (int root = 0; group != NULL && root < group->size; root++) {
    double theirs = x;
    group->broadcast(group->context, &theirs, sizeof theirs, root);
    largest = fmax(largest, theirs);
  }
  return largest;
}

attcert_status process_group_allreduce_status(const attcert_process_group *group, attcert_status status,
                                              attcert_error *err) {
  if (group == NULL) return status;
  double failures = status == ATTCERT_OK ? 0.0 : 1.0;
  group->sum(group->context, &failures, 1);
  for (int root = 0; failures > 0.0 && root < group->size; root++) {
    attcert_status theirs = status;
    group->broadcast(group->context, &theirs, sizeof theirs, root);
    if (theirs == ATTCERT_OK) continue;
    attcert_error message = {.status = theirs};
    if (root == group->rank && err != NULL) message = *err;
    group->broadcast(group->context, &message, sizeof message, root);
    if (err != NULL) *err = message;
    return theirs;
  }
  return ATTCERT_OK;
}
