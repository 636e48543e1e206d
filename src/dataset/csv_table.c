#include "dataset/csv_table.h"

#include "base/arrays.h"
#include "base/growing_array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  csv_table *table;
  const char *at, *end;
  char *to; /* where the text of the next cell goes: never beyond what has been read */
  int line;
  attcert_error *err;
} reader;

static attcert_status add_cell(reader *r, char *text) {
  csv_table *const t = r->table;
  if (t->cells == INT_MAX) return attcert_fail(r->err, ATTCERT_INPUT, "more than 2^31 cells");
  const attcert_status status =
      growing_array_room(&t->cell, &t->capacity, t->cells, sizeof *t->cell, r->err, "the cells of a table");
  if (status == ATTCERT_OK) t->cell[t->cells++] = text;
  return status;
}

/* From the quote on to the one that closes it. */
static attcert_status read_quoted(reader *r) {
  const int begin = r->line;
  for (r->at++; r->at < r->end; r->at++) {
    if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"')) break;
    if (*r->at == '"') r->at++;
    if (*r->at == '\n') r->line++;
    *r->to++ = *r->at;
  }
  if (r->at == r->end) return attcert_fail(r->err, ATTCERT_INPUT, "line %d: a quote that is not closed", begin);
  r->at++;
  return ATTCERT_OK;
}

static bool is_line_end(const reader *r) {
  return r->at == r->end || *r->at == '\n' || (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

static attcert_status read_cell(reader *r) {
  char *const text = r->to;
  attcert_status status = ATTCERT_OK;
  if (r->at < r->end && *r->at == '"') {
    status = read_quoted(r);
    if (status == ATTCERT_OK && !is_line_end(r) && *r->at != ',')
      status = attcert_fail(r->err, ATTCERT_INPUT, "line %d: text behind a quote, expected a comma", r->line);
  }
  for (; status == ATTCERT_OK && !is_line_end(r) && *r->at != ','; r->at++) {
    if (*r->at == '"') return attcert_fail(r->err, ATTCERT_INPUT, "line %d: a quote within a cell", r->line);
    *r->to++ = *r->at;
  }
  if (status != ATTCERT_OK) return status;
  *r->to++ = '\0'; /* in the place of the comma or the line's end */
  return add_cell(r, text);
}

static attcert_status begin_row(reader *r) {
  csv_table *const t = r->table;
  attcert_status status =
      growing_array_room(&t->line, &t->line_capacity, (size_t)t->rows, sizeof *t->line, r->err, "the lines of a table");
  if (status == ATTCERT_OK)
    status = growing_array_room(&t->first, &t->first_capacity, (size_t)t->rows + 1, sizeof *t->first, r->err,
                                "the rows of a table");
  if (status == ATTCERT_OK) t->line[t->rows] = r->line;
  return status;
}

static void end_line(reader *r) {
  if (r->at < r->end && *r->at == '\r') r->at++;
  if (r->at < r->end) r->at++;
  r->line++;
}

static attcert_status read_row(reader *r) {
  csv_table *const t = r->table;
  if (is_line_end(r)) {
    end_line(r);
    return ATTCERT_OK;
  }
  attcert_status status = begin_row(r);
  if (status == ATTCERT_OK) status = read_cell(r);
  while (status == ATTCERT_OK && !is_line_end(r)) {
    r->at++; /* the comma */
    status = read_cell(r);
  }
  if (status != ATTCERT_OK) return status;
  end_line(r);
  t->first[++t->rows] = (int)t->cells;
  return ATTCERT_OK;
}

attcert_status csv_table_parse(csv_table *table, const char *text, size_t size, attcert_error *err) {
  *table = (csv_table){0};
  if (size >= INT_MAX) return attcert_fail(err, ATTCERT_INPUT, "%zu bytes, expected fewer than 2^31", size);
  if (size > 0 && memchr(text, '\0', size) != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "a zero byte, expected a text");
  table->text = array_new(size + 1, 1, err, "the text of a table");
  if (table->text == NULL) return ATTCERT_RESOURCE;
  reader r = {.table = table, .at = text, .end = text + size, .to = table->text, .line = 1, .err = err};
  attcert_status status =
      growing_array_room(&table->first, &table->first_capacity, 0, sizeof *table->first, err, "the rows of a table");
  if (status == ATTCERT_OK) table->first[0] = 0;
  while (status == ATTCERT_OK && r.at < r.end) status = read_row(&r);
  return status;
}

void csv_table_clear(csv_table *table) {
  free(table->text);
  free(table->cell);
  free(table->first);
  free(table->line);
  *table = (csv_table){0};
}

int csv_table_cells(const csv_table *table, int i) {
  return table->first[i + 1] - table->first[i];
}

const char *csv_table_cell(const csv_table *table, int i, int k) {
  return table->cell[table->first[i] + k];
}

void csv_table_put(FILE *out, const char *cell) {
  if (strpbrk(cell, ",\"\r\n") == NULL) {
    fputs(cell, out);
    return;
  }
  fputc('"', out);
  for (; *cell != '\0'; cell++) fputs(*cell == '"' ? "\"\"" : (char[]){*cell, '\0'}, out);
  fputc('"', out);
}
