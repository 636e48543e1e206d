/* The layer and the input that the options name, read and ready to certify. A command with one input loads both; one
 * with many opens the layer once and then makes input after input from the text's tokens. */
#ifndef ATTCERT_CLI_SOURCE_LAYER_SOURCE_H
#define ATTCERT_CLI_SOURCE_LAYER_SOURCE_H

#include "cli/source/source_cross.h"
#include "cli/source/source_pairs.h"
#include "model/tokenizer/tokenizer.h"
#include "report/subject.h"
#include "robust/network.h"

typedef struct {
  model *model;         /* while inputs may still be asked of it; NULL for a weights file */
  tokenizer *tokenizer; /* of the text; NULL without one */
  attcert_layer layer;
  bool has_steps; /* the function is what `steps` compute; of a model the layer is then empty */
  model_function function;
  const char *architecture; /* of the head, where the function has one; NULL: the model's */
  int token;                /* that it is asked to look at, or HEAD_TOKEN_UNASKED */
  network_steps steps;      /* for the input's tokens, once there is one */
  bool has_pairs;           /* whose attentions have those below */
  source_pairs pairs;       /* once there is an input */
  source_cross cross;       /* whose attention `steps` is, where it is asked for */
  attcert_matrix x;
  report_subject subject; /* where they came from, for the report */
  int layer_files;        /* of the subject's, those that are not the input's */
} layer_source;

/* The layer, its model and the text's tokenizer, without an input. layer_source_clear is due in every case. */
attcert_status layer_source_open(layer_source *source, const cli_options *options, attcert_error *err);

/* The same for any function of a model: that of --function, or attention whose heads attcert_layer does not have. */
attcert_status layer_source_open_function(layer_source *source, const cli_options *options, attcert_error *err);

/* Then the input that the options name, if they name one (else x stays empty), and no model any more. Shapes fit each
 * other and every number is finite when this returns ATTCERT_OK. */
attcert_status layer_source_complete(layer_source *source, const cli_options *options, attcert_error *err);

/* The input that these options name takes the place of the one before; the model stays open. */
attcert_status layer_source_next(layer_source *source, const cli_options *options, attcert_error *err);

/* The layer's input on n tokens takes the place of the one before; checked as layer_source_complete does. */
attcert_status layer_source_set_tokens(layer_source *source, const int *tokens, int n, attcert_error *err);

/* *x, which becomes empty, takes the place of the one before, and needs no model any more;
 * name says where it came from. */
attcert_status layer_source_set_input(layer_source *source, attcert_matrix *x, const char *name, attcert_error *err);

void layer_source_clear(layer_source *source);

#endif
