/* The tiny models and their reference evaluation. */
#include "tiny_model.h"

#include "reference_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { D = TINY_DIM, H = TINY_HEADS, K = TINY_DIM / TINY_HEADS, F = TINY_HIDDEN, MAX_N = TINY_POSITIONS };

static const char bert_config[] =
    "{\"model_type\": \"bert\", \"hidden_size\": 6, \"num_attention_heads\": 3, \"num_hidden_layers\": 2, "
    "\"intermediate_size\": 10, \"vocab_size\": 11, \"max_position_embeddings\": 5, \"hidden_act\": \"gelu\", "
    "\"layer_norm_eps\": 0.0625}";
static const char gpt2_config[] =
    "{\"model_type\": \"gpt2\", \"n_embd\": 6, \"n_head\": 3, \"n_layer\": 2, \"n_inner\": 10, \"vocab_size\": 11, "
    "\"n_positions\": 5, \"activation_function\": \"gelu_new\", \"layer_norm_epsilon\": 0.03125}";
static const double bert_epsilon = 0.0625, gpt2_epsilon = 0.03125;

/* ---- the stored tensors ---- */

typedef struct {
  const char *part;
  int rows, cols;
} tensor_shape;

static const tensor_shape bert_block_shapes[] = {{"attention.self.query.weight", D, D},
                                                 {"attention.self.query.bias", D, 0},
                                                 {"attention.self.key.weight", D, D},
                                                 {"attention.self.key.bias", D, 0},
                                                 {"attention.self.value.weight", D, D},
                                                 {"attention.self.value.bias", D, 0},
                                                 {"attention.output.dense.weight", D, D},
                                                 {"attention.output.dense.bias", D, 0},
                                                 {"attention.output.LayerNorm.weight", D, 0},
                                                 {"attention.output.LayerNorm.bias", D, 0},
                                                 {"intermediate.dense.weight", F, D},
                                                 {"intermediate.dense.bias", F, 0},
                                                 {"output.dense.weight", D, F},
                                                 {"output.dense.bias", D, 0},
                                                 {"output.LayerNorm.weight", D, 0},
                                                 {"output.LayerNorm.bias", D, 0},
                                                 {NULL, 0, 0}};
static const tensor_shape bert_outer_shapes[] = {{"embeddings.word_embeddings.weight", TINY_VOCABULARY, D},
                                                 {"embeddings.position_embeddings.weight", TINY_POSITIONS, D},
                                                 {"embeddings.token_type_embeddings.weight", 2, D},
                                                 {"embeddings.LayerNorm.weight", D, 0},
                                                 {"embeddings.LayerNorm.bias", D, 0},
                                                 {NULL, 0, 0}};
static const tensor_shape gpt2_block_shapes[] = {{"ln_1.weight", D, 0},
                                                 {"ln_1.bias", D, 0},
                                                 {"attn.c_attn.weight", D, 3 * D},
                                                 {"attn.c_attn.bias", 3 * D, 0},
                                                 {"attn.c_proj.weight", D, D},
                                                 {"attn.c_proj.bias", D, 0},
                                                 {"ln_2.weight", D, 0},
                                                 {"ln_2.bias", D, 0},
                                                 {"mlp.c_fc.weight", D, F},
                                                 {"mlp.c_fc.bias", F, 0},
                                                 {"mlp.c_proj.weight", F, D},
                                                 {"mlp.c_proj.bias", D, 0},
                                                 {NULL, 0, 0}};
static const tensor_shape gpt2_outer_shapes[] = {
    {"wte.weight", TINY_VOCABULARY, D}, {"wpe.weight", TINY_POSITIONS, D}, {NULL, 0, 0}};

static void add_random(tensor_list *tensors, const char *name, const tensor_shape *shape, random_source *r) {
  double *data = tensor_list_add(tensors, name, shape->rows, shape->cols);
  random_fill_gaussian(data, (size_t)shape->rows * (size_t)(shape->cols > 0 ? shape->cols : 1), 0.7, r);
}

static void add_all(tensor_list *tensors, const tensor_shape *outer, const tensor_shape *block,
                    const char *block_format, random_source *r) {
  char name[96], base[32];
  for (const tensor_shape *t = outer; t->part != NULL; t++) add_random(tensors, t->part, t, r);
  for (int l = 0; l < TINY_LAYERS; l++) {
    snprintf(base, sizeof base, "%s%d", block_format, l);
    for (const tensor_shape *t = block; t->part != NULL; t++) {
      snprintf(name, sizeof name, "%s.%s", base, t->part);
      add_random(tensors, name, t, r);
    }
  }
}

static void bert_init(tensor_list *tensors, random_source *r) {
  add_all(tensors, bert_outer_shapes, bert_block_shapes, "encoder.layer.", r);
}

static void gpt2_init(tensor_list *tensors, random_source *r) {
  add_all(tensors, gpt2_outer_shapes, gpt2_block_shapes, "h.", r);
}

/* The tensor BASE l . PART, as "encoder.layer.1.output.dense.weight". */
static const double *part(const tensor_list *tensors, const char *base, int l, const char *name, const char *suffix) {
  char full[96];
  snprintf(full, sizeof full, "%s%d.%s.%s", base, l, name, suffix);
  return tensor_list_find(tensors, full);
}

/* ---- the parts of a block, at these sizes ---- */

static void attention(long double *y, const long double *x, int n, const affine map[4], bool causal) {
  const reference_attention a = {.dim = D,
                                 .heads = H,
                                 .map = {map[0], map[1], map[2], map[3]},
                                 .causal = causal,
                                 .scale = 1 / sqrtl(K),
                                 .window = MAX_N,
                                 .key_heads = H};
  reference_attend(y, x, n, &a);
}

static void layer_norm(long double *x, int n, const double *gamma, const double *beta, double epsilon) {
  reference_layer_norm(x, n, D, gamma, beta, epsilon);
}

static void feed_forward(long double *y, const long double *x, int n, affine up, affine down, reference_curve *curve) {
  reference_feed_forward(y, x, n, D, F, up, down, curve);
}

static void add(long double *x, const long double *y, int n) {
  reference_add(x, y, n * D);
}

static void add_table_rows(long double *x, const double *table, const int *index, int n) {
  reference_add_rows(x, table, index, n, D);
}

static void sum_embeddings(long double *x, const double *words, const double *positions, const int *tokens, int n) {
  static const int place[MAX_N] = {0, 1, 2, 3, 4};
  for (int i = 0; i < n * D; i++) x[i] = 0;
  add_table_rows(x, words, tokens, n);
  add_table_rows(x, positions, place, n);
}

/* ---- BERT ---- */

static affine linear(const tensor_list *tensors, int l, const char *name, int in) {
  return (affine){part(tensors, "encoder.layer.", l, name, "weight"), part(tensors, "encoder.layer.", l, name, "bias"),
                  in, 1};
}

static void bert_norm(long double *x, int n, const tensor_list *tensors, int l, const char *name) {
  layer_norm(x, n, part(tensors, "encoder.layer.", l, name, "weight"), part(tensors, "encoder.layer.", l, name, "bias"),
             bert_epsilon);
}

static void bert_attention(long double *y, const long double *x, const tensor_list *tensors, int l, int n) {
  const affine map[4] = {linear(tensors, l, "attention.self.query", D), linear(tensors, l, "attention.self.key", D),
                         linear(tensors, l, "attention.self.value", D),
                         linear(tensors, l, "attention.output.dense", D)};
  attention(y, x, n, map, false);
}

static void bert_embed(long double *x, const tensor_list *tensors, const int *tokens, int n) {
  static const int first_type[MAX_N] = {0};
  sum_embeddings(x, tensor_list_find(tensors, "embeddings.word_embeddings.weight"),
                 tensor_list_find(tensors, "embeddings.position_embeddings.weight"), tokens, n);
  add_table_rows(x, tensor_list_find(tensors, "embeddings.token_type_embeddings.weight"), first_type, n);
  layer_norm(x, n, tensor_list_find(tensors, "embeddings.LayerNorm.weight"),
             tensor_list_find(tensors, "embeddings.LayerNorm.bias"), bert_epsilon);
}

static void bert_block(long double *x, const tensor_list *tensors, int l, int n) {
  long double y[MAX_N * D];
  bert_attention(y, x, tensors, l, n);
  add(x, y, n);
  bert_norm(x, n, tensors, l, "attention.output.LayerNorm");
  feed_forward(y, x, n, linear(tensors, l, "intermediate.dense", D), linear(tensors, l, "output.dense", F),
               reference_gelu);
  add(x, y, n);
  bert_norm(x, n, tensors, l, "output.LayerNorm");
}

static void bert_attention_input(long double *x, const tensor_list *tensors, int l, int n) {
  (void)x, (void)tensors, (void)l, (void)n; /* the hidden states themselves */
}

const tiny_family tiny_bert = {"bert",     "bert.",    bert_config,          bert_init,
                               bert_embed, bert_block, bert_attention_input, bert_attention};

/* ---- GPT-2 ---- */

/* Columns first .. of a Conv1D with `columns` columns. */
static affine conv1d(const tensor_list *tensors, int l, const char *name, int first, int columns) {
  return (affine){part(tensors, "h.", l, name, "weight") + first, part(tensors, "h.", l, name, "bias") + first, 1,
                  columns};
}

static void gpt2_norm(long double *x, int n, const tensor_list *tensors, int l, const char *name) {
  layer_norm(x, n, part(tensors, "h.", l, name, "weight"), part(tensors, "h.", l, name, "bias"), gpt2_epsilon);
}

static void gpt2_attention(long double *y, const long double *x, const tensor_list *tensors, int l, int n) {
  const affine map[4] = {conv1d(tensors, l, "attn.c_attn", 0, 3 * D), conv1d(tensors, l, "attn.c_attn", D, 3 * D),
                         conv1d(tensors, l, "attn.c_attn", 2 * D, 3 * D), conv1d(tensors, l, "attn.c_proj", 0, D)};
  attention(y, x, n, map, true);
}

static void gpt2_embed(long double *x, const tensor_list *tensors, const int *tokens, int n) {
  sum_embeddings(x, tensor_list_find(tensors, "wte.weight"), tensor_list_find(tensors, "wpe.weight"), tokens, n);
}

static void gpt2_attention_input(long double *x, const tensor_list *tensors, int l, int n) {
  gpt2_norm(x, n, tensors, l, "ln_1");
}

static void gpt2_block(long double *x, const tensor_list *tensors, int l, int n) {
  long double y[MAX_N * D], normal[MAX_N * D];
  memcpy(normal, x, (size_t)(n * D) * sizeof *x);
  gpt2_norm(normal, n, tensors, l, "ln_1");
  gpt2_attention(y, normal, tensors, l, n);
  add(x, y, n);
  memcpy(normal, x, (size_t)(n * D) * sizeof *x);
  gpt2_norm(normal, n, tensors, l, "ln_2");
  feed_forward(y, normal, n, conv1d(tensors, l, "mlp.c_fc", 0, F), conv1d(tensors, l, "mlp.c_proj", 0, D),
               reference_gelu_tanh);
  add(x, y, n);
}

const tiny_family tiny_gpt2 = {"gpt2",     "transformer.", gpt2_config,          gpt2_init,
                               gpt2_embed, gpt2_block,     gpt2_attention_input, gpt2_attention};

void tiny_model_write(const temp_folder *folder, const tiny_family *family, const tensor_list *tensors,
                      const char *prefix) {
  temp_folder_write(folder, "config.json", family->config, strlen(family->config));
  tensor_list_write(tensors, folder, prefix);
}
