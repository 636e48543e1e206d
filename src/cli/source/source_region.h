/* What of a network's input moves, from files: --mask-input and --box. */
#ifndef ATTCERT_CLI_SOURCE_SOURCE_REGION_H
#define ATTCERT_CLI_SOURCE_SOURCE_REGION_H

#include "cli/source/network_source.h"

/* The box that --box names into source->box, of any shape, and source->x := its middle: of a model as n x d, otherwise
 * in a row of `dim` numbers (0: n x d). Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status source_region_read_box(network_source *source, int dim, const cli_options *options, attcert_error *err);

/* The input `x` takes the place of the middle: its shape must be the box's. */
attcert_status source_region_check_input(const network_source *source, const attcert_matrix *x, attcert_error *err);

/* What the options say of source->ball beside its words, once input and label are set. */
attcert_status source_region_settle(network_source *source, const cli_options *options, attcert_error *err);

#endif
