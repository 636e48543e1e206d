/* Whether what is read fits in --memory-limit, before it is read: the numbers of the files named, as doubles. */
#ifndef ATTCERT_CLI_SOURCE_SOURCE_MEMORY_H
#define ATTCERT_CLI_SOURCE_SOURCE_MEMORY_H

#include "cli/options/options.h"
#include "model/model_function.h"

/* Of --weights, --input and --hidden. ATTCERT_RESOURCE says how much is needed; a file that cannot be read, or is none,
 * is left to its reader. */
attcert_status source_memory_check_files(const cli_options *options, attcert_error *err);

/* Of one attention layer of the model, and of the blocks before it that the tokens (0: not known yet) or --hidden run
 * through. */
attcert_status source_memory_check_layer(const cli_options *options, const model *m, int tokens, attcert_error *err);

/* Of the weights of a function's steps, which stay in memory. */
attcert_status source_memory_check_function(const cli_options *options, const model *m, model_function function,
                                            attcert_error *err);

/* Of the whole network, whose weights stay in memory, and of the tokens (0: not known yet). */
attcert_status source_memory_check_network(const cli_options *options, const model *m, int tokens, attcert_error *err);

#endif
