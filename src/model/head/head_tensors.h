/* The tensors that a head is made of, and those that are another head's. */
#ifndef ATTCERT_MODEL_HEAD_HEAD_TENSORS_H
#define ATTCERT_MODEL_HEAD_HEAD_TENSORS_H

#include "model/head/model_head.h"

/* Whether no tensor of another head is stored, and a word table is there where it scores words: the same numbers as in
 * lm_head, where that is stored beside it; of a masked word also the bias, whose name becomes head->bias. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status head_tensors_check(model_head *head, const model *m, attcert_error *err);

/* How many rows the classifier has; that the map before it is stored, of shape [d, d]. Errors: ATTCERT_INPUT. */
attcert_status head_tensors_rows(int *rows, const model_head *head, const model *m, attcert_error *err);

#endif
