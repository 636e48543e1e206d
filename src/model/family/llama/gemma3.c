/* Gemma 3, of text alone: Gemma 2 with an RMSNorm of queries and keys in place of the cap, and positions that rotate
 * with another theta in the layers that attend to a window. Gemma team, 2025. */
#include "model/family/llama/gemma_like.h"

#include <limits.h>

/* Where config.json does not say, as transformers documents it. */
enum { PERIOD_USUAL = 6, LOCAL_THETA_USUAL = 10000, THETA_USUAL = 1000000 };

/* Newer files write the key with an underscore, beside layer_types. */
static attcert_status read_period(int *period, const json_file *file, attcert_error *err) {
  static const char *const keys[] = {"sliding_window_pattern", "_sliding_window_pattern"};
  int other;
  attcert_status status = json_file_optional_int(period, file, keys[0], 1, INT_MAX, err);
  other = *period;
  if (status == ATTCERT_OK) status = json_file_optional_int(&other, file, keys[1], 1, INT_MAX, err);
  if (status == ATTCERT_OK && json_file_has(file, keys[0]) && other != *period)
    return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and '%s' differ, expected one number", file->path, keys[0],
                        keys[1]);
  *period = other;
  return status;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  int period = PERIOD_USUAL;
  config->rotary_base = THETA_USUAL;
  config->local_rotary_base = LOCAL_THETA_USUAL;
  attcert_status status = read_period(&period, file, err);
  if (status == ATTCERT_OK)
    status = json_file_optional_positive(&config->local_rotary_base, file, "rope_local_base_freq", err);
  return status == ATTCERT_OK ? gemma_read(config, file, period, err) : status;
}

const model_family family_gemma3 = {
    .type = {{"gemma3_text", "Gemma3"}},
    .heads = (const family_head[]){{"ForCausalLM", HEAD_NEXT_TOKEN},
                                   {"TextForSequenceClassification", HEAD_SEQUENCE},
                                   {"TextModel", HEAD_NONE},
                                   HEADS_END},
    .other_keys =
        (const config_key[]){
            GEMMA_OTHER_KEYS,
            KEY_UNSET("attn_logit_softcapping", "its class does not cap the scores"),
            KEY_READ("rope_local_base_freq sliding_window_pattern _sliding_window_pattern"),
            KEY_END,
        },
    .check = check,
    GEMMA_MODEL,
    .heads_norm = {"self_attn.q_norm", "self_attn.k_norm", false},
};
