/* How the families store their numbers: every weight of the extracted layer is a stored number, found at its place. */
#include "model/model.h"
#include "tiny_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { D = TINY_DIM };

typedef struct {
  temp_folder folder;
  tensor_list tensors;
  model *m;
} fixture;

static void fixture_make(fixture *f, const tiny_family *family) {
  random_source r = random_source_make(11, 0, 0);
  *f = (fixture){.m = NULL};
  temp_folder_init(&f->folder);
  family->init(&f->tensors, &r);
}

static void fixture_open(fixture *f, const tiny_family *family) {
  attcert_error err;
  model_close(f->m);
  tiny_model_write(&f->folder, family, &f->tensors, "");
  if (model_open(&f->m, f->folder.path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

static void fixture_clear(fixture *f) {
  model_close(f->m);
  tensor_list_clear(&f->tensors);
  temp_folder_clear(&f->folder);
}

static attcert_layer layer_of(const fixture *f, int l) {
  attcert_layer layer;
  attcert_error err;
  if (model_layer(&layer, f->m, l, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_int_equal(layer.dim, D);
  assert_int_equal(layer.out_dim, D);
  assert_int_equal(layer.heads, TINY_HEADS);
  assert_int_equal(layer.head_dim, D / TINY_HEADS);
  return layer;
}

static void assert_equal(const double *a, const double *b, int count) {
  assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* weight [D, D] (out, in) holds columns first .. first + D - 1 of stored [D, columns] (in, out). */
static void assert_transposed(const double *weight, const double *stored, int first, int columns) {
  for (int out = 0; out < D; out++) {
    for (int in = 0; in < D; in++) assert_true(weight[out * D + in] == stored[in * columns + first + out]);
  }
}

static void gpt2_conv1d_is_transposed(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, &tiny_gpt2);
  fixture_open(&f, &tiny_gpt2);
  attcert_layer layer = layer_of(&f, 1);
  const double *attention = tensor_list_find(&f.tensors, "h.1.attn.c_attn.weight");
  const double *bias = tensor_list_find(&f.tensors, "h.1.attn.c_attn.bias");
  assert_transposed(layer.query_weight, attention, 0, 3 * D);
  assert_transposed(layer.key_weight, attention, D, 3 * D);
  assert_transposed(layer.value_weight, attention, 2 * D, 3 * D);
  assert_equal(layer.query_bias, bias, D);
  assert_equal(layer.key_bias, bias + D, D);
  assert_equal(layer.value_bias, bias + 2 * D, D);
  assert_transposed(layer.output_weight, tensor_list_find(&f.tensors, "h.1.attn.c_proj.weight"), 0, D);
  assert_equal(layer.output_bias, tensor_list_find(&f.tensors, "h.1.attn.c_proj.bias"), D);
  assert_int_equal(layer.mask, ATTCERT_MASK_CAUSAL);
  attcert_layer_clear(&layer);
  fixture_clear(&f);
}

static void bert_linear_is_as_stored(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, &tiny_bert);
  fixture_open(&f, &tiny_bert);
  attcert_layer layer = layer_of(&f, 1);
  const struct {
    const char *name;
    const double *weight, *bias;
  } map[] = {{"self.query", layer.query_weight, layer.query_bias},
             {"self.key", layer.key_weight, layer.key_bias},
             {"self.value", layer.value_weight, layer.value_bias},
             {"output.dense", layer.output_weight, layer.output_bias}};
  for (int i = 0; i < 4; i++) {
    char name[96];
    snprintf(name, sizeof name, "encoder.layer.1.attention.%s.weight", map[i].name);
    assert_equal(map[i].weight, tensor_list_find(&f.tensors, name), D * D);
    snprintf(name, sizeof name, "encoder.layer.1.attention.%s.bias", map[i].name);
    assert_equal(map[i].bias, tensor_list_find(&f.tensors, name), D);
  }
  assert_int_equal(layer.mask, ATTCERT_MASK_NONE);
  attcert_layer_clear(&layer);
  fixture_clear(&f);
}

/* "X.LayerNorm.weight" becomes "X.LayerNorm.gamma", bias becomes beta. */
static void use_old_names(tensor_list *tensors) {
  for (size_t i = 0; i < tensors->count; i++) {
    char *part = strstr(tensors->tensor[i].name, "LayerNorm.");
    if (part == NULL) continue;
    part += strlen("LayerNorm.");
    strcpy(part, strcmp(part, "weight") == 0 ? "gamma" : "beta");
  }
}

static attcert_matrix last_input(const fixture *f) {
  const int tokens[] = {1, 2, 3};
  attcert_error err;
  attcert_matrix x;
  if (model_layer_input(&x, f->m, TINY_LAYERS - 1, tokens, 3, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  return x;
}

/* The checkpoints of 2018, bert-base-uncased among them. */
static void bert_gamma_and_beta(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, &tiny_bert);
  fixture_open(&f, &tiny_bert);
  attcert_matrix x = last_input(&f);
  use_old_names(&f.tensors);
  fixture_open(&f, &tiny_bert);
  attcert_matrix y = last_input(&f);
  assert_equal(x.data, y.data, 3 * D);
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&y);
  fixture_clear(&f);
}

/* A classification head, a language-model head that is tied, GPT-2's stored masks: nothing that the layers read. */
static void tensors_without_effect(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, &tiny_gpt2);
  fixture_open(&f, &tiny_gpt2);
  attcert_matrix x = last_input(&f);
  memcpy(tensor_list_add(&f.tensors, "lm_head.weight", TINY_VOCABULARY, D), tensor_list_find(&f.tensors, "wte.weight"),
         sizeof(double) * TINY_VOCABULARY * D);
  double *const mask = tensor_list_add(&f.tensors, "h.0.attn.bias", 4, 4);
  for (int i = 0; i < 16; i++) mask[i] = i % 4 <= i / 4;
  tensor_list_add(&f.tensors, "h.0.attn.masked_bias", 1, 0)[0] = -1e4;
  tensor_list_add(&f.tensors, "score.weight", 2, D);
  fixture_open(&f, &tiny_gpt2);
  attcert_matrix y = last_input(&f);
  assert_equal(x.data, y.data, 3 * D);
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&y);
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gpt2_conv1d_is_transposed),
      cmocka_unit_test(bert_linear_is_as_stored),
      cmocka_unit_test(bert_gamma_and_beta),
      cmocka_unit_test(tensors_without_effect),
  };
  return cmocka_run_group_tests_name("model_layout", tests, NULL, NULL);
}
