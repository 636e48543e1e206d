/* A Hugging Face model folder in a temporary place: config.json and model.safetensors written by the test. */
#ifndef ATTCERT_TESTS_MODEL_FOLDER_H
#define ATTCERT_TESTS_MODEL_FOLDER_H

#include "tensor_list.h"

typedef struct {
  char path[256]; /* of the folder */
} model_folder;

void model_folder_init(model_folder *folder);
void model_folder_clear(model_folder *folder); /* removes what was written */

void model_folder_write_config(const model_folder *folder, const char *text);
void model_folder_write_tensors(const model_folder *folder, const tensor_list *list, const char *prefix);

/* "FOLDER/NAME" in a buffer of 320 bytes. */
const char *model_folder_file(char buffer[320], const model_folder *folder, const char *name);

#endif
