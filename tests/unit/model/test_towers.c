/* A folder of two towers, of text and of images: each computes what a folder of it alone does, what is of the other one
 * has no effect and is said to have none, and nothing is read before one is named. */
#include "model/family/config_file.h"
#include "model/folder_path.h"
#include "model/model.h"
#include "temp_folder.h"
#include "tiny_relative.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { D = RELATIVE_DIM, N = 4 };

/* ---- folders ----------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *type; /* of both together */
  const tiny_relative *text, *vision;
  tensor_list tensors[2];
} pair;

static const tiny_relative *relative(const char *type) {
  const tiny_relative *found = tiny_relatives;
  while (found->type != NULL && strcmp(found->type, type) != 0) found++;
  assert_non_null(found->type);
  return found;
}

static void pair_init(pair *p, const char *type) {
  char name[2][32];
  random_source r = random_source_make(3, 0, 0);
  snprintf(name[0], sizeof name[0], "%s_text_model", type);
  snprintf(name[1], sizeof name[1], "%s_vision_model", type);
  *p = (pair){.type = type, .text = relative(name[0]), .vision = relative(name[1])};
  tiny_relative_init(&p->tensors[0], p->text, &r);
  tiny_relative_init(&p->tensors[1], p->vision, &r);
}

static void pair_clear(pair *p) {
  tensor_list_clear(&p->tensors[0]);
  tensor_list_clear(&p->tensors[1]);
}

static void add_named(tensor_list *all, const tensor_list *from, const char *prefix) {
  for (size_t i = 0; i < from->count; i++) {
    const named_tensor *const t = &from->tensor[i];
    char name[128];
    snprintf(name, sizeof name, "%s%.90s", prefix, t->name);
    const size_t count = (size_t)t->rows * (size_t)(t->cols > 0 ? t->cols : 1);
    memcpy(tensor_list_add(all, name, t->rows, t->cols), t->data, count * sizeof(double));
  }
}

/* The folder of both, with these keys first in config.json. */
static void pair_write(const pair *p, const char *keys) {
  char config[4096];
  tensor_list all = {.count = 0};
  add_named(&all, &p->tensors[0], "text_model.");
  add_named(&all, &p->tensors[1], "vision_model.");
  tensor_list_add(&all, "logit_scale", 1, 0);
  tensor_list_write(&all, &temp_folder_shared, "");
  tensor_list_clear(&all);
  const int length =
      snprintf(config, sizeof config, "{%s\"model_type\": \"%s\", \"text_config\": %s, \"vision_config\": %s}", keys,
               p->type, p->text->config, p->vision->config);
  temp_folder_write(&temp_folder_shared, "config.json", config, (size_t)length);
}

static const char *spec_of(char spec[512], const char *ending) {
  snprintf(spec, 512, "%s%s", temp_folder_shared.path, ending);
  return spec;
}

static model *opened(const char *ending) {
  char spec[512];
  attcert_error err = {0};
  model *m;
  if (model_open(&m, spec_of(spec, ending), 0, &err) != ATTCERT_OK) fail_msg("%s: %s", ending, err.message);
  return m;
}

static void assert_refused(const char *ending, const char *word) {
  char spec[512];
  attcert_error err = {0};
  model *m;
  if (model_open(&m, spec_of(spec, ending), 0, &err) != ATTCERT_INPUT) fail_msg("accepted: %s", word);
  if (strstr(err.message, word) == NULL || strchr(err.message, '\n') != NULL)
    fail_msg("\"%s\" does not say %s in one line", err.message, word);
}

/* The input of layer 1, from tokens where there are any. */
static void input_of(double x[N * D], const model *m) {
  static const int tokens[N] = {3, 10, 0, 7};
  double numbers[N * D];
  attcert_matrix input;
  attcert_error err = {0};
  for (int i = 0; i < N * D; i++) numbers[i] = 0.25 * (i % 7) - 0.5;
  const attcert_matrix hidden = {N, D, numbers};
  const attcert_status status = model_get_shape(m).vocabulary > 0 ? model_layer_input(&input, m, 1, tokens, N, &err)
                                                                  : model_layer_input_from(&input, m, 1, &hidden, &err);
  if (status != ATTCERT_OK) fail_msg("%s", err.message);
  memcpy(x, input.data, N * D * sizeof(double));
  attcert_matrix_clear(&input);
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static const char *const pairs[] = {"clip", "siglip"};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

static void each_tower_is_that_alone(void **state) {
  (void)state;
  for (int i = 0; i < 2 * PAIRS; i++) {
    pair p;
    double alone[N * D], found[N * D];
    pair_init(&p, pairs[i / 2]);
    const tiny_relative *const tower = i % 2 == 0 ? p.text : p.vision;
    temp_folder_write(&temp_folder_shared, "config.json", tower->config, strlen(tower->config));
    tensor_list_write(&p.tensors[i % 2], &temp_folder_shared, "");
    model *m = opened("");
    input_of(alone, m);
    assert_string_equal(model_type_name(m), tower->type);
    model_close(m);
    pair_write(&p, "");
    m = opened(i % 2 == 0 ? ":text" : ":vision");
    input_of(found, m);
    assert_memory_equal(found, alone, sizeof alone);
    assert_string_equal(model_type_name(m), pairs[i / 2]);
    assert_string_equal(model_get_shape(m).family, tower->type);
    assert_int_equal(model_get_shape(m).mask, tower->causal ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE);
    assert_string_equal(model_folder(m), temp_folder_shared.path);
    model_close(m);
    pair_clear(&p);
  }
}

static void one_has_to_be_named(void **state) {
  (void)state;
  for (int i = 0; i < PAIRS; i++) {
    pair p;
    pair_init(&p, pairs[i]);
    pair_write(&p, "");
    assert_refused("", "of two towers, expected the folder's name with :text or :vision behind it");
    assert_refused(":", ":text or :vision");
    assert_refused(":audio", ":text or :vision");
    assert_refused(":texts", ":text or :vision");
    assert_refused("/none:text", "no such folder");
    temp_folder_write(&temp_folder_shared, "config.json", p.text->config, strlen(p.text->config));
    assert_refused(":text", "not of two towers, expected the folder's name without ':text'");
    pair_clear(&p);
  }
}

/* With keys before those that pair_write has, one tower is refused, and the other one is not. */
static void other_functions_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *keys, *ending, *other, *word;
  } bad[] = {
      {"\"text_config_dict\": {\"softcap\": 30}, ", ":text", ":vision",
       "(text_config_dict): key 'softcap' is not known"},
      {"\"vision_config_dict\": [], ", ":vision", ":text", "key 'vision_config_dict' is no object"},
      {"\"softcap\": 30, ", ":text", NULL, "key 'softcap' is not known"},
      {"\"softcap\": 30, ", ":vision", NULL, "key 'softcap' is not known"},
      {"\"hidden_size\": 8, ", ":vision", NULL, "key 'hidden_size' is not known"},
      {"\"quantization_config\": {}, ", ":text", NULL, "stored numbers stand for others"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    pair p;
    pair_init(&p, "clip");
    pair_write(&p, bad[i].keys);
    assert_refused(bad[i].ending, bad[i].word);
    if (bad[i].other != NULL) model_close(opened(bad[i].other));
    pair_clear(&p);
  }
}

/* What the tower's object has, of the tower alone. */
static void objects_are_read_as_files(void **state) {
  (void)state;
  static const struct {
    const char *text, *word; /* NULL: read */
  } rows[] = {
      {"{\"hidden_size\": 8, \"softcap\": 30}", "config.json (text_config): key 'softcap' is not known"},
      {"{\"hidden_size\": 9}", "config.json (text_config): 8 heads do not divide the dimension 9"},
      {"{\"model_type\": \"bert\"}", "config.json (text_config): key 'model_type' is 'bert', expected clip_text_model"},
      {"[]", "key 'text_config' is no object"},
      {"null", "key 'text_config' is no object"},
      {"{\"vocab_size\": 11, \"hidden_size\": 8}", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char path[512], text[512];
    json_file file;
    model_config config;
    attcert_error err = {0};
    const int length = snprintf(text, sizeof text,
                                "{\"model_type\": \"clip\", \"text_config\": %s, \"vision_config\": 7}", rows[i].text);
    temp_folder_write(&temp_folder_shared, "config.json", text, (size_t)length);
    assert_int_equal(json_file_open(&file, temp_folder_path(path, &temp_folder_shared, "config.json"), &err),
                     ATTCERT_OK);
    const attcert_status status = model_config_read(&config, &file, "text", &err);
    if (status != (rows[i].word == NULL ? ATTCERT_OK : ATTCERT_INPUT)) fail_msg("%s: %s", rows[i].text, err.message);
    if (rows[i].word != NULL && strstr(err.message, rows[i].word) == NULL)
      fail_msg("%s: %s", rows[i].word, err.message);
    json_file_close(&file);
  }
}

/* As the class computes it: the other object's values, or defaults. */
static void other_objects_take_the_place(void **state) {
  (void)state;
  static const char *const old[] = {"{\"hidden_size\": 9, \"num_hidden_layers\": 5, \"vocab_size\": 7}", "null",
                                    "{\"softcap\": 30}"};
  for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) {
    char path[512], text[512];
    json_file file;
    model_config config;
    attcert_error err = {0};
    const int length =
        snprintf(text, sizeof text,
                 "{\"model_type\": \"clip\", \"text_config\": %s, \"text_config_dict\": {\"hidden_size\": 6, "
                 "\"num_attention_heads\": 3, \"hidden_act\": \"gelu\"}, \"vision_config\": {}}",
                 old[i]);
    temp_folder_write(&temp_folder_shared, "config.json", text, (size_t)length);
    assert_int_equal(json_file_open(&file, temp_folder_path(path, &temp_folder_shared, "config.json"), &err),
                     ATTCERT_OK);
    const attcert_status status = model_config_read(&config, &file, "text", &err);
    json_file_close(&file);
    if (status != (i < 2 ? ATTCERT_OK : ATTCERT_INPUT)) fail_msg("%s: %s", old[i], err.message);
    if (i == 2) continue;
    assert_int_equal(config.dim, 6);
    assert_int_equal(config.heads, 3);
    assert_int_equal(config.layers, 12);
    assert_int_equal(config.vocabulary, 49408);
    assert_ptr_equal(config.act, activation_named("gelu"));
    assert_non_null(strstr(model_config_key_why(&config, "text_config"), "in its place"));
    assert_null(model_config_key_why(&config, "text_config_dict"));
    assert_null(model_config_key_why(&config, "text_config_dict.hidden_size"));
    assert_non_null(model_config_key_why(&config, "vision_config_dict"));
  }
}

/* Names without the tower's prefix might be of either. */
static void names_have_their_tower(void **state) {
  (void)state;
  pair p;
  pair_init(&p, "clip");
  pair_write(&p, "");
  tensor_list_write(&p.tensors[0], &temp_folder_shared, "");
  assert_refused(":text", "is not known");
  assert_refused(":vision", "is not known");
  pair_clear(&p);
}

typedef struct {
  int read, other, rest;
  const char *prefix;
  char seen[128]; /* why one of the keys or tensors that `name` is has no effect; "read" */
  const char *name;
} uses;

static void count_use(void *context, const char *name, const char *why) {
  uses *const u = context;
  const bool own = strncmp(name, u->prefix, strlen(u->prefix)) == 0;
  if (why == NULL) {
    u->read++;
    assert_true(own);
  } else if (strcmp(why, "of the other tower, which is not read") == 0) {
    u->other++;
    assert_false(own);
  } else {
    u->rest++;
  }
}

static void note_use(void *context, const char *name, const char *why) {
  uses *const u = context;
  if (strcmp(name, u->name) == 0) snprintf(u->seen, sizeof u->seen, "%.120s", why != NULL ? why : "read");
}

static void assert_key(const model *m, const char *key, const char *why) {
  uses u = {.name = key};
  model_visit_keys(m, note_use, &u);
  if (strstr(u.seen, why) == NULL || u.seen[0] == '\0') fail_msg("%s: %s", key, u.seen);
}

static void uses_are_said(void **state) {
  (void)state;
  pair p;
  pair_init(&p, "clip");
  pair_write(&p, "\"projection_dim\": 4, ");
  for (int i = 0; i < 2; i++) {
    model *const m = opened(i == 0 ? ":text" : ":vision");
    uses u = {.prefix = i == 0 ? "text_model." : "vision_model."};
    model_visit_tensors(m, count_use, &u);
    assert_int_equal(u.read, p.tensors[i].count);
    assert_int_equal(u.other, p.tensors[1 - i].count);
    assert_int_equal(u.rest, 1);
    assert_key(m, i == 0 ? "text_config" : "vision_config", "read");
    assert_key(m, i == 0 ? "vision_config" : "text_config", "of the other tower");
    assert_key(m, i == 0 ? "text_config.hidden_size" : "vision_config.hidden_size", "read");
    assert_key(m, "projection_dim", "of what compares the towers");
    model_close(m);
  }
  pair_clear(&p);
}

/* A text is tokenized by the folder's files, whichever tower reads it. */
static void tokenizers_are_the_folders(void **state) {
  (void)state;
  pair p;
  char spec[512], path[512];
  attcert_model *m;
  attcert_tokens *tokens;
  attcert_error err = {0};
  pair_init(&p, "clip");
  pair_write(&p, "");
  temp_folder_write(&temp_folder_shared, "text", "b a", 3);
  assert_int_equal(attcert_model_open(&m, spec_of(spec, ":text"), 0, &err), ATTCERT_OK);
  temp_folder_path(path, &temp_folder_shared, "text");
  assert_int_equal(attcert_tokens_read(&tokens, m, NULL, path, 3, 0, false, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "no tokenizer.json, no vocab.txt"));
  temp_folder_write(&temp_folder_shared, "vocab.json", "{\"a\": 4, \"b\": 5, \" \": 6}", 24);
  if (attcert_tokens_read(&tokens, m, NULL, path, 3, 0, false, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_memory_equal(attcert_tokens_ids(tokens), ((const int[]){5, 6, 4}), 3 * sizeof(int));
  attcert_tokens_free(tokens);
  attcert_model_close(m);
  pair_clear(&p);
}

static void folders_may_have_colons(void **state) {
  (void)state;
  char path[512], longer[600];
  const size_t length = strlen(temp_folder_shared.path);
  spec_of(path, ":text");
  assert_int_equal(folder_path_length(path), length);
  snprintf(longer, sizeof longer, "%s:vision", path);
  assert_int_equal(folder_path_length(longer), strlen(longer)); /* there is no such folder */
  assert_int_equal(mkdir(path, 0700), 0);
  assert_int_equal(folder_path_length(path), length + 5);
  assert_int_equal(folder_path_length(longer), length + 5);
  assert_int_equal(rmdir(path), 0);
  assert_int_equal(folder_path_length(":text"), 5);
  assert_int_equal(folder_path_length(""), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_tower_is_that_alone),
      cmocka_unit_test(one_has_to_be_named),
      cmocka_unit_test(other_functions_are_refused),
      cmocka_unit_test(objects_are_read_as_files),
      cmocka_unit_test(other_objects_take_the_place),
      cmocka_unit_test(names_have_their_tower),
      cmocka_unit_test(uses_are_said),
      cmocka_unit_test(tokenizers_are_the_folders),
      cmocka_unit_test(folders_may_have_colons),
  };
  return cmocka_run_group_tests_name("towers", tests, temp_folder_set_up, temp_folder_tear_down);
}
