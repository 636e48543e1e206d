/* attcert info: what is in a model folder, a weights file or an .npy file. As text "name   value" lines, and the items
 * of a list one a line. */
#include "cli/commands.h"
#include "cli/output/output.h"
#include "model/folder_path.h"
#include "model/format/matrix_file.h"
#include "model/format/npy.h"
#include "model/format/safetensors.h"
#include "model/head/model_head.h"
#include "model/model_function.h"
#include "model/weights.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* The report, with the name of the list that is open, as long as it has no item. */
typedef struct {
  fact_writer f;
  const char *list;
} fact_list;

static void put_string(fact_list *l, const char *name, const char *value) {
  json_write_string(&l->f.json, name, value);
  fact_text(&l->f, "%-11s%s\n", name, value);
}

static void put_integer(fact_list *l, const char *name, uint64_t value) {
  json_write_integer(&l->f.json, name, value);
  fact_text(&l->f, "%-11s%" PRIu64 "\n", name, value);
}

static void begin_list(fact_list *l, const char *name) {
  json_write_array(&l->f.json, name);
  l->list = name;
}

static void begin_item(fact_list *l) {
  json_write_object(&l->f.json, NULL);
  if (l->list != NULL) fact_text(&l->f, "%s\n", l->list);
  l->list = NULL;
}

/* Nothing where the value is NULL. */
static void put_part(fact_list *l, const char *name, const char *value) {
  if (value == NULL) return;
  json_write_string(&l->f.json, name, value);
  fact_text(&l->f, "  %s", value);
}

static void end_item(fact_list *l) {
  json_write_close(&l->f.json);
  fact_text(&l->f, "\n");
}

static void put_file(fact_list *l, const char *path, const char *sha256) {
  begin_item(l);
  put_part(l, "sha256", sha256);
  put_part(l, "path", path);
  end_item(l);
}

/* Whether layer i can be read as what certify certifies. The weights of random models are not made for that. */
static attcert_status read_layer(const model *m, int i, attcert_error *err) {
  attcert_layer layer = {0};
  network_steps steps = {0};
  attcert_status status = ATTCERT_OK;
  if (model_file_count(m) == 0) return status;
  if (model_has_plain_heads(m, i))
    status = model_layer(&layer, m, i, err);
  else
    status = model_function_open(&steps, m, MODEL_ATTENTION, i, 1, err);
  attcert_layer_clear(&layer);
  network_clear(&steps);
  return status;
}

/* One layer: which attention it is, and whether it can be certified, and how, or why not. */
static attcert_status put_attention(fact_list *l, const model *m, int i, attcert_error *err) {
  static const char *const ways[] = {"can be certified, step by step", "can be certified"};
  char text[MODEL_ATTENTION_TEXT_SIZE];
  const attcert_status status = read_layer(m, i, err);
  if (status != ATTCERT_OK && status != ATTCERT_INPUT) return status;
  model_attention_text(text, m, i);
  begin_item(l);
  json_write_integer(&l->f.json, "layer", (uint64_t)i);
  fact_text(&l->f, "  %d", i);
  put_part(l, "attention", text);
  put_part(l, "certifiable", status == ATTCERT_OK ? ways[model_has_plain_heads(m, i)] : "cannot be certified");
  put_part(l, "why_not", status == ATTCERT_INPUT ? err->message : NULL);
  end_item(l);
  return ATTCERT_OK;
}

/* What gives a whole network's answer, or why none does. */
static attcert_status put_head(fact_list *l, const model *m, attcert_error *err) {
  char text[MODEL_HEAD_TEXT_SIZE];
  model_head head;
  const attcert_status status = model_head_open(&head, m, NULL, err);
  if (status == ATTCERT_OK) {
    put_string(l, "head", model_head_text(text, &head, HEAD_TOKEN_UNASKED));
    put_integer(l, "labels", (uint64_t)head.labels);
  } else if (status == ATTCERT_INPUT) {
    put_string(l, "no_head", err->message);
  }
  model_head_clear(&head);
  return status == ATTCERT_INPUT ? ATTCERT_OK : status;
}

/* One tensor or key, and what is made of it. */
static void put_use(void *context, const char *name, const char *why) {
  begin_item(context);
  put_part(context, "use", why == NULL ? "read" : "no effect");
  put_part(context, "name", name);
  put_part(context, "why", why);
  end_item(context);
}

static void put_uses(fact_list *l, const model *m) {
  begin_list(l, "tensors");
  model_visit_tensors(m, put_use, l);
  json_write_close(&l->f.json);
  begin_list(l, "keys");
  model_visit_keys(m, put_use, l);
  json_write_close(&l->f.json);
}

static attcert_status collect_model(fact_list *l, const char *spec, attcert_error *err) {
  model *m;
  attcert_status status = model_open(&m, spec, 0, err);
  if (status != ATTCERT_OK) return status;
  const model_shape shape = model_get_shape(m);
  put_string(l, "kind", "model");
  put_string(l, "family", shape.family);
  put_string(l, "model_type", model_type_name(m));
  put_integer(l, "layers", (uint64_t)shape.layers);
  put_integer(l, "d", (uint64_t)shape.dim);
  put_integer(l, "heads", (uint64_t)shape.heads);
  put_integer(l, "vocabulary", (uint64_t)shape.vocabulary);
  put_integer(l, "positions", (uint64_t)shape.positions);
  status = put_head(l, m, err);
  begin_list(l, "attention");
  for (int i = 0; i < shape.layers && status == ATTCERT_OK; i++) status = put_attention(l, m, i, err);
  json_write_close(&l->f.json);
  put_uses(l, m);
  begin_list(l, "files");
  for (int i = 0; i < model_file_count(m) && status == ATTCERT_OK; i++) {
    char sha256[SHA256_HEX_SIZE];
    status = model_file_digest(sha256, m, i, err);
    if (status == ATTCERT_OK) put_file(l, model_file_path(m, i), sha256);
  }
  json_write_close(&l->f.json);
  model_close(m);
  return status;
}

/* Its shape is a list of integers: "[2, 3]". */
static void put_tensor(fact_list *l, const safetensors_tensor *tensor) {
  begin_item(l);
  put_part(l, "dtype", tensor->dtype);
  json_write_array(&l->f.json, "shape");
  fact_text(&l->f, "  [");
  for (int i = 0; i < tensor->rank; i++) {
    json_write_integer(&l->f.json, NULL, (uint64_t)tensor->shape[i]);
    fact_text(&l->f, "%s%" PRIu64, i > 0 ? ", " : "", (uint64_t)tensor->shape[i]);
  }
  json_write_close(&l->f.json);
  fact_text(&l->f, "]");
  put_part(l, "name", tensor->name);
  end_item(l);
}

/* The one file that all was read from. */
static void put_files(fact_list *l, const char *path, const char *sha256) {
  begin_list(l, "files");
  put_file(l, path, sha256);
  json_write_close(&l->f.json);
}

/* The attention layer of a file in the generic layout, or why --weights would not take it. */
static attcert_status put_layer(fact_list *l, const safetensors *file, attcert_error *err) {
  attcert_layer layer;
  const attcert_status status = weights_from_file(&layer, file, 0, err);
  if (status == ATTCERT_INPUT) put_string(l, "not_a_layer", err->message);
  if (status != ATTCERT_OK) return status == ATTCERT_INPUT ? ATTCERT_OK : status;
  put_integer(l, "d", (uint64_t)layer.dim);
  put_integer(l, "heads", (uint64_t)layer.heads);
  put_integer(l, "head_dim", (uint64_t)layer.head_dim);
  put_integer(l, "out_dim", (uint64_t)layer.out_dim);
  attcert_layer_clear(&layer);
  return ATTCERT_OK;
}

static attcert_status collect_safetensors(fact_list *l, const char *path, attcert_error *err) {
  safetensors *file;
  char sha256[SHA256_HEX_SIZE];
  attcert_status status = safetensors_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  put_string(l, "kind", "safetensors");
  status = put_layer(l, file, err);
  begin_list(l, "tensors");
  for (size_t i = 0; i < safetensors_count(file); i++) put_tensor(l, safetensors_at(file, i));
  json_write_close(&l->f.json);
  if (status == ATTCERT_OK) status = safetensors_digest(sha256, file, err);
  safetensors_close(file);
  if (status == ATTCERT_OK) put_files(l, path, sha256);
  return status;
}

static attcert_status collect_npy(fact_list *l, const char *path, attcert_error *err) {
  attcert_matrix m;
  char sha256[SHA256_HEX_SIZE];
  const attcert_status status = npy_read(&m, sha256, path, err);
  if (status != ATTCERT_OK) return status;
  put_string(l, "kind", "npy");
  put_integer(l, "rows", (uint64_t)m.rows);
  put_integer(l, "columns", (uint64_t)m.cols);
  put_files(l, path, sha256);
  attcert_matrix_clear(&m);
  return ATTCERT_OK;
}

/* Every regular file that is no .npy file has to be a safetensors file. */
static attcert_status collect_file(fact_list *l, const char *path, attcert_error *err) {
  bool npy = false;
  const attcert_status status = matrix_file_is_npy(&npy, path, err);
  if (status != ATTCERT_OK) return status;
  return npy ? collect_npy(l, path, err) : collect_safetensors(l, path, err);
}

/* Or one tower of its. */
static bool is_folder(const char *path) {
  struct stat info;
  return path[folder_path_length(path)] == ':' || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

static attcert_status write_facts(FILE *out, bool json, const char *path, attcert_error *err) {
  fact_list l = {.list = NULL};
  fact_writer_begin(&l.f, out, json, command_info.name);
  const bool is_model = is_folder(path) || strncmp(path, "random:", 7) == 0;
  const attcert_status status = is_model ? collect_model(&l, path, err) : collect_file(&l, path, err);
  fact_writer_end(&l.f);
  return status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  output out;
  const attcert_status status = output_open(&out, options->output, err);
  if (status != ATTCERT_OK) return status;
  return output_close(&out, write_facts(out.stream, options->format == FORMAT_JSON, options->operand, err), err);
}

const cli_command command_info = {
    .name = "info",
    .summary = "say what is in a model folder, a weights file or an .npy file",
    .operand = "FILE",
    .groups = OPTIONS_REPORT,
    .run = run,
};
