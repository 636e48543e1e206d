/* The layer and the input that the options name, read and ready to certify. */
#ifndef ATTCERT_CLI_LAYER_SOURCE_H
#define ATTCERT_CLI_LAYER_SOURCE_H

#include "cli/options.h"
#include "report/subject.h"

typedef struct {
  attcert_layer layer;
  attcert_matrix x;
  report_subject subject; /* where they came from, for the report */
} layer_source;

/* Shapes fit each other and every number is finite when this returns ATTCERT_OK. On failure nothing is left allocated. */
attcert_status layer_source_load(layer_source *source, const cli_options *options, attcert_error *err);
void layer_source_clear(layer_source *source);

#endif
