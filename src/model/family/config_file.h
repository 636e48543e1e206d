/* config.json of a Hugging Face directory: one reader for all families. Every key is read, or known not to change the
 * function that is evaluated, or known to leave it as it is at one value alone (family.h). Any other key may change
 * the function, and a certificate would be one of another model: it is refused by name. */
#ifndef ATTCERT_MODEL_FAMILY_CONFIG_FILE_H
#define ATTCERT_MODEL_FAMILY_CONFIG_FILE_H

#include "model/family/model_config.h"
#include "model/format/json_file.h"

/* Reads the keys that shape the model. The numbers that shape the attention are required, but where models are stored
 * without them, as transformers has defaults; what it gives a default (activation, LayerNorm epsilon, the feed-forward
 * width of some, ...) has the same default here. A setting that would make the model another function than the one
 * evaluated here is an error, not ignored; of keys that are not known, the first is named and the others are counted.
 * tower: which of two, of a model_type whose folders hold two; NULL: none was named. */
attcert_status model_config_read(model_config *config, const json_file *file, const char *tower, attcert_error *err);

/* Of a key of the file that was read: NULL where its value is used, else why it has no effect. One in the object of a
 * tower is OBJECT.KEY. */
const char *model_config_key_why(const model_config *config, const char *key);

/* The sizes of vocabulary and positions, optional in general, are required of a model with an embedding table. */
attcert_status model_config_require_embeddings(const model_config *config, const char *path, attcert_error *err);

#endif
