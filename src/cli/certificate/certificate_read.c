#include "cli/certificate/certificate_file.h"

#include "cli/certificate/certificate_found.h"
#include "cli/options/option_value.h"

#include <string.h>

static attcert_status wrong(const certificate_file *c, const char *what, attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s, as `attcert robust --certificate` writes it", c->file.path, what);
}

/* A key that is not known might change what is claimed. */
static attcert_status check_keys(const certificate_file *c, attcert_error *err) {
  static const char *const known[] = {"schema", "version", "question", "files", "class", "margin", "found", NULL};
  const char *const key = json_file_unknown_key(c->file.root, known);
  if (key == NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: the key '%.60s' is unknown, expected a certificate of this version",
                      c->file.path, key);
}

static attcert_status read_question(certificate_file *c, attcert_error *err) {
  const json_t *const list = json_object_get(c->file.root, "question");
  if (!json_is_array(list) || json_array_size(list) > CERTIFICATE_MOST_WORDS)
    return wrong(c, "expected 'question', a list of options", err);
  c->words = 1; /* the first is the command's name */
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *const word = json_string_value(json_array_get(list, i));
    if (word == NULL) return wrong(c, "expected texts in 'question'", err);
    c->word[c->words++] = word;
  }
  return ATTCERT_OK;
}

attcert_status certificate_file_open(certificate_file *c, const char *path, attcert_error *err) {
  const char *schema = "";
  *c = (certificate_file){0};
  attcert_status status = json_file_open(&c->file, path, err);
  if (status == ATTCERT_OK) status = json_file_string(&schema, &c->file, "schema", err);
  if (status == ATTCERT_OK && strcmp(schema, "attcert/certificate/1") != 0)
    status = wrong(c, "expected the schema attcert/certificate/1", err);
  if (status == ATTCERT_OK) status = check_keys(c, err);
  if (status == ATTCERT_OK) status = read_question(c, err);
  if (status == ATTCERT_OK) status = json_file_int(&c->label, &c->file, "class", 0, INT32_MAX, err);
  if (status == ATTCERT_OK) status = certificate_found_read(&c->found, &c->file, err);
  return status;
}

void certificate_file_close(certificate_file *c) {
  robust_found_clear(&c->found);
  json_file_close(&c->file);
}

/* Takes the paths of `moved` in the place of the question's. */
static attcert_status move_paths(cli_options *question, const certificate_file *c, const cli_options *moved,
                                 attcert_error *err) {
  for (const option_row *row = option_table; row->name != NULL; row++) {
    if ((row->group & OPTIONS_VERIFY) == 0 || row->parse != option_value_text || !moved->given[row->id]) continue;
    if (!question->given[row->id])
      return attcert_fail(err, ATTCERT_INPUT, "--%s: %s has none, expected the options of its question only", row->name,
                          c->file.path);
    memcpy((char *)question + row->field, &moved->argument[row->id], sizeof moved->argument[row->id]);
  }
  return ATTCERT_OK;
}

attcert_status certificate_file_question(cli_options *question, certificate_file *c, const cli_command *command,
                                         const cli_options *moved, attcert_error *err) {
  attcert_error why = {.message = ""};
  char *word[CERTIFICATE_MOST_WORDS + 2] = {0};
  c->word[0] = command->name;
  memcpy(word, c->word, sizeof c->word); /* getopt moves them about, and changes none */
  if (options_parse(question, command, c->words, word, &why) != ATTCERT_OK)
    return attcert_fail(err, why.status, "%s: question: %s", c->file.path, why.message);
  if (question->help) return wrong(c, "expected no --help in 'question'", err);
  if (question->search) return wrong(c, "question: expected --radius and no --search", err);
  return move_paths(question, c, moved, err);
}

attcert_status certificate_file_check(const certificate_file *c, const report_subject *subject, attcert_error *err) {
  const json_t *const list = json_object_get(c->file.root, "files");
  if (!json_is_array(list) || json_array_size(list) != (size_t)subject->file_count)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %zu 'files', expected the %d that were read", c->file.path,
                        json_array_size(list), subject->file_count);
  for (int i = 0; i < subject->file_count; i++) {
    const report_file *const read = &subject->files[i];
    const json_t *const file = json_array_get(list, (size_t)i);
    const char *const role = json_string_value(json_object_get(file, "role"));
    const char *const sha256 = json_string_value(json_object_get(file, "sha256"));
    if (role == NULL || sha256 == NULL || strcmp(role, read->role) != 0 || strcmp(sha256, read->sha256) != 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: the %s has SHA-256 %.16s.., expected %.16s.. as in %s", read->path,
                          read->role, read->sha256, sha256 != NULL ? sha256 : "that of a file", c->file.path);
  }
  return ATTCERT_OK;
}
