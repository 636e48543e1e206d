#include "base/parallel.h"

#include "base/environment.h"
#include "base/parallel_alone.h"

#include <mpfr.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

static _Thread_local bool alone; /* the thread runs beside others that have work of their own */

void parallel_alone(bool yes) {
  alone = yes;
}

typedef struct {
  atomic_long next;
  int count;
  parallel_body body;
  void *context;
} work;

static void drain(work *w) {
  for (long i = atomic_fetch_add(&w->next, 1); i < w->count; i = atomic_fetch_add(&w->next, 1))
    w->body(w->context, (int)i);
}

static void *worker(void *argument) {
  environment_set_default(); /* which a thread need not inherit */
  drain(argument);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* MPFR caches constants per thread */
  return NULL;
}

void parallel_for(int count, int threads, parallel_body body, void *context) {
  work w = {.count = count, .body = body, .context = context};
  atomic_init(&w.next, 0);
  if (threads > MAX_THREADS) threads = MAX_THREADS;
  if (threads > count) threads = count;
  pthread_t helper[MAX_THREADS];
  int started = 0;
  while (started < threads - 1 && pthread_create(&helper[started], NULL, worker, &w) == 0) started++;
  drain(&w); /* also when no helper could be started */
  for (int i = 0; i < started; i++) pthread_join(helper[i], NULL);
}

int parallel_threads(int asked) {
  if (asked > 0) return asked;
  if (alone) return 1;
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online > MAX_THREADS ? MAX_THREADS : (int)online;
}
