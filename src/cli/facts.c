/* Facts about a model folder, a weights file or an .npy file. */
#include "cli/facts.h"

#include "base/arrays.h"
#include "model/format/matrix_file.h"
#include "model/format/npy.h"
#include "model/format/safetensors.h"
#include "model/head/model_head.h"
#include "model/weights.h"

#include <string.h>
#include <sys/stat.h>

/* A name that is not UTF-8 has no JSON string. */
static void put_string(json_t *object, const char *name, const char *value) {
  json_t *const text = json_string(value);
  json_object_set_new(object, name, text != NULL ? text : json_string("(not UTF-8)"));
}

static void put_integer(json_t *object, const char *name, uint64_t value) {
  json_object_set_new(object, name, json_integer((json_int_t)value));
}

static json_t *put_list(json_t *object, const char *name) {
  json_object_set_new(object, name, json_array());
  return json_object_get(object, name);
}

static json_t *put_item(json_t *list) {
  json_array_append_new(list, json_object());
  return json_array_get(list, json_array_size(list) - 1);
}

static void put_file(json_t *list, const char *path, const char *sha256) {
  json_t *const item = put_item(list);
  put_string(item, "sha256", sha256);
  put_string(item, "path", path);
}

/* One layer: which attention it is, and whether it can be certified or why not. The weights of random models are not
 * made for that. */
static attcert_status put_attention(json_t *list, const model *m, int l, attcert_error *err) {
  char text[MODEL_ATTENTION_TEXT_SIZE];
  attcert_layer layer = {0};
  json_t *const item = put_item(list);
  const attcert_status status = model_file_count(m) > 0 ? model_layer(&layer, m, l, err) : ATTCERT_OK;
  attcert_layer_clear(&layer);
  if (status != ATTCERT_OK && status != ATTCERT_INPUT) return status;
  model_attention_text(text, m, l);
  put_integer(item, "layer", (uint64_t)l);
  put_string(item, "attention", text);
  put_string(item, "certifiable", status == ATTCERT_OK ? "can be certified" : "cannot be certified");
  if (status == ATTCERT_INPUT) put_string(item, "why_not", err->message);
  return ATTCERT_OK;
}

/* What gives a whole network's answer, or why none does. */
static attcert_status put_head(json_t *facts, const model *m, attcert_error *err) {
  char text[MODEL_HEAD_TEXT_SIZE];
  model_head head;
  const attcert_status status = model_head_open(&head, m, NULL, err);
  if (status == ATTCERT_OK) {
    put_string(facts, "head", model_head_text(text, &head, HEAD_TOKEN_UNASKED));
    put_integer(facts, "labels", (uint64_t)head.labels);
  } else if (status == ATTCERT_INPUT) {
    put_string(facts, "no_head", err->message);
  }
  model_head_clear(&head);
  return status == ATTCERT_INPUT ? ATTCERT_OK : status;
}

/* One tensor or key, and what is made of it. */
static void put_use(void *context, const char *name, const char *why) {
  json_t *const item = put_item(context);
  put_string(item, "use", why == NULL ? "read" : "no effect");
  put_string(item, "name", name);
  if (why != NULL) put_string(item, "why", why);
}

static attcert_status collect_model(json_t *facts, const char *spec, attcert_error *err) {
  model *m;
  attcert_status status = model_open(&m, spec, 0, err);
  if (status != ATTCERT_OK) return status;
  const model_shape shape = model_get_shape(m);
  put_string(facts, "kind", "model");
  put_string(facts, "family", shape.family);
  put_string(facts, "model_type", model_type_name(m));
  put_integer(facts, "layers", (uint64_t)shape.layers);
  put_integer(facts, "d", (uint64_t)shape.dim);
  put_integer(facts, "heads", (uint64_t)shape.heads);
  put_integer(facts, "vocabulary", (uint64_t)shape.vocabulary);
  put_integer(facts, "positions", (uint64_t)shape.positions);
  status = put_head(facts, m, err);
  json_t *const attention = put_list(facts, "attention");
  for (int l = 0; l < shape.layers && status == ATTCERT_OK; l++) status = put_attention(attention, m, l, err);
  model_visit_tensors(m, put_use, put_list(facts, "tensors"));
  model_visit_keys(m, put_use, put_list(facts, "keys"));
  json_t *const files = put_list(facts, "files");
  for (int i = 0; i < model_file_count(m) && status == ATTCERT_OK; i++) {
    char sha256[SHA256_HEX_SIZE];
    status = model_file_digest(sha256, m, i, err);
    if (status == ATTCERT_OK) put_file(files, model_file_path(m, i), sha256);
  }
  model_close(m);
  return status;
}

/* One tensor; its shape stays a list of integers. */
static void put_tensor(json_t *list, const safetensors_tensor *tensor) {
  json_t *const item = put_item(list);
  put_string(item, "dtype", tensor->dtype);
  json_t *const shape = put_list(item, "shape");
  for (int i = 0; i < tensor->rank; i++) json_array_append_new(shape, json_integer((json_int_t)tensor->shape[i]));
  put_string(item, "name", tensor->name);
}

/* The attention layer of a file in the generic layout, or why --weights would not take it. */
static attcert_status put_layer(json_t *facts, const safetensors *file, attcert_error *err) {
  attcert_layer layer;
  const attcert_status status = weights_from_file(&layer, file, 0, err);
  if (status == ATTCERT_INPUT) put_string(facts, "not_a_layer", err->message);
  if (status != ATTCERT_OK) return status == ATTCERT_INPUT ? ATTCERT_OK : status;
  put_integer(facts, "d", (uint64_t)layer.dim);
  put_integer(facts, "heads", (uint64_t)layer.heads);
  put_integer(facts, "head_dim", (uint64_t)layer.head_dim);
  put_integer(facts, "out_dim", (uint64_t)layer.out_dim);
  attcert_layer_clear(&layer);
  return ATTCERT_OK;
}

static attcert_status collect_safetensors(json_t *facts, const char *path, attcert_error *err) {
  safetensors *file;
  char sha256[SHA256_HEX_SIZE];
  attcert_status status = safetensors_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  put_string(facts, "kind", "safetensors");
  status = put_layer(facts, file, err);
  json_t *const tensors = put_list(facts, "tensors");
  for (size_t i = 0; i < safetensors_count(file); i++) put_tensor(tensors, safetensors_at(file, i));
  if (status == ATTCERT_OK) status = safetensors_digest(sha256, file, err);
  safetensors_close(file);
  if (status == ATTCERT_OK) put_file(put_list(facts, "files"), path, sha256);
  return status;
}

static attcert_status collect_npy(json_t *facts, const char *path, attcert_error *err) {
  attcert_matrix m;
  char sha256[SHA256_HEX_SIZE];
  const attcert_status status = npy_read(&m, sha256, path, err);
  if (status != ATTCERT_OK) return status;
  put_string(facts, "kind", "npy");
  put_integer(facts, "rows", (uint64_t)m.rows);
  put_integer(facts, "columns", (uint64_t)m.cols);
  put_file(put_list(facts, "files"), path, sha256);
  attcert_matrix_clear(&m);
  return ATTCERT_OK;
}

/* Every regular file that is no .npy file has to be a safetensors file. */
static attcert_status collect_file(json_t *facts, const char *path, attcert_error *err) {
  bool npy = false;
  const attcert_status status = matrix_file_is_npy(&npy, path, err);
  if (status != ATTCERT_OK) return status;
  return npy ? collect_npy(facts, path, err) : collect_safetensors(facts, path, err);
}

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

attcert_status facts_collect(json_t **facts, const char *path, attcert_error *err) {
  attcert_status status;
  *facts = json_object();
  if (*facts == NULL) return array_out_of_memory(err, 0, "a description of %s", path);
  if (is_folder(path) || strncmp(path, "random:", 7) == 0)
    status = collect_model(*facts, path, err);
  else
    status = collect_file(*facts, path, err);
  if (status != ATTCERT_OK) json_decref(*facts);
  return status;
}
