/* The stored inputs of the fuzzers, tests/fuzz/corpus/READER/NAME: each keeps its reader's promise, alone and cut short
 * at every byte. Those whose name begins with "good" are accepted. */
#include "reader_property.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_BYTES = 1 << 16 };

static size_t read_input(unsigned char *bytes, const char *path) {
  FILE *const stream = fopen(path, "rb");
  assert_non_null(stream);
  const size_t size = fread(bytes, 1, MOST_BYTES, stream);
  fclose(stream);
  assert_true(size < MOST_BYTES);
  return size;
}

/* In a block of exactly that size, so that the address sanitizer sees a read beyond it. */
static bool keeps(const fuzzed_reader *reader, const unsigned char *bytes, size_t size, const char *path) {
  unsigned char *const exact = malloc(size == 0 ? 1 : size);
  assert_non_null(exact);
  memcpy(exact, bytes, size);
  bool accepted;
  const char *const complaint = reader->property(&accepted, exact, size);
  free(exact);
  if (complaint != NULL) fail_msg("%s: %s (first %zu bytes)", path, complaint, size);
  return accepted;
}

static void replay(const fuzzed_reader *reader, const char *folder, const char *name) {
  static unsigned char bytes[MOST_BYTES];
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const size_t size = read_input(bytes, path);
  const bool accepted = keeps(reader, bytes, size, path);
  if ((strncmp(name, "good", 4) == 0) != accepted) fail_msg("%s: %s", path, accepted ? "accepted" : "refused");
  for (size_t cut = 0; cut < size; cut += 1 + size / 256) keeps(reader, bytes, cut, path);
}

static void stored_inputs(void **state) {
  (void)state;
  for (const fuzzed_reader *reader = fuzzed_readers; reader->name != NULL; reader++) {
    char folder[512];
    int count = 0;
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", reader->name);
    DIR *const entries = opendir(folder);
    if (entries == NULL) fail_msg("%s: no stored inputs", folder);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
      if (entry->d_name[0] == '.') continue;
      replay(reader, folder, entry->d_name);
      count++;
    }
    closedir(entries);
    assert_true(count > 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stored_inputs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
