/* A scratch file has no name, holds what was written, refuses more than the disk has, and says what was wrong with its
 * folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linalg/panel/panel_file.h"
#include "temp_folder.h"

enum { COUNT = 100000 };

static void test_holds_what_was_written(void **state) {
  (void)state;
  static double x[COUNT], y[COUNT];
  temp_folder folder;
  panel_file f;
  temp_folder_init(&folder);
  for (int i = 0; i < COUNT; i++) x[i] = i;
  assert_int_equal(panel_file_open(&f, folder.path, NULL), ATTCERT_OK);
  assert_int_equal(temp_folder_count(&folder), 0);
  assert_int_equal(panel_file_reserve(&f, 3 * sizeof x, NULL), ATTCERT_OK);
  struct stat facts;
  assert_int_equal(fstat(f.descriptor, &facts), 0);
  assert_true((uint64_t)facts.st_size == 3 * sizeof x && (uint64_t)facts.st_blocks * 512 >= 3 * sizeof x);
  assert_int_equal(panel_file_write(&f, COUNT, x, COUNT, NULL), ATTCERT_OK);
  assert_int_equal(panel_file_read(&f, COUNT + 17, y, COUNT - 17, NULL), ATTCERT_OK);
  assert_memory_equal(y, x + 17, (COUNT - 17) * sizeof *x);
  assert_int_equal(panel_file_reserve(&f, sizeof x, NULL), ATTCERT_OK);
  assert_int_equal(fstat(f.descriptor, &facts), 0);
  assert_true((uint64_t)facts.st_size == 3 * sizeof x);
  panel_file_close(&f);
  assert_int_equal(temp_folder_count(&folder), 0);
  temp_folder_clear(&folder);
}

static void test_end_of_file(void **state) {
  (void)state;
  double x[4];
  temp_folder folder;
  panel_file f;
  attcert_error err;
  temp_folder_init(&folder);
  assert_int_equal(panel_file_open(&f, folder.path, NULL), ATTCERT_OK);
  assert_int_equal(panel_file_reserve(&f, 3 * sizeof *x, NULL), ATTCERT_OK);
  assert_int_equal(panel_file_read(&f, 0, x, 4, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "the file ends"));
  panel_file_close(&f);
  assert_int_equal(panel_file_read(&f, 0, x, 3, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "cannot read"));
  assert_int_equal(panel_file_write(&f, 0, x, 3, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "cannot write"));
  temp_folder_clear(&folder);
}

static void assert_refused(const char *folder) {
  panel_file f;
  attcert_error err = {.message = ""};
  assert_int_equal(panel_file_open(&f, folder, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, folder));
  assert_true(f.descriptor < 0);
  panel_file_close(&f);
}

/* A superuser may write into any folder: there that case is left out. */
static void test_folders_that_are_none(void **state) {
  (void)state;
  char path[512];
  temp_folder folder;
  temp_folder_init(&folder);
  assert_refused(temp_folder_path(path, &folder, "missing"));
  temp_folder_write(&folder, "file", "x", 1);
  assert_refused(temp_folder_path(path, &folder, "file"));
  assert_int_equal(chmod(folder.path, 0500), 0);
  if (geteuid() != 0) assert_refused(folder.path);
  assert_int_equal(chmod(folder.path, 0700), 0);
  temp_folder_clear(&folder);
}

static struct rlimit limit_of(int resource, rlim_t most) {
  struct rlimit before, now;
  assert_int_equal(getrlimit(resource, &before), 0);
  now = before;
  now.rlim_cur = most;
  assert_int_equal(setrlimit(resource, &now), 0);
  return before;
}

/* A limit on the size of files stands for a disk that is full. */
static void test_full_disk(void **state) {
  (void)state;
  temp_folder folder;
  panel_file f;
  attcert_error err;
  temp_folder_init(&folder);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(panel_file_open(&f, folder.path, NULL), ATTCERT_OK);
  const struct rlimit before = limit_of(RLIMIT_FSIZE, 1 << 16);
  assert_int_equal(panel_file_reserve(&f, 1 << 16, NULL), ATTCERT_OK);
  assert_int_equal(panel_file_reserve(&f, (1 << 16) + 8, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "65544 bytes"));
  assert_non_null(strstr(err.message, folder.path));
  assert_int_equal(panel_file_reserve(&f, UINT64_MAX, &err), ATTCERT_RESOURCE);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  panel_file_close(&f);
  temp_folder_clear(&folder);
}

/* Out of descriptors is not the folder's fault. */
static void test_out_of_files(void **state) {
  (void)state;
  panel_file f;
  const struct rlimit before = limit_of(RLIMIT_NOFILE, 0);
  const attcert_status status = panel_file_open(&f, "/tmp", NULL);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
  assert_int_equal(status, ATTCERT_RESOURCE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_holds_what_was_written), cmocka_unit_test(test_end_of_file),
      cmocka_unit_test(test_folders_that_are_none),  cmocka_unit_test(test_full_disk),
      cmocka_unit_test(test_out_of_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
