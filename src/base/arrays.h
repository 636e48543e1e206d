/* Arrays that are allocated together: one table says where each pointer is kept, how large an element is and how many
 * there are; bytes, allocation and release follow from it. Counts are products of sides, SIZE_MAX where they do not
 * fit. */
#ifndef ATTCERT_BASE_ARRAYS_H
#define ATTCERT_BASE_ARRAYS_H

#include "attcert.h"

/* One array: `pointer` is the address of the pointer to it. */
typedef struct {
  void *pointer;
  size_t element; /* bytes of one */
  size_t count;
} array;

/* Entries whose pointer is NULL are none, and arrays of no elements are the pointer NULL. */
typedef struct {
  array entry[16];
} array_table;

/* The product of the sides given, of type size_t. */
#define ARRAY_COUNT(...) \
  array_product((const size_t[]){__VA_ARGS__}, sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* The entry of a pointer (not void *) to an array with these sides. */
#define ARRAY(to, ...) \
  { &(to), sizeof *(to), ARRAY_COUNT(__VA_ARGS__) }

/* The product of count sides, or SIZE_MAX. */
size_t array_product(const size_t *sides, size_t count);

/* Bytes of all arrays, UINT64_MAX where they do not fit. The pointers need not be set. */
uint64_t array_table_bytes(const array_table *table);

/* Zeros. what: of array_out_of_memory. Errors: ATTCERT_RESOURCE, all pointers are then NULL. */
attcert_status array_table_allocate(const array_table *table, attcert_error *err, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Frees the arrays and sets their pointers to NULL. Counts do not matter. */
void array_table_release(const array_table *table);

/* Zeros, at least one element, to be released with free; NULL, and array_out_of_memory's message in err, when out of
 * memory. */
void *array_new(size_t count, size_t element, attcert_error *err, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* Fails for want of memory: "out of memory: WHAT needs BYTES bytes", what a format of a noun phrase in the singular;
 * bytes is 0 where another library does not tell. Returns ATTCERT_RESOURCE. */
/*@ requires error: err == \null || \valid(err);
    terminates \true;
    assigns *err;
    ensures status: \result == ATTCERT_RESOURCE; */
attcert_status array_out_of_memory(attcert_error *err, uint64_t bytes, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

#endif
