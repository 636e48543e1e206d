/* Whole runs side by side, each on a thread of its own. */
#ifndef ATTCERT_BASE_PARALLEL_ALONE_H
#define ATTCERT_BASE_PARALLEL_ALONE_H

#include <stdbool.h>

/* yes: from here on parallel_threads(0) is 1 on the calling thread. */
void parallel_alone(bool yes);

#endif
