#include "report/sweep/sweep_header.h"

#include "report/rows/row_header.h"

static void put_value(json_t *object, const char *key, json_t *value) {
  json_object_set_new(object, key, value);
}

static json_t *integer_or_null(bool given, uint64_t value) {
  return given ? json_integer((json_int_t)value) : json_null();
}

/* Of one input; a sweep over lengths has none. */
static void put_tokens(json_t *header, const token_list *list) {
  if (list->count == 0) return;
  json_t *const tokens = json_array();
  for (int i = 0; i < list->count; i++) {
    json_t *const token = json_object();
    put_value(token, "id", json_integer(list->token[i].id));
    put_value(token, "text", list->token[i].text != NULL ? json_string(list->token[i].text) : json_null());
    json_array_append_new(tokens, token);
  }
  put_value(header, "special_tokens", json_boolean(list->special));
  put_value(header, "tokens", tokens);
}

static void put_subject(json_t *header, const report_subject *s) {
  put_value(header, "model", row_header_name(s->name));
  put_value(header, "seed", integer_or_null(s->random, s->seed));
  put_value(header, "layer", json_integer(s->model_layer));
  put_value(header, "head", integer_or_null(s->head != REPORT_WHOLE_LAYER, (uint64_t)s->head));
  put_value(header, "mask", json_string(subject_mask_name(s->mask)));
  put_value(header, "d", json_integer(s->dim));
  put_value(header, "heads", json_integer(s->heads));
  put_value(header, "head_dim", json_integer(s->head_dim));
  put_value(header, "text", row_header_name(s->input));
  put_value(header, "tokenizer", json_string(s->tokenizer));
  put_value(header, "offset", json_integer(s->offset));
  put_tokens(header, &s->input_tokens);
}

static void put_run(json_t *header, const attcert_options *o) {
  put_value(header, "engine", json_string(attcert_engine_name(o->engine)));
  put_value(header, "precision_bits", json_integer(o->precision));
  put_value(header, "tolerance", o->tolerance > 0 ? json_real(o->tolerance) : json_null());
  put_value(header, "failure", json_real(o->failure));
  put_value(header, "seed_of_bits", integer_or_null(o->seeded, o->seed));
}

attcert_status sweep_header_write(char **line, const report_subject *subject, const attcert_options *options,
                                  const sweep_header *sweep, attcert_error *err) {
  json_t *const header = json_object();
  put_value(header, "schema", json_string(sweep->schema));
  put_value(header, "version", json_string(ATTCERT_VERSION));
  put_subject(header, subject);
  if (sweep->sequences > 0) put_value(header, "sequences", json_integer(sweep->sequences));
  if (sweep->ball != NULL) put_value(header, "ball", json_string(sweep->ball));
  if (sweep->words != NULL) put_value(header, "words", json_string(sweep->words));
  put_run(header, options);
  put_value(header, "bounds", json_boolean(sweep->bounds));
  put_value(header, "files", row_header_files(subject));
  return row_header_line(line, header, err);
}
