/* Whether a routine of LAPACKE ended for want of memory, or for a reason of the matrix's. */
#ifndef ATTCERT_BASE_LAPACK_MEMORY_H
#define ATTCERT_BASE_LAPACK_MEMORY_H

#include <lapacke.h>
#include <stdbool.h>

/* info: what the routine returned. */
static inline bool lapack_lacks_memory(lapack_int info) {
  return info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR;
}

#endif
