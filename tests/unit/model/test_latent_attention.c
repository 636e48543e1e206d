/* DeepSeek's attention, whose keys and values come from one shorter vector: of tiny folders with the names that its
 * files have, values equal the formulas, written out here a second time, head by head; what is not evaluated, or is not
 * one function, is refused in a line. */
#include "attcert.h"
#include "config_text.h"
#include "model/model.h"
#include "model/model_attend.h"
#include "model/model_function.h"
#include "random_source.h"
#include "tensor_list.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
  D = 8,
  N = 5,
  HEADS = 2,
  STILL = 2,
  TURNING = 4,
  K = STILL + TURNING,
  VALUE = 3,
  RANK = 5,
  HIDDEN = 12,
  WORDS = 11
};

#define SIDES                                                                                                         \
  "\"hidden_size\": 8, \"num_attention_heads\": 2, \"num_key_value_heads\": 2, \"num_hidden_layers\": 2, "            \
  "\"intermediate_size\": 12, \"vocab_size\": 11, \"qk_nope_head_dim\": 2, \"qk_rope_head_dim\": 4, \"v_head_dim\": " \
  "3, "                                                                                                               \
  "\"kv_lora_rank\": 5, \"first_k_dense_replace\": 1, \"rms_norm_eps\": 0.0625, \"n_routed_experts\": 4, "            \
  "\"max_position_embeddings\": 16, "
#define YARN "\"type\": \"yarn\", \"factor\": 2, \"original_max_position_embeddings\": 8, "

typedef struct {
  const char *config;
  int query_rank;
  bool biases, halves;
  double theta, fast, slow; /* turns; 0: angles are not scaled */
  double slope;             /* of whole heads; 0: of what rotates, 1 */
} latent_case;

static const latent_case cases[] = {
    {"{\"model_type\": \"deepseek_v2\", " SIDES "\"q_lora_rank\": null, \"rope_theta\": 50}", 0, false, false, 50, 0, 0,
     0},
    {"{\"model_type\": \"deepseek_v2\", " SIDES "\"q_lora_rank\": 3, \"rope_theta\": 50.0, \"attention_bias\": true, "
     "\"rope_scaling\": {" YARN "\"beta_fast\": 1.5, \"beta_slow\": 0.25, \"mscale\": 0.707, \"mscale_all_dim\": "
     "0.707}}",
     3, true, false, 50, 1.5, 0.25, 0.707},
    {"{\"model_type\": \"deepseek_v3\", " SIDES "\"q_lora_rank\": 3, \"rope_interleave\": false, \"head_dim\": 4, "
     "\"qk_head_dim\": 6, \"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 50.0, \"factor\": 2.0, "
     "\"original_max_position_embeddings\": 8, \"beta_fast\": 1.5, \"beta_slow\": 0.25, \"mscale\": 1.0, "
     "\"mscale_all_dim\": 1.0}}",
     3, false, true, 50, 1.5, 0.25, 1},
    {"{\"model_type\": \"kimi_k2\", " SIDES "\"q_lora_rank\": 3, \"rope_theta\": 50.0, \"rope_scaling\": {" YARN
     "\"beta_fast\": 1.0, \"beta_slow\": 1.0}}",
     3, false, false, 50, 1, 1, 0},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* ---- the folder -------------------------------------------------------------------------------------------------- */

typedef struct {
  latent_case of;
  temp_folder folder;
  tensor_list tensors;
  model *m;
} fixture;

static void add(fixture *f, random_source *r, const char *block, const char *name, int rows, int cols) {
  char full[128];
  snprintf(full, sizeof full, "%s%s", block, name);
  double *const data = tensor_list_add(&f->tensors, full, rows, cols);
  random_fill_gaussian(data, (size_t)rows * (size_t)(cols > 0 ? cols : 1), 0.6, r);
}

static void add_block(fixture *f, random_source *r, int l) {
  char block[32];
  const bool biased = f->of.biases;
  const int rank = f->of.query_rank;
  snprintf(block, sizeof block, "layers.%d.", l);
  add(f, r, block, "input_layernorm.weight", D, 0);
  add(f, r, block, "post_attention_layernorm.weight", D, 0);
  if (rank == 0) add(f, r, block, "self_attn.q_proj.weight", HEADS * K, D);
  if (rank > 0) add(f, r, block, "self_attn.q_a_proj.weight", rank, D);
  if (rank > 0 && biased) add(f, r, block, "self_attn.q_a_proj.bias", rank, 0);
  if (rank > 0) add(f, r, block, "self_attn.q_a_layernorm.weight", rank, 0);
  if (rank > 0) add(f, r, block, "self_attn.q_b_proj.weight", HEADS * K, rank);
  add(f, r, block, "self_attn.kv_a_proj_with_mqa.weight", RANK + TURNING, D);
  if (biased) add(f, r, block, "self_attn.kv_a_proj_with_mqa.bias", RANK + TURNING, 0);
  add(f, r, block, "self_attn.kv_a_layernorm.weight", RANK, 0);
  add(f, r, block, "self_attn.kv_b_proj.weight", HEADS * (STILL + VALUE), RANK);
  add(f, r, block, "self_attn.o_proj.weight", D, HEADS * VALUE);
  if (biased) add(f, r, block, "self_attn.o_proj.bias", D, 0);
  if (l > 0) {
    add(f, r, block, "mlp.gate.weight", 4, D);
    add(f, r, block, "mlp.gate.e_score_correction_bias", 4, 0);
    add(f, r, block, "mlp.experts.0.gate_proj.weight", 2, D);
    add(f, r, block, "mlp.shared_experts.up_proj.weight", 2, D);
    return;
  }
  add(f, r, block, "mlp.gate_proj.weight", HIDDEN, D);
  add(f, r, block, "mlp.up_proj.weight", HIDDEN, D);
  add(f, r, block, "mlp.down_proj.weight", D, HIDDEN);
}

static void fixture_init(fixture *f, const latent_case *of, uint64_t seed) {
  attcert_error err;
  random_source r = random_source_make(seed, 0, 0);
  *f = (fixture){.of = *of};
  temp_folder_init(&f->folder);
  add(f, &r, "", "embed_tokens.weight", WORDS, D);
  for (int l = 0; l < 2; l++) add_block(f, &r, l);
  add(f, &r, "", "norm.weight", D, 0);
  temp_folder_write(&f->folder, "config.json", of->config, strlen(of->config));
  tensor_list_write(&f->tensors, &f->folder, "model.");
  if (model_open(&f->m, f->folder.path, 0, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

static void fixture_clear(fixture *f) {
  model_close(f->m);
  tensor_list_clear(&f->tensors);
  temp_folder_clear(&f->folder);
}

/* ---- the formulas ------------------------------------------------------------------------------------------------ */

static const double *find(const fixture *f, int l, const char *name) {
  char full[128];
  snprintf(full, sizeof full, "layers.%d.%s", l, name);
  return tensor_list_find(&f->tensors, full);
}

/* y = W x + b, of one row. */
static void map(double *y, const double *w, const double *bias, const double *x, int out, int in) {
  for (int o = 0; o < out; o++) {
    y[o] = bias != NULL ? bias[o] : 0.0;
    for (int i = 0; i < in; i++) y[o] += w[o * in + i] * x[i];
  }
}

static void rms_norm(double *x, const double *gain, int n, double epsilon) {
  double squares = 0.0;
  for (int c = 0; c < n; c++) squares += x[c] * x[c];
  for (int c = 0; c < n; c++) x[c] *= gain[c] / sqrt(squares / n + epsilon);
}

/* Of pair m of theta's powers, between the whole ends of YaRN's ramp. */
static double frequency(const latent_case *of, int m) {
  const double f = pow(of->theta, -2.0 * m / TURNING), pi = acos(-1.0);
  if (of->fast == 0.0) return f;
  const double first = floor(TURNING * log(8 / (2 * pi * of->fast)) / (2 * log(of->theta)));
  const double last = ceil(TURNING * log(8 / (2 * pi * of->slow)) / (2 * log(of->theta)));
  const double from = fmax(first, 0.0), to = fmin(last, TURNING - 1.0);
  const double ramp = fmin(1.0, fmax(0.0, (m - from) / (to - from)));
  return f / 2 * ramp + f * (1 - ramp);
}

static void turn(double *x, const latent_case *of, int position, double amplitude) {
  for (int m = 0; m < TURNING / 2; m++) {
    const int i = of->halves ? m : 2 * m, j = of->halves ? m + TURNING / 2 : 2 * m + 1;
    const double a = position * frequency(of, m), u = x[i], v = x[j];
    x[i] = amplitude * (u * cos(a) - v * sin(a));
    x[j] = amplitude * (v * cos(a) + u * sin(a));
  }
}

typedef struct {
  double query[HEADS * K], still[HEADS * STILL], turned[TURNING], value[HEADS * VALUE];
} token;

static void read_token(token *t, const fixture *f, int l, const double *x, int position) {
  const latent_case *const of = &f->of;
  const int rank = of->query_rank;
  const bool scaled = of->fast > 0.0;
  const double amplitude = scaled && of->slope == 0.0 ? 0.1 * log(2.0) + 1 : 1.0;
  double q[RANK], c[RANK + TURNING], both[HEADS * (STILL + VALUE)];
  if (rank > 0) {
    map(q, find(f, l, "self_attn.q_a_proj.weight"), of->biases ? find(f, l, "self_attn.q_a_proj.bias") : NULL, x, rank,
        D);
    rms_norm(q, find(f, l, "self_attn.q_a_layernorm.weight"), rank, 1e-6);
    map(t->query, find(f, l, "self_attn.q_b_proj.weight"), NULL, q, HEADS * K, rank);
  } else {
    map(t->query, find(f, l, "self_attn.q_proj.weight"), NULL, x, HEADS * K, D);
  }
  map(c, find(f, l, "self_attn.kv_a_proj_with_mqa.weight"),
      of->biases ? find(f, l, "self_attn.kv_a_proj_with_mqa.bias") : NULL, x, RANK + TURNING, D);
  memcpy(t->turned, c + RANK, sizeof t->turned);
  rms_norm(c, find(f, l, "self_attn.kv_a_layernorm.weight"), RANK, 1e-6);
  map(both, find(f, l, "self_attn.kv_b_proj.weight"), NULL, c, HEADS * (STILL + VALUE), RANK);
  for (int h = 0; h < HEADS; h++) {
    memcpy(t->still + h * STILL, both + h * (STILL + VALUE), STILL * sizeof(double));
    memcpy(t->value + h * VALUE, both + h * (STILL + VALUE) + STILL, VALUE * sizeof(double));
    turn(t->query + h * K + STILL, of, position, amplitude);
  }
  turn(t->turned, of, position, amplitude);
}

static void attend(double *y, const fixture *f, int l, const double *x) {
  const latent_case *const of = &f->of;
  const double times = 0.1 * of->slope * log(2.0) + 1, scale = (of->slope > 0.0 ? times * times : 1.0) / sqrt(K);
  token t[N];
  for (int i = 0; i < N; i++) read_token(&t[i], f, l, x + i * D, i);
  for (int i = 0; i < N; i++) {
    double mean[HEADS * VALUE] = {0};
    for (int h = 0; h < HEADS; h++) {
      double weight[N], sum = 0.0;
      for (int j = 0; j <= i; j++) {
        double s = 0.0;
        for (int c = 0; c < STILL; c++) s += t[i].query[h * K + c] * t[j].still[h * STILL + c];
        for (int c = 0; c < TURNING; c++) s += t[i].query[h * K + STILL + c] * t[j].turned[c];
        sum += weight[j] = exp(scale * s);
      }
      for (int j = 0; j <= i; j++) {
        for (int c = 0; c < VALUE; c++) mean[h * VALUE + c] += weight[j] / sum * t[j].value[h * VALUE + c];
      }
    }
    map(y + i * D, find(f, l, "self_attn.o_proj.weight"), of->biases ? find(f, l, "self_attn.o_proj.bias") : NULL, mean,
        D, HEADS * VALUE);
  }
}

static void sublayer(double *y, const fixture *f, int l, const double *x) {
  double normal[N * D];
  memcpy(normal, x, sizeof normal);
  for (int i = 0; i < N; i++) rms_norm(normal + i * D, find(f, l, "input_layernorm.weight"), D, 0.0625);
  attend(y, f, l, normal);
  for (int i = 0; i < N * D; i++) y[i] += x[i];
}

static void block(double *y, const fixture *f, int l, const double *x) {
  sublayer(y, f, l, x);
  for (int i = 0; i < N; i++) {
    double normal[D], gate[HIDDEN], up[HIDDEN], down[D];
    memcpy(normal, y + i * D, sizeof normal);
    rms_norm(normal, find(f, l, "post_attention_layernorm.weight"), D, 0.0625);
    map(gate, find(f, l, "mlp.gate_proj.weight"), NULL, normal, HIDDEN, D);
    map(up, find(f, l, "mlp.up_proj.weight"), NULL, normal, HIDDEN, D);
    for (int c = 0; c < HIDDEN; c++) up[c] *= gate[c] / (1 + exp(-gate[c]));
    map(down, find(f, l, "mlp.down_proj.weight"), NULL, up, D, HIDDEN);
    for (int c = 0; c < D; c++) y[i * D + c] += down[c];
  }
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static void check(const fixture *f, model_function function, int l, const double *x, const double *expected) {
  attcert_error err;
  attcert_matrix y;
  assert_int_equal(attcert_matrix_init(&y, N, D, &err), ATTCERT_OK);
  memcpy(y.data, x, N * D * sizeof *x);
  if (model_function_value(&y, f->m, function, l, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  for (int i = 0; i < N * D; i++) {
    if (!(fabs(y.data[i] - expected[i]) <= 1e-12 * (1 + fabs(expected[i]))))
      fail_msg("%s, layer %d: entry %d is %.17g, expected %.17g", f->of.config, l, i, y.data[i], expected[i]);
  }
  attcert_matrix_clear(&y);
}

static void layers_equal_the_formulas(void **state) {
  (void)state;
  double x[N * D], y[N * D];
  for (int i = 0; i < N * D; i++) x[i] = sin(i + 1);
  for (uint64_t seed = 0; seed < 3; seed++) {
    for (int k = 0; k < CASES; k++) {
      fixture f;
      fixture_init(&f, &cases[k], seed);
      for (int l = 0; l < 2; l++) {
        attend(y, &f, l, x);
        check(&f, MODEL_ATTENTION, l, x, y);
        sublayer(y, &f, l, x);
        check(&f, MODEL_SUBLAYER, l, x, y);
      }
      block(y, &f, 0, x);
      check(&f, MODEL_BLOCK, 0, x, y);
      fixture_clear(&f);
    }
  }
}

/* The row of a token that asks alone is that among all. */
static void a_token_alone_has_its_row(void **state) {
  (void)state;
  double x[N * D], expected[N * D];
  for (int i = 0; i < N * D; i++) x[i] = sin(i + 1);
  for (int k = 0; k < CASES; k++) {
    fixture f;
    attcert_error err;
    attcert_matrix y;
    network_steps network;
    fixture_init(&f, &cases[k], 7);
    attend(expected, &f, 1, x);
    assert_int_equal(attcert_matrix_init(&y, N, D, &err), ATTCERT_OK);
    memcpy(y.data, x, sizeof x);
    network_builder b = network_run(&network, &y, &err);
    assert_int_equal(network_run_end(&y, &b, model_attend(&b, 0, f.m, 1, N - 2)), ATTCERT_OK);
    assert_int_equal(y.rows, 1);
    for (int c = 0; c < D; c++) assert_true(fabs(y.data[c] - expected[(N - 2) * D + c]) <= 1e-12);
    attcert_matrix_clear(&y);
    fixture_clear(&f);
  }
}

/* What `info` says of a layer names both particulars. */
static void layers_are_described(void **state) {
  (void)state;
  char text[MODEL_ATTENTION_TEXT_SIZE];
  for (int k = 0; k < CASES; k++) {
    fixture f;
    fixture_init(&f, &cases[k], 7);
    model_attention_text(text, f.m, 0);
    assert_non_null(strstr(text, "keys and values of one shorter vector"));
    assert_int_equal(strstr(text, "log(2)") != NULL, cases[k].slope > 0.0);
    fixture_clear(&f);
  }
}

static void experts_are_refused(void **state) {
  (void)state;
  fixture f;
  attcert_matrix x;
  attcert_error err = {0};
  fixture_init(&f, &cases[1], 0);
  assert_int_equal(attcert_matrix_init(&x, N, D, &err), ATTCERT_OK);
  for (int l = 1; l >= 0; l--) {
    const attcert_status status = model_function_value(&x, f.m, l == 0 ? MODEL_BLOCK : MODEL_NETWORK, l, &err);
    assert_int_equal(status, l == 0 ? ATTCERT_OK : ATTCERT_INPUT);
    if (l == 1) assert_non_null(strstr(err.message, "layer 1 is a mixture of experts"));
  }
  attcert_matrix_clear(&x);
  fixture_clear(&f);
}

/* Nothing is read as another family's map. */
static void strange_tensors_are_refused(void **state) {
  (void)state;
  static const char *const names[] = {"layers.0.self_attn.q_proj.weight",       "layers.0.self_attn.q_b_proj.bias",
                                      "layers.0.self_attn.kv_b_proj.bias",      "layers.0.self_attn.k_proj.weight",
                                      "layers.0.self_attn.kv_a_layernorm.bias", "layers.2.input_layernorm.weight"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    fixture f;
    model *m;
    attcert_error err = {0};
    fixture_init(&f, &cases[3], 0);
    tensor_list_add(&f.tensors, names[i], 1, 0);
    tensor_list_write(&f.tensors, &f.folder, "model.");
    assert_int_equal(model_open(&m, f.folder.path, 0, &err), ATTCERT_INPUT);
    if (strstr(err.message, names[i]) == NULL) fail_msg("%s", err.message);
    fixture_clear(&f);
  }
}

static void other_keys_are_refused(void **state) {
  (void)state;
#define SCALING "\"rope_theta\": 50.0, \"rope_scaling\": {" YARN
  static const struct {
    const char *keys, *word;
  } bad[] = {
      {"\"rope_theta\": 50.0, \"num_key_value_heads\": 1", "num_key_value_heads"},
      {"\"head_dim\": 6", "key 'head_dim' is 6, expected 4"},
      {"\"qk_head_dim\": 8", "key 'qk_head_dim' is 8, expected 6"},
      {"\"qk_rope_head_dim\": 3", "expected an even number"},
      {"\"qk_nope_head_dim\": 3, " SCALING "\"mscale\": 1, \"mscale_all_dim\": 1}", "'qk_nope_head_dim' is 3"},
      {"\"v_head_dim\": 0", "v_head_dim"},
      {"\"kv_lora_rank\": null, \"v_head_dim\": 20000", "2 heads of 20000 entries, expected at most 32768"},
      {"\"q_lora_rank\": 0", "q_lora_rank"},
      {"\"rope_interleave\": 1", "rope_interleave"},
      {"\"rope_theta\": 0", "rope_theta"},
      {"\"moe_layer_freq\": 2", "moe_layer_freq"},
      {"\"sliding_window\": 4", "key 'sliding_window' is not known"},
      {SCALING "\"mscale\": 1.0}", "mscale is 1 and mscale_all_dim is 0"},
      {SCALING "\"mscale_all_dim\": 1.0}", "mscale is 0 and mscale_all_dim is 1"},
      {SCALING "\"mscale\": 1.0, \"mscale_all_dim\": 0.5}", "amplitudes that differ"},
      {SCALING "\"mscale\": -1.0, \"mscale_all_dim\": -1.0}", "mscale"},
      {SCALING "\"attention_factor\": 1.0}", "other keys"},
      {SCALING "\"truncate\": false}", "other keys"},
      {SCALING "\"beta_fast\": 0.5}", "beta_slow"},
      {"\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2.0, \"mscale_all_dim\": 1.0}", "other keys"},
      {"\"quantization_config\": {\"quant_method\": \"fp8\"}", "quantization_config"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    model_config config;
    attcert_error err = {0};
    char text[2048];
    snprintf(text, sizeof text,
             "{\"model_type\": \"deepseek_v3\", \"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": "
             "2, \"intermediate_size\": 12, \"vocab_size\": 11, \"max_position_embeddings\": 16%s%s%s, %s}",
             strstr(bad[i].keys, "qk_nope") == NULL ? ", \"qk_nope_head_dim\": 2" : "",
             strstr(bad[i].keys, "qk_rope") == NULL ? ", \"qk_rope_head_dim\": 4" : "",
             strstr(bad[i].keys, "kv_lora") == NULL ? ", \"kv_lora_rank\": 5" : "", bad[i].keys);
    if (config_text_read(&config, text, &err) != ATTCERT_INPUT) fail_msg("accepted %s", bad[i].keys);
    if (strstr(err.message, bad[i].word) == NULL) fail_msg("\"%s\" does not say %s", err.message, bad[i].word);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_equal_the_formulas),   cmocka_unit_test(a_token_alone_has_its_row),
      cmocka_unit_test(layers_are_described),        cmocka_unit_test(experts_are_refused),
      cmocka_unit_test(strange_tensors_are_refused), cmocka_unit_test(other_keys_are_refused),
  };
  return cmocka_run_group_tests_name("latent_attention", tests, temp_folder_set_up, temp_folder_tear_down);
}
