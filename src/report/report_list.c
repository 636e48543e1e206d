#include "report/report_list.h"

void report_list_begin(report_list *l, FILE *out, bool json, int asked) {
  *l = (report_list){.asked = asked};
  fact_writer_begin(&l->f, out, json, "certify-inputs");
  json_write_integer(&l->f.json, "asked", (uint64_t)asked);
  json_write_array(&l->f.json, "results");
}

static void begin_next(report_list *l) {
  l->told++;
  if (l->told > 1) fact_text(&l->f, "\n");
}

void report_list_add(report_list *l, const report *r) {
  begin_next(l);
  fact_writer_open(&l->f, r->command);
  report_put(&l->f, r);
  json_write_close(&l->f.json);
}

void report_list_add_failure(report_list *l, const char *input, const char *reason) {
  begin_next(l);
  json_write_object(&l->f.json, NULL);
  json_write_string(&l->f.json, "input", input);
  json_write_string(&l->f.json, "error", reason);
  json_write_close(&l->f.json);
  fact_text(&l->f, "input      %s\nFAILED     %s\n", input, reason);
}

void report_list_end(report_list *l, const char *incomplete) {
  json_write_close(&l->f.json);
  json_write_bool(&l->f.json, "complete", incomplete == NULL);
  if (incomplete != NULL) {
    json_write_string(&l->f.json, "incomplete", incomplete);
    fact_text(&l->f, "\nINCOMPLETE %s: %d of %d inputs\n", incomplete, l->told, l->asked);
  }
  fact_writer_end(&l->f);
}
