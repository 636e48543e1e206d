/* Coverage-guided fuzzing of the safetensors and .npy readers with libFuzzer:
 *   make SANITIZE=-fsanitize=address,undefined,fuzzer-no-link CC=clang BUILD=build-fuzz build-fuzz/libattcert.a
 *   clang -std=c11 -g -O1 -fsanitize=address,undefined,fuzzer -Isrc -Itests/support tests/fuzz/fuzz_formats.c \
 *     tests/support/format_property.c build-fuzz/libattcert.a -lnettle -ljansson -lmpfr -lgmp -lm -o
 *     build-fuzz/fuzz_formats
 *   build-fuzz/fuzz_formats -max_total_time=60 */
#include "format_property.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  bool accepted;
  const char *complaint = safetensors_property(&accepted, bytes, size);
  if (complaint == NULL) complaint = npy_property(&accepted, bytes, size);
  if (complaint == NULL) return 0;
  fprintf(stderr, "%s\n", complaint);
  abort();
}
