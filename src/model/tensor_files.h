/* The weights of a model folder: model.safetensors, or the shards that model.safetensors.index.json names,
 * { "weight_map": { tensor: shard, ... } }. A shard is a file of the same folder, and the index says of each of its
 * tensors, once, where it is: what two files hold, or one holds unsaid, would be ambiguous. */
#ifndef ATTCERT_MODEL_TENSOR_FILES_H
#define ATTCERT_MODEL_TENSOR_FILES_H

#include "attcert.h"
#include "model/format/safetensors.h"

enum { TENSOR_FILES_MAX = 256 };

typedef struct tensor_files tensor_files; /* opaque */

/* Errors name the file and the tensor. A folder with PyTorch's pickle alone is told how to convert it. */
attcert_status tensor_files_open(tensor_files **files, const char *folder, attcert_error *err);
void tensor_files_close(tensor_files *files); /* NULL is harmless */

/* The file that holds the tensor, or NULL; as ATTCERT_INPUT. */
const safetensors *tensor_files_find(const tensor_files *files, const char *name);
attcert_status tensor_files_require(const safetensors **file, const tensor_files *files, const char *name,
                                    attcert_error *err);

/* The files that were read: the index, if there is one, then the files with the numbers. */
int tensor_files_count(const tensor_files *files);
const char *tensor_files_path(const tensor_files *files, int i);
attcert_status tensor_files_digest(char sha256[SHA256_HEX_SIZE], const tensor_files *files, int i, attcert_error *err);

/* As safetensors_check, for all of them. */
attcert_status tensor_files_check(const tensor_files *files, attcert_error *err);

#endif
