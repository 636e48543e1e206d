/* The names of files that are still being written, for a signal handler to remove: state of the process and not of a
 * caller, since a handler has no argument. Names are entered and taken out under a lock with all signals
 * blocked, so that no signal falls between a file's creation and its entry, in this thread or in another. */
#ifndef ATTCERT_BASE_UNFINISHED_FILES_H
#define ATTCERT_BASE_UNFINISHED_FILES_H

#include <signal.h>

enum { UNFINISHED_FILES_MAX = 16 };

/* Blocks every signal in this thread and takes the lock; `signals` is what unfinished_files_unlock restores. */
void unfinished_files_lock(sigset_t *signals);
void unfinished_files_unlock(const sigset_t *signals);

/* Under the lock. `name` must live until it is dropped; a name beyond the table's end is not entered. */
void unfinished_files_add(const char *name);
void unfinished_files_drop(const char *name);

/* Removes all of them, for a process that ends: async-signal-safe, and no thread enters another name afterwards. */
void unfinished_files_remove(void);

#endif
