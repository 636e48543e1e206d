/* A safetensors file as a table of tensors: opening, closing, looking up. */
#include "model/format/safetensors.h"

#include "base/arrays.h"
#include "model/format/file_kind.h"
#include "model/format/mapped_file.h"
#include "model/format/safetensors_header.h"

#include <stdlib.h>
#include <string.h>

struct safetensors {
  mapped_file file; /* empty when the bytes are the caller's */
  char *path;
  safetensors_header header;
};

attcert_status safetensors_from_bytes(safetensors **file, const unsigned char *bytes, size_t size, const char *label,
                                      attcert_error *err) {
  *file = array_new(1, sizeof **file, err, "the description of %s", label);
  if (*file == NULL) return ATTCERT_RESOURCE;
  (*file)->path = strdup(label);
  attcert_status status;
  if ((*file)->path == NULL)
    status = array_out_of_memory(err, strlen(label) + 1, "the name of %s", label);
  else
    status = safetensors_header_read(&(*file)->header, bytes, size, label, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  safetensors_close(*file);
  *file = NULL;
  return status;
}

attcert_status safetensors_open(safetensors **file, const char *path, attcert_error *err) {
  *file = NULL;
  mapped_file mapped;
  attcert_status status = mapped_file_open(&mapped, path, err);
  if (status != ATTCERT_OK) return status;
  status = safetensors_from_bytes(file, mapped.data, mapped.size, path, err);
  status = file_kind_explain(status, mapped.data, mapped.size, path, "a safetensors file", err);
  if (status == ATTCERT_OK)
    (*file)->file = mapped;
  else
    mapped_file_close(&mapped);
  return status;
}

void safetensors_close(safetensors *file) {
  if (file == NULL) return;
  safetensors_header_clear(&file->header);
  mapped_file_close(&file->file);
  free(file->path);
  free(file);
}

attcert_status safetensors_digest(char sha256[SHA256_HEX_SIZE], const safetensors *file, attcert_error *err) {
  return mapped_file_digest(sha256, &file->file, file->path, err);
}

attcert_status safetensors_check(const safetensors *file, attcert_error *err) {
  return mapped_file_check(&file->file, file->path, err);
}

const char *safetensors_path(const safetensors *file) {
  return file->path;
}

size_t safetensors_count(const safetensors *file) {
  return file->header.count;
}

const safetensors_tensor *safetensors_at(const safetensors *file, size_t index) {
  return &file->header.tensor[index];
}

const safetensors_tensor *safetensors_find(const safetensors *file, const char *name) {
  for (size_t i = 0; i < file->header.count; i++) {
    if (strcmp(file->header.tensor[i].name, name) == 0) return &file->header.tensor[i];
  }
  return NULL;
}

const char *safetensors_metadata(const safetensors *file, const char *key) {
  return json_string_value(json_object_get(json_object_get(file->header.root, "__metadata__"), key));
}

const char *safetensors_metadata_beside(const safetensors *file, const char *const *known) {
  const char *key;
  json_t *value;
  json_object_foreach(json_object_get(file->header.root, "__metadata__"), key, value) {
    const char *const *name = known;
    while (*name != NULL && strcmp(*name, key) != 0) name++;
    if (*name == NULL) return key;
  }
  return NULL;
}
