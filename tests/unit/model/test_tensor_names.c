/* Every tensor of a model's files is read, known to have no effect, or refused: for each family, what its published
 * checkpoints hold beside the layers loads and changes nothing; anything else, wherever it stands, is named. With the
 * prefixes that PyTorch's wrappers add, and with the word table under another name, the numbers are the same. */
#include "model/model.h"
#include "model/tensor_names.h"
#include "tiny_model.h"
#include "tiny_relative.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_NAMES = 24 };

/* A family's checkpoint: what it holds beside what the tiny models have, m: behind the prefix. Sides are 1, but for a
 * tied weight, which has the word table's. */
typedef struct {
  const char *type, *words;
  const char *heads[MOST_NAMES]; /* NULL at the end */
  const char *inner[MOST_NAMES];
  const char *tied;
} checkpoint;

static const checkpoint checkpoints[] = {
    {"bert",
     "embeddings.word_embeddings.weight",
     {"cls.predictions.bias", "cls.predictions.decoder.bias", "cls.predictions.transform.dense.weight",
      "cls.predictions.transform.dense.bias", "cls.predictions.transform.LayerNorm.weight",
      "cls.predictions.transform.LayerNorm.bias", "cls.predictions.transform.LayerNorm.gamma",
      "cls.predictions.transform.LayerNorm.beta", "cls.seq_relationship.weight", "cls.seq_relationship.bias",
      "classifier.weight", "classifier.bias", "qa_outputs.weight", "qa_outputs.bias"},
     {"pooler.dense.weight", "pooler.dense.bias"},
     "cls.predictions.decoder.weight"},
    {"roberta",
     "embeddings.word_embeddings.weight",
     {"lm_head.bias", "lm_head.dense.weight", "lm_head.dense.bias", "lm_head.layer_norm.weight",
      "lm_head.layer_norm.bias", "lm_head.decoder.bias", "classifier.weight", "classifier.bias", "qa_outputs.weight"},
     {"pooler.dense.weight", "pooler.dense.bias"},
     "lm_head.decoder.weight"},
    {"electra",
     "embeddings.word_embeddings.weight",
     {"discriminator_predictions.dense.weight", "discriminator_predictions.dense.bias",
      "discriminator_predictions.dense_prediction.weight", "discriminator_predictions.dense_prediction.bias",
      "generator_predictions.LayerNorm.weight", "generator_predictions.LayerNorm.bias",
      "generator_predictions.dense.weight", "generator_predictions.dense.bias", "generator_lm_head.bias"},
     {NULL},
     "generator_lm_head.weight"},
    {"distilbert",
     "embeddings.word_embeddings.weight",
     {"vocab_transform.weight", "vocab_transform.bias", "vocab_layer_norm.weight", "vocab_layer_norm.bias",
      "vocab_projector.bias", "qa_outputs.weight", "qa_outputs.bias"},
     {NULL},
     "vocab_projector.weight"},
    {"albert",
     "embeddings.word_embeddings.weight",
     {"predictions.bias", "predictions.LayerNorm.weight", "predictions.LayerNorm.bias", "predictions.dense.weight",
      "predictions.dense.bias", "predictions.decoder.bias", "sop_classifier.classifier.weight",
      "sop_classifier.classifier.bias", "qa_outputs.weight"},
     {NULL},
     "predictions.decoder.weight"},
    {"vit",
     NULL,
     {"decoder.0.weight", "decoder.0.bias"},
     {"embeddings.cls_token", "embeddings.mask_token", "embeddings.position_embeddings",
      "embeddings.patch_embeddings.projection.weight", "embeddings.patch_embeddings.projection.bias",
      "pooler.dense.weight", "pooler.dense.bias"},
     NULL},
    {"deit",
     NULL,
     {"cls_classifier.weight", "cls_classifier.bias", "distillation_classifier.weight", "distillation_classifier.bias"},
     {"embeddings.cls_token", "embeddings.distillation_token", "embeddings.position_embeddings",
      "embeddings.patch_embeddings.projection.weight", "embeddings.patch_embeddings.projection.bias"},
     NULL},
    {"gpt2",
     "wte.weight",
     {"score.weight", "qa_outputs.weight", "classifier.weight", "multiple_choice_head.summary.weight"},
     {NULL},
     "lm_head.weight"},
    {"gpt_neo", "wte.weight", {"score.weight", "qa_outputs.weight", "classifier.bias"}, {NULL}, "lm_head.weight"},
    {"opt",
     "decoder.embed_tokens.weight",
     {"score.weight", "qa_outputs.weight"},
     {"decoder.version"},
     "lm_head.weight"},
    {"bloom",
     "word_embeddings.weight",
     {"score.weight", "qa_outputs.weight", "qa_outputs.bias", "classifier.weight", "classifier.bias"},
     {NULL},
     "lm_head.weight"},
    {"mpt", "wte.weight", {"score.weight", "qa_outputs.weight", "classifier.weight"}, {NULL}, "lm_head.weight"},
    {"t5",
     "shared.weight",
     {"lm_head.weight", "qa_outputs.weight", "classifier.weight", "classifier.bias", "classification_head.dense.weight",
      "classification_head.dense.bias", "classification_head.out_proj.weight", "classification_head.out_proj.bias"},
     {"decoder.embed_tokens.weight", "decoder.final_layer_norm.weight",
      "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"},
     NULL},
    {"nomic_bert",
     "embeddings.word_embeddings.weight",
     {"cls.predictions.transform.dense.weight", "cls.predictions.transform.dense.bias",
      "cls.predictions.transform.layer_norm.weight", "cls.predictions.transform.layer_norm.bias",
      "cls.predictions.decoder.bias"},
     {NULL},
     "cls.predictions.decoder.weight"},
    {"deberta-v2",
     "embeddings.word_embeddings.weight",
     {"lm_predictions.lm_head.bias", "lm_predictions.lm_head.dense.weight", "lm_predictions.lm_head.dense.bias",
      "lm_predictions.lm_head.LayerNorm.weight", "lm_predictions.lm_head.LayerNorm.bias",
      "mask_predictions.dense.weight", "mask_predictions.dense.bias", "mask_predictions.LayerNorm.weight",
      "mask_predictions.LayerNorm.bias", "mask_predictions.classifier.weight", "mask_predictions.classifier.bias",
      "cls.predictions.bias", "cls.predictions.transform.dense.weight", "cls.predictions.transform.LayerNorm.bias"},
     {"embeddings.position_embeddings.weight", "embeddings.position_embeddings._weight",
      "embeddings.word_embeddings._weight"},
     "cls.predictions.decoder.weight"},
    {"umt5", "shared.weight", {"lm_head.weight"}, {"decoder.block.7.layer.0.layer_norm.weight"}, NULL},
    {"whisper",
     NULL,
     {"proj_out.weight", "projector.weight", "projector.bias", "classifier.weight", "classifier.bias", "layer_weights"},
     {"encoder.conv1.weight", "encoder.conv1.bias", "encoder.conv2.weight", "encoder.conv2.bias",
      "encoder.embed_positions.weight", "encoder.layer_norm.weight", "encoder.layer_norm.bias",
      "decoder.embed_tokens.weight", "decoder.embed_positions.weight", "decoder.layers.0.encoder_attn.k_proj.weight",
      "decoder.layers.3.self_attn.q_proj.bias", "decoder.layer_norm.weight"},
     NULL},
    {"clip_text_model",
     "embeddings.token_embedding.weight",
     {"text_projection.weight", "visual_projection.weight", "logit_scale", "vision_model.embeddings.class_embedding",
      "vision_model.pre_layrnorm.bias", "vision_model.encoder.layers.0.mlp.fc1.weight"},
     {"final_layer_norm.weight", "final_layer_norm.bias"},
     NULL},
    {"clip_vision_model",
     NULL,
     {"visual_projection.weight", "logit_scale", "text_model.embeddings.token_embedding.weight",
      "text_model.encoder.layers.0.mlp.fc1.weight", "classifier.weight", "classifier.bias"},
     {"embeddings.class_embedding", "embeddings.patch_embedding.weight", "embeddings.position_embedding.weight",
      "embeddings.position_ids", "pre_layrnorm.weight", "pre_layrnorm.bias", "post_layernorm.weight",
      "post_layernorm.bias"},
     NULL},
    {"siglip_text_model",
     "embeddings.token_embedding.weight",
     {"logit_scale", "logit_bias", "vision_model.head.probe"},
     {"final_layer_norm.weight", "final_layer_norm.bias", "head.weight", "head.bias"},
     NULL},
    {"siglip_vision_model",
     NULL,
     {"logit_scale", "logit_bias", "text_model.head.weight", "classifier.weight", "classifier.bias"},
     {"embeddings.patch_embedding.weight", "embeddings.patch_embedding.bias", "embeddings.position_embedding.weight",
      "post_layernorm.weight", "post_layernorm.bias", "head.probe", "head.attention.in_proj_weight",
      "head.attention.out_proj.bias", "head.layernorm.weight", "head.mlp.fc2.bias"},
     NULL},
};
enum { CHECKPOINTS = sizeof checkpoints / sizeof checkpoints[0] };

/* ---- a tiny model of the type ------------------------------------------------------------------------------------ */

typedef struct {
  const char *config, *prefix;
  tensor_list tensors; /* with the prefixes in their names */
} tiny;

static bool is_head(const char *name) {
  return strncmp(name, "classifier.", 11) == 0 || strncmp(name, "pre_classifier.", 15) == 0;
}

/* A pooler beside the prefix. */
static bool is_pooler(const tiny_relative *relative, const char *name) {
  return relative->type != NULL && relative->shift.table != NULL && strncmp(name, "pooler.", 7) == 0;
}

static void tiny_init(tiny *t, const char *type, const char *wrapper, bool with_prefix) {
  random_source r = random_source_make(5, 0, 0);
  const tiny_relative *relative = tiny_relatives;
  *t = (tiny){.config = strcmp(type, "bert") == 0 ? tiny_bert.config : tiny_gpt2.config};
  t->prefix = strcmp(type, "bert") == 0 ? tiny_bert.prefix : tiny_gpt2.prefix;
  while (relative->type != NULL && strcmp(relative->type, type) != 0) relative++;
  if (relative->type != NULL) {
    t->config = relative->config;
    t->prefix = relative->prefix;
    tiny_relative_init(&t->tensors, relative, &r);
  } else {
    (strcmp(type, "bert") == 0 ? tiny_bert : tiny_gpt2).init(&t->tensors, &r);
  }
  for (size_t i = 0; i < t->tensors.count; i++) {
    char name[sizeof t->tensors.tensor[i].name];
    snprintf(name, sizeof name, "%s", t->tensors.tensor[i].name);
    snprintf(t->tensors.tensor[i].name, sizeof name, "%s%s%.90s", wrapper,
             with_prefix && !is_head(name) && !is_pooler(relative, name) ? t->prefix : "", name);
  }
}

static attcert_status open_tiny(model **m, const tiny *t, attcert_error *err) {
  temp_folder_write(&temp_folder_shared, "config.json", t->config, strlen(t->config));
  tensor_list_write(&t->tensors, &temp_folder_shared, "");
  return model_open(m, temp_folder_shared.path, 0, err);
}

/* The input of layer 1, d numbers a token: what all layers before made of it. */
static attcert_matrix input_of(const tiny *t, const char *what) {
  model *m;
  attcert_matrix x;
  attcert_error err = {0};
  double numbers[3 * 8];
  for (int i = 0; i < 24; i++) numbers[i] = 0.25 * (i % 7) - 0.5;
  if (open_tiny(&m, t, &err) != ATTCERT_OK) fail_msg("%s: %s", what, err.message);
  const attcert_matrix hidden = {3, model_get_shape(m).dim, numbers};
  const attcert_status status = model_get_shape(m).vocabulary > 0
                                    ? model_layer_input(&x, m, 1, (const int[]){3, 0, 7}, 3, &err)
                                    : model_layer_input_from(&x, m, 1, &hidden, &err);
  if (status != ATTCERT_OK) fail_msg("%s: %s", what, err.message);
  model_close(m);
  return x;
}

static void assert_same(attcert_matrix *x, const attcert_matrix *expected, const char *what) {
  if (x->rows != expected->rows || x->cols != expected->cols ||
      memcmp(x->data, expected->data, sizeof(double) * (size_t)(x->rows * x->cols)) != 0)
    fail_msg("%s: other numbers", what);
  attcert_matrix_clear(x);
}

static void assert_refused(const tiny *t, const char *word) {
  model *m;
  attcert_error err = {0};
  if (open_tiny(&m, t, &err) != ATTCERT_INPUT) fail_msg("%s: accepted", word);
  if (strstr(err.message, word) == NULL || strchr(err.message, '\n') != NULL)
    fail_msg("\"%s\" does not say %s in one line", err.message, word);
  assert_null(m);
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static void add_names(tensor_list *tensors, const char *const *names, const char *prefix) {
  char full[96];
  for (; *names != NULL; names++) {
    snprintf(full, sizeof full, "%s%s", prefix, *names);
    tensor_list_add(tensors, full, 1, 0);
  }
}

/* The word table once more, as the head that is tied to it. */
static void add_tied(tensor_list *tensors, const checkpoint *c, const char *prefix) {
  char words[96];
  snprintf(words, sizeof words, "%s%s", prefix, c->words);
  const named_tensor table = *tensor_list_at(tensors, words);
  memcpy(tensor_list_add(tensors, c->tied, table.rows, table.cols), table.data,
         sizeof(double) * (size_t)(table.rows * table.cols));
}

static void checkpoints_load(void **state) {
  (void)state;
  for (int i = 0; i < 2 * CHECKPOINTS; i++) {
    const checkpoint *const c = &checkpoints[i / 2];
    const bool with_prefix = i % 2 != 0;
    tiny t;
    tiny_init(&t, c->type, "", with_prefix);
    attcert_matrix expected = input_of(&t, c->type);
    add_names(&t.tensors, c->heads, "");
    add_names(&t.tensors, c->inner, with_prefix ? t.prefix : "");
    if (c->tied != NULL) add_tied(&t.tensors, c, with_prefix ? t.prefix : "");
    attcert_matrix x = input_of(&t, c->type);
    assert_same(&x, &expected, c->type);
    attcert_matrix_clear(&expected);
    tensor_list_clear(&t.tensors);
  }
}

/* What is no part of any family, behind the prefix, in a block, and beside the prefix; and parts of other families. */
static void others_are_refused(void **state) {
  (void)state;
  static const char *const names[] = {
      "other", "embeddings.rotary.inv_freq", "scale", "encoder.layer.0", "h.0.", "layers.0.weight"};
  static const char *const parts[] = {"attention.self.query.lora_A.default.weight",
                                      "attention.self.distance_embedding.weight",
                                      "crossattention.self.query.weight",
                                      "attn.attention.q_proj.bias_g",
                                      "adapter.weight",
                                      "weight",
                                      "output.dense.weight_scale",
                                      "rotary.inv_freq",
                                      "mlp.gate_proj.weight"};
  for (int i = 0; i < CHECKPOINTS; i++) {
    for (size_t n = 0; n < 2 * sizeof names / sizeof names[0] + sizeof parts / sizeof parts[0]; n++) {
      tiny t;
      char name[96];
      tiny_init(&t, checkpoints[i].type, "", true);
      const size_t count = sizeof names / sizeof names[0];
      const char *const first = t.tensors.tensor[t.tensors.count / 2].name, *const digit = strpbrk(first, "0123456789");
      assert_non_null(digit);
      if (n < 2 * count)
        snprintf(name, sizeof name, "%s%s", n < count ? t.prefix : "", names[n % count]);
      else
        snprintf(name, sizeof name, "%.*s.%s", (int)(digit + 1 - first), first, parts[n - 2 * count]);
      tensor_list_add(&t.tensors, name, 1, 0);
      assert_refused(&t, name);
      tensor_list_clear(&t.tensors);
    }
  }
}

/* A layer more than config.json says; a map or a LayerNorm more than its layers have. */
static void parts_too_many(void **state) {
  (void)state;
  static const struct {
    const char *type, *name;
  } bad[] = {{"bert", "bert.encoder.layer.2.output.dense.weight"},
             {"bert", "bert.encoder.layer.01.output.dense.weight"},
             {"bert", "bert.encoder.layer.4294967296.output.dense.weight"},
             {"bert", "encoder.layer.0.output.dense.weight"},
             {"bert", "bert.embeddings.LayerNorm.gain"},
             {"bert", "cls.predictions.bias.scale"},
             {"bert", "bert.pooler.dense.weight.scale"},
             {"distilbert", "vocab_projector.bias_g"},
             {"bert", "bert.embeddings_project.weight"},
             {"gpt2", "transformer.h.2.ln_1.weight"},
             {"gpt2", "transformer.h.0.attn.c_attn.weight.scale"},
             {"gpt2", "transformer.h.0.attn.bias_k"},
             {"gpt_neo", "transformer.h.0.attn.attention.q_proj.bias"},
             {"albert", "albert.encoder.albert_layer_groups.1.albert_layers.0.ffn.weight"},
             {"albert", "albert.encoder.albert_layer_groups.0.albert_layers.1.ffn.weight"},
             {"vit", "vit.layernorm.gain"},
             {"opt", "model.decoder.project_in.weight"},
             {"opt", "lm_head.bias"},
             {"t5", "transformer.encoder.block.2.layer.0.SelfAttention.q.weight"},
             {"t5", "transformer.encoder.block.1.layer.0.SelfAttention.relative_attention_bias.weight"},
             {"umt5", "transformer.encoder.block.2.layer.0.SelfAttention.relative_attention_bias.weight"},
             {"t5", "transformer.encoder.block.0.layer.1.DenseReluDense.wi_0.weight"},
             {"umt5", "transformer.encoder.block.0.layer.1.DenseReluDense.wi.weight"},
             {"t5", "transformer.encoder.block.0.layer.0.SelfAttention.q.bias"},
             {"nomic_bert", "bert.encoder.layers.0.mlp.fc1.weight"},
             {"nomic_bert", "bert.encoder.layers.0.attn.Wqkv.bias"},
             {"nomic_bert", "bert.embeddings.position_embeddings.weight"},
             {"deberta-v2", "deberta.encoder.layer.0.attention.self.pos_key_proj.weight"},
             {"deberta-v2", "deberta.encoder.conv.conv.weight"},
             {"deberta-v2", "deberta.encoder.rel_embeddings.bias"},
             {"deberta-v2", "deberta.embeddings.token_type_embeddings.weight"},
             {"deberta-v2", "deberta.pooler.dense.weight"},
             {"t5", "transformer.decoder"},
             {"t5", "transformer.decoders.0.weight"},
             {"t5", "decoder.block.0.layer.0.layer_norm.weight"},
             {"whisper", "model.encoder.layers.0.self_attn.k_proj.bias"},
             {"whisper", "model.encoder.layers.2.fc1.weight"},
             {"whisper", "model.decoders.weight"},
             {"whisper", "decoder.layers.0.fc1.weight"},
             {"whisper", "proj_out.bias"},
             {"clip_text_model", "text_model.pre_layrnorm.weight"},
             {"clip_text_model", "text_model.encoder.layers.0.self_attn.k_proj.bias_k"},
             {"clip_text_model", "vision_models.weight"},
             {"clip_vision_model", "vision_model.head.probe"},
             {"siglip_vision_model", "vision_model.head"},
             {"siglip_text_model", "text_model.head.probe"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    tiny t;
    tiny_init(&t, bad[i].type, "", true);
    tensor_list_add(&t.tensors, bad[i].name, 1, 0);
    assert_refused(&t, bad[i].name);
    tensor_list_clear(&t.tensors);
  }
}

/* Both names of a LayerNorm's numbers: one of them would not be read. */
static void two_names_of_a_gain(void **state) {
  (void)state;
  tiny t;
  tiny_init(&t, "bert", "", true);
  tensor_list_add(&t.tensors, "bert.encoder.layer.1.output.LayerNorm.gamma", TINY_DIM, 0);
  tensor_list_add(&t.tensors, "bert.encoder.layer.1.output.LayerNorm.beta", TINY_DIM, 0);
  assert_refused(&t, "tensor 'bert.encoder.layer.1.output.LayerNorm.weight' is not known (as are 1 others)");
  tensor_list_clear(&t.tensors);
}

static void wrappers_are_taken_off(void **state) {
  (void)state;
  static const char *const wrappers[] = {"module.", "_orig_mod.", "module._orig_mod.", "_orig_mod.module."};
  for (size_t i = 0; i < 8 * CHECKPOINTS; i++) {
    const checkpoint *const c = &checkpoints[i / 8];
    tiny bare, t;
    tiny_init(&bare, c->type, "", i % 2 != 0);
    tiny_init(&t, c->type, wrappers[i / 2 % 4], i % 2 != 0);
    attcert_matrix expected = input_of(&bare, c->type), x = input_of(&t, c->type);
    assert_same(&x, &expected, c->type);
    attcert_matrix_clear(&expected);
    tensor_list_clear(&bare.tensors);
    tensor_list_clear(&t.tensors);
  }
}

/* Of a layer with local attention, the stored mask has the last `window` tokens alone. */
static void masks_are_those_of_the_layer(void **state) {
  (void)state;
  enum { N = 5, WINDOW = 3 };
  for (int local = 0; local < 2; local++) {
    for (int window = WINDOW; window <= N; window += N - WINDOW) { /* of the mask: N is all */
      tiny t;
      model *m;
      attcert_error err = {0};
      tiny_init(&t, "gpt_neo", "", true);
      t.config = "{\"model_type\": \"gpt_neo\", \"hidden_size\": 8, \"num_heads\": 2, \"num_layers\": 2, "
                 "\"intermediate_size\": 12, \"vocab_size\": 11, \"max_position_embeddings\": 5, \"window_size\": 3}";
      double *const mask = tensor_list_add(
          &t.tensors, local ? "transformer.h.1.attn.attention.bias" : "transformer.h.0.attn.attention.bias", N, N);
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) mask[i * N + j] = j <= i && j > i - window;
      }
      const attcert_status status = open_tiny(&m, &t, &err);
      if (status != ((window == WINDOW) == (local == 1) ? ATTCERT_OK : ATTCERT_INPUT))
        fail_msg("layer %d, window %d: %s", local, window, err.message);
      model_close(m);
      tensor_list_clear(&t.tensors);
    }
  }
}

/* Only the head is stored, or it differs from the word table. */
static void tied_weights(void **state) {
  (void)state;
  for (int i = 0; i < CHECKPOINTS; i++) {
    const checkpoint *const c = &checkpoints[i];
    if (c->tied == NULL) continue;
    tiny t;
    char words[96], differs[128];
    tiny_init(&t, c->type, "", true);
    snprintf(words, sizeof words, "%s%s", t.prefix, c->words);
    attcert_matrix expected = input_of(&t, c->type);
    add_tied(&t.tensors, c, t.prefix);
    tensor_list_remove(&t.tensors, words);
    attcert_matrix x = input_of(&t, c->tied);
    assert_same(&x, &expected, c->tied);
    tensor_list_clear(&t.tensors);
    tiny_init(&t, c->type, "", true);
    add_tied(&t.tensors, c, t.prefix);
    tensor_list_find(&t.tensors, c->tied)[7] += 1.0;
    snprintf(differs, sizeof differs, "tensor '%s' differs from '%s'", c->tied, words);
    assert_refused(&t, differs);
    attcert_matrix_clear(&expected);
    tensor_list_clear(&t.tensors);
  }
}

/* T5's word table is the encoder's, whether config.json ties words' scores to it or not. */
static void the_encoders_table_is_the_word_table(void **state) {
  (void)state;
  static const char name[] = "encoder.embed_tokens.weight";
  static const char untied[] = "{\"tie_word_embeddings\": false, %s";
  tiny t;
  char config[512];
  tiny_init(&t, "t5", "", false);
  snprintf(config, sizeof config, untied, t.config + 1);
  t.config = config;
  attcert_matrix expected = input_of(&t, "t5"), x;
  const named_tensor table = *tensor_list_at(&t.tensors, "shared.weight");
  memcpy(tensor_list_add(&t.tensors, name, table.rows, table.cols), table.data,
         sizeof(double) * (size_t)(table.rows * table.cols));
  x = input_of(&t, "both");
  assert_same(&x, &expected, "both");
  tensor_list_remove(&t.tensors, "shared.weight");
  x = input_of(&t, name);
  assert_same(&x, &expected, name);
  tensor_list_clear(&t.tensors);
  tiny_init(&t, "t5", "", true);
  tensor_list_add(&t.tensors, "transformer.encoder.embed_tokens.weight", table.rows, table.cols);
  assert_refused(&t, "differs from 'transformer.shared.weight', to which its class ties it, expected the same numbers");
  attcert_matrix_clear(&expected);
  tensor_list_clear(&t.tensors);
}

static void each_tensor_has_its_reason(void **state) {
  (void)state;
  model *m;
  attcert_error err = {0};
  tiny t;
  tiny_init(&t, "bert", "", true);
  tensor_list_add(&t.tensors, "cls.seq_relationship.weight", 2, 6);
  assert_int_equal(open_tiny(&m, &t, &err), ATTCERT_OK);
  for (size_t i = 0; i < t.tensors.count; i++) {
    const char *const name = t.tensors.tensor[i].name, *const why = tensor_names_why((const model *)m, name);
    if ((why == NULL) != (strncmp(name, "bert.", 5) == 0)) fail_msg("%s: %s", name, why != NULL ? why : "read");
  }
  model_close(m);
  tensor_list_clear(&t.tensors);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checkpoints_load),
      cmocka_unit_test(others_are_refused),
      cmocka_unit_test(parts_too_many),
      cmocka_unit_test(two_names_of_a_gain),
      cmocka_unit_test(wrappers_are_taken_off),
      cmocka_unit_test(tied_weights),
      cmocka_unit_test(masks_are_those_of_the_layer),
      cmocka_unit_test(the_encoders_table_is_the_word_table),
      cmocka_unit_test(each_tensor_has_its_reason),
  };
  return cmocka_run_group_tests_name("tensor_names", tests, temp_folder_set_up, temp_folder_tear_down);
}
