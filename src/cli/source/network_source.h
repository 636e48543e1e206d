/* The whole model and the input that the options name, read and ready for robust/: the steps, the hidden states that
 * enter layer 0, the words that move. */
#ifndef ATTCERT_CLI_SOURCE_NETWORK_SOURCE_H
#define ATTCERT_CLI_SOURCE_NETWORK_SOURCE_H

#include "cli/options/options.h"
#include "report/subject.h"
#include "robust/margin.h"
#include "robust/network.h"

typedef struct {
  model_head head;
  int label; /* the one that is asked about; LABEL_LARGEST: none */
  robust_network network;
  attcert_matrix x;
  bool *moves;      /* the tokens that do; NULL: all */
  robust_ball ball; /* x, moves, the class whose margin counts; no radius */
  report_subject subject;
} network_source;

/* Labels and words fit the network and every number is finite when this returns ATTCERT_OK. network_source_clear is due
 * in every case. */
attcert_status network_source_load(network_source *source, const cli_options *options, attcert_error *err);
void network_source_clear(network_source *source);

#endif
