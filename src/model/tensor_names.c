#include "model/tensor_names.h"

#include "model/family/families.h"
#include "model/tensor_contents.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* What is left of the text behind the prefix, or NULL where it begins otherwise. */
static const char *behind(const char *text, const char *prefix) {
  const size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* ---- what is read ------------------------------------------------------------------------------------------------ */

/* NAME.weight; or NAME.bias, where the map has one. */
static bool is_map(const char *name, const char *map, bool bias) {
  const char *const suffix = map != NULL ? behind(name, map) : NULL;
  return suffix != NULL && (strcmp(suffix, ".weight") == 0 || (bias && strcmp(suffix, ".bias") == 0));
}

/* NAME.gamma and .beta where the files have gamma, as linear_read_norm reads them; else .weight and .bias. */
static bool is_norm(const model *m, const char *name, const char *norm) {
  char gamma[TENSOR_NAME_SIZE];
  const char *const suffix = norm != NULL ? behind(name, norm) : NULL;
  if (suffix == NULL) return false;
  tensor_name(gamma, norm, "gamma");
  return tensor_source_stores(&m->source, gamma)
             ? strcmp(suffix, ".gamma") == 0 || strcmp(suffix, ".beta") == 0
             : is_map(name, norm, !m->config.family->root_mean_square && m->config.norm_biases);
}

static bool is_table(const char *name, const char *table) {
  return table != NULL && strcmp(name, table) == 0;
}

/* Of the rows that shift queries and keys. */
static bool is_shift(const model *m, const char *name) {
  const model_family *const f = m->config.family;
  if (!model_config_is_shifted(&m->config)) return false;
  return is_table(name, f->position_shift.table) ||
         (m->config.position_shift.normed && is_norm(m, name, f->position_shift.norm));
}

/* Of their maps. */
static bool is_shift_map(const model *m, const char *part) {
  const model_family *const f = m->config.family;
  if (!m->config.position_shift.own_maps) return false;
  return (m->config.position_shift.query && is_map(part, f->position_shift.query, true)) ||
         (m->config.position_shift.key && is_map(part, f->position_shift.key, true));
}

/* A name outside of the blocks. */
static bool is_outer_part(const model *m, const char *name) {
  const model_family *const f = m->config.family;
  const bool mapped = f->embedding_map_always || m->config.embedding_dim != m->config.dim;
  return is_table(name, f->word_table) || is_table(name, f->position_table) || is_table(name, f->type_table) ||
         (!f->own_position_bias && is_table(name, f->position_bias)) || is_shift(m, name) ||
         is_norm(m, name, f->embedding_norm) || (mapped && is_map(name, f->embedding_map, true)) ||
         is_norm(m, name, f->final_norm);
}

/* Of the maps that the attention of such a block has. */
static bool is_latent_map(const model *m, const char *part) {
  const model_family *const f = m->config.family;
  const bool biases = m->config.attention_biases;
  const bool of_query = m->config.latent.query_rank > 0
                            ? is_map(part, f->latent.query_down, biases) || is_map(part, f->latent.query_up, false)
                            : is_map(part, f->attention.query, false);
  return of_query || is_map(part, f->latent.down, biases) || is_map(part, f->latent.up, false);
}

static bool is_attention_map(const model *m, const char *part) {
  const model_family *const f = m->config.family;
  const bool biases = m->config.attention_biases;
  if (is_map(part, f->attention.output, m->config.output_bias)) return true;
  if (m->config.latent.rank > 0) return is_latent_map(m, part);
  return is_map(part, f->attention.query, biases) || is_map(part, f->attention.key, family_has_key_bias(&m->config)) ||
         is_map(part, f->attention.value, biases);
}

/* The part of block number g that the name has. */
static bool is_block_part(const model *m, int g, const char *part) {
  const model_family *const f = m->config.family;
  const bool others = m->config.feed_forward_biases;
  const char *const norms[] = {f->attention.norm,
                               f->norm_behind.attention,
                               f->feed_forward.norm,
                               f->norm_behind.feed_forward,
                               f->heads_norm.query,
                               f->heads_norm.key,
                               m->config.latent.query_rank > 0 ? f->latent.query_norm : NULL,
                               f->latent.norm};
  char name[TENSOR_NAME_SIZE], norm[TENSOR_NAME_SIZE];
  snprintf(name, sizeof name, "%s%d.%s", f->blocks, g, part);
  for (size_t i = 0; i < sizeof norms / sizeof norms[0]; i++) {
    if (norms[i] == NULL) continue;
    snprintf(norm, sizeof norm, "%s%d.%s", f->blocks, g, norms[i]);
    if (is_norm(m, name, norm)) return true;
  }
  if ((f->own_position_bias && is_table(part, f->position_bias)) || is_table(part, f->sinks)) return true;
  if (is_shift_map(m, part)) return true;
  if (is_table(part, f->scale.attention) || is_table(part, f->scale.feed_forward)) return true;
  return is_attention_map(m, part) || is_map(part, family_gate(&m->config), others) ||
         is_map(part, family_up(&m->config), others) || is_map(part, f->feed_forward.down, others);
}

static int block_count(const model *m) {
  return m->config.groups == 0 ? m->config.layers : m->config.groups;
}

/* The number of the block that the name is of, and in *part what follows it; -1: of no block. */
static int block_number(const char **part, const model *m, const char *name) {
  const char *const text = behind(name, m->config.family->blocks);
  int number = 0, digits = 0;
  if (text == NULL || (text[0] == '0' && text[1] != '.')) return -1;
  while (text[digits] >= '0' && text[digits] <= '9' && number < INT_MAX / 16)
    number = 10 * number + (text[digits++] - '0');
  if (digits == 0 || text[digits] != '.') return -1;
  *part = text + digits + 1;
  return number;
}

/* ---- what is not ------------------------------------------------------------------------------------------------- */

static bool has_form(const char *name, const unread_tensor *row) {
  static const char *const suffixes[] = {".weight", ".bias", ".gamma", ".beta"};
  static const int count[] = {[TENSOR_ALONE] = 0, [TENSOR_MAP] = 2, [TENSOR_NORM] = 4, [TENSOR_UNDER] = 0};
  const char *const suffix = behind(name, row->name);
  if (suffix == NULL) return false;
  for (int i = 0; i < count[row->form]; i++) {
    if (strcmp(suffix, suffixes[i]) == 0) return true;
  }
  return (row->form == TENSOR_ALONE && *suffix == '\0') || (row->form == TENSOR_UNDER && *suffix == '.');
}

static const unread_tensor *find_unread(const model *m, tensor_place place, const char *name) {
  const unread_tensor *row = m->config.family->unread;
  while (row->name != NULL && !(row->place == place && has_form(name, row))) row++;
  return row->name != NULL ? row : NULL;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* What a name is known as; row NULL: it is read. layer: of a block's part. */
typedef struct {
  bool known;
  const unread_tensor *row;
  int layer;
} tensor_use;

static tensor_use find_block_use(const model *m, const char *name) {
  const char *part = NULL;
  const int g = block_number(&part, m, name);
  if (g < 0 || g >= block_count(m)) return (tensor_use){.layer = g};
  if (is_block_part(m, g, part)) return (tensor_use){.known = true, .layer = g};
  const unread_tensor *const row = find_unread(m, TENSOR_OF_BLOCK, part);
  return (tensor_use){row != NULL, row, g};
}

static tensor_use find_use(const model *m, const char *stored) {
  const char *const outer = behind(stored, m->source.wrapper);
  const char *const name = outer != NULL ? behind(outer, m->source.prefix) : NULL;
  tensor_use use = {.layer = -1};
  if (name != NULL) {
    if (is_outer_part(m, name)) return (tensor_use){.known = true, .layer = -1};
    use = find_block_use(m, name);
    if (use.known) return use;
    use.row = find_unread(m, TENSOR_OF_MODEL, name);
  }
  if (outer != NULL && use.row == NULL) use.row = find_unread(m, TENSOR_OF_HEAD, outer);
  use.known = use.row != NULL;
  return use;
}

/* Parts of names, and what they are the sign of. */
static const struct {
  const char *part[10], *what;
} signs[] = {
    {{"lora_", "adapter", "modules_to_save", "base_layer"}, "it is of an adapter, which is not evaluated"},
    {{"_scale", "scales", "zero_point", "qzeros", "qweight", "g_idx", "absmax", "quant_", "SCB"},
     "it is of quantized weights, which are not computed"},
    {{"parametrizations", "weight_g", "weight_v", "weight_orig", "weight_mask"},
     "it is of a parametrization of a weight, which is not computed"},
    {{"distance_embedding"}, "it is of relative positions, which are not evaluated"},
    {{"crossattention", "crossattn"}, "it is of attention to a second model's states, which is not evaluated"},
};

static const char *find_sign(const char *name) {
  for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
    for (const char *const *part = signs[i].part; *part != NULL; part++) {
      if (strstr(name, *part) != NULL) return signs[i].what;
    }
  }
  return "it may change the function";
}

typedef struct {
  const char *name, *path;
  tensor_use use;
  size_t count;
} unknown_tensor;

static attcert_status refuse(const model *m, const unknown_tensor *u, attcert_error *err) {
  char others[48] = "", layers[96] = "";
  if (u->count > 1) snprintf(others, sizeof others, " (as are %zu others)", u->count - 1);
  if (u->use.layer >= block_count(m)) snprintf(layers, sizeof layers, ", whose layers are 0 to %d", block_count(m) - 1);
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' is not known%s: %s, expected those of a %s alone%s", u->path,
                      u->name, others, find_sign(u->name), m->config.type, layers);
}

attcert_status tensor_names_check(const model *m, attcert_error *err) {
  unknown_tensor unknown = {.count = 0};
  const tensor_files *const files = m->files;
  for (size_t i = 0; i < tensor_files_tensors(files); i++) {
    const safetensors *file;
    const safetensors_tensor *const t = tensor_files_tensor(&file, files, i);
    const tensor_use use = find_use(m, t->name);
    if (use.row != NULL) {
      const attcert_status status = tensor_contents_check(m, t, use.row, use.layer, safetensors_path(file), err);
      if (status != ATTCERT_OK) return status;
    }
    if (use.known) continue;
    if (unknown.count++ == 0) unknown = (unknown_tensor){t->name, safetensors_path(file), use, 1};
  }
  return unknown.count > 0 ? refuse(m, &unknown, err) : ATTCERT_OK;
}

const char *tensor_names_why(const model *m, const char *name) {
  const tensor_use use = find_use(m, name);
  const bool for_table = use.row != NULL && use.row->content == TENSOR_TIED && tensor_source_is_table(&m->source, name);
  return use.row != NULL && !for_table ? use.row->why : NULL;
}
