#include "report/dataset/dataset_summary.h"

#include "report/number_text.h"
#include "report/subject_input.h"

#include <inttypes.h>
#include <math.h>

enum { RADIUS_DIGITS = 6 };

typedef struct {
  int of[DATASET_VERDICTS];
  int correct; /* the certain answer is the label */
  double mean; /* of certified radii, rounded down; an input without one counts 0 */
} tally;

static tally count(const dataset_outcome *o) {
  tally t = {0};
  MPFR_DECL_INIT(sum, 53);
  mpfr_set_zero(sum, 1);
  for (int i = 0; i < o->rows; i++) {
    const dataset_row *const row = &o->row[i];
    t.of[row->verdict]++;
    if (row->label >= 0 && row->predicted == row->label) t.correct++;
    mpfr_add_d(sum, sum, row->certified, MPFR_RNDD);
  }
  if (o->rows > 0) mpfr_div_si(sum, sum, o->rows, MPFR_RNDD);
  t.mean = mpfr_get_d(sum, MPFR_RNDD);
  return t;
}

static void put_subject(fact_writer *f, const dataset_outcome *o) {
  const report_subject *const s = o->subject;
  const char *const kind = dataset_kind_name(o->data->kind);
  json_writer *const w = &f->json;
  json_write_object(w, "source");
  json_write_string(w, "model", s->name);
  fact_text(f, "network    %s", s->name);
  if (s->random) json_write_integer(w, "seed", s->seed);
  if (s->random) fact_text(f, ", seed %" PRIu64, s->seed);
  json_write_string(w, "dataset", o->data->path);
  json_write_string(w, "kind", kind);
  json_write_integer(w, "size", (uint64_t)o->data->count);
  json_write_close(w);
  fact_text(f, "\ndata set   %s, %d inputs (%s)\n", o->data->path, o->data->count, kind);
  subject_write_files(f, s);
}

static void put_question(fact_writer *f, const dataset_outcome *o) {
  char text[NUMBER_TEXT_SIZE] = "the largest that is found for each";
  json_write_double(&f->json, "radius", o->radius > 0.0 ? o->radius : NAN, MPFR_RNDN);
  json_write_string(&f->json, "ball", o->ball);
  json_write_string(&f->json, "execution", o->execution);
  if (o->radius > 0.0) number_text_double(text, o->radius, RADIUS_DIGITS, MPFR_RNDN);
  fact_text(f, "radius     %s, ball %s, execution %s\n", text, o->ball, o->execution);
}

static void put_rows(fact_writer *f, const dataset_outcome *o, const tally *t) {
  json_writer *const w = &f->json;
  json_write_string(w, "rows_file", o->path);
  json_write_integer(w, "rows", (uint64_t)o->rows);
  json_write_integer(w, "added", (uint64_t)o->added);
  fact_text(f, "rows       %d in %s, %d of them new\nverdicts  ", o->rows, o->path, o->added);
  json_write_object(w, "verdicts");
  for (int k = 0; k < DATASET_VERDICTS; k++) {
    json_write_integer(w, dataset_verdict_name((dataset_verdict)k), (uint64_t)t->of[k]);
    fact_text(f, "%s %s %d", k > 0 ? "," : "", dataset_verdict_name((dataset_verdict)k), t->of[k]);
  }
  json_write_close(w);
  fact_text(f, "\n");
}

static void put_accuracy(fact_writer *f, const char *name, int part, int of, const char *what) {
  char key[32];
  const double share = (double)part / of;
  snprintf(key, sizeof key, "%s_accuracy", name);
  json_write_double(&f->json, key, share, MPFR_RNDN);
  fact_text(f, "%-10s %.1f %% (%d of %d): %s\n", name, 100.0 * share, part, of, what);
}

static void put_accuracies(fact_writer *f, const dataset_outcome *o, const tally *t) {
  char text[NUMBER_TEXT_SIZE];
  if (o->rows == 0) return;
  put_accuracy(f, "clean", t->correct, o->rows, "the answer is certainly the label");
  put_accuracy(f, "verified", t->of[DATASET_CERTIFIED], o->rows, "it is, on a whole ball");
  put_accuracy(f, "attacked", t->of[DATASET_CERTIFIED] + t->of[DATASET_UNKNOWN], o->rows,
               "no other answer is known, at the input or in the ball");
  if (o->radius > 0.0) return;
  json_write_double(&f->json, "mean_certified_radius", t->mean, MPFR_RNDD);
  fact_text(f, "mean       %s certified; an input without a radius counts 0\n",
            number_text_double(text, t->mean, RADIUS_DIGITS, MPFR_RNDD));
}

void dataset_summary_write(FILE *out, bool json, const void *outcome) {
  const dataset_outcome *const o = outcome;
  const tally t = count(o);
  fact_writer f;
  fact_writer_begin(&f, out, json, "dataset");
  put_subject(&f, o);
  put_question(&f, o);
  put_rows(&f, o, &t);
  put_accuracies(&f, o, &t);
  json_write_bool(&f.json, "complete", o->incomplete == NULL);
  if (o->incomplete != NULL) json_write_string(&f.json, "incomplete", o->incomplete);
  if (o->incomplete != NULL) fact_text(&f, "INCOMPLETE %s\n", o->incomplete);
  json_write_double(&f.json, "seconds", o->seconds, MPFR_RNDN);
  fact_text(&f, "time       %.2f s\n", o->seconds);
  fact_writer_end(&f);
}
