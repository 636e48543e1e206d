/* <stdatomic.h> as the proofs see it: plain variables. There the iterations of a loop over several threads come one
 * after the other (base/parallel.h). */
#ifndef ATTCERT_SPEC_LIBC_MODEL_STDATOMIC_H
#define ATTCERT_SPEC_LIBC_MODEL_STDATOMIC_H

#include <stdbool.h>
#include <stddef.h>

typedef bool atomic_bool;
typedef size_t atomic_size_t;

#define atomic_init(object, value) (*(object) = (value))
#define atomic_store(object, value) (*(object) = (value))
#define atomic_load(object) (*(object))
#define atomic_fetch_add(object, value) (*(object) += (value))

#endif
