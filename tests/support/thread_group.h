/* A process group whose processes are threads of one program. */
#ifndef ATTCERT_TESTS_SUPPORT_THREAD_GROUP_H
#define ATTCERT_TESTS_SUPPORT_THREAD_GROUP_H

#include "attcert.h"
#include "base/process_group.h"

/* What one process does. */
typedef void thread_group_body(const attcert_process_group *group, void *context);

/* Runs body once for each rank 0 ... size - 1, all at a time, and returns when all have ended. context: one for all. */
void thread_group_run(int size, thread_group_body *body, void *context);

#endif
