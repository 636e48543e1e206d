#include "base/growing_array.h"

#include "base/arrays.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 16 };

attcert_status growing_array_room(void *list, size_t *capacity, size_t count, size_t element, attcert_error *err,
                                  const char *what, ...) {
  void *memory; /* a pointer of any type, by its bytes */
  if (count < *capacity) return ATTCERT_OK;
  memcpy(&memory, list, sizeof memory);
  const size_t more = *capacity == 0 ? FIRST : 2 * *capacity;
  void *const larger = more <= PTRDIFF_MAX / element ? realloc(memory, more * element) : NULL;
  if (larger == NULL) {
    char name[512];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(name, sizeof name, what, arguments);
    va_end(arguments);
    return array_out_of_memory(err, ARRAY_COUNT(more, element), "%s", name);
  }
  memcpy(list, &larger, sizeof larger);
  *capacity = more;
  return ATTCERT_OK;
}
