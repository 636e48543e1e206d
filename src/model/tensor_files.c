#include "model/tensor_files.h"

#include "base/arrays.h"
#include "model/folder_path.h"
#include "model/format/json_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char map_key[] = "weight_map";

struct tensor_files {
  const char *const *tied;
  json_file index; /* path NULL: one file, and no index */
  safetensors *file[TENSOR_FILES_MAX];
  const char *shard[TENSOR_FILES_MAX]; /* its name in the index */
  int count;
};

static const json_t *weight_map(const tensor_files *files) {
  return json_object_get(files->index.root, map_key);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* A plain name: the path of a shard does not leave the folder. */
static bool is_file_name(const char *name) {
  return *name != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static int find_shard(const tensor_files *files, const char *name) {
  int i = 0;
  while (i < files->count && strcmp(files->shard[i], name) != 0) i++;
  return i;
}

static attcert_status open_shard(tensor_files *files, const char *folder, const char *name, attcert_error *err) {
  if (find_shard(files, name) < files->count) return ATTCERT_OK;
  if (!is_file_name(name))
    return attcert_fail(err, ATTCERT_INPUT, "%s: shard '%s' is no file of the same folder, expected its name",
                        files->index.path, name);
  if (files->count == TENSOR_FILES_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "%s: more than %d shards, expected fewer", files->index.path,
                        TENSOR_FILES_MAX);
  char *const path = folder_path_new(folder, name, err);
  if (path == NULL) return ATTCERT_RESOURCE;
  files->shard[files->count] = name;
  const attcert_status status = safetensors_open(&files->file[files->count], path, err);
  files->count += status == ATTCERT_OK;
  free(path);
  return status;
}

/* Every tensor of the shard is in the index, there. */
static attcert_status check_shard(const tensor_files *files, int i, attcert_error *err) {
  for (size_t t = 0; t < safetensors_count(files->file[i]); t++) {
    const char *const name = safetensors_at(files->file[i], t)->name;
    const char *const place = json_string_value(json_object_get(weight_map(files), name));
    if (place == NULL || strcmp(place, files->shard[i]) != 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' is in the shard '%s', expected it where '%s' says: %s",
                          files->index.path, name, files->shard[i], map_key, place != NULL ? place : "nowhere");
  }
  return ATTCERT_OK;
}

/* Whether the name ends as one of the tied ones does. */
static bool may_be_absent(const tensor_files *files, const char *name) {
  if (tensor_files_tied(files, name) != NULL) return true;
  for (const char *const *tied = files->tied; tied != NULL && *tied != NULL; tied++) {
    const size_t length = strlen(name), end = strlen(*tied);
    if (length >= end && strcmp(name + length - end, *tied) == 0 && (length == end || name[length - end - 1] == '.'))
      return true;
  }
  return false;
}

/* Every tensor of the index is in its shard, but for those that another one stands for. */
static attcert_status check_index(const tensor_files *files, attcert_error *err) {
  const char *name;
  json_t *place;
  json_object_foreach((json_t *)weight_map(files), name, place) {
    if (tensor_files_find(files, name) == NULL && !may_be_absent(files, name))
      return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' is not in the shard '%s', expected it there",
                          files->index.path, name, json_string_value(place));
  }
  return ATTCERT_OK;
}

static attcert_status open_shards(tensor_files *files, const char *folder, attcert_error *err) {
  const char *name;
  json_t *place;
  attcert_status status = ATTCERT_OK;
  if (!json_is_object(weight_map(files)) || json_object_size(weight_map(files)) == 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is missing or empty, expected an object {tensor: shard, ...}",
                        files->index.path, map_key);
  json_object_foreach((json_t *)weight_map(files), name, place) {
    if (!json_is_string(place))
      return attcert_fail(err, ATTCERT_INPUT, "%s: the shard of tensor '%s' is no string, expected a file's name",
                          files->index.path, name);
    status = open_shard(files, folder, json_string_value(place), err);
    if (status != ATTCERT_OK) return status;
  }
  for (int i = 0; i < files->count && status == ATTCERT_OK; i++) status = check_shard(files, i, err);
  return status == ATTCERT_OK ? check_index(files, err) : status;
}

/* torch.load runs what a pickle says; reading tensors alone takes PyTorch itself. */
static attcert_status refuse_pickle(const char *folder, const char *name, attcert_error *err) {
  return attcert_fail(
      err, ATTCERT_INPUT,
      "%s: has %s, a pickle, which is not read, expected model.safetensors: in the folder, with torch and safetensors, "
      "run python3 -c 'import torch, safetensors.torch as s; s.save_file({k: v.clone().contiguous() for k, v in "
      "torch.load(\"pytorch_model.bin\", weights_only=True).items()}, \"model.safetensors\")'",
      folder, name);
}

/* Which of the names the folder has; NULL: none. */
static const char *find_name(const char *folder, const char *const *names, attcert_error *err, attcert_status *status) {
  for (; *names != NULL; names++) {
    struct stat info;
    char *const path = folder_path_new(folder, *names, err);
    if (path == NULL) *status = ATTCERT_RESOURCE;
    const bool found = path != NULL && stat(path, &info) == 0;
    free(path);
    if (found || path == NULL) break;
  }
  return *names;
}

static attcert_status open_folder(tensor_files *files, const char *folder, attcert_error *err) {
  static const char *const names[] = {MODEL_WEIGHTS_NAME, MODEL_INDEX_NAME, "pytorch_model.bin",
                                      "pytorch_model.bin.index.json", NULL};
  attcert_status status = ATTCERT_OK;
  const char *const name = find_name(folder, names, err, &status);
  if (status != ATTCERT_OK) return status;
  if (name != NULL && name != names[0] && name != names[1]) return refuse_pickle(folder, name, err);
  char *const path = folder_path_new(folder, name != NULL ? name : names[0], err);
  if (path == NULL) return ATTCERT_RESOURCE;
  if (name == names[1]) {
    status = json_file_open(&files->index, path, err);
    if (status == ATTCERT_OK) status = open_shards(files, folder, err);
  } else {
    status = safetensors_open(&files->file[0], path, err);
    files->count = status == ATTCERT_OK;
  }
  free(path);
  return status;
}

attcert_status tensor_files_open(tensor_files **files, const char *folder, const char *const *tied,
                                 attcert_error *err) {
  *files = array_new(1, sizeof **files, err, "the description of the weights in %s", folder);
  if (*files == NULL) return ATTCERT_RESOURCE;
  (*files)->tied = tied;
  const attcert_status status = open_folder(*files, folder, err);
  (*files)->tied = NULL; /* the caller's, for this call */
  if (status == ATTCERT_OK) return status;
  tensor_files_close(*files);
  *files = NULL;
  return status;
}

void tensor_files_close(tensor_files *files) {
  if (files == NULL) return;
  for (int i = 0; i < files->count; i++) safetensors_close(files->file[i]);
  json_file_close(&files->index);
  free(files);
}

/* ---- looking up -------------------------------------------------------------------------------------------------- */

const safetensors *tensor_files_find(const tensor_files *files, const char *name) {
  int i = 0;
  if (files->index.path != NULL) {
    const char *const place = json_string_value(json_object_get(weight_map(files), name));
    i = place != NULL ? find_shard(files, place) : files->count;
  }
  return i < files->count && safetensors_find(files->file[i], name) != NULL ? files->file[i] : NULL;
}

attcert_status tensor_files_require(const safetensors **file, const tensor_files *files, const char *name,
                                    attcert_error *err) {
  *file = tensor_files_find(files, name);
  if (*file != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' is missing", tensor_files_path(files, 0), name);
}

const char *tensor_files_tied(const tensor_files *files, const char *name) {
  for (int i = 0; i < files->count; i++) {
    const char *const kept = safetensors_metadata(files->file[i], name);
    if (kept != NULL && safetensors_find(files->file[i], kept) != NULL) return kept;
  }
  return NULL;
}

size_t tensor_files_tensors(const tensor_files *files) {
  size_t count = 0;
  for (int i = 0; i < files->count; i++) count += safetensors_count(files->file[i]);
  return count;
}

const safetensors_tensor *tensor_files_tensor(const safetensors **file, const tensor_files *files, size_t i) {
  int f = 0;
  while (i >= safetensors_count(files->file[f])) i -= safetensors_count(files->file[f++]);
  *file = files->file[f];
  return safetensors_at(*file, i);
}

/* ---- the files --------------------------------------------------------------------------------------------------- */

static int index_count(const tensor_files *files) {
  return files->index.path != NULL ? 1 : 0;
}

int tensor_files_count(const tensor_files *files) {
  return index_count(files) + files->count;
}

const char *tensor_files_path(const tensor_files *files, int i) {
  return i < index_count(files) ? files->index.path : safetensors_path(files->file[i - index_count(files)]);
}

attcert_status tensor_files_digest(char sha256[SHA256_HEX_SIZE], const tensor_files *files, int i, attcert_error *err) {
  if (i >= index_count(files)) return safetensors_digest(sha256, files->file[i - index_count(files)], err);
  memcpy(sha256, files->index.sha256, SHA256_HEX_SIZE);
  return ATTCERT_OK;
}

attcert_status tensor_files_check(const tensor_files *files, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < files->count && status == ATTCERT_OK; i++) status = safetensors_check(files->file[i], err);
  return status;
}
