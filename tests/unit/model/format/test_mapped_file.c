/* What is mapped is the file; what is no regular file is refused at once, a FIFO without a reader included. */
#include "model/format/mapped_file.h"

#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static void maps_the_bytes(void **state) {
  (void)state;
  temp_folder folder;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "file", "hello", 5);
  char path[512];
  mapped_file file;
  assert_int_equal(mapped_file_open(&file, temp_folder_path(path, &folder, "file"), NULL), ATTCERT_OK);
  assert_int_equal(file.size, 5);
  assert_memory_equal(file.data, "hello", 5);
  mapped_file_close(&file);
  assert_null(file.data);
  temp_folder_clear(&folder);
}

static void an_empty_file_has_no_bytes(void **state) {
  (void)state;
  temp_folder folder;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "file", "", 0);
  char path[512];
  mapped_file file;
  assert_int_equal(mapped_file_open(&file, temp_folder_path(path, &folder, "file"), NULL), ATTCERT_OK);
  assert_int_equal(file.size, 0);
  mapped_file_close(&file);
  temp_folder_clear(&folder);
}

static void assert_refused(const char *path, const char *reason) {
  mapped_file file;
  attcert_error err;
  assert_int_equal(mapped_file_open(&file, path, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, path));
  assert_non_null(strstr(err.message, reason));
  assert_null(file.data);
}

static void special_and_missing_files_are_refused(void **state) {
  (void)state;
  temp_folder folder;
  temp_folder_init(&folder);
  char fifo[512], missing[512];
  assert_int_equal(mkfifo(temp_folder_path(fifo, &folder, "fifo"), 0600), 0);
  assert_refused(fifo, "expected a regular file");
  assert_refused(folder.path, "expected a regular file");
  assert_refused("/dev/null", "expected a regular file");
  assert_refused(temp_folder_path(missing, &folder, "missing"), "No such file");
  temp_folder_clear(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_the_bytes),
      cmocka_unit_test(an_empty_file_has_no_bytes),
      cmocka_unit_test(special_and_missing_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
