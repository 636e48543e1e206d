/* A certificate of a network's answer on a ball, as a file: the question, the files it was asked about, and the radius
 * that was found, from which `attcert verify` proves the answer again by one bound, without searching. Whoever verifies
 * trusts nothing in it: the files' SHA-256 are compared, and the bound is computed.
 *
 * What searches have found is in it (certificate_found.h), so that their bounds are evaluated at once.
 *
 * JSON; certificate_schema.json describes it. The question is in the words of the command line, with the radius
 * found in the place of what says how to search, and nothing about the report. */
#ifndef ATTCERT_CLI_CERTIFICATE_CERTIFICATE_FILE_H
#define ATTCERT_CLI_CERTIFICATE_CERTIFICATE_FILE_H

#include "cli/options/options.h"
#include "model/format/json_file.h"
#include "report/robust/robust_facts.h"
#include "robust/found.h"

enum { CERTIFICATE_MOST_WORDS = 2 * (OPTION_COUNT + OPTION_MOST_FURTHER) };

typedef struct {
  json_file file;
  const char *word[CERTIFICATE_MOST_WORDS + 2]; /* of the question, behind the name of the command that answered it */
  int words;
  int label;          /* the class whose margin is positive */
  robust_found found; /* by which bounds */
} certificate_file;

/* What a run of `command` with these options has certified. Errors: ATTCERT_INPUT (a text that is not UTF-8, which JSON
 * cannot hold; a place that cannot be written to), ATTCERT_RESOURCE. */
attcert_status certificate_file_write(const char *path, const cli_command *command, const cli_options *options,
                                      const robust_facts *facts, attcert_error *err);

/* Every key is known and of its kind when this returns ATTCERT_OK. certificate_file_close is due in every case. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status certificate_file_open(certificate_file *c, const char *path, attcert_error *err);
void certificate_file_close(certificate_file *c);

/* The options of `command` that ask the question again; where `moved` has a path, that is in its place. They live as
 * long as the file is open. */
attcert_status certificate_file_question(cli_options *question, certificate_file *c, const cli_command *command,
                                         const cli_options *moved, attcert_error *err);

/* ATTCERT_INPUT, naming the file, where other bytes were read than those that the answer was about. */
attcert_status certificate_file_check(const certificate_file *c, const report_subject *subject, attcert_error *err);

#endif
