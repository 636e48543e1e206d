#include "cli/source/source_tokens.h"

#include "cli/options/option_token_ids.h"
#include "model/format/npy_integers.h"
#include "model/format/sha256.h"
#include "run/run_tokens.h"

attcert_status source_tokens_special(bool *special, const tokenizer *t, const cli_options *o, bool network,
                                     attcert_error *err) {
  const bool asked = o->given[OPTION_SPECIAL_TOKENS], adds = tokenizer_adds_special(t);
  if (asked && o->special_tokens == SPECIAL_ON && !adds)
    return attcert_fail(err, ATTCERT_INPUT, "--special-tokens: this tokenizer (%s) adds none to a text, expected off",
                        tokenizer_kind(t));
  *special = adds && (asked ? o->special_tokens == SPECIAL_ON : network);
  return ATTCERT_OK;
}

static attcert_status read_text(int **ids, int *count, bool *special, report_subject *subject, const tokenizer *t,
                                const cli_options *o, bool network, attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  attcert_status status = source_tokens_special(special, t, o, network, err);
  const tokenizer_span span = {.offset = o->offset, .n = o->given[OPTION_TOKENS] ? o->tokens : 0, .special = *special};
  if (status == ATTCERT_OK) status = tokenizer_sequence(ids, count, sha256, t, &span, o->text, err);
  return status == ATTCERT_OK ? subject_add_file(subject, "text", o->text, sha256, err) : status;
}

static attcert_status read_ids(int **ids, int *count, report_subject *subject, const cli_options *o,
                               attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  if (option_token_ids_listed(o->token_ids)) return option_token_ids_read(ids, count, o->token_ids, err);
  const attcert_status status = npy_integers_read(ids, count, sha256, o->token_ids, err);
  return status == ATTCERT_OK ? subject_add_file(subject, "token_ids", o->token_ids, sha256, err) : status;
}

attcert_status source_tokens_read(int **ids, report_subject *subject, const tokenizer *t, const cli_options *o,
                                  bool network, attcert_error *err) {
  int count = 0;
  bool special = false;
  *ids = NULL;
  attcert_status status = o->text != NULL ? read_text(ids, &count, &special, subject, t, o, network, err)
                                          : read_ids(ids, &count, subject, o, err);
  if (status == ATTCERT_OK) status = run_tokens_list(&subject->input_tokens, *ids, count, t, err);
  subject->input_tokens.special = special;
  return status;
}
