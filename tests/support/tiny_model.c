/* The tiny models and their reference evaluation. An affine map is a view of the stored numbers with two strides, so that
 * torch.nn.Linear, Conv1D and one part of c_attn differ in nothing else. */
#include "tiny_model.h"

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

/* ---- the parts of a block ---- */

/* W_oi = weight[o * out_stride + i * in_stride] */
typedef struct {
  const double *weight, *bias;
  int out_stride, in_stride;
} affine;

static void apply(long double *y, const long double *x, int n, affine a, int out, int in) {
  for (int t = 0; t < n; t++) {
    for (int o = 0; o < out; o++) {
      long double sum = a.bias[o];
      for (int i = 0; i < in; i++) sum += a.weight[o * a.out_stride + i * a.in_stride] * x[t * in + i];
      y[t * out + o] = sum;
    }
  }
}

static void layer_norm(long double *x, int n, const double *gamma, const double *beta, double epsilon) {
  for (int t = 0; t < n; t++) {
    long double mean = 0, variance = 0;
    for (int i = 0; i < D; i++) mean += x[t * D + i] / D;
    for (int i = 0; i < D; i++) variance += (x[t * D + i] - mean) * (x[t * D + i] - mean) / D;
    for (int i = 0; i < D; i++) x[t * D + i] = gamma[i] * (x[t * D + i] - mean) / sqrtl(variance + epsilon) + beta[i];
  }
}

/* Token i of head h attends to tokens 0 .. attended - 1. */
static void attend_token(long double *y, const long double *q, const long double *k, const long double *v, int i, int h,
                         int attended) {
  long double weight[MAX_N], total = 0;
  for (int j = 0; j < attended; j++) {
    long double score = 0;
    for (int r = 0; r < K; r++) score += q[i * D + h * K + r] * k[j * D + h * K + r];
    weight[j] = expl(score / sqrtl(K));
    total += weight[j];
  }
  for (int r = 0; r < K; r++) {
    y[i * D + h * K + r] = 0;
    for (int j = 0; j < attended; j++) y[i * D + h * K + r] += weight[j] / total * v[j * D + h * K + r];
  }
}

static void attention(long double *y, const long double *x, int n, const affine map[4], bool causal) {
  long double q[MAX_N * D], k[MAX_N * D], v[MAX_N * D], mixed[MAX_N * D];
  apply(q, x, n, map[0], D, D);
  apply(k, x, n, map[1], D, D);
  apply(v, x, n, map[2], D, D);
  for (int i = 0; i < n; i++) {
    for (int h = 0; h < H; h++) attend_token(mixed, q, k, v, i, h, causal ? i + 1 : n);
  }
  apply(y, mixed, n, map[3], D, D);
}

static long double gelu(long double x) {
  return x * (1 + erfl(x / sqrtl(2))) / 2;
}

static long double gelu_tanh(long double x) {
  return x * (1 + tanhl(sqrtl(2 / acosl(-1)) * (x + 0.044715L * x * x * x))) / 2;
}

static void feed_forward(long double *y, const long double *x, int n, affine up, affine down,
                         long double (*act)(long double)) {
  long double hidden[MAX_N * F];
  apply(hidden, x, n, up, F, D);
  for (int i = 0; i < n * F; i++) hidden[i] = act(hidden[i]);
  apply(y, hidden, n, down, D, F);
}

static void add(long double *x, const long double *y, int n) {
  for (int i = 0; i < n * D; i++) x[i] += y[i];
}

static void add_table_rows(long double *x, const double *table, const int *index, int n) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < D; i++) x[t * D + i] += table[index[t] * D + i];
  }
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
  feed_forward(y, x, n, linear(tensors, l, "intermediate.dense", D), linear(tensors, l, "output.dense", F), gelu);
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
  feed_forward(y, normal, n, conv1d(tensors, l, "mlp.c_fc", 0, F), conv1d(tensors, l, "mlp.c_proj", 0, D), gelu_tanh);
  add(x, y, n);
}

const tiny_family tiny_gpt2 = {"gpt2",     "transformer.", gpt2_config,          gpt2_init,
                               gpt2_embed, gpt2_block,     gpt2_attention_input, gpt2_attention};

void tiny_model_write(const temp_folder *folder, const tiny_family *family, const tensor_list *tensors,
                      const char *prefix) {
  temp_folder_write(folder, "config.json", family->config, strlen(family->config));
  tensor_list_write(tensors, folder, prefix);
}
