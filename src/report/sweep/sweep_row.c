/* See sweep_row.h. The columns are n, sequence, offset, radius, lower, upper, relative_width, estimate, engine, one for
 * each bound of the theory, seconds. */
#include "report/sweep/sweep_row.h"

#include "linalg/norm/euclidean_norm.h"
#include "report/number_text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const leading[] = {"n",     "sequence",       "offset",   "radius", "lower",
                                      "upper", "relative_width", "estimate", "engine"};
enum { LEADING_COUNT = sizeof leading / sizeof leading[0] };

void sweep_row_init(sweep_row *row) {
  *row = (sweep_row){0};
  mpfr_init2(row->lower, 53);
  mpfr_init2(row->upper, 53);
  theory_table_init(&row->bounds);
}

void sweep_row_clear(sweep_row *row) {
  theory_table_clear(&row->bounds);
  mpfr_clear(row->upper);
  mpfr_clear(row->lower);
}

double sweep_row_radius(const attcert_matrix *x) {
  return euclidean_norm(x->data, x->rows * x->cols) / sqrt(x->rows);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

void sweep_row_write_names(FILE *out) {
  theory_table table;
  theory_table_init(&table);
  for (int i = 0; i < LEADING_COUNT; i++) fprintf(out, "%s,", leading[i]);
  for (int i = 0; i < THEORY_COUNT; i++) fprintf(out, "%s,", table.bound[i].id);
  fputs("seconds\n", out);
  theory_table_clear(&table);
}

static void write_real(FILE *out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, "%s,", mpfr_inf_p(x) ? "inf" : number_text_end(text, x, rounding));
}

static void write_double(FILE *out, double x, mpfr_rnd_t rounding) {
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, "%s,", isinf(x) ? "inf" : number_text_double(text, x, NUMBER_TEXT_DIGITS, rounding));
}

static mpfr_rnd_t outward(const theory_bound *bound) {
  return bound->lower ? MPFR_RNDD : MPFR_RNDU;
}

void sweep_row_write(FILE *out, const sweep_row *row) {
  fprintf(out, "%d,%d,%d,", row->n, row->sequence, row->offset);
  write_double(out, row->radius, MPFR_RNDN);
  write_real(out, row->lower, MPFR_RNDD);
  write_real(out, row->upper, MPFR_RNDU);
  write_double(out, row->relative_width, MPFR_RNDU);
  write_double(out, row->estimate, MPFR_RNDN);
  fprintf(out, "%s,", row->engine);
  for (int i = 0; i < THEORY_COUNT; i++) {
    const theory_bound *const bound = &row->bounds.bound[i];
    if (bound->available)
      write_real(out, bound->value, outward(bound));
    else
      fputc(',', out);
  }
  fprintf(out, "%.3f\n", row->seconds);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* A line taken apart field by field; `failed` stays set from the first field on that is not what was expected. */
typedef struct {
  const char *rest; /* NULL: the line has ended */
  char field[2 * NUMBER_TEXT_SIZE];
  const char *column, *expected;
  bool failed;
} row_reader;

static void fail(row_reader *r, const char *expected) {
  r->expected = expected;
  r->failed = true;
}

/* Copies the next field into r->field; too long a field is cut, and is then no number. */
static bool next_field(row_reader *r, const char *column) {
  if (r->failed) return false;
  r->column = column;
  r->field[0] = '\0';
  if (r->rest == NULL) {
    fail(r, "a field");
    return false;
  }
  const size_t length = strcspn(r->rest, ",");
  snprintf(r->field, sizeof r->field, "%.*s", (int)(length < INT_MAX ? length : INT_MAX), r->rest);
  r->rest = r->rest[length] == ',' ? r->rest + length + 1 : NULL;
  return true;
}

static void read_int(row_reader *r, const char *column, int *value, int minimum) {
  if (!next_field(r, column)) return;
  char *end = r->field;
  errno = 0;
  const long number = isdigit((unsigned char)r->field[0]) ? strtol(r->field, &end, 10) : -1;
  *value = (int)number;
  if (end == r->field || *end != '\0' || errno != 0 || number < minimum || number > INT_MAX) fail(r, "an integer");
}

/* The field, which is not empty, as a number >= 0 or inf. */
static void parse_real(row_reader *r, mpfr_t value, mpfr_rnd_t rounding) {
  char *end = r->field;
  if (isdigit((unsigned char)r->field[0]) || r->field[0] == 'i') mpfr_strtofr(value, r->field, &end, 10, rounding);
  if (end == r->field || *end != '\0') fail(r, "a number");
}

static void read_real(row_reader *r, const char *column, mpfr_t value, mpfr_rnd_t rounding) {
  if (next_field(r, column)) parse_real(r, value, rounding);
}

static void read_double(row_reader *r, const char *column, double *value, mpfr_rnd_t rounding) {
  mpfr_t real;
  mpfr_init2(real, 53);
  read_real(r, column, real, rounding);
  *value = r->failed ? 0 : mpfr_get_d(real, rounding);
  mpfr_clear(real);
}

static void read_engine(row_reader *r, char engine[SWEEP_ENGINE_SIZE]) {
  if (!next_field(r, "engine")) return;
  if (r->field[0] == '\0' || strlen(r->field) >= SWEEP_ENGINE_SIZE)
    fail(r, "an engine's name");
  else
    strcpy(engine, r->field);
}

static void read_bound(row_reader *r, theory_bound *bound) {
  if (!next_field(r, bound->id)) return;
  bound->available = r->field[0] != '\0';
  if (bound->available) parse_real(r, bound->value, outward(bound));
}

attcert_status sweep_row_read(sweep_row *row, const char *line, const char *where, attcert_error *err) {
  row_reader r = {.rest = line};
  read_int(&r, "n", &row->n, 1);
  read_int(&r, "sequence", &row->sequence, 1);
  read_int(&r, "offset", &row->offset, 0);
  read_double(&r, "radius", &row->radius, MPFR_RNDN);
  read_real(&r, "lower", row->lower, MPFR_RNDD);
  read_real(&r, "upper", row->upper, MPFR_RNDU);
  read_double(&r, "relative_width", &row->relative_width, MPFR_RNDU);
  read_double(&r, "estimate", &row->estimate, MPFR_RNDN);
  read_engine(&r, row->engine);
  for (int i = 0; i < THEORY_COUNT; i++) read_bound(&r, &row->bounds.bound[i]);
  read_double(&r, "seconds", &row->seconds, MPFR_RNDN);
  if (!r.failed && r.rest != NULL) {
    r.column = "what follows seconds";
    snprintf(r.field, sizeof r.field, "%s", r.rest);
    fail(&r, "the end of the line");
  }
  if (!r.failed) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s is '%.40s', expected %s", where, r.column, r.field, r.expected);
}
