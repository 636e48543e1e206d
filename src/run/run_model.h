/* What a report says of a model. */
#ifndef ATTCERT_RUN_RUN_MODEL_H
#define ATTCERT_RUN_RUN_MODEL_H

#include "model/head/model_head.h"
#include "model/model_function.h"
#include "report/subject.h"

/* Each with its digest; a model without files is a random initialisation. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE;
 * subject_clear is due in every case. */
attcert_status run_model_files(report_subject *subject, const model *m, attcert_error *err);

/* What the scores of that head are, unless it is HEAD_NONE; token: model_head_text's. */
void run_model_describe_head(report_subject *subject, const model_head *head, int token);

/* Sides and mask of the model, which function of it, and which attention the subject's layer has. */
void run_model_describe(report_subject *subject, const model *m, model_function function);

#endif
