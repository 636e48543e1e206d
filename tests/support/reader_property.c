/* Readers that take paths read from files in a folder of the process's own, removed when it ends. A single input for
 * several files holds them one after the other, separated by a line of four '='. */
#define _GNU_SOURCE /* memmem */
#include "reader_property.h"

#include "format_property.h"
#include "temp_folder.h"

#include "cli/commands.h"
#include "model/family/config_file.h"
#include "model/family/families.h"
#include "model/folder_path.h"
#include "model/format/json_file.h"
#include "model/head/head_config.h"
#include "model/model.h"
#include "model/tensor_files.h"
#include "model/tokenizer/tokenizer.h"
#include "model/weights.h"
#include "onnx/onnx_network.h"
#include "report/sweep/sweep_file.h"
#include "vnnlib/vnnlib_question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files ------------------------------------------------------------------------------------------------------- */

static temp_folder folder;
static pid_t owner;

static void remove_folder(void) {
  if (getpid() == owner) temp_folder_clear(&folder);
}

/* The path of a file of these bytes alone in the folder. */
static void write_file(char path[512], const char *name, const unsigned char *bytes, size_t size) {
  if (owner == 0) {
    owner = getpid();
    temp_folder_init(&folder);
    atexit(remove_folder);
  }
  temp_folder_write(&folder, name, bytes, size);
  temp_folder_path(path, &folder, name);
}

/* Takes the bytes up to the separator off the front. */
static size_t take_part(const unsigned char **bytes, size_t *size) {
  static const char separator[] = "\n====\n";
  const size_t length = sizeof separator - 1;
  const unsigned char *const found = memmem(*bytes, *size, separator, length);
  const size_t part = found != NULL ? (size_t)(found - *bytes) : *size, taken = part + (found != NULL ? length : 0);
  *bytes += taken;
  *size -= taken;
  return part;
}

static const char *refusal(attcert_status status, const attcert_error *err) {
  if (status == ATTCERT_OK) return NULL;
  if (status != ATTCERT_INPUT || err->status != status) return "refused with another status than ATTCERT_INPUT";
  if (err->message[0] == '\0') return "refused without a word";
  return strpbrk(err->message, "\n\r\t\x1b") != NULL ? "refused in more than one line" : NULL;
}

/* ---- readers ----------------------------------------------------------------------------------------------------- */

static const char *json_property(bool *accepted, const unsigned char *bytes, size_t size) {
  attcert_error err;
  json_t *object;
  const attcert_status status = json_file_parse_object(&object, (const char *)bytes, size, "fuzzed", &err);
  *accepted = status == ATTCERT_OK;
  json_decref(object);
  return refusal(status, &err);
}

static const char *config_property(bool *accepted, const unsigned char *bytes, size_t size) {
  char path[512];
  attcert_error err;
  model_config config;
  write_file(path, "config.json", bytes, size);
  json_file file;
  attcert_status status = json_file_open(&file, path, &err);
  if (status == ATTCERT_OK) status = model_config_read(&config, &file, NULL, &err);
  json_file_close(&file);
  *accepted = status == ATTCERT_OK;
  if (*accepted && (config.dim < 1 || config.dim > MODEL_DIM_MAX || config.heads < 1 || config.layers < 1))
    return "accepted a model without sides";
  return refusal(status, &err);
}

/* The keys of config.json that say which head a model has. */
static const char *head_property(bool *accepted, const unsigned char *bytes, size_t size) {
  char path[512];
  attcert_error err;
  json_file file;
  head_config config = {.labels = 0};
  const char *complaint = NULL;
  write_file(path, "config.json", bytes, size);
  attcert_status status = json_file_open(&file, path, &err);
  *accepted = status == ATTCERT_OK;
  if (!*accepted) return refusal(status, &err);
  status = head_config_read(&config, &file, &family_gpt2, &err);
  *accepted = status == ATTCERT_OK;
  for (int k = 0; *accepted && k < config.names.count; k++) {
    if (label_names_at(&config.names, k) == NULL) complaint = "a label without a name";
  }
  label_names_clear(&config.names);
  json_file_close(&file);
  return complaint != NULL ? complaint : refusal(status, &err);
}

static const char *weights_property(bool *accepted, const unsigned char *bytes, size_t size) {
  char path[512];
  attcert_error err;
  attcert_layer layer;
  write_file(path, "layer.safetensors", bytes, size);
  const attcert_status status = weights_read(&layer, NULL, path, 0, &err);
  *accepted = status == ATTCERT_OK;
  if (*accepted) attcert_layer_clear(&layer);
  return refusal(status, &err);
}

/* The tokenizer at a path, and a text that it encodes. */
static const char *encoding_property(bool *accepted, const char *path, const unsigned char *text, size_t size) {
  char text_path[512];
  attcert_error err;
  tokenizer *t;
  int *tokens, count;
  attcert_status status = tokenizer_open(&t, path, &err);
  *accepted = status == ATTCERT_OK;
  if (!*accepted) return refusal(status, &err);
  write_file(text_path, "text", text, size);
  const char *complaint = NULL;
  const tokenizer_span span = {.special = true};
  status = tokenizer_sequence(&tokens, &count, NULL, t, &span, text_path, &err);
  if (status != ATTCERT_OK) complaint = refusal(status, &err);
  for (int i = 0; i < count && status == ATTCERT_OK; i++) {
    if (tokenizer_piece(t, tokens[i]) == NULL) complaint = "a token outside the vocabulary";
  }
  tokenizer_close(t);
  free(tokens);
  return complaint;
}

/* The vocabulary, then the text. */
static const char *tokenizer_property(bool *accepted, const char *name, const unsigned char *bytes, size_t size) {
  char path[512];
  const unsigned char *rest = bytes;
  const size_t part = take_part(&rest, &size);
  write_file(path, name, bytes, part);
  return encoding_property(accepted, path, rest, size);
}

static const char *tokenizer_json_property(bool *accepted, const unsigned char *bytes, size_t size) {
  return tokenizer_property(accepted, "tokenizer.json", bytes, size);
}

/* tokenizer_config.json, special_tokens_map.json and added_tokens.json beside a small vocab.txt, then a text. */
static const char *companions_property(bool *accepted, const unsigned char *bytes, size_t size) {
  static const char *const names[] = {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"};
  static const char vocabulary[] = "[UNK]\n[CLS]\n[SEP]\na\n##b\nab\n";
  char path[512];
  const unsigned char *rest = bytes;
  write_file(path, "vocab.txt", NULL, 0);
  temp_folder_empty(&folder); /* of what other readers left */
  write_file(path, "vocab.txt", (const unsigned char *)vocabulary, strlen(vocabulary));
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const unsigned char *const start = rest;
    const size_t part = take_part(&rest, &size);
    write_file(path, names[i], start, part);
  }
  const char *const complaint = encoding_property(accepted, folder.path, rest, size);
  temp_folder_empty(&folder);
  return complaint;
}

static const char *wordpiece_property(bool *accepted, const unsigned char *bytes, size_t size) {
  return tokenizer_property(accepted, "vocab.txt", bytes, size);
}
static const char *merges_property(bool *accepted, const unsigned char *bytes, size_t size) {
  return tokenizer_property(accepted, "merges.bpe", bytes, size);
}
static const char *characters_property(bool *accepted, const unsigned char *bytes, size_t size) {
  return tokenizer_property(accepted, "vocab.json", bytes, size);
}

/* A file that a sweep goes on with. Its first line must be this sweep's. */
static const char *sweep_property(bool *accepted, const unsigned char *bytes, size_t size) {
  char path[512];
  attcert_error err;
  sweep_file file;
  write_file(path, "sweep.csv", bytes, size);
  const attcert_status status = sweep_file_open(&file, path, "# {\"schema\": \"attcert/sweep/1\"}", &err);
  *accepted = status == ATTCERT_OK;
  if (*accepted) sweep_file_close(&file);
  return refusal(status, &err);
}

/* Words of a command line, one a line, the first one choosing the command. */
static const char *options_property(bool *accepted, const unsigned char *bytes, size_t size) {
  enum { MOST = 32 };
  char *const text = calloc(size + 1, 1), *words[MOST + 1] = {NULL};
  attcert_error err;
  cli_options options;
  int count = 0;
  if (text == NULL) return "out of memory";
  memcpy(text, bytes, size);
  for (char *word = text; word != NULL && count < MOST;) {
    words[count++] = word;
    word = strchr(word, '\n');
    if (word != NULL) *word++ = '\0';
  }
  int which = 0;
  while (which + 1 < CLI_COMMANDS && strcmp(cli_commands[which]->name, words[0]) != 0) which++;
  const attcert_status status = options_parse(&options, cli_commands[which], count, words, &err);
  *accepted = status == ATTCERT_OK;
  free(text);
  return refusal(status, &err);
}

/* config.json, then model.safetensors; tokens 0 and 1 go through the model. */
static const char *model_property(bool *accepted, const unsigned char *bytes, size_t size) {
  char path[512];
  attcert_error err;
  model *m;
  attcert_matrix x;
  const unsigned char *rest = bytes;
  const size_t part = take_part(&rest, &size);
  write_file(path, "config.json", bytes, part);
  write_file(path, "model.safetensors", rest, size);
  attcert_status status = model_open(&m, folder.path, 0, &err);
  *accepted = status == ATTCERT_OK;
  if (!*accepted) return refusal(status, &err);
  status = model_layer_input(&x, m, 0, (const int[]){0, 1}, 2, &err);
  *accepted = status == ATTCERT_OK;
  if (*accepted) attcert_matrix_clear(&x);
  model_close(m);
  return refusal(status, &err);
}

/* model.safetensors.index.json, then the shard "s". */
static const char *index_property(bool *accepted, const unsigned char *bytes, size_t size) {
  char path[512];
  attcert_error err;
  tensor_files *files;
  const unsigned char *rest = bytes;
  const size_t part = take_part(&rest, &size);
  write_file(path, MODEL_INDEX_NAME, bytes, part);
  write_file(path, "s", rest, size);
  remove(temp_folder_path(path, &folder, MODEL_WEIGHTS_NAME));
  const attcert_status status = tensor_files_open(&files, folder.path, NULL, &err);
  *accepted = status == ATTCERT_OK;
  if (!*accepted) return refusal(status, &err);
  const char *complaint = NULL;
  for (int i = 0; i < tensor_files_count(files); i++) {
    const char *const name = tensor_files_path(files, i) + strlen(folder.path) + 1;
    if (strncmp(tensor_files_path(files, i), folder.path, strlen(folder.path)) != 0 || strchr(name, '/') != NULL)
      complaint = "a shard outside the folder";
  }
  tensor_files_close(files);
  return complaint;
}

/* An ONNX file; zeros go through what is small of its network. */
static const char *onnx_property(bool *accepted, const unsigned char *bytes, size_t size) {
  char path[512];
  attcert_error err;
  onnx_network network;
  attcert_matrix value[64] = {{0}};
  write_file(path, "net.onnx", bytes, size);
  attcert_status status = onnx_network_open(&network, path, NULL, NULL, &err);
  *accepted = status == ATTCERT_OK;
  const network_steps *const steps = &network.steps;
  const bool small = *accepted && steps->count < 64 && network_most_entries(steps) < 4096;
  if (small) status = attcert_matrix_init(&value[0], 1, steps->dim, &err);
  for (int s = 0; small && s < steps->count && status == ATTCERT_OK; s++) status = network_value(value, steps, s, &err);
  for (size_t v = 0; v < 64; v++) attcert_matrix_clear(&value[v]);
  onnx_network_clear(&network);
  return refusal(status, &err);
}

static const char *vnnlib_property(bool *accepted, const unsigned char *bytes, size_t size) {
  attcert_error err;
  vnnlib_question question;
  const attcert_status status = vnnlib_question_parse(&question, (const char *)bytes, size, &err);
  *accepted = status == ATTCERT_OK;
  const bool whole = !*accepted || (question.cases > 0 && question.first[question.cases] == question.conditions);
  vnnlib_question_clear(&question);
  return whole ? refusal(status, &err) : "conditions of no case";
}

const fuzzed_reader fuzzed_readers[] = {
    {"npy", npy_property},
    {"npy_integers", npy_integers_property},
    {"npy_array", npy_array_property},
    {"safetensors", safetensors_property},
    {"json", json_property},
    {"config", config_property},
    {"head", head_property},
    {"weights", weights_property},
    {"wordpiece", wordpiece_property},
    {"merges", merges_property},
    {"characters", characters_property},
    {"tokenizer", tokenizer_json_property},
    {"companions", companions_property},
    {"sweep", sweep_property},
    {"options", options_property},
    {"model", model_property},
    {"index", index_property},
    {"onnx", onnx_property},
    {"vnnlib", vnnlib_property},
    {NULL, NULL},
};

const fuzzed_reader *fuzzed_reader_find(const char *name) {
  const fuzzed_reader *reader = fuzzed_readers;
  while (reader->name != NULL && strcmp(reader->name, name) != 0) reader++;
  return reader->name != NULL ? reader : NULL;
}
