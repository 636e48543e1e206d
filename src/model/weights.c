/* Reads the generic layout into a layer: sides from query.weight, everything else must fit them. */
#include "model/weights.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The tensors and the metadata of the layout. Any other says something about the layer that would be ignored (another
 * position of a bias, a softcap, a normalisation of the queries): the layer certified would not be the one meant. */
static const char *const names[] = {"query.weight", "key.weight", "value.weight",  "query.bias",
                                    "key.bias",     "value.bias", "output.weight", "output.bias"};
static const char *const metadata[] = {"num_heads", "format", NULL};

static bool is_layout_name(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]) == 0) return true;
  }
  return false;
}

/* How names that attention has elsewhere become the layout's: Python that changes t, a dictionary of tensors. */
static const struct {
  const char *part, *recipe;
} recipes[] = {
    {"q_proj", "t = {{'q_proj': 'query', 'k_proj': 'key', 'v_proj': 'value', 'out_proj': 'output', 'o_proj': 'output'}"
               "[k.split('.')[-2]] + '.' + k.split('.')[-1]: v for k, v in t.items()}"},
    {"in_proj_", "t = {f'{n}.{p}': c.contiguous() for p in ('weight', 'bias') if f'in_proj_{p}' in t for n, c in "
                 "zip(('query', 'key', 'value', 'output'), (*t[f'in_proj_{p}'].chunk(3), t[f'out_proj.{p}']))}"},
};

/* The recipe for a file that has a name of that kind; NULL: none. */
static const char *find_recipe(const safetensors *file) {
  for (size_t i = 0; i < safetensors_count(file); i++) {
    for (size_t r = 0; r < sizeof recipes / sizeof recipes[0]; r++) {
      if (strstr(safetensors_at(file, i)->name, recipes[r].part) != NULL) return recipes[r].recipe;
    }
  }
  return NULL;
}

static attcert_status refuse_name(const safetensors *file, const char *name, attcert_error *err) {
  char way_out[640] = "";
  const char *const recipe = find_recipe(file);
  if (recipe != NULL)
    snprintf(way_out, sizeof way_out,
             ": of one layer it is made by python3 -c \"from safetensors.torch import *; t = load_file('FILE'); %s; "
             "save_file(t, 'NEW', {'num_heads': 'H'})\"",
             recipe);
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: tensor '%s' is not of the layout, expected 'query.', 'key.', 'value.' or 'output.' with "
                      "'weight' or 'bias'%s",
                      safetensors_path(file), name, way_out);
}

static attcert_status check_names(const safetensors *file, attcert_error *err) {
  const char *const path = safetensors_path(file), *const other = safetensors_metadata_beside(file, metadata);
  for (size_t i = 0; i < safetensors_count(file); i++) {
    const char *const name = safetensors_at(file, i)->name;
    if (!is_layout_name(name)) return refuse_name(file, name, err);
  }
  if (other != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: metadata '%s' is not of the layout, expected 'num_heads' or 'format'",
                        path, other);
  if (safetensors_find(file, "output.bias") == NULL || safetensors_find(file, "output.weight") != NULL)
    return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor 'output.bias' needs 'output.weight', which is missing", path);
}

/* A positive decimal integer without sign or leading zero; 0 when text is anything else. */
static int parse_positive(const char *text) {
  int value = 0;
  if (*text == '0' || *text == '\0') return 0;
  for (; *text != '\0'; text++) {
    const int digit = *text - '0';
    if (digit < 0 || digit > 9 || value > (INT_MAX - digit) / 10) return 0;
    value = 10 * value + digit;
  }
  return value;
}

/* What the file says and what was asked for (0: nothing) must agree, and divide the rows of query.weight. */
static attcert_status read_heads(int *heads, const safetensors *file, int asked, int rows, attcert_error *err) {
  const char *const path = safetensors_path(file), *const text = safetensors_metadata(file, "num_heads");
  if (text == NULL && asked == 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: no metadata num_heads, expected it or --num-heads", path);
  *heads = text != NULL ? parse_positive(text) : asked;
  if (*heads == 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: metadata num_heads is '%s', expected a positive integer", path, text);
  if (asked != 0 && asked != *heads)
    return attcert_fail(err, ATTCERT_INPUT, "%s: metadata num_heads is %d, --num-heads is %d: expected the same", path,
                        *heads, asked);
  if (rows % *heads == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: num_heads %d does not divide the %d rows of tensor 'query.weight'", path,
                      *heads, rows);
}

/* An absent bias stays zero. */
static attcert_status read_bias(double *bias, const safetensors *file, const char *name, int length,
                                attcert_error *err) {
  return safetensors_find(file, name) == NULL ? ATTCERT_OK : safetensors_read_vector(bias, file, name, length, err);
}

static bool has_bias(const safetensors *file) {
  return safetensors_find(file, "query.bias") != NULL || safetensors_find(file, "key.bias") != NULL ||
         safetensors_find(file, "value.bias") != NULL || safetensors_find(file, "output.bias") != NULL;
}

/* Sides of a layer, from the tensors that show them; out = 0: no W_O. */
typedef struct {
  int dim, heads, head_dim, out;
} layer_sides;

static attcert_status read_sides(layer_sides *sides, const safetensors *file, int asked, attcert_error *err) {
  int rows, out_cols;
  *sides = (layer_sides){.heads = 1};
  attcert_status status = check_names(file, err);
  if (status == ATTCERT_OK) status = safetensors_matrix_shape(&rows, &sides->dim, file, "query.weight", err);
  if (status == ATTCERT_OK) status = read_heads(&sides->heads, file, asked, rows, err);
  if (status == ATTCERT_OK && safetensors_find(file, "output.weight") != NULL)
    status = safetensors_matrix_shape(&sides->out, &out_cols, file, "output.weight", err);
  if (status == ATTCERT_OK) sides->head_dim = rows / sides->heads;
  return status;
}

/* Keys and values are of vectors of context_dim entries. */
static attcert_status read_tensors(attcert_layer *layer, int context_dim, const safetensors *file, attcert_error *err) {
  const int rows = layer->heads * layer->head_dim;
  const struct {
    double *weight, *bias;
    const char *weight_name, *bias_name;
    int rows, cols;
  } part[] = {
      {layer->query_weight, layer->query_bias, "query.weight", "query.bias", rows, layer->dim},
      {layer->key_weight, layer->key_bias, "key.weight", "key.bias", rows, context_dim},
      {layer->value_weight, layer->value_bias, "value.weight", "value.bias", rows, context_dim},
      {layer->output_weight, layer->output_bias, "output.weight", "output.bias", layer->out_dim, rows},
  };
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; i < sizeof part / sizeof part[0] && status == ATTCERT_OK; i++) {
    if (part[i].weight == NULL) continue; /* no W_O */
    status = safetensors_read_matrix(part[i].weight, file, part[i].weight_name, part[i].rows, part[i].cols, err);
    if (status == ATTCERT_OK) status = read_bias(part[i].bias, file, part[i].bias_name, part[i].rows, err);
  }
  return status;
}

attcert_status weights_from_file(attcert_layer *layer, const safetensors *file, int heads, attcert_error *err) {
  layer_sides s;
  *layer = (attcert_layer){0};
  attcert_status status = read_sides(&s, file, heads, err);
  if (status == ATTCERT_OK) status = attcert_layer_init(layer, s.dim, s.heads, s.head_dim, s.out, has_bias(file), err);
  if (status == ATTCERT_OK) status = read_tensors(layer, s.dim, file, err);
  if (status != ATTCERT_OK) attcert_layer_clear(layer);
  return status;
}

static attcert_status cross_from_file(cross_attention *c, const safetensors *file, int heads, attcert_error *err) {
  layer_sides s;
  int rows, context_dim;
  attcert_status status = read_sides(&s, file, heads, err);
  if (status == ATTCERT_OK) status = safetensors_matrix_shape(&rows, &context_dim, file, "key.weight", err);
  if (status == ATTCERT_OK)
    status = cross_attention_init(c, s.dim, context_dim, s.heads, s.head_dim, s.out, has_bias(file), err);
  return status == ATTCERT_OK ? read_tensors(&c->layer, context_dim, file, err) : status;
}

/* The digest of what was read, of an open file, which is closed. */
static attcert_status finish(attcert_status status, char *sha256, safetensors *file, attcert_error *err) {
  if (status == ATTCERT_OK && sha256 != NULL) status = safetensors_digest(sha256, file, err);
  safetensors_close(file);
  return status;
}

attcert_status weights_read(attcert_layer *layer, char *sha256, const char *path, int heads, attcert_error *err) {
  *layer = (attcert_layer){0};
  safetensors *file;
  attcert_status status = safetensors_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = finish(weights_from_file(layer, file, heads, err), sha256, file, err);
  if (status != ATTCERT_OK) attcert_layer_clear(layer);
  return status;
}

attcert_status weights_read_cross(cross_attention *cross, char *sha256, const char *path, int heads,
                                  attcert_error *err) {
  *cross = (cross_attention){0};
  safetensors *file;
  attcert_status status = safetensors_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = finish(cross_from_file(cross, file, heads, err), sha256, file, err);
  if (status != ATTCERT_OK) cross_attention_clear(cross);
  return status;
}
