/* Files that are being written: those that were entered and not dropped are removed, by any thread, at any time. */
#include "base/unfinished_files.h"

#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { FILES = 4 };

static void change(void (*how)(const char *), const char *name) {
  sigset_t signals;
  unfinished_files_lock(&signals);
  how(name);
  unfinished_files_unlock(&signals);
}

static void make(char name[512], const temp_folder *folder, int i) {
  char base[16];
  snprintf(base, sizeof base, "file%d", i);
  temp_folder_path(name, folder, base);
  FILE *const file = fopen(name, "w");
  assert_non_null(file);
  fclose(file);
}

/* In a child, since nothing is entered after a removal. */
static void removes_what_is_left(void **state) {
  (void)state;
  temp_folder folder;
  static char name[FILES][512];
  struct stat info;
  int status;
  temp_folder_init(&folder);
  for (int i = 0; i < FILES; i++) make(name[i], &folder, i);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < FILES; i++) change(unfinished_files_add, name[i]);
    change(unfinished_files_drop, name[1]);
    unfinished_files_remove();
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  for (int i = 0; i < FILES; i++) assert_int_equal(stat(name[i], &info) == 0, i == 1);
  temp_folder_clear(&folder);
}

/* A table that is full, and one that was: no name is lost and none is in the way. */
static void takes_so_many_names(void **state) {
  (void)state;
  static char names[2 * UNFINISHED_FILES_MAX][8];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 2 * UNFINISHED_FILES_MAX; i++) change(unfinished_files_add, names[i]);
    for (int i = 0; i < 2 * UNFINISHED_FILES_MAX; i++) change(unfinished_files_drop, names[i]);
  }
  removes_what_is_left(state);
}

/* No signal is delivered under the lock; the mask is as before afterwards. */
static void blocks_signals(void **state) {
  (void)state;
  sigset_t pending, after;
  sigset_t signals;
  signal(SIGUSR1, SIG_DFL);
  unfinished_files_lock(&signals);
  raise(SIGUSR1); /* would end the test */
  sigpending(&pending);
  assert_true(sigismember(&pending, SIGUSR1));
  signal(SIGUSR1, SIG_IGN); /* takes the pending one away */
  unfinished_files_unlock(&signals);
  pthread_sigmask(SIG_BLOCK, NULL, &after);
  assert_int_equal(sigismember(&after, SIGUSR1), sigismember(&signals, SIGUSR1));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(removes_what_is_left), cmocka_unit_test(takes_so_many_names),
                                     cmocka_unit_test(blocks_signals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
