/* Attention to the tokens that --context names. */
#ifndef ATTCERT_CLI_SOURCE_SOURCE_CROSS_H
#define ATTCERT_CLI_SOURCE_SOURCE_CROSS_H

#include "cli/options/options.h"
#include "model/cross_attention.h"
#include "model/model.h"
#include "report/subject.h"

typedef struct {
  bool asked; /* whether the options name a context */
  cross_by by;
  cross_attention of;
  attcert_matrix context, queries; /* once they are read; the latter once the steps have been made of them */
} source_cross;

/* Its weights, of --model's layer (m) or of --weights (m NULL), whose file is recorded. source_cross_clear is due in
 * every case. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status source_cross_open(source_cross *cross, report_subject *subject, const model *m,
                                 const cli_options *options, attcert_error *err);

/* The context, and what reports say of it. */
attcert_status source_cross_read(source_cross *cross, report_subject *subject, const cli_options *options,
                                 attcert_error *err);

/* The steps of the queries' input *x, which becomes the steps' own (cross_attention_open). network_clear is due in
 * every case. */
attcert_status source_cross_steps(network_steps *steps, attcert_matrix *x, source_cross *cross, attcert_error *err);

/* The context and the input, not the weights. */
void source_cross_forget_input(source_cross *cross);

void source_cross_clear(source_cross *cross);

#endif
