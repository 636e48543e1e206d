#include "report/dataset/dataset_header.h"

#include "report/rows/row_header.h"

attcert_status dataset_header_write(char **line, const report_subject *subject, const dataset *data,
                                    const dataset_question *q, attcert_error *err) {
  const bool searches = q->radius == 0.0;
  json_t *const header = json_object();
  json_object_set_new(header, "schema", json_string("attcert/dataset/1"));
  json_object_set_new(header, "version", json_string(ATTCERT_VERSION));
  json_object_set_new(header, "model", row_header_name(subject->name));
  json_object_set_new(header, "seed", subject->random ? json_integer((json_int_t)subject->seed) : json_null());
  json_object_set_new(header, "dataset", row_header_name(data->path));
  json_object_set_new(header, "kind", json_string(dataset_kind_name(data->kind)));
  json_object_set_new(header, "size", json_integer(data->count));
  json_object_set_new(header, "tokenizer", json_string(subject->tokenizer));
  json_object_set_new(header, "special_tokens", json_boolean(q->special));
  json_object_set_new(header, "architecture", q->architecture != NULL ? json_string(q->architecture) : json_null());
  json_object_set_new(header, "token", q->token >= 0 ? json_integer(q->token) : json_null());
  json_object_set_new(header, "radius", searches ? json_null() : json_real(q->radius));
  json_object_set_new(header, "relative", searches ? json_real(q->relative) : json_null());
  json_object_set_new(header, "ball", json_string(q->ball));
  json_object_set_new(header, "attack", json_integer(q->attack));
  json_object_set_new(header, "execution", json_string(q->execution));
  json_object_set_new(header, "ulp", json_integer(q->ulp));
  json_object_set_new(header, "files", row_header_files(subject));
  return row_header_line(line, header, err);
}
