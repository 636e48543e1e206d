/* BLAS on the calling thread alone, for as long as threads of ours share its products among themselves: products of a
 * few hundred rows keep two threads of BLAS waiting for each other. Its number of threads is the process's; calls nest,
 * from any thread, and the last end restores what the first begin found. Meanwhile other callers' products take one
 * thread, too. */
#ifndef ATTCERT_LINALG_BLAS_BLAS_SINGLE_H
#define ATTCERT_LINALG_BLAS_BLAS_SINGLE_H

void blas_single_begin(void);
void blas_single_end(void);

#endif
