/* Arrays that get one element after the other. */
#ifndef ATTCERT_BASE_GROWING_ARRAY_H
#define ATTCERT_BASE_GROWING_ARRAY_H

#include "attcert.h"

/* Room for one element of so many bytes behind the first `count`: the array, allocated by realloc, whose pointer is at
 * `list`, has twice its capacity where it is full. what: the array's name, as of array_out_of_memory. Errors:
 * ATTCERT_RESOURCE, the array is then as it was. */
attcert_status growing_array_room(void *list, size_t *capacity, size_t count, size_t element, attcert_error *err,
                                  const char *what, ...) __attribute__((format(printf, 6, 7)));

#endif
