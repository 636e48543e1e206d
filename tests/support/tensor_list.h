/* Named tensors in memory, as a test makes them up, and the safetensors file that holds them. */
#ifndef ATTCERT_TESTS_TENSOR_LIST_H
#define ATTCERT_TESTS_TENSOR_LIST_H

#include <stddef.h>

typedef struct {
  char name[96];
  int rows, cols; /* cols = 0: a vector of length rows */
  double *data;
} named_tensor;

typedef struct {
  named_tensor tensor[64];
  size_t count;
} tensor_list;

/* A new tensor, zero-filled; cols = 0 for a vector. */
double *tensor_list_add(tensor_list *list, const char *name, int rows, int cols);

/* The tensor's numbers; fails the test when there is none of that name. */
double *tensor_list_find(const tensor_list *list, const char *name);

void tensor_list_remove(tensor_list *list, const char *name);
void tensor_list_clear(tensor_list *list);

/* Writes all tensors as F64, each name preceded by the prefix. */
void tensor_list_write(const tensor_list *list, const char *path, const char *prefix);

#endif
