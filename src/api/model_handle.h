/* A model as a handle. */
#ifndef ATTCERT_API_MODEL_HANDLE_H
#define ATTCERT_API_MODEL_HANDLE_H

#include "attcert.h"
#include "model/model.h"
#include "report/subject.h"

struct attcert_model {
  model *model;
  char *spec; /* as given */
  uint64_t seed;
};

/* The model's name (borrowed), seed and files, each with its digest, into a subject without files. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE; subject_clear is due in every case. */
attcert_status model_handle_describe(report_subject *subject, const attcert_model *model, attcert_error *err);

/* Hidden states that a caller gives, rows x cols: all finite. Errors: ATTCERT_INPUT, naming the first that is not. */
attcert_status model_handle_check_states(const double *states, size_t rows, size_t cols, attcert_error *err);

#endif
