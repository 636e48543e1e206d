/* An output exists whole or not at all, whatever happens in between, and no temporary file outlives its test. */
#include "model/format/atomic_file.h"

#include "temp_folder.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

typedef struct {
  temp_folder folder;
  char target[512];
} fixture;

static int make_folder(void **state) {
  static fixture f;
  temp_folder_init(&f.folder);
  temp_folder_path(f.target, &f.folder, "target");
  *state = &f;
  return 0;
}

static int remove_folder(void **state) {
  temp_folder_clear(&((fixture *)*state)->folder);
  return 0;
}

static void assert_target(const fixture *f, const char *expected) {
  char text[64] = "";
  FILE *const stream = fopen(f->target, "r");
  assert_non_null(stream);
  assert_int_equal(fread(text, 1, sizeof text - 1, stream), strlen(expected));
  assert_string_equal(text, expected);
  fclose(stream);
}

static void appears_on_commit(void **state) {
  const fixture *const f = *state;
  atomic_file out;
  struct stat info;
  assert_int_equal(atomic_file_open(&out, f->target, NULL), ATTCERT_OK);
  fputs("whole", out.stream);
  assert_int_not_equal(stat(f->target, &info), 0); /* not yet */
  assert_int_equal(atomic_file_commit(&out, NULL), ATTCERT_OK);
  assert_target(f, "whole");
  assert_int_equal(temp_folder_count(&f->folder), 1);
  const mode_t mask = umask(0);
  umask(mask);
  assert_int_equal(stat(f->target, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
  atomic_file_discard(&out); /* harmless */
  assert_target(f, "whole");
}

static void discard_leaves_the_old_file(void **state) {
  const fixture *const f = *state;
  temp_folder_write(&f->folder, "target", "old", 3);
  atomic_file out;
  assert_int_equal(atomic_file_open(&out, f->target, NULL), ATTCERT_OK);
  fputs("new", out.stream);
  atomic_file_discard(&out);
  assert_target(f, "old");
  assert_int_equal(temp_folder_count(&f->folder), 1);
}

static void commit_replaces_the_old_file(void **state) {
  const fixture *const f = *state;
  temp_folder_write(&f->folder, "target", "old", 3);
  atomic_file out;
  assert_int_equal(atomic_file_open(&out, f->target, NULL), ATTCERT_OK);
  fputs("new", out.stream);
  assert_int_equal(atomic_file_commit(&out, NULL), ATTCERT_OK);
  assert_target(f, "new");
  assert_int_equal(temp_folder_count(&f->folder), 1);
}

static void two_writers_do_not_meet(void **state) {
  const fixture *const f = *state;
  atomic_file a, b;
  assert_int_equal(atomic_file_open(&a, f->target, NULL), ATTCERT_OK);
  assert_int_equal(atomic_file_open(&b, f->target, NULL), ATTCERT_OK);
  fputs("a", a.stream);
  fputs("b", b.stream);
  assert_int_equal(atomic_file_commit(&a, NULL), ATTCERT_OK);
  assert_target(f, "a");
  assert_int_equal(atomic_file_commit(&b, NULL), ATTCERT_OK);
  assert_target(f, "b");
}

/* The limit on the size of files plays a full disk. */
static struct rlimit fill_disk(void) {
  struct rlimit before;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, before.rlim_max}), 0);
  return before;
}

static void free_disk(struct rlimit before) {
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_DFL);
}

static void a_full_disk_at_the_end_leaves_nothing_behind(void **state) {
  const fixture *const f = *state;
  atomic_file out;
  attcert_error err;
  assert_int_equal(atomic_file_open(&out, f->target, &err), ATTCERT_OK);
  const struct rlimit before = fill_disk();
  fputs("still in the stream's buffer", out.stream);
  const attcert_status status = atomic_file_commit(&out, &err);
  free_disk(before);
  assert_int_equal(status, ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, f->target));
  assert_int_equal(temp_folder_count(&f->folder), 0);
}

/* Room again at the end must not hide what was lost before. */
static void a_full_disk_in_between_leaves_nothing_behind(void **state) {
  const fixture *const f = *state;
  atomic_file out;
  attcert_error err;
  assert_int_equal(atomic_file_open(&out, f->target, &err), ATTCERT_OK);
  const struct rlimit before = fill_disk();
  for (int i = 0; i < 100000; i++) fputs("0123456789", out.stream);
  const attcert_status status = atomic_file_commit(&out, &err);
  free_disk(before);
  assert_int_equal(status, ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, f->target));
  assert_int_equal(temp_folder_count(&f->folder), 0);
}

static void assert_refused(const char *path, const char *reason) {
  atomic_file out;
  attcert_error err;
  assert_int_equal(atomic_file_open(&out, path, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, path));
  assert_non_null(strstr(err.message, reason));
  assert_null(out.stream);
  atomic_file_discard(&out);
}

static void folders_and_devices_are_not_replaced(void **state) {
  const fixture *const f = *state;
  assert_refused(f->folder.path, "not a regular file");
  assert_refused("/dev/null", "not a regular file");
  assert_refused("/nonexistent/target", "No such file");
  assert_int_equal(temp_folder_count(&f->folder), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(appears_on_commit, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(discard_leaves_the_old_file, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(commit_replaces_the_old_file, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(two_writers_do_not_meet, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(a_full_disk_at_the_end_leaves_nothing_behind, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(a_full_disk_in_between_leaves_nothing_behind, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(folders_and_devices_are_not_replaced, make_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
