/* Types whose feed-forward parts are mixtures of experts: their attention and what it is added to equal the definition,
 * layer by layer; everything else of them is refused in one line that says what can be asked. */
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

enum { D = RELATIVE_DIM, N = RELATIVE_TOKENS, LAYERS = 2, SEEDS = 5 };

#define SIDES                                                                                             \
  "\"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 2, \"intermediate_size\": 12, " \
  "\"vocab_size\": 11, \"num_key_value_heads\": 1, \"head_dim\": 4, "

/* Of theta 8, pairs 0 and 1 of 4 entries, by the exact ends of YaRN's ramp: x(t) = 2 ln(8 / (2 pi t)) / ln 8. */
static long double slow_pairs(long double f) {
  const long double m = -2 * logl(f) / logl(8), pi = acosl(-1.0L);
  const long double first = 2 * logl(8 / (2 * pi * 0.5L)) / logl(8), last = 2 * logl(8 / (2 * pi * 0.1L)) / logl(8);
  const long double ramp = fmaxl(0, fminl(1, (m - first) / (last - first)));
  return f * (ramp / 2 + 1 - ramp);
}

#define PARTS PARTS_BUT_DOWN, .down = "mlp.experts.down"
#define PARTS_BUT_DOWN                                                                                           \
  .layers = LAYERS, .block = {"layers.0.", "layers.1."}, .query = "self_attn.q_proj", .key = "self_attn.k_proj", \
  .value = "self_attn.v_proj", .output = "self_attn.o_proj", .attention_norm = "input_layernorm",                \
  .feed_forward_norm = "post_attention_layernorm", .words = "embed_tokens.weight", .embedding_dim = D,           \
  .norm_first = true, .causal = true, .scaled = true, .root_mean_square = true, .key_heads = 1,                  \
  .curve = reference_silu, .final_norm = "norm"

static const tiny_relative gpt_oss = {
    "gpt_oss",
    "model.",
    "{\"model_type\": \"gpt_oss\", " SIDES "\"rms_norm_eps\": 0.0625, \"sliding_window\": 2, \"rope_theta\": 8.0, "
    "\"max_position_embeddings\": 16, \"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 2.0, \"beta_fast\": 0.5, "
    "\"beta_slow\": 0.1, \"truncate\": false, \"original_max_position_embeddings\": 8}, \"num_local_experts\": 4}",
    PARTS,
    .up = "mlp.router",
    .biases = true,
    .epsilon = 0.0625,
    .window = 2,
    .local = 1,
    .sinks = "self_attn.sinks",
    .rotary = 8.0,
    .slow = slow_pairs};

static const tiny_relative qwen3_next = {"qwen3_next",
                                         "model.",
                                         "{\"model_type\": \"qwen3_next\", " SIDES
                                         "\"full_attention_interval\": 2, \"partial_rotary_factor\": 0.5, "
                                         "\"rope_theta\": 50.0, \"num_experts\": 4}",
                                         PARTS,
                                         .up = "mlp.experts.up",
                                         .only_query_biases = true,
                                         .epsilon = 1e-6,
                                         .gated_heads = true,
                                         .from_one = true,
                                         .query_norm = "self_attn.q_norm",
                                         .key_norm = "self_attn.k_norm",
                                         .rotary = 50.0,
                                         .rotating = 2};

#define QWEN_3_5                                                                                             \
  SIDES "\"full_attention_interval\": 2, \"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": " \
        "50.0, \"partial_rotary_factor\": 0.5, \"mrope_section\": [1, 1, 0], \"mrope_interleaved\": true}, " \
        "\"partial_rotary_factor\": 0.5}"
static const tiny_relative qwen3_5 = {"qwen3_5_text",
                                      "model.",
                                      "{\"model_type\": \"qwen3_5_text\", " QWEN_3_5,
                                      PARTS_BUT_DOWN,
                                      .gate = "mlp.gate_proj",
                                      .up = "mlp.up_proj",
                                      .down = "mlp.down_proj",
                                      .only_query_biases = true,
                                      .epsilon = 1e-6,
                                      .gated_heads = true,
                                      .from_one = true,
                                      .query_norm = "self_attn.q_norm",
                                      .key_norm = "self_attn.k_norm",
                                      .rotary = 50.0,
                                      .rotating = 2};

typedef struct {
  tiny_relative type;
  temp_folder folder;
  tensor_list tensors;
  model *m;
} fixture;

static void fixture_init(fixture *f, const tiny_relative *type, uint64_t seed) {
  attcert_error err;
  random_source r = random_source_make(seed, 0, 0);
  *f = (fixture){.type = *type};
  if (type->rotary == 8.0) f->type.amplitude = 0.1L * logl(2) + 1;
  temp_folder_init(&f->folder);
  tiny_relative_init(&f->tensors, type, &r);
  tiny_relative_write(&f->folder, type, &f->tensors, type->prefix);
  if (model_open(&f->m, f->folder.path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

static void fixture_clear(fixture *f) {
  model_close(f->m);
  tensor_list_clear(&f->tensors);
  temp_folder_clear(&f->folder);
}

static attcert_status value_of(double *y, const fixture *f, model_function function, int l, attcert_error *err) {
  network_steps network;
  attcert_status status = model_function_open(&network, f->m, function, l, N, err);
  double numbers[N * D];
  attcert_matrix values[64] = {{0}};
  for (int i = 0; i < N * D; i++) numbers[i] = sin(i + 1);
  values[0] = (attcert_matrix){N, D, numbers};
  assert_true(network.count < 64);
  for (int s = 0; s < network.count && status == ATTCERT_OK; s++) {
    const step *const of = &network.step[s];
    const attcert_matrix *in[STEP_MAX_INPUTS];
    for (int k = 0; k < of->inputs; k++) in[k] = &values[of->input[k]];
    assert_int_equal(attcert_matrix_init(&values[s + 1], of->rows, of->cols, err), ATTCERT_OK);
    status = of->kind->value(&values[s + 1], of, in, err);
  }
  if (status == ATTCERT_OK) memcpy(y, values[network.count].data, N * D * sizeof *y);
  for (int s = 0; s < network.count; s++) attcert_matrix_clear(&values[s + 1]);
  network_clear(&network);
  return status;
}

static void assert_close(const double *y, const long double *expected, const char *what) {
  for (int i = 0; i < N * D; i++) {
    if (!(fabsl(y[i] - expected[i]) <= 1e-12L * (1 + fabsl(expected[i]))))
      fail_msg("%s: entry %d is %.17g, expected %.17Lg", what, i, y[i], expected[i]);
  }
}

static void check_layer(const fixture *f, int l) {
  attcert_error err;
  double y[N * D];
  long double x[N * D], normal[N * D], expected[N * D];
  for (int i = 0; i < N * D; i++) x[i] = normal[i] = sin(i + 1);
  tiny_relative_attention(expected, x, &f->type, &f->tensors, l, N);
  if (value_of(y, f, MODEL_ATTENTION, l, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_close(y, expected, f->type.type);
  tiny_relative_attention_input(normal, &f->type, &f->tensors, l, N);
  tiny_relative_attention(expected, normal, &f->type, &f->tensors, l, N);
  for (int i = 0; i < N * D; i++) expected[i] += x[i];
  if (value_of(y, f, MODEL_SUBLAYER, l, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_close(y, expected, "sublayer");
}

static void check_block(const fixture *f, int l) {
  attcert_error err;
  double y[N * D];
  long double expected[N * D];
  for (int i = 0; i < N * D; i++) expected[i] = sin(i + 1);
  tiny_relative_block(expected, &f->type, &f->tensors, l, N);
  if (value_of(y, f, MODEL_BLOCK, l, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_close(y, expected, "block");
}

static void assert_refused(const fixture *f, model_function function, int l, const char *word) {
  attcert_error err = {0};
  double y[N * D];
  assert_int_equal(value_of(y, f, function, l, &err), ATTCERT_INPUT);
  if (strstr(err.message, word) == NULL || strchr(err.message, '\n') != NULL) fail_msg("%s", err.message);
}

static void layers_equal_the_definition(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    fixture f;
    fixture_init(&f, &gpt_oss, seed);
    for (int l = 0; l < LAYERS; l++) check_layer(&f, l);
    fixture_clear(&f);
    fixture_init(&f, &qwen3_next, seed);
    check_layer(&f, 1);
    fixture_clear(&f);
    fixture_init(&f, &qwen3_5, seed);
    check_layer(&f, 1);
    check_block(&f, 1);
    fixture_clear(&f);
  }
}

/* A folder with a tower of images, whose tensors stand beside those of the text. */
static void a_tower_is_the_same_model(void **state) {
  (void)state;
  static const char config[] =
      "{\"model_type\": \"qwen3_5\", \"image_token_id\": 7, \"vision_config\": {\"depth\": 1}, "
      "\"text_config\": {\"model_type\": \"qwen3_5_text\", " QWEN_3_5 "}";
  char tower[300];
  fixture f;
  attcert_error err = {0};
  fixture_init(&f, &qwen3_5, 3);
  model_close(f.m);
  for (size_t i = 0; i < f.tensors.count; i++) {
    char *const name = f.tensors.tensor[i].name;
    char full[128];
    snprintf(full, sizeof full, "model.language_model.%.90s", name);
    snprintf(name, sizeof f.tensors.tensor[i].name, "%s", full);
  }
  tensor_list_add(&f.tensors, "model.visual.blocks.0.attn.qkv.weight", 3, 1);
  tensor_list_add(&f.tensors, "mtp.fc.weight", 1, 1);
  tensor_list_write(&f.tensors, &f.folder, "");
  temp_folder_write(&f.folder, "config.json", config, strlen(config));
  assert_int_equal(model_open(&f.m, f.folder.path, 0, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, ":text"));
  snprintf(tower, sizeof tower, "%s:text", f.folder.path);
  if (model_open(&f.m, tower, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  for (size_t i = 0; i < f.tensors.count - 2; i++) {
    char *const name = f.tensors.tensor[i].name;
    memmove(name, name + strlen("model.language_model."), strlen(name) + 1 - strlen("model.language_model."));
  }
  check_layer(&f, 1);
  check_block(&f, 1);
  assert_refused(&f, MODEL_NETWORK, 1, "layer 0 has a gated delta rule");
  fixture_clear(&f);
}

static void the_rest_is_refused(void **state) {
  (void)state;
  static const int tokens[N] = {3, 10, 0, 3, 7};
  fixture f;
  attcert_matrix x;
  attcert_error err = {0};
  fixture_init(&f, &gpt_oss, 0);
  assert_refused(&f, MODEL_BLOCK, 0, "layer 0 is a mixture of experts");
  assert_refused(&f, MODEL_NETWORK, 1, "layer 0 is a mixture of experts");
  assert_int_equal(model_layer_input(&x, f.m, 0, tokens, N, &err), ATTCERT_OK);
  attcert_matrix_clear(&x);
  assert_int_equal(model_layer_input(&x, f.m, 1, tokens, N, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "--input"));
  fixture_clear(&f);
  fixture_init(&f, &qwen3_next, 0);
  assert_refused(&f, MODEL_ATTENTION, 0, "layer 0 has a gated delta rule");
  assert_refused(&f, MODEL_BLOCK, 1, "layer 1 is a mixture of experts");
  assert_int_equal(model_layer_input(&x, f.m, 1, tokens, N, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "gated delta rule"));
  fixture_clear(&f);
}

/* Versions of transformers differ in the angles of a file that is silent about them. */
static void angles_are_required(void **state) {
  (void)state;
  fixture f;
  model *m;
  attcert_error err = {0};
  fixture_init(&f, &gpt_oss, 0);
  f.type.config = "{\"model_type\": \"gpt_oss\", " SIDES "\"rope_theta\": 8.0}";
  tiny_relative_write(&f.folder, &f.type, &f.tensors, f.type.prefix);
  assert_int_equal(model_open(&m, f.folder.path, 0, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "key 'rope_scaling' is missing"));
  fixture_clear(&f);
}

/* A layer with another sink differs. */
static void sinks_count(void **state) {
  (void)state;
  fixture f;
  double y[N * D], z[N * D];
  attcert_error err;
  fixture_init(&f, &gpt_oss, 0);
  assert_int_equal(value_of(y, &f, MODEL_ATTENTION, 0, &err), ATTCERT_OK);
  double *const sink = (double *)tensor_list_find(&f.tensors, "layers.0.self_attn.sinks");
  sink[1] += 1.0;
  tiny_relative_write(&f.folder, &f.type, &f.tensors, f.type.prefix);
  model_close(f.m);
  assert_int_equal(model_open(&f.m, f.folder.path, 0, &err), ATTCERT_OK);
  assert_int_equal(value_of(z, &f, MODEL_ATTENTION, 0, &err), ATTCERT_OK);
  assert_true(fabs(y[0] - z[0]) > 1e-3);
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_equal_the_definition),
      cmocka_unit_test(a_tower_is_the_same_model),
      cmocka_unit_test(the_rest_is_refused),
      cmocka_unit_test(angles_are_required),
      cmocka_unit_test(sinks_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
