#include "base/arrays.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = sizeof((array_table){0}.entry) / sizeof(array) };

static size_t saturating_product(size_t a, size_t b) {
  return a != 0 && b > SIZE_MAX / a ? SIZE_MAX : a * b;
}

size_t array_product(const size_t *sides, size_t count) {
  size_t product = 1;
  for (size_t i = 0; i < count; i++) product = saturating_product(product, sides[i]);
  return product;
}

uint64_t array_table_bytes(const array_table *table) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < ENTRIES; i++) {
    const uint64_t own = saturating_product(table->entry[i].count, table->entry[i].element);
    bytes = own == SIZE_MAX || bytes > UINT64_MAX - own ? UINT64_MAX : bytes + own;
  }
  return bytes;
}

/* A pointer of any type, by its bytes. */
static void set_pointer(const array *a, void *memory) {
  memcpy(a->pointer, &memory, sizeof memory);
}

static attcert_status fail(attcert_error *err, uint64_t bytes, const char *what, va_list arguments) {
  char name[512];
  vsnprintf(name, sizeof name, what, arguments);
  if (bytes == 0) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %s", name);
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %s needs %" PRIu64 " bytes", name, bytes);
}

attcert_status array_out_of_memory(attcert_error *err, uint64_t bytes, const char *what, ...) {
  va_list arguments;
  va_start(arguments, what);
  const attcert_status status = fail(err, bytes, what, arguments);
  va_end(arguments);
  return status;
}

/* NULL when out of memory, and beyond PTRDIFF_MAX bytes, which no object has. */
static void *zeros(size_t count, size_t element) {
  void *const memory = count <= PTRDIFF_MAX / element ? calloc(count, element) : NULL;
  if (memory != NULL) memory_prefer_large_pages(memory, count * element);
  return memory;
}

attcert_status array_table_allocate(const array_table *table, attcert_error *err, const char *what, ...) {
  bool allocated = true;
  for (size_t i = 0; i < ENTRIES; i++) {
    const array *const a = &table->entry[i];
    if (a->pointer == NULL) continue;
    void *const memory = a->count > 0 ? zeros(a->count, a->element) : NULL;
    set_pointer(a, memory);
    allocated = allocated && (memory != NULL || a->count == 0);
  }
  if (allocated) return ATTCERT_OK;
  array_table_release(table);
  va_list arguments;
  va_start(arguments, what);
  const attcert_status status = fail(err, array_table_bytes(table), what, arguments);
  va_end(arguments);
  return status;
}

void array_table_release(const array_table *table) {
  for (size_t i = 0; i < ENTRIES; i++) {
    void *memory;
    if (table->entry[i].pointer == NULL) continue;
    memcpy(&memory, table->entry[i].pointer, sizeof memory);
    free(memory);
    set_pointer(&table->entry[i], NULL);
  }
}

void *array_new(size_t count, size_t element, attcert_error *err, const char *what, ...) {
  void *const memory = zeros(count > 0 ? count : 1, element);
  if (memory != NULL) return memory;
  va_list arguments;
  va_start(arguments, what);
  fail(err, saturating_product(count, element), what, arguments);
  va_end(arguments);
  return NULL;
}
