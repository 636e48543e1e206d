#include "cli/certificate/certificate_file.h"

#include "cli/certificate/certificate_found.h"
#include "model/format/atomic_file.h"
#include "report/json_writer.h"
#include "report/robust/robust_parts.h"
#include "report/subject_input.h"

#include <string.h>
#include <utf8proc.h>

/* Options that say how to search and what to tell, not what is asked. */
static bool is_of_search(option_id id) {
  static const option_id how[] = {OPTION_RADIUS, OPTION_SEARCH, OPTION_RELATIVE,   OPTION_ATTACK, OPTION_MEMORY_LIMIT,
                                  OPTION_FORMAT, OPTION_OUTPUT, OPTION_SAVE_INPUT, OPTION_PLOT,   OPTION_CERTIFICATE};
  for (size_t i = 0; i < sizeof how / sizeof how[0]; i++) {
    if (how[i] == id) return true;
  }
  return false;
}

static bool is_utf8(const char *text) {
  utf8proc_int32_t code;
  const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
  utf8proc_ssize_t used;
  while ((used = utf8proc_iterate(at, -1, &code)) > 0 && code != 0) at += used;
  return used > 0;
}

static attcert_status put_word(json_writer *w, const option_row *row, const char *word, attcert_error *err) {
  if (!is_utf8(word))
    return attcert_fail(err, ATTCERT_INPUT, "--certificate: --%s is no UTF-8, which JSON cannot hold: expected UTF-8",
                        row->name);
  json_write_string(w, NULL, word);
  return ATTCERT_OK;
}

/* --name, and the texts behind it; likewise what is given further. */
static attcert_status put_option(json_writer *w, const cli_options *o, const option_row *row, attcert_error *err) {
  const option_texts *const further = (const option_texts *)((const char *)o + row->further);
  char name[80];
  attcert_status status = ATTCERT_OK;
  snprintf(name, sizeof name, "--%s", row->name);
  json_write_string(w, NULL, name);
  if (row->argument != NULL) status = put_word(w, row, o->argument[row->id], err);
  if (status == ATTCERT_OK && row->second > 0)
    status = put_word(w, row, *(const char *const *)((const char *)o + row->second), err);
  for (int k = 0; row->further > 0 && k < further->count && status == ATTCERT_OK; k++) {
    json_write_string(w, NULL, name);
    status = put_word(w, row, further->text[k], err);
  }
  return status;
}

/* A box has no radius. */
static attcert_status put_question(json_writer *w, const cli_command *command, const cli_options *o, double radius,
                                   attcert_error *err) {
  char text[32];
  attcert_status status = ATTCERT_OK;
  json_write_array(w, "question");
  for (const option_row *row = option_table; row->name != NULL && status == ATTCERT_OK; row++) {
    if (o->given[row->id] && !is_of_search(row->id) && options_row(command, row->id) == row)
      status = put_option(w, o, row, err);
  }
  if (!o->given[OPTION_BOX]) {
    snprintf(text, sizeof text, "%.17g", radius);
    json_write_string(w, NULL, "--radius");
    json_write_string(w, NULL, text);
  }
  json_write_close(w);
  return status;
}

attcert_status certificate_file_write(const char *path, const cli_command *command, const cli_options *options,
                                      const robust_facts *facts, attcert_error *err) {
  const robust_margin *const bound = &facts->verdict->bound;
  atomic_file file;
  json_writer w;
  attcert_status status = atomic_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  json_writer_begin(&w, file.stream);
  json_write_object(&w, NULL);
  json_write_string(&w, "schema", "attcert/certificate/1");
  json_write_string(&w, "version", ATTCERT_VERSION);
  status = put_question(&w, command, options, facts->verdict->certified, err);
  subject_write_file_list(&w, "files", facts->subject);
  json_write_integer(&w, "class", (uint64_t)bound->label);
  robust_parts_range_json(&w, "margin", bound->margin);
  if (status == ATTCERT_OK) status = certificate_found_write(&w, &bound->found, err);
  json_write_close(&w);
  json_writer_end(&w);
  if (status == ATTCERT_OK) return atomic_file_commit(&file, err);
  atomic_file_discard(&file);
  return status;
}
