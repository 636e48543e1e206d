#include "thread_group.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { MAX_SIZE = 8 };

typedef struct {
  int size;
  pthread_barrier_t barrier;
  void *shown[MAX_SIZE]; /* what each rank brings to the current call */
  thread_group_body *body;
  void *context;
} meeting;

typedef struct {
  meeting *all;
  attcert_process_group group;
} member;

/* Everyone shows its data, looks at that of others, and takes it back when nobody looks any more. */
static void show(const member *m, void *data) {
  m->all->shown[m->group.rank] = data;
  pthread_barrier_wait(&m->all->barrier);
}

static void broadcast(void *context, void *data, size_t bytes, int root) {
  const member *const m = context;
  show(m, data);
  if (m->group.rank != root) memcpy(data, m->all->shown[root], bytes);
  pthread_barrier_wait(&m->all->barrier);
}

/* Rank 0 adds, in the order of the ranks; the others take its sums. */
static void sum(void *context, double *x, size_t count) {
  const member *const m = context;
  show(m, x);
  for (int rank = 1; m->group.rank == 0 && rank < m->group.size; rank++) {
    const double *const theirs = m->all->shown[rank];
    for (size_t i = 0; i < count; i++) x[i] += theirs[i];
  }
  pthread_barrier_wait(&m->all->barrier);
  broadcast(context, x, count * sizeof *x, 0);
}

static void *run(void *argument) {
  member *const m = argument;
  m->group.context = m;
  m->all->body(&m->group, m->all->context);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return NULL;
}

void thread_group_run(int size, thread_group_body *body, void *context) {
  meeting all = {.size = size, .body = body, .context = context};
  member members[MAX_SIZE];
  pthread_t threads[MAX_SIZE];
  assert_in_range(size, 1, MAX_SIZE);
  assert_int_equal(pthread_barrier_init(&all.barrier, NULL, (unsigned)size), 0);
  for (int rank = 0; rank < size; rank++) {
    members[rank] = (member){&all, {.rank = rank, .size = size, .broadcast = broadcast, .sum = sum}};
    assert_int_equal(pthread_create(&threads[rank], NULL, run, &members[rank]), 0);
  }
  for (int rank = 0; rank < size; rank++) assert_int_equal(pthread_join(threads[rank], NULL), 0);
  pthread_barrier_destroy(&all.barrier);
}
