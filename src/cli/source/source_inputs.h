/* The files that --input names: one, or several with commas between them. */
#ifndef ATTCERT_CLI_SOURCE_SOURCE_INPUTS_H
#define ATTCERT_CLI_SOURCE_SOURCE_INPUTS_H

#include "attcert.h"

typedef struct {
  char *text;  /* that the paths are in */
  char **path; /* [count] */
  int count;
} source_inputs;

/* A text that is the name of a file is one, whatever commas it has; so is NULL (count 0). source_inputs_clear is due in
 * every case. Errors: ATTCERT_INPUT (an empty name between commas), ATTCERT_RESOURCE. */
attcert_status source_inputs_read(source_inputs *inputs, const char *text, attcert_error *err);

void source_inputs_clear(source_inputs *inputs);

#endif
