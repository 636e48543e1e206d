/* The files of a model folder, by name: what the model reads there, and the command line does not write over. */
#ifndef ATTCERT_MODEL_FOLDER_PATH_H
#define ATTCERT_MODEL_FOLDER_PATH_H

#include "attcert.h"

#define MODEL_CONFIG_NAME "config.json"
#define MODEL_WEIGHTS_NAME "model.safetensors"
#define MODEL_INDEX_NAME "model.safetensors.index.json"

/* Of a shard, which the index names, all that is known beforehand. */
#define MODEL_SHARD_SUFFIX ".safetensors"

/* FOLDER/NAME, to be released with free; NULL when out of memory. */
char *folder_path_new(const char *folder, const char *name, attcert_error *err);

#endif
