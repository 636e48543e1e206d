#include "report/subject_json.h"

void subject_write_files(json_writer *w, const report_subject *s) {
  json_write_array(w, "inputs");
  for (int i = 0; i < s->file_count; i++) {
    json_write_object(w, NULL);
    json_write_string(w, "role", s->files[i].role);
    json_write_string(w, "path", s->files[i].path);
    json_write_string(w, "sha256", s->files[i].sha256);
    json_write_close(w);
  }
  json_write_close(w);
}
