#include "report/dataset/dataset_row.h"

#include "dataset/csv_table.h"
#include "report/number_text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX, LABEL, PREDICTED, VERDICT, RADIUS_CERTIFIED, RADIUS_REFUTED, MARGIN, SECONDS, ERROR, COLUMNS };
static const char *const columns[COLUMNS] = {"index",          "label",  "predicted", "verdict", "radius_certified",
                                             "radius_refuted", "margin", "seconds",   "error"};

static const char *const verdicts[DATASET_VERDICTS] = {[DATASET_CERTIFIED] = "certified",
                                                       [DATASET_REFUTED] = "refuted",
                                                       [DATASET_UNKNOWN] = "unknown",
                                                       [DATASET_WRONG] = "wrong",
                                                       [DATASET_ERROR] = "error"};

const char *dataset_verdict_name(dataset_verdict verdict) {
  return verdicts[verdict];
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

void dataset_row_write_names(FILE *out) {
  for (int k = 0; k < COLUMNS; k++) fprintf(out, "%s%c", columns[k], k + 1 < COLUMNS ? ',' : '\n');
}

/* Empty below 0. */
static void put_label(FILE *out, int label) {
  if (label >= 0) fprintf(out, "%d", label);
  fputc(',', out);
}

/* The text is on that side of x, and so is what a reader makes of it. Empty where x is not finite. */
static void put_end(FILE *out, double x, mpfr_rnd_t rounding) {
  char text[NUMBER_TEXT_SIZE];
  MPFR_DECL_INIT(real, 53);
  mpfr_set_d(real, x, MPFR_RNDN);
  if (isfinite(x)) fputs(number_text_end(text, real, rounding), out);
  fputc(',', out);
}

void dataset_row_write(FILE *out, const dataset_row *row) {
  fprintf(out, "%d,", row->index);
  put_label(out, row->label);
  put_label(out, row->predicted);
  fprintf(out, "%s,", verdicts[row->verdict]);
  put_end(out, row->certified > 0.0 ? row->certified : INFINITY, MPFR_RNDD);
  put_end(out, row->refuted, MPFR_RNDU);
  put_end(out, row->margin, MPFR_RNDD);
  fprintf(out, "%.3f,", row->seconds);
  csv_table_put(out, row->error);
  fputc('\n', out);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* An integer from 0 on; optional: -1 where the cell is empty. */
static bool read_whole(int *value, const char *text, bool optional) {
  *value = -1;
  if (*text == '\0') return optional;
  if (strspn(text, "0123456789") != strlen(text)) return false;
  errno = 0;
  const long number = strtol(text, NULL, 10);
  *value = (int)number;
  return errno == 0 && number <= INT_MAX;
}

static bool read_end(double *value, const char *text, double otherwise) {
  char *end;
  *value = otherwise;
  if (*text == '\0') return true;
  if (strspn(text, "+-.0123456789e") != strlen(text)) return false;
  *value = strtod(text, &end);
  return *end == '\0' && isfinite(*value);
}

static bool read_verdict(dataset_verdict *verdict, const char *text) {
  for (int k = 0; k < DATASET_VERDICTS; k++) {
    if (strcmp(text, verdicts[k]) != 0) continue;
    *verdict = (dataset_verdict)k;
    return true;
  }
  return false;
}

/* The first column that cannot be dataset_row_write's; -1: none. */
static int bad_column(dataset_row *row, const csv_table *t) {
  const char *cell[COLUMNS];
  for (int k = 0; k < COLUMNS; k++) cell[k] = csv_table_cell(t, 0, k);
  if (!read_whole(&row->index, cell[INDEX], false)) return INDEX;
  if (!read_whole(&row->label, cell[LABEL], true)) return LABEL;
  if (!read_whole(&row->predicted, cell[PREDICTED], true)) return PREDICTED;
  if (!read_verdict(&row->verdict, cell[VERDICT])) return VERDICT;
  if (!read_end(&row->certified, cell[RADIUS_CERTIFIED], 0.0)) return RADIUS_CERTIFIED;
  if ((row->verdict == DATASET_CERTIFIED) != (row->certified > 0.0)) return RADIUS_CERTIFIED;
  if (!read_end(&row->refuted, cell[RADIUS_REFUTED], INFINITY)) return RADIUS_REFUTED;
  if (!read_end(&row->margin, cell[MARGIN], -INFINITY)) return MARGIN;
  if (!read_end(&row->seconds, cell[SECONDS], 0.0)) return SECONDS;
  if ((row->verdict == DATASET_ERROR) != (*cell[ERROR] != '\0')) return ERROR;
  snprintf(row->error, sizeof row->error, "%s", cell[ERROR]);
  return -1;
}

attcert_status dataset_row_read(dataset_row *row, const char *line, const char *where, attcert_error *err) {
  csv_table t;
  attcert_error inner = {.message = ""};
  attcert_status status = csv_table_parse(&t, line, strlen(line), &inner);
  *row = (dataset_row){0};
  if (status != ATTCERT_OK) attcert_fail(err, status, "%s: %s", where, inner.message);
  if (status == ATTCERT_OK && (t.rows != 1 || csv_table_cells(&t, 0) != COLUMNS))
    status = attcert_fail(err, ATTCERT_INPUT, "%s: expected a line of %d columns", where, COLUMNS);
  const int bad = status == ATTCERT_OK ? bad_column(row, &t) : -1;
  if (bad >= 0)
    status = attcert_fail(err, ATTCERT_INPUT, "%s: %s is '%.40s', which cannot be this run's", where, columns[bad],
                          csv_table_cell(&t, 0, bad));
  csv_table_clear(&t);
  return status;
}
