/* The files a certificate rests on, each with its SHA-256. */
#ifndef ATTCERT_CLI_SOURCE_SOURCE_FILES_H
#define ATTCERT_CLI_SOURCE_SOURCE_FILES_H

#include "cli/options/options.h"
#include "model/format/npy_array.h"
#include "model/model.h"
#include "model/tokenizer/tokenizer.h"
#include "report/subject.h"

/* The files of a model; without files it is a random initialisation, and only there --seed means something. */
attcert_status source_files_add_model(report_subject *subject, const model *m, const cli_options *options,
                                      attcert_error *err);

/* Opens the tokenizer asked for, or the model folder's (random models read bytes), and records its files. For token ids
 * it only shows their texts: *t = NULL where the model folder has none. */
attcert_status source_files_open_tokenizer(tokenizer **t, report_subject *subject, const model *m,
                                           const cli_options *options, attcert_error *err);

/* The input that the options name, for reports. */
const char *source_files_input_name(const cli_options *options);

/* Reads the first n tokens of the text from --offset on, and records the text: *tokens is allocated, or NULL. */
attcert_status source_files_read_text(int **tokens, int n, const tokenizer *t, report_subject *subject,
                                      const cli_options *options, attcert_error *err);

/* Reads an .npy file and records it. */
attcert_status source_files_read_numbers(attcert_matrix *m, report_subject *subject, const char *role, const char *path,
                                         attcert_error *err);

/* As npy_array_read, and records it; npy_array_clear is due in every case. */
attcert_status source_files_read_array(npy_array *array, report_subject *subject, const char *role, const char *path,
                                       attcert_error *err);

#endif
