/* FIPS 180-4 example messages and a file longer than the read buffer. */
#include "model/format/sha256.h"

#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_digest(const void *bytes, size_t size, const char *expected) {
  temp_folder folder;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "file", bytes, size);
  char path[512], hex[SHA256_HEX_SIZE];
  attcert_error err;
  assert_int_equal(sha256_file(hex, temp_folder_path(path, &folder, "file"), &err), ATTCERT_OK);
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

static void missing_file_and_folder_are_named(void **state) {
  (void)state;
  char hex[SHA256_HEX_SIZE];
  attcert_error err;
  assert_int_equal(sha256_file(hex, "/nonexistent/x", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "/nonexistent/x"));
  assert_int_equal(sha256_file(hex, "/", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "directory"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(empty_file),
      cmocka_unit_test(one_block),
      cmocka_unit_test(a_million_letters),
      cmocka_unit_test(missing_file_and_folder_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
