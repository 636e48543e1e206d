/* Atomic pointers without locks: what a signal handler may use. */
#include "model/format/temporary_files.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { MOST = 64 };

static _Atomic(const char *) names[MOST];

void temporary_files_add(const char *name) {
  for (int i = 0; i < MOST; i++) {
    const char *none = NULL;
    if (atomic_compare_exchange_strong(&names[i], &none, name)) return;
  }
}

void temporary_files_forget(const char *name) {
  for (int i = 0; i < MOST; i++) {
    const char *same = name;
    if (atomic_compare_exchange_strong(&names[i], &same, NULL)) return;
  }
}

void temporary_files_remove(void) {
  for (int i = 0; i < MOST; i++) {
    const char *const name = atomic_exchange(&names[i], NULL);
    if (name != NULL) unlink(name);
  }
}
