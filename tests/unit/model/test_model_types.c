/* Every model type beside BERT and GPT-2: a tiny folder with the type's own names loads, and its layers and what
 * reaches them equal an evaluation from the definition; what is another function is refused in one line. */
#include "attcert.h"
#include "model/model.h"
#include "tiny_relative.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { D = RELATIVE_DIM, N = RELATIVE_TOKENS };

static const int tokens[N] = {3, 10, 0, 3, 7};

typedef struct {
  const tiny_relative *type;
  temp_folder folder;
  tensor_list tensors;
  model *m;
} fixture;

static void fixture_init(fixture *f, const tiny_relative *type, const char *prefix, uint64_t seed) {
  attcert_error err;
  *f = (fixture){.type = type};
  random_source r = random_source_make(seed, 0, 0);
  temp_folder_init(&f->folder);
  tiny_relative_init(&f->tensors, type, &r);
  tiny_relative_write(&f->folder, type, &f->tensors, prefix);
  if (model_open(&f->m, f->folder.path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

static void fixture_clear(fixture *f) {
  model_close(f->m);
  tensor_list_clear(&f->tensors);
  temp_folder_clear(&f->folder);
}

static void assert_close(const double *x, const long double *expected, const char *what) {
  for (int i = 0; i < N * D; i++) {
    if (!(fabsl(x[i] - expected[i]) <= 1e-12L * (1 + fabsl(expected[i]))))
      fail_msg("%s: entry %d is %.17g, expected %.17Lg", what, i, x[i], expected[i]);
  }
}

/* Hidden states that enter layer 0: of the tokens, or any for a model that reads no text. */
static void reference_states(long double *x, const fixture *f) {
  if (f->type->words != NULL) {
    tiny_relative_embed(x, f->type, &f->tensors, tokens, N);
  } else {
    for (int i = 0; i < N * D; i++) x[i] = (double)sinl(i + 1);
  }
}

static attcert_matrix input_of(const fixture *f, int l) {
  attcert_matrix x;
  attcert_error err;
  double numbers[N * D];
  const attcert_matrix hidden = {N, D, numbers};
  for (int i = 0; i < N * D; i++) numbers[i] = (double)sinl(i + 1);
  const attcert_status status = f->type->words != NULL ? model_layer_input(&x, f->m, l, tokens, N, &err)
                                                       : model_layer_input_from(&x, f->m, l, &hidden, &err);
  if (status != ATTCERT_OK) fail_msg("%s: %s", f->type->type, err.message);
  return x;
}

static void check_layer(const fixture *f, int l) {
  attcert_error err;
  attcert_layer layer;
  attcert_matrix x = input_of(f, l), y;
  long double states[N * D], expected[N * D];
  reference_states(states, f);
  for (int i = 0; i < l; i++) tiny_relative_block(states, f->type, &f->tensors, i, N);
  tiny_relative_attention_input(states, f->type, &f->tensors, l, N);
  assert_close(x.data, states, f->type->type);
  for (int i = 0; i < N * D; i++) states[i] = x.data[i];
  tiny_relative_attention(expected, states, f->type, &f->tensors, l, N);
  if (f->type->rotary > 0) { /* no attcert_layer; later layers and whole networks depend on what it computes */
    assert_int_equal(model_layer(&layer, f->m, l, &err), ATTCERT_INPUT);
    assert_non_null(
        strstr(err.message, strcmp(f->type->type, "mistral") == 0 ? "local attention" : "rotary positions"));
    attcert_matrix_clear(&x);
    return;
  }
  if (model_layer(&layer, f->m, l, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_int_equal(attcert_matrix_init(&y, N, D, &err), ATTCERT_OK);
  if (attcert_layer_forward(&y, &layer, &x, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_close(y.data, expected, f->type->type);
  assert_int_equal(layer.mask, f->type->causal ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE);
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&y);
  attcert_layer_clear(&layer);
}

static void layers_equal_the_definition(void **state) {
  (void)state;
  for (const tiny_relative *type = tiny_relatives; type->type != NULL; type++) {
    for (uint64_t seed = 0; seed < 10; seed++) {
      fixture f;
      fixture_init(&f, type, seed % 2 == 0 ? "" : type->prefix, seed);
      assert_string_equal(model_get_shape(f.m).family, type->type);
      for (int l = 0; l < type->layers; l++) check_layer(&f, l);
      fixture_clear(&f);
    }
  }
}

static const tiny_relative *relative(const char *type) {
  const tiny_relative *found = tiny_relatives;
  while (found->type != NULL && strcmp(found->type, type) != 0) found++;
  assert_non_null(found->type);
  return found;
}

/* Every tensor that a type needs: without it, one line names it. */
static void missing_tensors_are_named(void **state) {
  (void)state;
  for (const tiny_relative *type = tiny_relatives; type->type != NULL; type++) {
    fixture f;
    fixture_init(&f, type, "", 1);
    char name[96];
    const bool layers = type->rotary == 0; /* others on the way to layer 1 */
    snprintf(name, sizeof name, "%s%s.weight", type->block[layers ? 1 : 0], type->output);
    tensor_list_remove(&f.tensors, name);
    tensor_list_write(&f.tensors, &f.folder, "");
    attcert_error err = {0};
    attcert_layer layer;
    attcert_matrix x;
    model *m;
    assert_int_equal(model_open(&m, f.folder.path, 0, &err), ATTCERT_OK);
    const attcert_status status =
        layers ? model_layer(&layer, m, 1, &err) : model_layer_input(&x, m, 1, tokens, N, &err);
    assert_int_equal(status, ATTCERT_INPUT);
    if (strstr(err.message, name) == NULL || strchr(err.message, '\n') != NULL) fail_msg("%s", err.message);
    model_close(m);
    fixture_clear(&f);
  }
}

/* The type's config.json with another text in the place of one of its parts. */
static void write_config(const fixture *f, const char *part, const char *other) {
  char text[1024];
  const char *const config = f->type->config, *const found = strstr(config, part);
  if (found == NULL) fail_msg("no %s in %s", part, config);
  const int length =
      snprintf(text, sizeof text, "%.*s%s%s", (int)(found - config), config, other, found + strlen(part));
  temp_folder_write(&f->folder, "config.json", text, (size_t)length);
}

static attcert_status open_layer(const fixture *f, int l, attcert_error *err) {
  model *m;
  attcert_layer layer = {0};
  attcert_status status = model_open(&m, f->folder.path, 0, err);
  if (status == ATTCERT_OK) status = model_layer(&layer, m, l, err);
  attcert_layer_clear(&layer);
  model_close(m);
  return status;
}

static void other_functions_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *type, *part, *other, *word;
    int layer;
  } bad[] = {
      {"gpt_neo", "[\"global\"], 2", "[\"global\", \"local\"], 1", "local attention", 1},
      {"gpt_neo", "\"attention_types\": [[[\"global\"], 2]], ", "", "local attention", 1},
      {"gpt_neo", "\"num_heads\": 2", "\"num_heads\": 4", "sqrt(2)", 0},
      {"gpt_neo", "[\"global\"], 2", "[\"global\"], 3", "more types", 0},
      {"gpt_neo", "[\"global\"], 2", "[\"global\"], 1", "fewer types", 0},
      {"gpt_neo", "[\"global\"], 2", "[\"sparse\"], 2", "another type", 0},
      {"gpt_neo", "[\"global\"], 2", "[], 1000000000000", "another form", 0},
      {"gpt_neo", "[\"global\"], 2", "[\"global\"], \"2\"", "another form", 0},
      {"gpt_neo", "[[[\"global\"], 2]]", "\"global\"", "is no list", 0},
      {"gpt_neo", "\"vocab_size\"", "\"attention_layers\": [\"global\", \"local\"], \"vocab_size\"", "differs", 0},
      {"gpt_neo", "\"vocab_size\"", "\"window_size\": 0, \"vocab_size\"", "window_size", 0},
      {"opt", "\"word_embed_proj_dim\": 8", "\"word_embed_proj_dim\": 4", "word_embed_proj_dim", 0},
      {"opt", "\"word_embed_proj_dim\": 8", "\"do_layer_norm_before\": false", "do_layer_norm_before", 0},
      {"opt", "\"word_embed_proj_dim\": 8", "\"enable_bias\": false", "enable_bias", 0},
      {"opt", "\"word_embed_proj_dim\": 8", "\"enable_bias\": 1", "is 1, expected true", 0},
      {"roberta", "\"max_position_embeddings\": 7", "\"max_position_embeddings\": 2", "more than 2", 0},
      {"roberta", "\"pad_token_id\": 1", "\"position_embedding_type\": \"relative_key\"", "absolute", 0},
      {"electra", "\"embedding_size\": 4", "\"embedding_size\": 5", "word_embeddings", 0},
      {"electra", "\"embedding_size\": 4", "\"embedding_size\": \"4\"", "integer", 0},
      {"electra", "\"hidden_size\": 8", "\"hidden_size\": 9", "2 heads do not divide", 0},
      {"albert", "\"embedding_size\": 4", "\"embedding_size\": 4, \"inner_group_num\": 2", "inner_group_num", 0},
      {"albert", "\"embedding_size\": 4", "\"embedding_size\": 4, \"num_hidden_groups\": 3", "num_hidden_groups", 0},
      {"albert", "\"embedding_size\": 4", "\"embedding_size\": 4, \"num_hidden_groups\": 2", "albert_layer_groups.1",
       1},
      {"distilbert", "\"dim\": 8", "\"hidden_size\": 8", "'dim'", 0},
      {"vit", "\"hidden_act\": \"gelu\"", "\"qkv_bias\": \"yes\"", "qkv_bias", 0},
      {"llama", "\"num_key_value_heads\": 1", "\"num_key_value_heads\": 3", "num_key_value_heads", 0},
      {"llama", "\"rope_theta\": 100.0", "\"rope_theta\": -1.0", "rope_theta", 0},
      {"llama", "\"rope_theta\": 100.0", "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0}",
       "scaled angles", 0},
      {"llama", "\"rope_theta\": 100.0", "\"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 1.0}",
       "scaled angles", 0},
      {"llama", "\"rope_theta\": 100.0", "\"head_dim\": 3", "even number", 0},
      {"llama", "\"rope_theta\": 100.0", "\"partial_rotary_factor\": 0.5", "partial_rotary_factor", 0},
      {"llama", "\"rope_theta\": 100.0", "\"layer_types\": [\"full_attention\", \"linear_attention\"]",
       "linear_attention", 0},
      {"mistral", "\"sliding_window\": 5", "\"sliding_window\": 0", "sliding_window", 0},
      {"qwen2", "\"use_sliding_window\": false", "\"use_sliding_window\": true", "use_sliding_window", 0},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    fixture f;
    attcert_error err = {0};
    fixture_init(&f, relative(bad[i].type), "", 2);
    write_config(&f, bad[i].part, bad[i].other);
    if (open_layer(&f, bad[i].layer, &err) != ATTCERT_INPUT) fail_msg("accepted: %s", bad[i].other);
    if (strstr(err.message, bad[i].word) == NULL || strchr(err.message, '\n') != NULL)
      fail_msg("\"%s\" does not say %s in one line", err.message, bad[i].word);
    fixture_clear(&f);
  }
}

/* A local layer on no more tokens than its window is like any other on the way to the next. */
static void short_texts_pass_local_layers(void **state) {
  (void)state;
  const struct {
    const char *types;
    attcert_status status;
  } window[] = {{"[[[\"local\", \"global\"], 1]], \"window_size\": 5", ATTCERT_OK},
                {"[[[\"local\", \"global\"], 1]], \"window_size\": 4", ATTCERT_INPUT}};
  for (int i = 0; i < 2; i++) {
    fixture f;
    attcert_error err = {0};
    attcert_matrix x;
    model *m;
    fixture_init(&f, relative("gpt_neo"), "", 3);
    attcert_matrix expected = input_of(&f, 1);
    write_config(&f, "[[[\"global\"], 2]]", window[i].types);
    assert_int_equal(model_open(&m, f.folder.path, 0, &err), ATTCERT_OK);
    assert_int_equal(model_layer_input(&x, m, 1, tokens, N, &err), window[i].status);
    if (window[i].status == ATTCERT_OK) assert_memory_equal(x.data, expected.data, N * D * sizeof(double));
    attcert_matrix_clear(&x);
    attcert_matrix_clear(&expected);
    model_close(m);
    fixture_clear(&f);
  }
}

/* RoBERTa counts no position for a padding token, which the certified layer would still attend to. */
static void padding_is_no_token(void **state) {
  (void)state;
  fixture f;
  attcert_error err = {0};
  attcert_matrix x;
  fixture_init(&f, relative("roberta"), "", 4);
  assert_int_equal(model_layer_input(&x, f.m, 0, (const int[]){0, 1}, 2, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "token 1 of the input is 1, the padding"));
  fixture_clear(&f);
}

static void images_are_no_text(void **state) {
  (void)state;
  fixture f;
  attcert_error err = {0};
  attcert_matrix x;
  fixture_init(&f, relative("vit"), "", 4);
  assert_int_equal(model_layer_input(&x, f.m, 0, tokens, N, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "a vit reads images"));
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_equal_the_definition), cmocka_unit_test(missing_tensors_are_named),
      cmocka_unit_test(other_functions_are_refused), cmocka_unit_test(short_texts_pass_local_layers),
      cmocka_unit_test(padding_is_no_token),         cmocka_unit_test(images_are_no_text),
  };
  return cmocka_run_group_tests_name("model_types", tests, NULL, NULL);
}
