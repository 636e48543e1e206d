/* See source_memory.h. Sums are doubles: sizes that a file only claims may overflow every integer. */
#include "cli/source/source_memory.h"

#include "base/byte_text.h"
#include "model/format/mapped_file.h"
#include "model/format/matrix_file.h"
#include "model/format/npy_layout.h"
#include "model/format/safetensors.h"

static double weights_numbers(const char *path) {
  safetensors *file;
  double count = 0;
  if (safetensors_open(&file, path, NULL) != ATTCERT_OK) return 0;
  for (size_t i = 0; i < safetensors_count(file); i++) count += (double)safetensors_at(file, i)->count;
  safetensors_close(file);
  return count;
}

static double npy_numbers(const char *path) {
  mapped_file file;
  npy_header header;
  bool fortran;
  double count = 0;
  if (mapped_file_open(&file, path, NULL) != ATTCERT_OK) return 0;
  if (npy_layout_read(&header, &fortran, file.data, file.size, path, NULL) == ATTCERT_OK) {
    count = fortran ? 2 : 1; /* by columns, then by rows */
    for (int i = 0; i < header.rank; i++) count *= (double)header.shape[i];
  }
  mapped_file_close(&file);
  return count;
}

static double matrix_numbers(const char *path) {
  bool npy = false;
  if (matrix_file_is_npy(&npy, path, NULL) != ATTCERT_OK) return 0;
  return npy ? npy_numbers(path) : weights_numbers(path);
}

static attcert_status check(const cli_options *o, const char *name, double numbers, attcert_error *err) {
  const double bytes = numbers * sizeof(double);
  char needed[BYTE_TEXT_SIZE], limit[BYTE_TEXT_SIZE];
  if (!o->given[OPTION_MEMORY_LIMIT] || bytes <= (double)o->memory_limit) return ATTCERT_OK;
  return attcert_fail(
      err, ATTCERT_RESOURCE, "%s: its numbers need %s, the limit is %s: expected a larger --memory-limit", name,
      byte_text(needed, bytes < 0x1p64 ? (uint64_t)bytes : UINT64_MAX), byte_text(limit, o->memory_limit));
}

attcert_status source_memory_check_files(const cli_options *o, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  if (!o->given[OPTION_MEMORY_LIMIT]) return status;
  if (o->weights != NULL) status = check(o, o->weights, weights_numbers(o->weights), err);
  if (status == ATTCERT_OK && o->input != NULL) status = check(o, o->input, matrix_numbers(o->input), err);
  if (status == ATTCERT_OK && o->context != NULL) status = check(o, o->context, matrix_numbers(o->context), err);
  if (status == ATTCERT_OK && o->hidden != NULL) status = check(o, o->hidden, matrix_numbers(o->hidden), err);
  return status;
}

/* Of a block, the weights of its attention, then those of one affine map of the feed-forward part at a time, with the
 * tokens' numbers before and behind the activation. Twice, where they are turned from columns to rows. */
static double block_numbers(const model_shape *s, double tokens) {
  const double d = s->dim, hidden = s->hidden_dim, copies = s->transposed ? 2 : 1;
  const double attention = 4 * d * d + (copies - 1) * 6 * d * d,
               feed_forward = copies * d * hidden + 2 * tokens * hidden;
  return attention > feed_forward ? attention : feed_forward;
}

attcert_status source_memory_check_layer(const cli_options *o, const model *m, int tokens, attcert_error *err) {
  const model_shape s = model_get_shape(m);
  const double d = s.dim;
  const double blocks = o->input == NULL && o->layer > 0 ? block_numbers(&s, tokens) : 0;
  return check(o, o->model, 4 * d * d + 2.0 * tokens * d + blocks, err);
}

/* A feed-forward part may have a gate, a head the word table. */
attcert_status source_memory_check_function(const cli_options *o, const model *m, model_function function,
                                            attcert_error *err) {
  const model_shape s = model_get_shape(m);
  const double d = s.dim, behind = s.layers - (double)o->layer;
  const double blocks = function == MODEL_NETWORK ? o->layer + 1.0 : function == MODEL_LOGITS ? behind : 1.0;
  const double feed_forward = function >= MODEL_BLOCK ? 3 * d * s.hidden_dim : 0.0;
  const double head = function == MODEL_LOGITS ? (s.decoder ? d * s.vocabulary : d * d) : 0.0;
  return check(o, o->model, blocks * (4 * d * d + feed_forward) + head, err);
}

attcert_status source_memory_check_network(const cli_options *o, const model *m, int tokens, attcert_error *err) {
  const model_shape s = model_get_shape(m);
  const double d = s.dim;
  const double block = 4 * d * d + 2 * d * s.hidden_dim, end = s.decoder ? d * s.vocabulary : d * d;
  return check(o, o->model, s.layers * block + end + tokens * d, err);
}
