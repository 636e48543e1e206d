/* What happens when a library that cannot say so is refused memory. GMP and MPFR would abort, jansson leaves members
 * out of an object, LAPACKE prints to standard output: in the program, each ends it in order instead, with one line on
 * standard error, no temporary file left behind, nothing of a report on standard output, exit status ATTCERT_RESOURCE.
 */
#ifndef ATTCERT_CLI_OUT_OF_MEMORY_H
#define ATTCERT_CLI_OUT_OF_MEMORY_H

#include "attcert.h"

/* Sets the functions of GMP, MPFR and jansson; before anything is allocated through them. */
void out_of_memory_prepare(void);

/* Under a limit of the address space (ulimit -v): ATTCERT_RESOURCE where BLAS's own buffers do not fit, since OpenBLAS
 * would ask for them for ever. Each thread of ours that multiplies takes one, too: *threads, where it is 0, becomes as
 * many as there is room for; without a limit it stays. */
attcert_status out_of_memory_check_limit(int *threads, attcert_error *err);

#endif
