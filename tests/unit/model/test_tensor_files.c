/* Sharded weights: what the index says is what the files hold, or one line says where they differ. */
#include "model/model.h"
#include "model/tensor_files.h"
#include "safetensors_writer.h"
#include "temp_folder.h"
#include "tiny_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_text(const char *name, const char *text) {
  temp_folder_write(&temp_folder_shared, name, text, strlen(text));
}

/* A shard of vectors of two numbers. */
static void write_shard(const char *file, const char *one, const char *other) {
  static const double numbers[] = {1, 2};
  const test_tensor tensors[] = {{one, 2, 0, numbers}, {other, 2, 0, numbers}};
  const file_bytes bytes = safetensors_build(tensors, other != NULL ? 2 : 1, NULL);
  temp_folder_write(&temp_folder_shared, file, bytes.bytes, bytes.size);
  free(bytes.bytes);
}

static attcert_status open_index(const char *index, attcert_error *err) {
  tensor_files *files;
  write_text("model.safetensors.index.json", index);
  const attcert_status status = tensor_files_open(&files, temp_folder_shared.path, NULL, err);
  tensor_files_close(files);
  return status;
}

static void indices_that_lie(void **state) {
  (void)state;
  static const struct {
    const char *index, *word;
  } bad[] = {
      {"{\"weight_map\": {\"a\": \"s1\", \"b\": \"s1\", \"c\": \"s3\"}}", "s3"},
      {"{\"weight_map\": {\"a\": \"s1\", \"b\": \"s1\", \"c\": \"../s2\"}}", "'../s2' is no file of the same folder"},
      {"{\"weight_map\": {\"a\": \"s1\", \"b\": \"s1\", \"c\": \"/etc/passwd\"}}", "no file of the same folder"},
      {"{\"weight_map\": {\"a\": \"s1\", \"b\": \"s1\", \"c\": \"..\"}}", "no file of the same folder"},
      {"{\"weight_map\": {\"a\": \"\"}}", "no file of the same folder"},
      {"{\"weight_map\": {\"a\": 1}}", "no string"},
      {"{\"weight_map\": {\"a\": null}}", "no string"},
      {"{\"weight_map\": [\"s1\"]}", "weight_map"},
      {"{\"weight_map\": {}}", "weight_map"},
      {"{\"metadata\": {}}", "weight_map"},
      {"{\"weight_map\": {\"a\": \"s1\", \"a\": \"s2\"}}", "duplicate"},
      {"{\"weight_map\": {\"a\": \"s1\", \"b\": \"s2\", \"c\": \"s2\"}}", "tensor 'b' is in the shard 's1'"},
      {"{\"weight_map\": {\"a\": \"s1\", \"c\": \"s2\"}}", "tensor 'b' is in the shard 's1'"},
      {"{\"weight_map\": {\"a\": \"s1\", \"b\": \"s1\", \"c\": \"s2\", \"d\": \"s2\"}}", "tensor 'd' is not in"},
      {"{\"weight_map\": {\"a\": \"s1\", \"b\": \"s1\", \"c\": \"s2\", \"e\": \"twice\"}}",
       "'a' is in the shard 'twice'"},
      {"[]", "object"},
      {"{", "JSON"},
  };
  write_shard("s1", "a", "b");
  write_shard("s2", "c", NULL);
  write_shard("twice", "e", "a");
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    attcert_error err = {0};
    if (open_index(bad[i].index, &err) != ATTCERT_INPUT) fail_msg("accepted: %s", bad[i].index);
    if (strstr(err.message, bad[i].word) == NULL || strchr(err.message, '\n') != NULL)
      fail_msg("\"%s\" does not say %s in one line", err.message, bad[i].word);
  }
  attcert_error err;
  assert_int_equal(open_index("{\"weight_map\": {\"a\": \"s1\", \"b\": \"s1\", \"c\": \"s2\"}}", &err), ATTCERT_OK);
}

/* Tensor i of a model in shard i % 3. */
static void write_in_shards(const tensor_list *tensors) {
  char index[8192] = "{\"metadata\": {\"total_size\": 0}, \"weight_map\": {";
  for (int shard = 0; shard < 3; shard++) {
    test_tensor part[64];
    size_t count = 0;
    char file[64];
    snprintf(file, sizeof file, "model-0000%d-of-00003.safetensors", shard + 1);
    for (size_t i = (size_t)shard; i < tensors->count; i += 3) {
      const named_tensor *const t = &tensors->tensor[i];
      const size_t used = strlen(index);
      part[count++] = (test_tensor){t->name, t->rows, t->cols, t->data};
      snprintf(index + used, sizeof index - used, "%s\"%s\": \"%s\"", i == 0 ? "" : ", ", t->name, file);
    }
    const file_bytes bytes = safetensors_build(part, count, NULL);
    temp_folder_write(&temp_folder_shared, file, bytes.bytes, bytes.size);
    free(bytes.bytes);
  }
  strcat(index, "}}");
  write_text("model.safetensors.index.json", index);
}

static attcert_matrix last_input(const model *m) {
  attcert_matrix x;
  attcert_error err;
  if (model_layer_input(&x, m, TINY_LAYERS - 1, (const int[]){1, 2, 3}, 3, &err) != ATTCERT_OK)
    fail_msg("%s", err.message);
  return x;
}

static void shards_are_one_model(void **state) {
  (void)state;
  attcert_error err = {0};
  model *whole, *sharded;
  tensor_list tensors = {.count = 0};
  char path[512], sha256[SHA256_HEX_SIZE];
  random_source r = random_source_make(1, 0, 0);
  tiny_bert.init(&tensors, &r);
  tiny_model_write(&temp_folder_shared, &tiny_bert, &tensors, "");
  assert_int_equal(model_open(&whole, temp_folder_shared.path, 0, &err), ATTCERT_OK);
  attcert_matrix x = last_input(whole);
  model_close(whole);
  remove(temp_folder_path(path, &temp_folder_shared, "model.safetensors"));
  write_in_shards(&tensors);
  if (model_open(&sharded, temp_folder_shared.path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  attcert_matrix y = last_input(sharded);
  assert_memory_equal(x.data, y.data, 3 * TINY_DIM * sizeof(double));
  assert_int_equal(model_file_count(sharded), 5);
  assert_non_null(strstr(model_file_path(sharded, 1), "model.safetensors.index.json"));
  for (int i = 0; i < 5; i++) assert_int_equal(model_file_digest(sha256, sharded, i, &err), ATTCERT_OK);
  assert_int_equal(model_check_files(sharded, &err), ATTCERT_OK);
  model_close(sharded);
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&y);
  tensor_list_clear(&tensors);
  temp_folder_empty(&temp_folder_shared);
}

static void missing_tensors_name_the_index(void **state) {
  (void)state;
  attcert_error err = {0};
  tensor_files *files;
  const safetensors *file;
  write_shard("s1", "a", "b");
  write_text("model.safetensors.index.json", "{\"weight_map\": {\"a\": \"s1\", \"b\": \"s1\"}}");
  assert_int_equal(tensor_files_open(&files, temp_folder_shared.path, NULL, &err), ATTCERT_OK);
  assert_non_null(tensor_files_find(files, "a"));
  assert_int_equal(tensor_files_require(&file, files, "z", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "index.json: tensor 'z' is missing"));
  tensor_files_close(files);
  temp_folder_empty(&temp_folder_shared);
}

static void pickles_are_refused_with_a_way_out(void **state) {
  (void)state;
  static const char *const names[] = {"pytorch_model.bin", "pytorch_model.bin.index.json"};
  for (int i = 0; i < 2; i++) {
    attcert_error err = {0};
    tensor_files *files;
    write_text(names[i], "\x80\x02");
    assert_int_equal(tensor_files_open(&files, temp_folder_shared.path, NULL, &err), ATTCERT_INPUT);
    assert_non_null(strstr(err.message, names[i]));
    assert_non_null(strstr(err.message, "save_file"));
    assert_null(strchr(err.message, '\n'));
    temp_folder_empty(&temp_folder_shared);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(indices_that_lie, temp_folder_set_up, temp_folder_tear_down),
      cmocka_unit_test_setup_teardown(shards_are_one_model, temp_folder_set_up, temp_folder_tear_down),
      cmocka_unit_test_setup_teardown(missing_tensors_name_the_index, temp_folder_set_up, temp_folder_tear_down),
      cmocka_unit_test_setup_teardown(pickles_are_refused_with_a_way_out, temp_folder_set_up, temp_folder_tear_down),
  };
  return cmocka_run_group_tests_name("tensor_files", tests, NULL, NULL);
}
