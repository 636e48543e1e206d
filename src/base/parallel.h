/* Independent iterations on a few threads. */
#ifndef ATTCERT_PARALLEL_H
#define ATTCERT_PARALLEL_H

/* One iteration; must not touch what another iteration writes. */
typedef void (*parallel_body)(void *context, int index);

/* Calls body(context, 0 .. count - 1), each once, in any order, on up to `threads` threads, and returns when all are
 * done. Every iteration computes the same whatever the number of threads. */
void parallel_for(int count, int threads, parallel_body body, void *context);

/* asked when positive, otherwise the number of processors online. */
int parallel_threads(int asked);

#endif
