/* See unfinished_files.h. unlink and poll are async-signal-safe (POSIX.1-2017, 2.4.3). */
#include "base/unfinished_files.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_flag locked = ATOMIC_FLAG_INIT;
static const char *names[UNFINISHED_FILES_MAX];

/* The thread that holds the lock has its signals blocked: whoever waits here waits for another thread. */
static void take_lock(void) {
  while (atomic_flag_test_and_set(&locked)) poll(NULL, 0, 1);
}

void unfinished_files_lock(sigset_t *signals) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, signals);
  take_lock();
}

void unfinished_files_unlock(const sigset_t *signals) {
  atomic_flag_clear(&locked);
  pthread_sigmask(SIG_SETMASK, signals, NULL);
}

static void replace(const char *old, const char *name) {
  for (int i = 0; i < UNFINISHED_FILES_MAX; i++) {
    if (names[i] != old) continue;
    names[i] = name;
    return;
  }
}

void unfinished_files_add(const char *name) {
  replace(NULL, name);
}

void unfinished_files_drop(const char *name) {
  replace(name, NULL);
}

void unfinished_files_remove(void) {
  take_lock(); /* for good: what is entered from now on would be left behind */
  for (int i = 0; i < UNFINISHED_FILES_MAX; i++) {
    if (names[i] != NULL) unlink(names[i]);
  }
}
