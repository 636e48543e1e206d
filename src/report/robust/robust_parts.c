#include "report/robust/robust_parts.h"

#include "base/memory.h"
#include "report/number_text.h"
#include "report/subject_input.h"

#include <inttypes.h>

void robust_parts_subject(fact_writer *f, const report_subject *s, const robust_network *network) {
  const network_steps *const steps = &network->steps;
  json_writer *const w = &f->json;
  json_write_object(w, "network");
  json_write_integer(w, "n", (uint64_t)steps->tokens);
  json_write_integer(w, "d", (uint64_t)steps->dim);
  json_write_integer(w, "classes", (uint64_t)network->labels);
  json_write_integer(w, "operations", (uint64_t)steps->count);
  subject_write_pairs(w, s);
  json_write_close(w);
  json_write_object(w, "source");
  json_write_string(w, "model", s->name);
  if (s->random) json_write_integer(w, "seed", s->seed);
  fact_text(f, "network    %s", s->name);
  if (s->random) fact_text(f, ", seed %" PRIu64, s->seed);
  fact_text(f, "\nshape      n = %d tokens, d = %d, %d classes, %d operations\n", steps->tokens, steps->dim,
            network->labels, steps->count);
  subject_tell_pairs(f, s);
  subject_write_source(f, s);
}

void robust_parts_range_json(json_writer *w, const char *key, range x) {
  json_write_array(w, key);
  json_write_double(w, NULL, x.lo, MPFR_RNDD);
  json_write_double(w, NULL, x.hi, MPFR_RNDU);
  json_write_close(w);
}

void robust_parts_range(fact_writer *f, const char *key, const char *label, const char *what, range x) {
  char lo[NUMBER_TEXT_SIZE], hi[NUMBER_TEXT_SIZE];
  robust_parts_range_json(&f->json, key, x);
  fact_text(f, "%-10s %s <= %s <= %s\n", label, number_text_double(lo, x.lo, NUMBER_TEXT_DIGITS, MPFR_RNDD), what,
            number_text_double(hi, x.hi, NUMBER_TEXT_DIGITS, MPFR_RNDU));
}

void robust_parts_label(const fact_writer *f, const char *lead, int label, const char *name) {
  fact_text(f, "%s%d", lead, label);
  if (name == NULL) return;
  fact_text(f, " (");
  for (; *name != '\0'; name++) fact_text(f, "%c", (unsigned char)*name < ' ' || *name == '\177' ? '?' : *name);
  fact_text(f, ")");
}

void robust_parts_label_json(json_writer *w, const char *key, const char *name_key, int label, const char *name) {
  json_write_index(w, key, label);
  json_write_string(w, name_key, name);
}

void robust_parts_cost(fact_writer *f, double seconds, int evaluations) {
  char text[NUMBER_TEXT_SIZE];
  const uint64_t memory = memory_peak();
  json_write_double(&f->json, "seconds", seconds, MPFR_RNDN);
  json_write_integer(&f->json, "peak_memory_bytes", memory);
  fact_text(f, "time       %.2f s", seconds);
  if (evaluations > 0) fact_text(f, " (%d evaluations)", evaluations);
  fact_text(f, ", peak memory %s\n", number_text_bytes(text, memory));
}
