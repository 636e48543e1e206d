/* The table of families: what texts say of it, and that each description is whole. */
#include "model/family/families.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The names so far, and one more: "a, b" after "a". */
static void add_name(char *text, size_t size, const char *name, const char *separator) {
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%s%s", length > 0 ? separator : "", name);
}

/* Of those that a folder may hold two of. */
static bool is_last_tower(size_t i) {
  const model_family *const f = families_at(i), *const next = families_at(i + 1);
  return f->tower.type != NULL &&
         (next == NULL || next->tower.type == NULL || strcmp(next->tower.type, f->tower.type) != 0);
}

static void texts_name_every_family(void **state) {
  (void)state;
  char types[512] = "", random[128] = "", spec[64];
  const model_family *f;
  for (size_t i = 0; (f = families_at(i)) != NULL; i++) {
    for (int k = 0; k < FAMILY_TYPES && f->type[k].name != NULL; k++)
      add_name(types, sizeof types, f->type[k].name,
               families_at(i + 1) == NULL && f->tower.type == NULL ? " or " : ", ");
    if (is_last_tower(i)) add_name(types, sizeof types, f->tower.type, families_at(i + 1) == NULL ? " or " : ", ");
    snprintf(spec, sizeof spec, "random:%s", f->type[0].name);
    if (f->random.vocabulary > 0) add_name(random, sizeof random, spec, " or ");
  }
  assert_string_equal(types, MODEL_TYPES);
  assert_string_equal(random, RANDOM_MODELS(" or "));
}

static void each_type_is_found(void **state) {
  (void)state;
  const model_family *f;
  const char *type = NULL;
  for (size_t i = 0; (f = families_at(i)) != NULL; i++) {
    for (int k = 0; k < FAMILY_TYPES && f->type[k].name != NULL; k++) {
      assert_ptr_equal(families_find(&type, f->type[k].name), f);
      assert_string_equal(type, f->type[k].name);
    }
  }
  assert_null(families_find(&type, "clip"));
  assert_null(families_find(&type, "mamba"));
  assert_null(families_find(&type, ""));
}

static void tokenizers_are_of_the_type_itself(void **state) {
  (void)state;
  assert_string_equal(families_tokenizer("roberta"), "RobertaTokenizer");
  assert_string_equal(families_tokenizer("gpt_neo"), "GPT2Tokenizer");
  assert_null(families_tokenizer("xlm-roberta"));
  assert_null(families_tokenizer("albert"));
  assert_string_equal(families_tokenizer("qwen2"), "Qwen2Tokenizer");
  assert_string_equal(families_tokenizer("clip_text_model"), "CLIPTokenizer");
  assert_string_equal(families_tokenizer("clip"), "CLIPTokenizer");
  assert_null(families_tokenizer("clip_vision_model"));
  assert_null(families_tokenizer("mamba"));
  assert_null(families_tokenizer(NULL));
}

/* What readers take for granted. */
static void descriptions_are_whole(void **state) {
  (void)state;
  const model_family *f;
  for (size_t i = 0; (f = families_at(i)) != NULL; i++) {
    const char *const name = f->type[0].name;
    const char *const needed[] = {
        name,      f->type[0].class, f->keys.dim,        f->keys.heads,      f->keys.layers, f->defaults.act,
        f->prefix, f->blocks,        f->attention.query, f->attention.output};
    const bool evaluated = f->feed_forward.up != NULL && f->feed_forward.down != NULL;
    if (!evaluated && f->unevaluated == NULL) fail_msg("%s: the feed-forward part", name);
    if (f->gated_heads && f->attention.key == NULL) fail_msg("%s: gated heads", name);
    for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++) {
      if (needed[k] == NULL) fail_msg("family %zu (%s) lacks name %zu", i, name, k);
    }
    if ((f->attention.norm == NULL && f->norm_behind.attention == NULL) ||
        (f->feed_forward.norm == NULL && f->norm_behind.feed_forward == NULL) ||
        (!f->norm_first && (f->attention.norm == NULL || f->feed_forward.norm == NULL)))
      fail_msg("%s: norms", name);
    if (f->gate_in_up && f->feed_forward_gate != NULL) fail_msg("%s: gates", name);
    if ((f->heads_norm.query == NULL) != (f->heads_norm.key == NULL)) fail_msg("%s: norms of heads", name);
    if ((f->heads_norm.query != NULL || f->gain_from_one) && !f->root_mean_square) fail_msg("%s: RMSNorm", name);
    if (f->word_table != NULL && f->keys.vocabulary == NULL) fail_msg("%s: sides", name);
    if (f->position_table != NULL && f->keys.positions == NULL) fail_msg("%s: positions", name);
    if (f->own_position_bias && f->position_bias == NULL) fail_msg("%s: position bias", name);
    if ((f->gated.gate == NULL) != (f->gated.up == NULL)) fail_msg("%s: the gated part", name);
    if (f->heads == NULL || f->other_keys == NULL || f->unread == NULL) fail_msg("%s lacks a list", name);
    if ((f->attention.key == NULL) != (f->attention.value == NULL)) fail_msg("%s: key and value", name);
    if ((f->sequence.curve == NULL) != (f->sequence.map == NULL)) fail_msg("%s: the head's map", name);
    if (f->word_table == NULL && f->position_table != NULL) fail_msg("%s: tables", name);
    if ((f->word_table == NULL) != (f->reads.what != NULL && f->reads.states != NULL)) fail_msg("%s: reads", name);
    for (const family_head *class = f->heads; class->end != NULL; class ++) {
      if (class->kind == HEAD_SEQUENCE && f->sequence.classifier == NULL) fail_msg("%s: the classifier", name);
    }
    if (f->decoder && (f->word_table == NULL || family_alias(f) == NULL)) fail_msg("%s: the next token", name);
    if (!(f->defaults.epsilon > 0) || activation_named(f->defaults.act) == NULL) fail_msg("%s: defaults", name);
    if ((f->random.vocabulary > 0) != (f->random.positions > 0)) fail_msg("%s: a random model", name);
  }
}

/* Each is one of two, and what begins with the other's prefix has no effect on it. */
static void towers_are_pairs(void **state) {
  (void)state;
  const model_family *f;
  for (size_t i = 0; (f = families_at(i)) != NULL; i++) {
    const char *const name = f->type[0].name;
    if (f->tower.type == NULL) continue;
    const bool is_text = strcmp(f->tower.name, "text") == 0;
    const model_family *const other = families_tower(f->tower.type, is_text ? "vision" : "text");
    const unread_tensor *row = f->unread;
    char ending[32];
    if (other == NULL && f->tower.prefix == NULL) fail_msg("%s: one tower", name);
    assert_ptr_equal(families_tower(f->tower.type, f->tower.name), f);
    snprintf(ending, sizeof ending, ":%s", f->tower.name);
    assert_non_null(strstr(MODEL_TOWERS, ending));
    assert_non_null(f->tower.object);
    assert_non_null(f->tower.other_keys);
    if (other == NULL) continue; /* the other one is not read, and its tensors have another prefix */
    if (f->prefix[0] == '\0' || strcmp(f->prefix, other->prefix) == 0) fail_msg("%s: prefix", name);
    const size_t length = strlen(other->prefix) - 1; /* without its dot */
    while (row->name != NULL && strncmp(row->name, other->prefix, length) != 0) row++;
    if (row->name == NULL || row->name[length] != '\0' || row->form != TENSOR_UNDER || row->place != TENSOR_OF_HEAD)
      fail_msg("%s: the other", name);
  }
  assert_null(families_tower("clip", "audio"));
  assert_null(families_tower("bert", NULL));
}

/* Rows with a value hold it as JSON and say why. */
static void check_keys(const config_key *k, const char *family) {
  for (; k->keys != NULL; k++) {
    if (k->value == NULL) continue;
    if (k->why == NULL) fail_msg("%s, %s: no reason", family, k->keys);
    json_t *const value = json_loads(k->value, JSON_DECODE_ANY, NULL);
    if (value == NULL) fail_msg("%s, %s: %s is no JSON", family, k->keys, k->value);
    json_decref(value);
  }
}

static void rows_are_complete(void **state) {
  (void)state;
  const model_family *f;
  check_keys(common_keys, "all");
  for (size_t i = 0; (f = families_at(i)) != NULL; i++) {
    check_keys(f->other_keys, f->type[0].name);
    if (f->tower.type != NULL) check_keys(f->tower.other_keys, f->type[0].name);
    for (const unread_tensor *row = f->unread; row->name != NULL; row++) {
      if (row->why == NULL) fail_msg("%s, %s: no reason", f->type[0].name, row->name);
      if (row->content != TENSOR_ANYTHING && row->form != TENSOR_ALONE)
        fail_msg("%s, %s: what it holds, of a map", f->type[0].name, row->name);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_name_every_family),
      cmocka_unit_test(each_type_is_found),
      cmocka_unit_test(tokenizers_are_of_the_type_itself),
      cmocka_unit_test(descriptions_are_whole),
      cmocka_unit_test(towers_are_pairs),
      cmocka_unit_test(rows_are_complete),
  };
  return cmocka_run_group_tests_name("families", tests, NULL, NULL);
}
