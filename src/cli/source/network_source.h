/* The whole model and the input that the options name, read and ready for robust/: the steps, the hidden states that
 * enter layer 0, the words that move. */
#ifndef ATTCERT_CLI_SOURCE_NETWORK_SOURCE_H
#define ATTCERT_CLI_SOURCE_NETWORK_SOURCE_H

#include "cli/options/options.h"
#include "model/format/npy_array.h"
#include "model/tokenizer/tokenizer.h"
#include "report/robust/robust_report.h"
#include "report/subject.h"
#include "robust/choices.h"
#include "robust/margin.h"
#include "robust/network.h"
#include "robust/region.h"
#include "run/run_synonyms.h"

typedef struct {
  model_head head;
  int label; /* the one that is asked about; LABEL_LARGEST: none */
  robust_network network;
  attcert_matrix x;
  bool *moves;           /* the tokens that do; NULL: all */
  robust_ball ball;      /* x, moves, the class whose margin counts; no radius */
  robust_region region;  /* what of the ball the files below and the mask say */
  npy_array least, most; /* of the box; empty: none */
  run_synonyms synonyms; /* and their hidden states; no tokens: none */
  robust_choices choices;
  report_subject subject;
  tokenizer *tokenizer; /* NULL: none was opened */
} network_source;

/* The model, its input and the steps, no ball; every number is finite when this returns ATTCERT_OK. With --positions
 * all the head looks at every token. network_source_clear is due in every case. */
attcert_status network_source_open(network_source *source, const cli_options *options, attcert_error *err);

/* The same with what the options say of a ball: labels and words fit the network. */
attcert_status network_source_load(network_source *source, const cli_options *options, attcert_error *err);
void network_source_clear(network_source *source);

/* What a report says of it and of its answer, both of which it keeps the addresses of; no radius. start: when it began,
 * by clock_seconds. */
robust_facts network_source_facts(const network_source *source, const robust_verdict *verdict, double start);

#endif
