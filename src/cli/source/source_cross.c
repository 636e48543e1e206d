#include "cli/source/source_cross.h"

#include "cli/source/source_files.h"
#include "model/model_cross.h"
#include "model/weights.h"
#include "run/run_layer.h"

/* A mask of tokens that come later has no meaning between two sequences. */
static attcert_status check_mask(const cli_options *o, attcert_error *err) {
  if (!o->given[OPTION_MASK] || o->mask.file != NULL || o->mask.named == ATTCERT_MASK_NONE) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--mask: expected none or M.npy with --context, whose tokens are other ones");
}

attcert_status source_cross_open(source_cross *c, report_subject *subject, const model *m, const cli_options *o,
                                 attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  c->by = (cross_by)o->by;
  attcert_status status = check_mask(o, err);
  if (status != ATTCERT_OK) return status;
  if (m != NULL) return model_cross_attention(&c->of, m, o->layer, err);
  status = weights_read_cross(&c->of, sha256, o->weights, o->num_heads, err);
  return status == ATTCERT_OK ? subject_add_file(subject, "weights", o->weights, sha256, err) : status;
}

attcert_status source_cross_read(source_cross *c, report_subject *subject, const cli_options *o, attcert_error *err) {
  const attcert_status status = source_files_read_numbers(&c->context, subject, "context", o->context, err);
  subject->context = o->context;
  subject->context_tokens = c->context.rows;
  return status;
}

attcert_status source_cross_steps(network_steps *steps, attcert_matrix *x, source_cross *c, attcert_error *err) {
  c->queries = *x;
  return cross_attention_open(steps, x, &c->of, c->by, &c->queries, &c->context, err);
}

void source_cross_forget_input(source_cross *c) {
  attcert_matrix_clear(&c->context);
  attcert_matrix_clear(&c->queries);
}

void source_cross_clear(source_cross *c) {
  cross_attention_clear(&c->of);
  source_cross_forget_input(c);
}
