/* FIPS 180-4 example messages and a file longer than the read buffer. */
#include "model/format/mapped_file.h"

#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void assert_digest(const void *bytes, size_t size, const char *expected) {
  temp_folder folder;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "file", bytes, size);
  char path[512], hex[SHA256_HEX_SIZE];
  attcert_error err;
  mapped_file file;
  assert_int_equal(mapped_file_open(&file, temp_folder_path(path, &folder, "file"), &err), ATTCERT_OK);
  assert_int_equal(mapped_file_digest(hex, &file, path, &err), ATTCERT_OK);
  mapped_file_close(&file);
  assert_string_equal(hex, expected);
  temp_folder_clear(&folder);
}

static void empty_file(void **state) {
  (void)state;
  assert_digest("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void one_block(void **state) {
  (void)state;
  assert_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void a_million_letters(void **state) {
  (void)state;
  char *const letters = malloc(1000000);
  assert_non_null(letters);
  memset(letters, 'a', 1000000);
  assert_digest(letters, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(letters);
}

/* Another file takes the name: the digest stays that of the bytes that were mapped. */
static void a_file_replaced_by_a_rename(void **state) {
  (void)state;
  temp_folder folder;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "file", "abc", 3);
  temp_folder_write(&folder, "other", "xyz", 3);
  char path[512], other[512], hex[SHA256_HEX_SIZE];
  attcert_error err;
  mapped_file file;
  assert_int_equal(mapped_file_open(&file, temp_folder_path(path, &folder, "file"), &err), ATTCERT_OK);
  assert_int_equal(rename(temp_folder_path(other, &folder, "other"), path), 0);
  assert_int_equal(mapped_file_digest(hex, &file, path, &err), ATTCERT_OK);
  assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  mapped_file_close(&file);
  temp_folder_clear(&folder);
}

/* Written into: no digest names what was read. */
static void a_file_changed_in_place(void **state) {
  (void)state;
  static const struct timespec tick = {0, 50000000}; /* the clock of file times moves on */
  temp_folder folder;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "file", "abc", 3);
  char path[512], hex[SHA256_HEX_SIZE];
  attcert_error err;
  mapped_file file;
  assert_int_equal(mapped_file_open(&file, temp_folder_path(path, &folder, "file"), &err), ATTCERT_OK);
  nanosleep(&tick, NULL);
  FILE *const stream = fopen(path, "r+b"); /* temp_folder_write would make another file */
  assert_non_null(stream);
  assert_true(fwrite("xyz", 1, 3, stream) == 3 && fclose(stream) == 0);
  assert_int_equal(mapped_file_digest(hex, &file, path, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "file: was changed while it was read"));
  mapped_file_close(&file);
  temp_folder_clear(&folder);
}

static void an_unreadable_descriptor_is_named(void **state) {
  (void)state;
  char hex[SHA256_HEX_SIZE];
  attcert_error err;
  assert_int_equal(sha256_descriptor(hex, -1, "some file", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "some file: cannot read"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(empty_file),
      cmocka_unit_test(one_block),
      cmocka_unit_test(a_million_letters),
      cmocka_unit_test(a_file_replaced_by_a_rename),
      cmocka_unit_test(a_file_changed_in_place),
      cmocka_unit_test(an_unreadable_descriptor_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
