/* The files of a model folder, by name: what the model reads there, and the command line does not write over. */
#ifndef ATTCERT_MODEL_FOLDER_PATH_H
#define ATTCERT_MODEL_FOLDER_PATH_H

#include "attcert.h"

#define MODEL_CONFIG_NAME "config.json"
#define MODEL_WEIGHTS_NAME "model.safetensors"
#define MODEL_INDEX_NAME "model.safetensors.index.json"

/* Of a shard, which the index names, all that is known beforehand. */
#define MODEL_SHARD_SUFFIX ".safetensors"

/* How many bytes of FOLDER or FOLDER:TOWER are FOLDER: all, unless there is a folder of the name before the last colon,
 * and none of the whole name. */
size_t folder_path_length(const char *spec);

/* FOLDER/NAME, to be released with free; NULL when out of memory. */
char *folder_path_new(const char *folder, const char *name, attcert_error *err);

#endif
