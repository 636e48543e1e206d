/* The files a result rests on, as JSON. */
#ifndef ATTCERT_REPORT_SUBJECT_JSON_H
#define ATTCERT_REPORT_SUBJECT_JSON_H

#include "report/json_writer.h"
#include "report/subject.h"

/* "inputs": [{"role", "path", "sha256"}, ...] */
void subject_write_files(json_writer *w, const report_subject *s);

#endif
