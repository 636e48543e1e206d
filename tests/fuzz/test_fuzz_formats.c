/* Deterministic mutation fuzzing of the safetensors and .npy readers. Each case takes a valid file and breaks it in one
 * to four places; the readers must keep the properties of format_property.h. Worth most under
 * SANITIZE=-fsanitize=address,undefined.
 *   ATTCERT_CASES=N    cases a format
 *   ATTCERT_SEED=S     which; a failure prints its seed and index */
#include "format_property.h"
#include "random_source.h"
#include "safetensors_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 100000, MAX_SIZE = 2048, MAX_MUTATIONS = 4 };

typedef struct {
  unsigned char bytes[MAX_SIZE];
  size_t size;
} fuzz_file;

typedef const char *(*file_property)(bool *accepted, const unsigned char *bytes, size_t size);

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *const text = getenv(name);
  return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- valid files ------------------------------------------------------------------------------------------------- */

static fuzz_file take(file_bytes file) {
  fuzz_file result = {.size = file.size};
  assert_true(file.size <= MAX_SIZE);
  memcpy(result.bytes, file.bytes, file.size);
  free(file.bytes);
  return result;
}

static fuzz_file plain_safetensors(void) {
  static const double numbers[] = {1, -2.5, 0x1p-1074, 1e300, 5, 6};
  static const test_tensor tensors[] = {{"query.weight", 2, 3, numbers}, {"query.bias", 2, 0, numbers}};
  return take(safetensors_build(tensors, 2, "{\"num_heads\":\"2\"}"));
}

static fuzz_file mixed_safetensors(void) {
  static const unsigned char data[28] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0x3c, 0, 0xc1, 0x80, 0x3f};
  return take(safetensors_raw("{\"a\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
                              "\"b\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[8,12]},"
                              "\"c\":{\"dtype\":\"BF16\",\"shape\":[1,1,2],\"data_offsets\":[12,16]},"
                              "\"d\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[16,24]},"
                              "\"e\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[24,28]}}  ",
                              data, sizeof data));
}

static fuzz_file npy_of(int major, const char *descr, const void *data, size_t data_size) {
  fuzz_file file = {.size = 0};
  const size_t prefix = major == 1 ? 10 : 12;
  const int text = snprintf((char *)file.bytes + prefix, 200,
                            "{'descr': '%s', 'fortran_order': False, 'shape': (2, 3), }          \n", descr);
  memcpy(file.bytes, "\x93NUMPY", 6);
  file.bytes[6] = (unsigned char)major;
  file.bytes[8] = (unsigned char)text;
  file.size = prefix + (size_t)text + data_size;
  memcpy(file.bytes + prefix + (size_t)text, data, data_size);
  return file;
}

/* ---- mutations --------------------------------------------------------------------------------------------------- */

static size_t random_place(const fuzz_file *file, random_source *r) {
  return file->size == 0 ? 0 : (size_t)random_integer(r, 0, (int)file->size - 1);
}

/* Replaces `removed` bytes at a place by others. */
static void splice(fuzz_file *file, size_t place, size_t removed, const void *bytes, size_t size) {
  if (removed > file->size - place) removed = file->size - place;
  if (file->size - removed + size > MAX_SIZE) return;
  memmove(file->bytes + place + size, file->bytes + place + removed, file->size - place - removed);
  if (size != 0) memcpy(file->bytes + place, bytes, size);
  file->size += size - removed;
}

static void flip_bit(fuzz_file *file, random_source *r) {
  if (file->size != 0) file->bytes[random_place(file, r)] ^= (unsigned char)(1 << random_integer(r, 0, 7));
}

static void truncate_file(fuzz_file *file, random_source *r) {
  file->size = random_place(file, r);
}

static void delete_bytes(fuzz_file *file, random_source *r) {
  splice(file, random_place(file, r), (size_t)random_integer(r, 1, 8), NULL, 0);
}

static void insert_bytes(fuzz_file *file, random_source *r) {
  unsigned char bytes[4];
  const size_t size = (size_t)random_integer(r, 1, sizeof bytes);
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)random_integer(r, 0, 255);
  splice(file, random_place(file, r), 0, bytes, size);
}

static void repeat_bytes(fuzz_file *file, random_source *r) {
  unsigned char bytes[64];
  const size_t from = random_place(file, r), left = file->size - from;
  const size_t size = left < sizeof bytes ? left : (size_t)random_integer(r, 1, sizeof bytes);
  memcpy(bytes, file->bytes + from, size);
  splice(file, random_place(file, r), 0, bytes, size);
}

/* A word that means something to a parser goes over whatever is there. */
static void write_word(fuzz_file *file, random_source *r) {
  static const char *const words[] = {
      "{",    "}",   "[",   "]",   "(",   ")",    ",",     ":",    "\"",      "'",       " ",    "\n",
      "\\n",  "-1",  "0",   "1.0", "1e9", "null", "true",  "True", "False",   "F64",     "F32",  "F16",
      "BF16", "I64", "<f8", "<f4", "<f2", "|O",   "shape", "L",    "\\u0000", "\\u001b", "\xff", "__metadata__"};
  const char *const word = words[random_integer(r, 0, sizeof words / sizeof words[0] - 1)];
  const size_t removed = random_chance(r, 0.5) ? strlen(word) : 0;
  splice(file, random_place(file, r), removed, word, strlen(word));
}

/* The next number of the text becomes one of the numbers that overflow somewhere, or a small one. */
static void write_number(fuzz_file *file, random_source *r) {
  static const char *const numbers[] = {"0",
                                        "1",
                                        "2",
                                        "3",
                                        "4",
                                        "8",
                                        "16",
                                        "24",
                                        "2147483647",
                                        "2147483648",
                                        "4294967296",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "2305843009213693952"};
  size_t begin = random_place(file, r);
  while (begin < file->size && (file->bytes[begin] < '0' || file->bytes[begin] > '9')) begin++;
  size_t end = begin;
  while (end < file->size && file->bytes[end] >= '0' && file->bytes[end] <= '9') end++;
  const char *const number = numbers[random_integer(r, 0, sizeof numbers / sizeof numbers[0] - 1)];
  splice(file, begin, end - begin, number, strlen(number));
}

/* The length of the header, in either format. */
static void write_length(fuzz_file *file, random_source *r) {
  const size_t place = (size_t)random_integer(r, 0, 11);
  if (place < file->size) file->bytes[place] = (unsigned char)random_integer(r, 0, 255);
}

/* Pads a safetensors file's header length for what the other mutations added, so that they get past it. */
static void repair_length(fuzz_file *file, size_t original_size) {
  if (file->size < 8) return;
  const uint64_t length = file->bytes[0] + 256u * file->bytes[1] + file->size - original_size;
  file->bytes[0] = (unsigned char)length;
  file->bytes[1] = (unsigned char)(length >> 8);
}

static void mutate(fuzz_file *file, random_source *r) {
  static void (*const mutations[])(fuzz_file *, random_source *) = {flip_bit,     truncate_file, delete_bytes,
                                                                    insert_bytes, repeat_bytes,  write_word,
                                                                    write_number, write_number,  write_length};
  for (int i = random_integer(r, 1, MAX_MUTATIONS); i > 0; i--)
    mutations[random_integer(r, 0, sizeof mutations / sizeof mutations[0] - 1)](file, r);
}

/* ---- the runs ---------------------------------------------------------------------------------------------------- */

static bool holds(file_property property, const fuzz_file *file, uint64_t seed, uint64_t index) {
  unsigned char *const exact = malloc(file->size == 0 ? 1 : file->size);
  assert_non_null(exact);
  memcpy(exact, file->bytes, file->size);
  bool accepted;
  const char *const complaint = property(&accepted, exact, file->size);
  free(exact);
  if (complaint != NULL)
    fail_msg("%s (ATTCERT_SEED=%llu, case %llu)", complaint, (unsigned long long)seed, (unsigned long long)index);
  return accepted;
}

/* Both verdicts must occur, or the mutations are too tame or too wild to test anything. */
static void run(file_property property, const fuzz_file *valid, size_t count, bool repair) {
  const uint64_t seed = setting("ATTCERT_SEED", 1), cases = setting("ATTCERT_CASES", DEFAULT_CASES);
  uint64_t accepted = 0;
  for (size_t i = 0; i < count; i++) assert_true(holds(property, &valid[i], seed, 0));
  for (uint64_t index = 1; index <= cases; index++) {
    random_source r = random_source_make(seed, count, index);
    fuzz_file file = valid[random_integer(&r, 0, (int)count - 1)];
    const size_t original_size = file.size;
    mutate(&file, &r);
    if (repair && random_chance(&r, 0.75)) repair_length(&file, original_size);
    accepted += holds(property, &file, seed, index);
  }
  print_message("%llu of %llu mutated files accepted\n", (unsigned long long)accepted, (unsigned long long)cases);
  if (cases >= 1000) assert_in_range(accepted, cases / 200, cases / 2);
}

static void safetensors_files(void **state) {
  (void)state;
  const fuzz_file valid[] = {plain_safetensors(), mixed_safetensors()};
  run(safetensors_property, valid, 2, true);
}

static void npy_files(void **state) {
  (void)state;
  static const double f8[] = {1, -2.5, 0x1p-1074, 1e300, 5, 6};
  static const float f4[] = {1, -2.5f, 3, 4, 5, 6};
  static const unsigned char f2[] = {0, 0xc1, 1, 0, 0, 0x3c, 0, 0, 0xff, 0x7b, 0, 0x80};
  const fuzz_file valid[] = {npy_of(1, "<f8", f8, sizeof f8), npy_of(2, "<f4", f4, sizeof f4),
                             npy_of(3, "<f2", f2, sizeof f2)};
  run(npy_property, valid, 3, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(safetensors_files),
      cmocka_unit_test(npy_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
