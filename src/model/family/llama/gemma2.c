/* Gemma 2: LLaMA with scores capped by tanh, and the further differences of gemma_like.h. Gemma team, 2024. */
#include "model/family/llama/gemma_like.h"

/* Where config.json does not say, as transformers documents it. */
enum {
  KEY_HEADS_USUAL = 4,
  HEAD_DIM_USUAL = 256,
  SCALAR_USUAL = 256,
  WINDOW_USUAL = 4096,
  CAP_USUAL = 50,
  WORD_CAP_USUAL = 30
};

/* A number that is positive; null: 0. */
static attcert_status read_cap(double *cap, const json_file *file, const char *key, attcert_error *err) {
  if (json_is_null(json_object_get(file->root, key))) *cap = 0.0;
  if (!json_file_has(file, key)) return ATTCERT_OK;
  const attcert_status status = json_file_real(cap, file, key, err);
  if (status != ATTCERT_OK || *cap > 0.0) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected a positive number or null", file->path, key,
                      *cap);
}

attcert_status gemma_read(model_config *config, const json_file *file, int period, attcert_error *err) {
  config->key_heads = KEY_HEADS_USUAL;
  config->head_dim = HEAD_DIM_USUAL;
  config->window = WINDOW_USUAL;
  config->score_scalar = SCALAR_USUAL;
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = llama_read_biases(config, file, err);
  if (status == ATTCERT_OK)
    status = json_file_optional_positive(&config->score_scalar, file, "query_pre_attn_scalar", err);
  if (status == ATTCERT_OK) status = read_cap(&config->word_cap, file, "final_logit_softcapping", err);
  if (status == ATTCERT_OK) status = llama_read_window(config, file, err);
  for (int l = 0; l < config->layers && status == ATTCERT_OK; l++) {
    if ((l + 1) % period != 0) model_layers_add(&config->local, l);
  }
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->score_cap = CAP_USUAL;
  config->word_cap = WORD_CAP_USUAL;
  const attcert_status status = read_cap(&config->score_cap, file, "attn_logit_softcapping", err);
  return status == ATTCERT_OK ? gemma_read(config, file, 2, err) : status;
}

void gemma_complete_random(model_config *config) {
  llama_complete_random(config);
  config->score_scalar = (double)config->dim / config->heads;
}

static void complete_random(model_config *config) {
  gemma_complete_random(config);
  config->score_cap = CAP_USUAL;
  config->word_cap = WORD_CAP_USUAL;
}

const model_family family_gemma2 = {
    .type = {{"gemma2", "Gemma2"}},
    .heads = llama_heads,
    .other_keys = (const config_key[]){GEMMA_OTHER_KEYS, KEY_READ("attn_logit_softcapping"), KEY_END},
    .check = check,
    .random = {.vocabulary = 256000, .positions = 8192, .shares_keys = true, .complete = complete_random},
    GEMMA_MODEL,
};
