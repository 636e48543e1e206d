/* Damaged models and impossible requests: one line that names the culprit; and nothing is required that is not used. */
#include "model/model.h"
#include "tiny_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 3, LAST = TINY_LAYERS - 1 };

static const int tokens[N] = {3, 10, 0};
static const tiny_family *const families[] = {&tiny_bert, &tiny_gpt2};

static tensor_list random_tensors(const tiny_family *family) {
  tensor_list tensors = {.count = 0};
  random_source r = random_source_make(1, 2, 3);
  family->init(&tensors, &r);
  return tensors;
}

static model *open_good(const tiny_family *family) {
  model *m;
  attcert_error err;
  tensor_list tensors = random_tensors(family);
  tiny_model_write(&temp_folder_shared, family, &tensors, "");
  tensor_list_clear(&tensors);
  if (model_open(&m, temp_folder_shared.path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  return m;
}

static attcert_status layer_and_input(const model *m, attcert_error *err) {
  attcert_layer layer;
  attcert_matrix x;
  attcert_status status = model_layer_input(&x, m, LAST, tokens, N, err);
  attcert_matrix_clear(&x);
  if (status != ATTCERT_OK) return status;
  status = model_layer(&layer, m, LAST, err);
  attcert_layer_clear(&layer);
  return status;
}

/* Opens the model and asks for its last layer and what reaches it. */
static attcert_status use(const tiny_family *family, const tensor_list *tensors, attcert_error *err) {
  model *m;
  tiny_model_write(&temp_folder_shared, family, tensors, "");
  attcert_status status = model_open(&m, temp_folder_shared.path, 0, err);
  if (status == ATTCERT_OK) status = layer_and_input(m, err);
  model_close(m);
  return status;
}

static void assert_one_line_with(const attcert_error *err, const char *word) {
  if (strstr(err->message, word) == NULL || strchr(err->message, '\n') != NULL)
    fail_msg("\"%s\" does not say %s in one line", err->message, word);
}

/* Of the last block, the attention and what makes its input. */
static bool is_used(const char *name) {
  char last[2][32];
  snprintf(last[0], sizeof last[0], "encoder.layer.%d.", LAST);
  snprintf(last[1], sizeof last[1], "h.%d.", LAST);
  if (strncmp(name, last[0], strlen(last[0])) == 0)
    return strstr(name, "self") != NULL || strstr(name, "attention.output.dense") != NULL;
  if (strncmp(name, last[1], strlen(last[1])) == 0) return strstr(name, "attn") != NULL || strstr(name, "ln_1") != NULL;
  return true;
}

static void remove_tensor(tensor_list *tensors, size_t i) {
  tensor_list_remove(tensors, tensors->tensor[i].name);
}

static void make_nan(tensor_list *tensors, size_t i) {
  const named_tensor *t = &tensors->tensor[i];
  for (int e = 0; e < t->rows * (t->cols > 0 ? t->cols : 1); e++) t->data[e] = NAN;
}

static void make_infinite(tensor_list *tensors, size_t i) {
  tensors->tensor[i].data[0] = INFINITY;
}

static void add_row(tensor_list *tensors, size_t i) {
  named_tensor *t = &tensors->tensor[i];
  const size_t size = sizeof(double) * (size_t)(t->rows + 1) * (size_t)(t->cols > 0 ? t->cols : 1);
  t->data = realloc(t->data, size);
  assert_non_null(t->data);
  memset(t->data, 0, size);
  t->rows++;
}

static void make_rank_one(tensor_list *tensors, size_t i) {
  named_tensor *t = &tensors->tensor[i];
  t->rows *= t->cols > 0 ? t->cols : 1;
  t->cols = t->cols > 0 ? 0 : 1; /* a vector becomes a column */
}

/* Damages each tensor in turn: an error that names it when it is used, no error when it is not. */
static void damage_each(void (*damage)(tensor_list *, size_t)) {
  for (int f = 0; f < 2; f++) {
    tensor_list whole = random_tensors(families[f]);
    for (size_t i = 0; i < whole.count; i++) {
      attcert_error err = {0};
      tensor_list tensors = random_tensors(families[f]);
      damage(&tensors, i);
      const attcert_status status = use(families[f], &tensors, &err);
      if (status != (is_used(whole.tensor[i].name) ? ATTCERT_INPUT : ATTCERT_OK))
        fail_msg("%s: status %d, %s", whole.tensor[i].name, (int)status, err.message);
      if (status != ATTCERT_OK) assert_one_line_with(&err, whole.tensor[i].name);
      tensor_list_clear(&tensors);
    }
    tensor_list_clear(&whole);
  }
}

static void missing_tensors(void **state) {
  (void)state;
  damage_each(remove_tensor);
}

static void nan_in_tensors(void **state) {
  (void)state;
  damage_each(make_nan);
}

static void tensors_of_another_rank(void **state) {
  (void)state;
  damage_each(make_rank_one);
}

/* Any number of rows fits BERT's token types: only row 0 is used. */
static void tensors_with_a_row_more(void **state) {
  (void)state;
  for (int f = 0; f < 2; f++) {
    tensor_list whole = random_tensors(families[f]);
    for (size_t i = 0; i < whole.count; i++) {
      const char *name = whole.tensor[i].name;
      attcert_error err = {0};
      tensor_list tensors = random_tensors(families[f]);
      add_row(&tensors, i);
      const bool harmless = !is_used(name) || strstr(name, "token_type") != NULL;
      assert_int_equal(use(families[f], &tensors, &err), harmless ? ATTCERT_OK : ATTCERT_INPUT);
      if (!harmless) assert_one_line_with(&err, name);
      tensor_list_clear(&tensors);
    }
    tensor_list_clear(&whole);
  }
}

static void infinity_outside_the_rows_used(void **state) {
  (void)state;
  attcert_error err = {0};
  tensor_list tensors = random_tensors(&tiny_gpt2);
  double *words = tensor_list_find(&tensors, "wte.weight");
  words[5 * TINY_DIM] = INFINITY; /* token 5 is not among the tokens */
  assert_int_equal(use(&tiny_gpt2, &tensors, &err), ATTCERT_OK);
  words[10 * TINY_DIM] = INFINITY;
  assert_int_equal(use(&tiny_gpt2, &tensors, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "wte.weight");
  tensor_list_clear(&tensors);
  tensors = random_tensors(&tiny_gpt2);
  make_infinite(&tensors, 0);
  assert_int_equal(use(&tiny_gpt2, &tensors, &err), ATTCERT_INPUT);
  tensor_list_clear(&tensors);
}

static void states_that_overflow(void **state) {
  (void)state;
  attcert_error err = {0};
  tensor_list tensors = random_tensors(&tiny_gpt2);
  tensor_list_find(&tensors, "h.0.mlp.c_proj.bias")[0] = 1e308;
  tensor_list_find(&tensors, "h.0.attn.c_proj.bias")[0] = 1e308;
  assert_int_equal(use(&tiny_gpt2, &tensors, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "overflow");
  tensor_list_clear(&tensors);
}

static void impossible_tokens(void **state) {
  (void)state;
  for (int f = 0; f < 2; f++) {
    model *m = open_good(families[f]);
    const struct {
      int tokens[TINY_POSITIONS + 1], n, layer;
      const char *word;
    } request[] = {{{0, TINY_VOCABULARY}, 2, 0, "token 1 of the input is 11"},
                   {{0, 0, -1}, 3, 0, "-1"},
                   {{0}, 0, 0, "0 tokens"},
                   {{0}, -1, 0, "-1 tokens"},
                   {{0}, TINY_POSITIONS + 1, 0, "5 positions"},
                   {{0}, 1, TINY_LAYERS, "layers 0 to 1"},
                   {{0}, 1, -1, "layer -1"}};
    for (size_t i = 0; i < sizeof request / sizeof request[0]; i++) {
      attcert_error err = {0};
      attcert_matrix x;
      assert_int_equal(model_layer_input(&x, m, request[i].layer, request[i].tokens, request[i].n, &err),
                       ATTCERT_INPUT);
      assert_one_line_with(&err, request[i].word);
      assert_one_line_with(&err, temp_folder_shared.path);
      assert_null(x.data);
    }
    model_close(m);
  }
}

static void impossible_layers(void **state) {
  (void)state;
  model *m = open_good(&tiny_bert);
  const int layer_number[] = {-1, TINY_LAYERS, 1000000};
  for (int i = 0; i < 3; i++) {
    attcert_error err = {0};
    attcert_layer layer;
    assert_int_equal(model_layer(&layer, m, layer_number[i], &err), ATTCERT_INPUT);
    assert_one_line_with(&err, "layers 0 to 1");
    assert_null(layer.query_weight);
  }
  model_close(m);
}

static void impossible_hidden_states(void **state) {
  (void)state;
  model *m = open_good(&tiny_bert);
  double numbers[2 * TINY_DIM] = {0};
  attcert_error err = {0};
  attcert_matrix x;
  const attcert_matrix narrow = {2, TINY_DIM - 1, numbers}, empty = {0, TINY_DIM, numbers};
  assert_int_equal(model_layer_input_from(&x, m, 0, &narrow, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "dimension 5");
  assert_int_equal(model_layer_input_from(&x, m, 0, &empty, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "at least 1");
  assert_int_equal(model_layer_input_from(&x, m, TINY_LAYERS, &narrow, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "layers 0 to 1");
  assert_null(x.data);
  model_close(m);
}

/* Hidden states need no embeddings: without the table the model opens, and says what it lacks when it is asked for
 * text. */
static void no_embedding_table(void **state) {
  (void)state;
  attcert_error err = {0};
  attcert_matrix x;
  model *m;
  double numbers[TINY_DIM] = {1, 2, 3, 5, 8, 13};
  const attcert_matrix hidden = {1, TINY_DIM, numbers};
  tensor_list tensors = random_tensors(&tiny_gpt2);
  tensor_list_remove(&tensors, "wte.weight");
  tensor_list_remove(&tensors, "wpe.weight");
  tiny_model_write(&temp_folder_shared, &tiny_gpt2, &tensors, "transformer.");
  assert_int_equal(model_open(&m, temp_folder_shared.path, 0, &err), ATTCERT_OK);
  assert_int_equal(model_get_shape(m).vocabulary, 0);
  assert_int_equal(model_layer_input(&x, m, 0, tokens, N, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "no embedding table");
  assert_int_equal(model_layer_input_from(&x, m, LAST, &hidden, &err), ATTCERT_OK);
  attcert_matrix_clear(&x);
  model_close(m);
  tensor_list_clear(&tensors);
}

static void write_config(const char *text) {
  temp_folder_write(&temp_folder_shared, "config.json", text, strlen(text));
}

static void embeddings_without_their_size(void **state) {
  (void)state;
  attcert_error err = {0};
  model *m = open_good(&tiny_gpt2);
  model_close(m);
  write_config("{\"model_type\": \"gpt2\", \"n_embd\": 6, \"n_head\": 3, \"n_layer\": 2, \"n_inner\": 10}");
  assert_int_equal(model_open(&m, temp_folder_shared.path, 0, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "vocab_size");
  assert_null(m);
}

static void missing_files(void **state) {
  (void)state;
  attcert_error err = {0};
  char path[512];
  model *m;
  assert_int_equal(model_open(&m, temp_folder_path(path, &temp_folder_shared, "absent"), 0, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "absent: no such folder, and nothing is downloaded");
  assert_null(m);
  temp_folder alone;
  temp_folder_init(&alone);
  assert_int_equal(model_open(&m, alone.path, 0, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "/config.json: cannot read");
  temp_folder_write(&alone, "config.json", tiny_bert.config, strlen(tiny_bert.config));
  assert_int_equal(model_open(&m, alone.path, 0, &err), ATTCERT_INPUT);
  assert_one_line_with(&err, "model.safetensors");
  temp_folder_clear(&alone);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(missing_tensors),
      cmocka_unit_test(nan_in_tensors),
      cmocka_unit_test(tensors_of_another_rank),
      cmocka_unit_test(tensors_with_a_row_more),
      cmocka_unit_test(infinity_outside_the_rows_used),
      cmocka_unit_test(states_that_overflow),
      cmocka_unit_test(impossible_tokens),
      cmocka_unit_test(impossible_layers),
      cmocka_unit_test(impossible_hidden_states),
      cmocka_unit_test(no_embedding_table),
      cmocka_unit_test(embeddings_without_their_size),
      cmocka_unit_test(missing_files),
  };
  return cmocka_run_group_tests_name("model_errors", tests, temp_folder_set_up, temp_folder_tear_down);
}
