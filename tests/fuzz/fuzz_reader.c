/* Coverage-guided fuzzing with libFuzzer of the reader that FUZZ_READER names (tests/support/reader_property.c has the
 * list); make fuzz runs them all. */
#include "reader_property.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const fuzzed_reader *reader;
  const char *const name = getenv("FUZZ_READER");
  if (reader == NULL && name != NULL) reader = fuzzed_reader_find(name);
  if (reader == NULL) {
    fprintf(stderr, "FUZZ_READER names no reader\n");
    exit(2);
  }
  bool accepted;
  const char *const complaint = reader->property(&accepted, bytes, size);
  if (complaint == NULL) return 0;
  fprintf(stderr, "%s\n", complaint);
  abort();
}
