#include "cli/dataset_run.h"

#include "ball/region/ball_kind.h"
#include "base/arrays.h"
#include "base/clock.h"
#include "base/growing_array.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/parallel_alone.h"
#include "cli/interrupt.h"
#include "cli/output/output.h"
#include "cli/source/dataset_source.h"
#include "linalg/blas/blas_single.h"
#include "linalg/rounding/float_format.h"
#include "report/dataset/dataset_header.h"
#include "report/dataset/dataset_summary.h"
#include "report/rows/row_file.h"
#include "robust/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const cli_options *options;
  dataset_source source;
  step_format format;
  row_file file;
  dataset_row *row; /* those of the file */
  int rows, added;
  size_t capacity;
  bool *has; /* [inputs]: the row of which is there */
  int *open; /* [inputs]: those without one */
  int opens, jobs;
  uint64_t held; /* bytes before the first input */
  progress_line line;
  interrupt watch;
  pthread_mutex_t lock;  /* of all that follows, of the rows and of the line */
  attcert_status status; /* ATTCERT_OK: no input was left out */
  attcert_error why;     /* the first that was */
  bool ends;             /* nothing new is begun */
} run;

/* ---- one input --------------------------------------------------------------------------------------------------- */

/* An attcert_progress callback of every run: how many rows there are. */
static int show_progress(void *context, const char *stage, double done) {
  run *const r = context;
  char text[128];
  (void)done; /* of the stage */
  pthread_mutex_lock(&r->lock);
  snprintf(text, sizeof text, "%d of %d: %s", r->rows, r->source.data.count, stage);
  const int signalled = interrupt_progress(&r->watch, text, (double)r->rows / r->source.data.count);
  r->ends = r->ends || signalled != 0;
  const bool ends = r->ends;
  pthread_mutex_unlock(&r->lock);
  return ends;
}

/* The answer at the input, where it is certain. */
static attcert_status predict(dataset_row *row, const dataset_item *item, run *r, attcert_error *err) {
  const robust_watch watch = {show_progress, r, "answer"};
  robust_gradient g;
  robust_gradient_place at = {.x = &item->x, .label = -1, .watch = &watch};
  attcert_status status = robust_gradient_enclose(&g, item->steps, &at, err);
  row->predicted = status == ATTCERT_OK && g.margin.lo > 0.0 ? g.label : -1;
  if (status != ATTCERT_OK || row->predicted < 0 || row->predicted == item->label) return status;
  at.label = item->label;
  status = robust_gradient_enclose(&g, item->steps, &at, err);
  row->verdict = DATASET_WRONG;
  row->margin = g.margin.lo;
  return status;
}

static void take_verdict(dataset_row *row, const robust_verdict *v, bool searched) {
  const bool flips = v->counterexample.data != NULL;
  row->certified = v->certified;
  row->refuted = v->refuted;
  row->verdict = v->certified > 0.0           ? DATASET_CERTIFIED
                 : flips && v->refuted == 0.0 ? DATASET_WRONG
                 : flips && !searched         ? DATASET_REFUTED
                                              : DATASET_UNKNOWN;
  row->margin = row->verdict == DATASET_WRONG || row->verdict == DATASET_REFUTED ? v->counterexample_margin.lo
                : v->bound.loss != NULL                                          ? v->bound.margin.lo
                                                                                 : -INFINITY;
}

static attcert_status certify(dataset_row *row, const dataset_item *item, run *r, attcert_error *err) {
  const cli_options *const o = r->options;
  const robust_ball ball = {.input = &item->x,
                            .region = {.kind = (ball_kind_id)o->ball},
                            .label = item->label,
                            .format = o->execution > 0 ? &r->format : NULL};
  const robust_question question = {.radius = o->radius.first,
                                    .relative = o->relative,
                                    .attack = o->attack,
                                    .memory = o->memory_limit,
                                    .held = r->held,
                                    .sharing = r->jobs,
                                    .progress = show_progress,
                                    .progress_context = r};
  robust_verdict verdict = {0};
  const attcert_status status = robust_verdict_reach(&verdict, item->steps, &ball, &question, err);
  if (status == ATTCERT_OK) take_verdict(row, &verdict, o->radius.first == 0.0);
  robust_verdict_clear(&verdict);
  return status;
}

/* What cannot be read is a row that says so. */
static attcert_status answer(dataset_row *row, run *r, int i, attcert_error *err) {
  const double start = clock_seconds();
  dataset_item item;
  *row =
      (dataset_row){.index = i, .predicted = -1, .verdict = DATASET_UNKNOWN, .refuted = INFINITY, .margin = -INFINITY};
  attcert_status status = dataset_source_item(&item, &r->source, i, err);
  row->label = item.label;
  if (status == ATTCERT_INPUT) {
    row->verdict = DATASET_ERROR;
    snprintf(row->error, sizeof row->error, "%s", err->message);
    status = ATTCERT_OK;
  } else {
    if (status == ATTCERT_OK) status = predict(row, &item, r, err);
    if (status == ATTCERT_OK && row->verdict != DATASET_WRONG) status = certify(row, &item, r, err);
  }
  dataset_item_clear(&item);
  row->seconds = clock_seconds() - start;
  return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static attcert_status keep_row(run *r, const dataset_row *row, attcert_error *err) {
  const attcert_status status =
      growing_array_room(&r->row, &r->capacity, (size_t)r->rows, sizeof *r->row, err, "the rows of a data set");
  if (status != ATTCERT_OK) return status;
  r->row[r->rows++] = *row;
  r->has[row->index] = true;
  return ATTCERT_OK;
}

static void put_row(FILE *out, const void *row) {
  dataset_row_write(out, row);
}

static attcert_status read_row(void *context, const char *line, const char *where, attcert_error *err) {
  run *const r = context;
  dataset_row row;
  const attcert_status status = dataset_row_read(&row, line, where, err);
  if (status != ATTCERT_OK) return status;
  if (row.index >= r->source.data.count || r->has[row.index])
    return attcert_fail(err, ATTCERT_INPUT, "%s: index %d, expected each below %d once", where, row.index,
                        r->source.data.count);
  return keep_row(r, &row, err);
}

/* What failed for this input alone, or is to end the run: the machine computes wrongly, a row cannot be written. */
static void leave_out(run *r, int i, attcert_status status, const attcert_error *err, bool ends) {
  if (r->status == ATTCERT_OK || status == ATTCERT_FAULT) {
    r->status = status == ATTCERT_CANCELLED ? ATTCERT_RESOURCE : status;
    if (status == ATTCERT_CANCELLED)
      attcert_fail(&r->why, r->status, "interrupted (%s)", strsignal(r->watch.number));
    else
      attcert_fail(&r->why, r->status, "input %d: %.900s", i, err->message);
  }
  r->ends = r->ends || ends || status == ATTCERT_FAULT;
}

/* A parallel_body. */
static void do_input(void *context, int k) {
  run *const r = context;
  dataset_row row;
  attcert_error err = {.message = ""};
  pthread_mutex_lock(&r->lock);
  const bool ends = r->ends;
  pthread_mutex_unlock(&r->lock);
  if (ends) return;
  if (r->jobs > 1) parallel_alone(true);
  attcert_status status = answer(&row, r, r->open[k], &err);
  if (r->jobs > 1) parallel_alone(false);
  pthread_mutex_lock(&r->lock);
  const bool answered = status == ATTCERT_OK;
  if (answered) status = keep_row(r, &row, &err);
  if (status == ATTCERT_OK) status = row_file_append(&r->file, put_row, &row, &err);
  if (answered && status == ATTCERT_OK) r->added++;
  if (status != ATTCERT_OK) leave_out(r, r->open[k], status, &err, answered);
  pthread_mutex_unlock(&r->lock);
}

static void do_inputs(run *r) {
  for (int i = 0; i < r->source.data.count; i++) {
    if (!r->has[i]) r->open[r->opens++] = i;
  }
  r->jobs = parallel_threads(r->options->jobs);
  if (r->jobs > r->opens) r->jobs = r->opens;
  r->held = memory_peak();
  progress_line_start(&r->line, stderr, isatty(STDERR_FILENO));
  interrupt_start(&r->watch, &r->line);
  if (r->jobs > 1) blas_single_begin();
  parallel_for(r->opens, r->jobs, do_input, r);
  if (r->jobs > 1) blas_single_end();
  interrupt_end();
  progress_line_end(&r->line);
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

static const char *execution_name(const run *r) {
  return r->options->execution > 0 ? r->format.name : "exact";
}

static attcert_status open_rows(run *r, attcert_error *err) {
  const cli_options *const o = r->options;
  const size_t count = (size_t)r->source.data.count;
  const array_table table = {{ARRAY(r->has, count), ARRAY(r->open, count)}};
  const dataset_question question = {.radius = o->radius.first,
                                     .relative = o->relative,
                                     .ball = ball_kinds[o->ball].name,
                                     .execution = execution_name(r),
                                     .architecture = o->architecture,
                                     .attack = o->attack,
                                     .ulp = o->ulp,
                                     .token = o->given[OPTION_TOKEN] ? o->token : -1,
                                     .special = r->source.special};
  char *header = NULL;
  attcert_status status = array_table_allocate(&table, err, "a list of %zu inputs", count);
  if (status == ATTCERT_OK) status = dataset_header_write(&header, &r->source.subject, &r->source.data, &question, err);
  const row_file_rows rows = {"run over a data set", header, dataset_row_write_names, read_row, r};
  if (status == ATTCERT_OK) status = row_file_open(&r->file, o->output, &rows, err);
  free(header);
  return status;
}

static attcert_status report(run *r, double seconds, attcert_error *err) {
  const dataset_outcome outcome = {.subject = &r->source.subject,
                                   .data = &r->source.data,
                                   .radius = r->options->radius.first,
                                   .ball = ball_kinds[r->options->ball].name,
                                   .execution = execution_name(r),
                                   .path = r->options->output,
                                   .row = r->row,
                                   .rows = r->rows,
                                   .added = r->added,
                                   .incomplete = r->status == ATTCERT_OK ? NULL : r->why.message,
                                   .seconds = seconds};
  if (r->status == ATTCERT_FAULT) return ATTCERT_OK; /* no result is told then */
  return output_write(NULL, dataset_summary_write, r->options->format == FORMAT_JSON, &outcome, err);
}

/* ATTCERT_INPUT where a row is an error. */
static attcert_status check_rows(const run *r, attcert_error *err) {
  int errors = 0;
  for (int i = 0; i < r->rows; i++) errors += r->row[i].verdict == DATASET_ERROR;
  if (errors == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d of %d inputs could not be read, which their rows say",
                      r->options->dataset, errors, r->source.data.count);
}

attcert_status dataset_run(const cli_options *o, attcert_error *err) {
  const double start = clock_seconds();
  run r = {.options = o, .file = {.descriptor = -1}, .lock = PTHREAD_MUTEX_INITIALIZER};
  r.format = step_format_of(&float_formats[o->execution > 0 ? o->execution - 1 : 0], o->ulp);
  attcert_status status = output_probe(o->output, err);
  if (status == ATTCERT_OK) status = dataset_source_open(&r.source, o, err);
  if (status == ATTCERT_OK) status = open_rows(&r, err);
  if (status == ATTCERT_OK) {
    do_inputs(&r);
    status = report(&r, clock_seconds() - start, err);
    if (status == ATTCERT_OK && r.status != ATTCERT_OK) *err = r.why;
    if (status == ATTCERT_OK) status = r.status != ATTCERT_OK ? r.status : check_rows(&r, err);
  }
  row_file_close(&r.file);
  dataset_source_close(&r.source);
  pthread_mutex_destroy(&r.lock);
  free(r.row);
  free(r.has);
  free(r.open);
  return status;
}
