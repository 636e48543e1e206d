/* What is looked for in a model's folder before anything is read. */
#ifndef ATTCERT_MODEL_MODEL_FOLDER_H
#define ATTCERT_MODEL_MODEL_FOLDER_H

#include "attcert.h"

/* ATTCERT_INPUT where there is no such folder, or where it holds a file that says that the weights are not the whole
 * function, or are not its numbers: an adapter, a description of how they were quantized. */
attcert_status model_folder_check(const char *folder, attcert_error *err);

#endif
