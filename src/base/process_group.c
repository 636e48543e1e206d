#include "base/process_group.h"

#include "base/environment.h"

#include <math.h>

/* The caller's functions, after which the environment may be another. */
static void broadcast(const attcert_process_group *group, void *data, size_t bytes, int root) {
  group->broadcast(group->context, data, bytes, root);
  environment_set_default();
}

static void sum(const attcert_process_group *group, double *x, size_t count) {
  group->sum(group->context, x, count);
  environment_set_default();
}

void process_group_broadcast(const attcert_process_group *group, void *data, size_t bytes, int root) {
  if (group != NULL) broadcast(group, data, bytes, root);
}

void process_group_allreduce_sum(const attcert_process_group *group, double *x, size_t count) {
  if (group != NULL) sum(group, x, count);
}

uint64_t process_group_allreduce_min(const attcert_process_group *group, uint64_t x) {
  uint64_t least = x;
  for (int root = 0; group != NULL && root < group->size; root++) {
    uint64_t theirs = x;
    broadcast(group, &theirs, sizeof theirs, root);
    if (theirs < least) least = theirs;
  }
  return least;
}

double process_group_allreduce_max(const attcert_process_group *group, double x) {
  double largest = x;
  for (int root = 0; group != NULL && root < group->size; root++) {
    double theirs = x;
    broadcast(group, &theirs, sizeof theirs, root);
    largest = fmax(largest, theirs);
  }
  return largest;
}

attcert_status process_group_allreduce_status(const attcert_process_group *group, attcert_status status,
                                              attcert_error *err) {
  if (group == NULL) return status;
  double failures = status == ATTCERT_OK ? 0.0 : 1.0;
  sum(group, &failures, 1);
  for (int root = 0; failures > 0.0 && root < group->size; root++) {
    attcert_status theirs = status;
    broadcast(group, &theirs, sizeof theirs, root);
    if (theirs == ATTCERT_OK) continue;
    attcert_error message = {.status = theirs};
    if (root == group->rank && err != NULL) message = *err;
    broadcast(group, &message, sizeof message, root);
    if (err != NULL) *err = message;
    return theirs;
  }
  return ATTCERT_OK;
}
