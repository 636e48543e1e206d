/* Named tensors in memory that a test can look up and change, and the model.safetensors file that holds them. */
#ifndef ATTCERT_TESTS_SUPPORT_TENSOR_LIST_H
#define ATTCERT_TESTS_SUPPORT_TENSOR_LIST_H

#include "temp_folder.h"

typedef struct {
  char name[128];
  int rows, cols; /* cols = 0: a vector of length rows */
  double *data;
} named_tensor;

typedef struct {
  named_tensor tensor[80];
  size_t count;
} tensor_list;

/* A new tensor, zero-filled; cols = 0 for a vector. */
double *tensor_list_add(tensor_list *list, const char *name, int rows, int cols);

/* The tensor, or its numbers; fails the test when there is none of that name. */
named_tensor *tensor_list_at(tensor_list *list, const char *name);
double *tensor_list_find(const tensor_list *list, const char *name);

void tensor_list_remove(tensor_list *list, const char *name);
void tensor_list_clear(tensor_list *list);

/* Writes all tensors as F64 into model.safetensors, each name preceded by the prefix. */
void tensor_list_write(const tensor_list *list, const temp_folder *folder, const char *prefix);

#endif
