/* The files a certificate rests on, each with its SHA-256. */
#ifndef ATTCERT_CLI_SOURCE_FILES_H
#define ATTCERT_CLI_SOURCE_FILES_H

#include "report/subject.h"

attcert_status source_files_add(report_subject *subject, const char *role, const char *path, attcert_error *err);

/* A tokenizer's file, or those of its files that a folder holds. */
attcert_status source_files_add_tokenizer(report_subject *subject, const char *path, attcert_error *err);

void source_files_clear(report_subject *subject);

#endif
