/* What `info` prints about a file, as a JSON object of strings, integers and lists of such objects. */
#ifndef ATTCERT_CLI_FACTS_H
#define ATTCERT_CLI_FACTS_H

#include "attcert.h"

#include <jansson.h>
#include <stdio.h>

/* Reads a model folder, a random model's name, a safetensors file or an .npy file; the caller owns *facts. */
attcert_status facts_collect(json_t **facts, const char *path, attcert_error *err);

/* "name   value" lines; the items of a list one a line. */
void facts_print_text(FILE *out, json_t *facts);

#endif
