/* The files that options name: none is written that is read, or written twice. */
#ifndef ATTCERT_CLI_OPTIONS_OPTION_PATHS_H
#define ATTCERT_CLI_OPTIONS_OPTION_PATHS_H

#include "cli/options/options.h"

/* ATTCERT_INPUT when two outputs, or an output and an input, are one file (device and inode: whatever the names, the
 * symbolic links and the hard links), or when an output is a symbolic link to nothing. Looks at the files, and opens
 * none of them. */
attcert_status option_paths_check(const cli_options *options, attcert_error *err);

#endif
