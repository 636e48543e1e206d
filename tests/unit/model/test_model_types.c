/* Every model type beside BERT and GPT-2: a tiny folder with the type's own names loads, and its layers and what
 * reaches them equal an evaluation from the definition; what is another function is refused in one line. */
#include "attcert.h"
#include "model/model_function.h"
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

/* The steps of a function of layer l, at x, give `expected`. */
static void check_function(const fixture *f, model_function function, int l, const attcert_matrix *x,
                           const long double *expected) {
  network_steps network;
  attcert_error err;
  attcert_matrix value[64];
  char name[64];
  if (model_function_open(&network, f->m, function, l, N, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_true(network.count < 64);
  value[0] = *x;
  for (int s = 0; s < network.count; s++) assert_int_equal(network_value(value, &network, s, NULL), ATTCERT_OK);
  snprintf(name, sizeof name, "%s, %s of layer %d", f->type->type, model_function_names[function], l);
  assert_close(value[network.count].data, expected, name);
  for (int v = 1; v <= network.count; v++) attcert_matrix_clear(&value[v]);
  network_clear(&network);
}

/* The attention at its input x, and the block from `states`, what enters layer l. */
static void check_functions(const fixture *f, int l, const attcert_matrix *x, const long double *states) {
  attcert_matrix input;
  attcert_error err;
  long double expected[N * D];
  tiny_relative_attention(expected, states, f->type, &f->tensors, l, N);
  check_function(f, MODEL_ATTENTION, l, x, expected);
  double numbers[N * D];
  const attcert_matrix hidden = {N, D, numbers};
  for (int i = 0; i < N * D; i++) numbers[i] = (double)sinl(i + 1);
  for (int i = 0; i < N * D; i++) expected[i] = numbers[i];
  for (int i = 0; i <= l; i++) {
    assert_int_equal(model_function_input_from(&input, f->m, MODEL_BLOCK, i, &hidden, &err), ATTCERT_OK);
    assert_close(input.data, expected, "what enters a block");
    tiny_relative_block(expected, f->type, &f->tensors, i, N);
    if (i == l) check_function(f, MODEL_BLOCK, l, &input, expected);
    attcert_matrix_clear(&input);
  }
  assert_int_equal(model_function_input_from(&input, f->m, MODEL_NETWORK, l, &hidden, &err), ATTCERT_OK);
  check_function(f, MODEL_NETWORK, l, &input, expected);
  attcert_matrix_clear(&input);
}

/* x + attention(LN(x)), or LN(x + attention(x)), whose LayerNorm is that of a block without what follows; or x +
 * LN(attention(LN(x))). */
static void check_sublayer(const fixture *f, int l) {
  network_steps network, attention;
  attcert_error err;
  assert_int_equal(model_function_open(&network, f->m, MODEL_SUBLAYER, l, N, &err), ATTCERT_OK);
  assert_int_equal(model_function_open(&attention, f->m, MODEL_ATTENTION, l, N, &err), ATTCERT_OK);
  const bool behind = f->type->attention_behind != NULL,
             normed = f->type->attention_norm != NULL && !(l == 0 && f->type->first_unnormed);
  const char *const name = f->type->root_mean_square ? "rmsnorm" : "layernorm";
  const bool scaled = f->type->attention_scale != NULL;
  assert_int_equal(network.count, attention.count + 1 + behind + normed + scaled);
  const step *const last = &network.step[network.count - 1], *const before = &network.step[network.count - 2];
  const step *const sum = f->type->norm_first ? last : before;
  assert_string_equal(sum->kind->name, "sum");
  assert_int_equal(sum->input[0], 0);
  if (behind) assert_string_equal(before->kind->name, name);
  if (scaled) assert_string_equal(before->kind->name, "scale");
  if (normed) assert_string_equal(f->type->norm_first ? network.step[0].kind->name : last->kind->name, name);
  network_clear(&network);
  network_clear(&attention);
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
  check_functions(f, l, &x, states);
  check_sublayer(f, l);
  if (!model_has_plain_heads(f->m, l)) { /* later layers and whole networks depend on what it computes */
    const char *const word = f->type->local >> l & 1                                     ? "local attention"
                             : f->type->rotary > 0 && !(f->type->unrotated >> l & 1)     ? "rotary positions"
                             : f->type->shift.table != NULL                              ? "shifted by position"
                             : f->type->position_bias != NULL || f->type->slopes != NULL ? "biased by position"
                                                                                         : "share keys";
    assert_int_equal(model_layer(&layer, f->m, l, &err), ATTCERT_INPUT);
    if (strstr(err.message, word) == NULL) fail_msg("%s: %s", word, err.message);
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
    const bool layers = type->rotary == 0 && type->local == 0 && type->position_bias == NULL && type->slopes == NULL &&
                        type->shift.table == NULL; /* others on the way to layer 1 */
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

/* Those that shift queries and keys by position, and a table of another number of rows. */
static void shifts_need_their_tensors(void **state) {
  (void)state;
  static const struct {
    int type; /* of that name, counted from 0 */
    const char *name;
  } missing[] = {{0, "encoder.rel_embeddings.weight"},
                 {0, "encoder.LayerNorm.weight"},
                 {0, "encoder.LayerNorm.bias"},
                 {1, "encoder.layer.0.attention.self.pos_key_proj.weight"},
                 {2, "encoder.layer.0.attention.self.pos_query_proj.bias"},
                 {3, "encoder.layer.0.attention.self.pos_query_proj.weight"}};
  for (size_t i = 0; i <= sizeof missing / sizeof missing[0]; i++) {
    const bool shape = i == sizeof missing / sizeof missing[0];
    const char *const name = missing[shape ? 0 : i].name;
    fixture f;
    network_steps network;
    attcert_error err = {0};
    model *m;
    fixture_init(&f, relative("deberta-v2") + missing[shape ? 0 : i].type, "", 1);
    tensor_list_remove(&f.tensors, name);
    if (shape) tensor_list_add(&f.tensors, name, 10, D);
    tensor_list_write(&f.tensors, &f.folder, "");
    assert_int_equal(model_open(&m, f.folder.path, 0, &err), ATTCERT_OK);
    assert_int_equal(model_function_open(&network, m, MODEL_ATTENTION, 0, N, &err), ATTCERT_INPUT);
    if (strstr(err.message, name) == NULL || strchr(err.message, '\n') != NULL) fail_msg("%s", err.message);
    network_clear(&network);
    model_close(m);
    fixture_clear(&f);
  }
}

/* Of 4 buckets up to a distance of 6, that of token 6 from token 0 is on an edge. */
static void farther_tokens_are_refused(void **state) {
  (void)state;
  fixture f;
  network_steps network;
  attcert_error err = {0};
  fixture_init(&f, relative("deberta-v2"), "", 1);
  assert_int_equal(model_function_open(&network, f.m, MODEL_ATTENTION, 0, 6, &err), ATTCERT_OK);
  network_clear(&network);
  assert_int_equal(model_function_open(&network, f.m, MODEL_ATTENTION, 0, 7, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "7 tokens, expected at most 6: the rows of greater distances"));
  network_clear(&network);
  fixture_clear(&f);
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
      {"llama", "\"rope_theta\": 100.0", "\"rope_scaling\": {\"rope_type\": \"longrope\", \"factor\": 2.0}",
       "has no 'short_factor'", 0},
      {"llama", "\"rope_theta\": 100.0", "\"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 9.0}",
       "has no 'factor'", 0},
      {"llama", "\"rope_theta\": 100.0",
       "\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 2.0, \"original_max_position_embeddings\": 5}",
       "versions of transformers differ", 0},
      {"llama", "\"rope_theta\": 100.0",
       "\"rope_theta\": 1.0, \"rope_scaling\": {\"type\": \"yarn\", \"factor\": 1.0, "
       "\"original_max_position_embeddings\": 5}",
       "more than 1", 0},
      {"llama", "\"rope_theta\": 100.0",
       "\"rope_scaling\": {\"type\": \"yarn\", \"factor\": 1.0, \"beta_slow\": 40, "
       "\"original_max_position_embeddings\": 5}",
       "beta_slow", 0},
      {"llama", "\"rope_theta\": 100.0",
       "\"rope_scaling\": {\"type\": \"yarn\", \"factor\": 1.0, \"truncate\": 1, "
       "\"original_max_position_embeddings\": 5}",
       "truncate", 0},
      {"llama", "\"rope_theta\": 100.0", "\"head_dim\": 3", "even number", 0},
      {"llama", "\"rope_theta\": 100.0", "\"partial_rotary_factor\": 0.5", "partial_rotary_factor", 0},
      {"llama", "\"rope_theta\": 100.0", "\"layer_types\": [\"full_attention\", \"linear_attention\"]",
       "linear_attention", 0},
      {"mistral", "\"sliding_window\": 5", "\"sliding_window\": 0", "sliding_window", 0},
      {"qwen2", "\"use_sliding_window\": false", "\"layer_types\": [\"sliding_attention\", \"full_attention\"]",
       "expected full_attention alone", 0},
      {"qwen3", "\"head_dim\": 4", "\"head_dim\": 4000", "at most 4096 in all", 0},
      {"qwen3", "\"head_dim\": 4", "\"head_dim\": 4, \"layer_types\": [\"full_attention\"]", "one a layer", 0},
      {"mpnet", "\"relative_attention_num_buckets\": 32", "\"relative_attention_num_buckets\": 16", "expected 32", 0},
      {"dinov2", "\"mlp_ratio\": 1.5", "\"mlp_ratio\": 1e9", "mlp_ratio", 0},
      {"dinov2", "\"mlp_ratio\": 1.5", "\"use_swiglu_ffn\": true", "use_swiglu_ffn", 0},
      {"gpt_neox", "\"rotary_pct\": 0.5", "\"rotary_pct\": 0.25", "1 entries of a head rotate", 0},
      {"gpt_neox", "\"rotary_pct\": 0.5", "\"rotary_pct\": 1.5", "rotary_pct", 0},
      {"gpt_neox", "\"rotary_emb_base\": 30.0", "\"rotary_emb_base\": -1", "rotary_emb_base", 0},
      {"gpt_neox", "\"rotary_emb_base\": 30.0", "\"rope_theta\": 30.0, \"rope_parameters\": {\"rope_theta\": 31}",
       "key 'rope_theta' is 30 and 'rope_theta' in rope_parameters is 31", 0},
      {"gpt_neox", "\"rotary_emb_base\": 30.0", "\"partial_rotary_factor\": 1.0", "key 'rotary_pct' is 0.5 and", 0},
      {"gpt_neox", "\"rotary_emb_base\": 30.0", "\"rope_parameters\": {\"partial_rotary_factor\": 0.25}",
       "'partial_rotary_factor' in rope_parameters is 0.25", 0},
      {"gpt_neox", "\"rotary_emb_base\": 30.0", "\"rope_parameters\": {\"rope_type\": \"linear\", \"factor\": 2.0}",
       "scaled angles", 0},
      {"gpt_neox", "\"rotary_emb_base\": 30.0", "\"rope_parameters\": {\"rope_theta\": \"30\"}", "rope_theta", 0},
      {"gpt_neox", "\"rotary_emb_base\": 30.0", "\"rope_parameters\": [30]", "rope_parameters", 0},
      {"gpt_neox", "\"rotary_pct\": 0.5", "\"rope_parameters\": {\"partial_rotary_factor\": 1.5}", "at most 1", 0},
      {"phi3", "\"rope_scaling\": null", "\"rope_scaling\": {\"type\": \"longrope\"}", "has no 'short_factor'", 0},
      {"phi3", "\"sliding_window\": 2", "\"partial_rotary_factor\": 0.75", "partial_rotary_factor", 0},
      {"phi3", "\"sliding_window\": 2", "\"partial_rotary_factor\": 1.5", "partial_rotary_factor", 0},
      {"nomic_bert", "\"rotary_scaling_factor\": null",
       "\"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 20.0, \"factor\": 1.0, "
       "\"attention_factor\": 2.0, \"original_max_position_embeddings\": 5}",
       "'rope_parameters' differ", 0},
      {"nomic_bert", "\"n_embd\": 8", "\"n_embd\": 8, \"head_dim\": 8", "key 'head_dim' is 8, expected 4", 0},
      {"nomic_bert", "\"n_embd\": 8", "\"n_embd\": 8, \"num_key_value_heads\": 1", "num_key_value_heads", 0},
      {"nomic_bert", "\"n_embd\": 8", "\"hidden_size\": 8", "'num_attention_heads' is missing", 0},
      {"modernbert", "\"global_rope_theta\": 90.0", "\"global_rope_theta\": 0", "global_rope_theta", 0},
      {"bloom", "\"n_embed\": 8", "\"n_embed\": 8, \"hidden_size\": 16", "'n_embed' and 'hidden_size' differ", 0},
      {"bloom", "\"n_embed\": 8", "\"n_embed\": 8, \"n_inner\": 8", "n_inner", 0},
      {"mpt", "\"alibi\": true", "\"alibi\": false", "alibi", 0},
      {"mpt", "\"alibi_bias_max\": 8", "\"alibi_bias_max\": 16", "alibi_bias_max", 0},
      {"mpt", "\"alibi_bias_max\": 8", "\"rope\": true", "'rope' is not known", 0},
      {"smollm3", "[1, 0]", "[1]", "no_rope_layers", 0},
      {"smollm3", "[1, 0]", "[1, 2]", "no_rope_layers", 0},
      {"smollm3", "[1, 0]", "[1, true]", "no_rope_layers", 0},
      {"gemma2", "\"attn_logit_softcapping\": 1.5", "\"attn_logit_softcapping\": 0.0", "attn_logit_softcapping", 0},
      {"gemma2", "\"query_pre_attn_scalar\": 3", "\"query_pre_attn_scalar\": -3", "query_pre_attn_scalar", 0},
      {"gemma2", "\"sliding_window\": 2", "\"use_bidirectional_attention\": true", "use_bidirectional_attention", 0},
      {"gemma3_text", "\"rope_local_base_freq\": 7.0", "\"rope_local_base_freq\": 0", "rope_local_base_freq", 0},
      {"gemma3_text", "\"sliding_window\": 3", "\"_sliding_window_pattern\": 6", "differ", 0},
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

/* Nomic BERT's angles depend on how many tokens there are beyond those that it was trained on, but for a null
 * factor. */
static void most_tokens_are_kept(void **state) {
  (void)state;
  for (int trained = N - 1; trained <= N; trained++) {
    fixture f;
    attcert_error err = {0};
    attcert_matrix x;
    model *m;
    char keys[64];
    double numbers[N * D] = {0};
    const attcert_matrix hidden = {N, D, numbers};
    fixture_init(&f, relative("nomic_bert"), "", 6);
    attcert_matrix expected = input_of(&f, 1);
    snprintf(keys, sizeof keys, "\"max_trained_positions\": %d", trained);
    write_config(&f, "\"rotary_scaling_factor\": null", keys);
    assert_int_equal(model_open(&m, f.folder.path, 0, &err), ATTCERT_OK);
    if (trained == N) {
      assert_int_equal(model_layer_input(&x, m, 1, tokens, N, &err), ATTCERT_OK);
      assert_memory_equal(x.data, expected.data, N * D * sizeof(double));
      attcert_matrix_clear(&x);
    } else {
      assert_int_equal(model_layer_input(&x, m, 1, tokens, N, &err), ATTCERT_INPUT);
      assert_non_null(strstr(err.message, "5 tokens, expected at most 4"));
      assert_int_equal(model_layer_input_from(&x, m, 1, &hidden, &err), ATTCERT_INPUT);
      assert_non_null(strstr(err.message, "5 tokens, expected at most 4"));
    }
    attcert_matrix_clear(&expected);
    model_close(m);
    fixture_clear(&f);
  }
}

/* A local layer on no more tokens than its window computes what any other does. */
static void windows_of_all_tokens_are_none(void **state) {
  (void)state;
  fixture f;
  attcert_error err = {0};
  attcert_matrix x;
  model *m;
  fixture_init(&f, relative("gpt_neo"), "", 3);
  attcert_matrix expected = input_of(&f, 1);
  write_config(&f, "[[[\"global\"], 2]]", "[[[\"local\", \"global\"], 1]], \"window_size\": 5");
  assert_int_equal(model_open(&m, f.folder.path, 0, &err), ATTCERT_OK);
  assert_int_equal(model_layer_input(&x, m, 1, tokens, N, &err), ATTCERT_OK);
  assert_memory_equal(x.data, expected.data, N * D * sizeof(double));
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&expected);
  model_close(m);
  fixture_clear(&f);
}

/* A gain of 1 + w that rounds would be another function's. */
static void gains_around_one_are_exact(void **state) {
  (void)state;
  fixture f;
  attcert_error err = {0};
  attcert_matrix x;
  model *m;
  fixture_init(&f, relative("gemma2"), "", 5);
  ((double *)tensor_list_find(&f.tensors, "layers.0.input_layernorm.weight"))[3] = 0x1p-60;
  tensor_list_write(&f.tensors, &f.folder, "");
  assert_int_equal(model_open(&m, f.folder.path, 0, &err), ATTCERT_OK);
  assert_int_equal(model_layer_input(&x, m, 0, tokens, N, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "1 + entry 3"));
  attcert_matrix_clear(&x);
  model_close(m);
  fixture_clear(&f);
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

static void images_and_sounds_are_no_text(void **state) {
  (void)state;
  static const struct {
    const char *type, *text;
  } rows[] = {{"vit", "a vit reads images: expected the hidden states that enter layer 0, [CLS] and patches"},
              {"whisper", "a whisper reads sounds"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fixture f;
    attcert_error err = {0};
    attcert_matrix x;
    fixture_init(&f, relative(rows[i].type), "", 4);
    assert_int_equal(model_layer_input(&x, f.m, 0, tokens, N, &err), ATTCERT_INPUT);
    if (strstr(err.message, rows[i].text) == NULL) fail_msg("%s: %s", rows[i].text, err.message);
    fixture_clear(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_equal_the_definition),
      cmocka_unit_test(missing_tensors_are_named),
      cmocka_unit_test(shifts_need_their_tensors),
      cmocka_unit_test(farther_tokens_are_refused),
      cmocka_unit_test(other_functions_are_refused),
      cmocka_unit_test(most_tokens_are_kept),
      cmocka_unit_test(windows_of_all_tokens_are_none),
      cmocka_unit_test(gains_around_one_are_exact),
      cmocka_unit_test(padding_is_no_token),
      cmocka_unit_test(images_and_sounds_are_no_text),
  };
  return cmocka_run_group_tests_name("model_types", tests, NULL, NULL);
}
