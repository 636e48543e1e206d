/* Independent iterations on a few threads. */
#ifndef ATTCERT_BASE_PARALLEL_H
#define ATTCERT_BASE_PARALLEL_H

/* One iteration; must not touch what another iteration writes. */
typedef void (*parallel_body)(void *context, int index);

/* Calls body(context, 0 .. count - 1), each once, in any order, on up to `threads` threads, and returns when all are
 * done. Every iteration computes the same whatever the number of threads. */
void parallel_for(int count, int threads, parallel_body body, void *context);

/* The same with what a contract can follow, neither a pointer to a function nor one to void: PARALLEL_TASK(body)
 * after void body(type *context, int index), then PARALLEL_FOR(count, threads, body, context). A proof sees the
 * iterations one after the other, and the annotations of that loop, whose index is parallel_index, stand before it; any
 * other order of them is trusted (proofs/TRUST.md). */
#ifdef __FRAMAC__
#define PARALLEL_TASK(body)
#define PARALLEL_FOR(count, threads, body, context) \
  for (int parallel_index = 0; parallel_index < (count); parallel_index++) body(context, parallel_index)
#else
#define PARALLEL_TASK(body)                           \
  static void body##_task(void *context, int index) { \
    body(context, index);                             \
  }
#define PARALLEL_FOR(count, threads, body, context) parallel_for(count, threads, body##_task, context)
#endif

/* asked when positive, otherwise the number of processors online. */
/*@ terminates \true;
    assigns \result \from asked; */
int parallel_threads(int asked);

#endif
