#include "linalg/blas/blas_single.h"

#include <cblas.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, found; /* threads that BLAS had when there were none */

void blas_single_begin(void) {
  pthread_mutex_lock(&lock);
  if (users++ == 0) {
    found = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&lock);
}

void blas_single_end(void) {
  pthread_mutex_lock(&lock);
  if (--users == 0) openblas_set_num_threads(found);
  pthread_mutex_unlock(&lock);
}
