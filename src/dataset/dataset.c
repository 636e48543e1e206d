#include "dataset/dataset.h"

#include "base/arrays.h"
#include "base/system_error.h"
#include "model/format/file_kind.h"
#include "model/format/mapped_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char list_name[] = "labels.csv";

/* The column of the input, whose name says of which kind it is. */
static const char *const columns[] = {
    [DATASET_TEXTS] = "text", [DATASET_TOKENS] = "token_ids", [DATASET_FILES] = "file"};

const char *dataset_kind_name(dataset_kind kind) {
  return kind == DATASET_NUMBERS ? "numbers" : columns[kind];
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static attcert_status join_path(char **path, const char *folder, const char *name, attcert_error *err) {
  const size_t size = strlen(folder) + strlen(name) + 2;
  *path = array_new(size, 1, err, "the name of a file");
  if (*path == NULL) return ATTCERT_RESOURCE;
  snprintf(*path, size, "%s/%s", folder, name);
  return ATTCERT_OK;
}

static attcert_status find_file(dataset *d, bool numbers, attcert_error *err) {
  struct stat info;
  if (stat(d->path, &info) != 0)
    return attcert_fail(err, system_error_status(errno), "%s: %s", d->path, strerror(errno));
  d->kind = S_ISDIR(info.st_mode) ? DATASET_FILES : numbers ? DATASET_NUMBERS : DATASET_TEXTS;
  if (d->kind == DATASET_FILES) return join_path(&d->file, d->path, list_name, err);
  d->file = strdup(d->path);
  return d->file != NULL ? ATTCERT_OK : array_out_of_memory(err, strlen(d->path) + 1, "the name of %s", d->path);
}

static attcert_status read_table(dataset *d, attcert_error *err) {
  mapped_file file;
  attcert_status status = mapped_file_open(&file, d->file, err);
  if (status != ATTCERT_OK) return status;
  status = csv_table_parse(&d->table, (const char *)file.data, file.size, err);
  if (status == ATTCERT_INPUT) {
    const attcert_error inner = *err;
    attcert_fail(err, status, "%s: %s", d->file, inner.message);
    status = file_kind_explain(status, file.data, file.size, d->file, "a CSV file", err);
  }
  if (status == ATTCERT_OK) status = mapped_file_digest(d->sha256, &file, d->file, err);
  mapped_file_close(&file);
  return status;
}

/* The first line's cell of that name; -1: none. */
static int column_named(const dataset *d, const char *name) {
  for (int k = 0; d->table.rows > 0 && k < csv_table_cells(&d->table, 0); k++) {
    if (strcmp(csv_table_cell(&d->table, 0, k), name) == 0) return k;
  }
  return -1;
}

static attcert_status find_columns(dataset *d, attcert_error *err) {
  const int label = column_named(d, "label");
  d->begin = label >= 0 ? 1 : 0;
  d->input = 1;
  if (d->kind == DATASET_NUMBERS) {
    if (label > 0) return attcert_fail(err, ATTCERT_INPUT, "%s: expected the column label first", d->file);
    return ATTCERT_OK;
  }
  if (d->kind == DATASET_TEXTS && column_named(d, columns[DATASET_TOKENS]) >= 0) d->kind = DATASET_TOKENS;
  d->label = label;
  d->input = column_named(d, columns[d->kind]);
  if (d->label >= 0 && d->input >= 0 && csv_table_cells(&d->table, 0) == 2) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: expected a first line that names two columns, label and %s", d->file,
                      d->kind == DATASET_FILES ? "file" : "text (or token_ids)");
}

/* The digest of what is read of every input's file, so that a file of rows is never of two folders. */
static attcert_status digest_files(dataset *d, attcert_error *err) {
  enum { DIGITS = SHA256_HEX_SIZE - 1 };
  char *const all = array_new(ARRAY_COUNT((size_t)d->count, DIGITS), 1, err, "the digests of %d files", d->count);
  attcert_status status = all != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  for (int i = 0; i < d->count && status == ATTCERT_OK; i++) {
    char *path, sha256[SHA256_HEX_SIZE];
    mapped_file file;
    status = dataset_path(&path, d, i, err);
    if (status == ATTCERT_OK) status = mapped_file_open(&file, path, err);
    if (status == ATTCERT_OK) {
      status = mapped_file_digest(sha256, &file, path, err);
      mapped_file_close(&file);
    }
    if (status == ATTCERT_OK) memcpy(all + (size_t)i * DIGITS, sha256, DIGITS);
    free(path);
  }
  if (status == ATTCERT_OK) sha256_bytes(d->inputs, all, (size_t)d->count * DIGITS);
  free(all);
  return status;
}

attcert_status dataset_open(dataset *d, const char *path, bool numbers, attcert_error *err) {
  *d = (dataset){.path = path};
  attcert_status status = find_file(d, numbers, err);
  if (status == ATTCERT_OK) status = read_table(d, err);
  if (status == ATTCERT_OK) status = find_columns(d, err);
  if (status != ATTCERT_OK) return status;
  d->count = d->table.rows - d->begin;
  if (d->count < 1) return attcert_fail(err, ATTCERT_INPUT, "%s: no input in it, expected one", d->file);
  return d->kind == DATASET_FILES ? digest_files(d, err) : ATTCERT_OK;
}

void dataset_close(dataset *d) {
  csv_table_clear(&d->table);
  free(d->file);
  d->file = NULL;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

int dataset_line(const dataset *d, int i) {
  return d->table.line[d->begin + i];
}

static const char *cell(const dataset *d, int i, int column, attcert_error *err) {
  const int cells = csv_table_cells(&d->table, d->begin + i);
  if (d->kind == DATASET_NUMBERS || cells == 2) return csv_table_cell(&d->table, d->begin + i, column);
  attcert_fail(err, ATTCERT_INPUT, "%s: line %d: %d cells, expected 2", d->file, dataset_line(d, i), cells);
  return NULL;
}

const char *dataset_label(const dataset *d, int i, attcert_error *err) {
  return cell(d, i, d->label, err);
}

const char *dataset_input(const dataset *d, int i, attcert_error *err) {
  return cell(d, i, d->input, err);
}

/* The whole text as a finite number; strtod would take a space, "inf" or a hexadecimal number. */
static bool read_number(double *x, const char *text) {
  char *end;
  if (*text == '\0' || strspn(text, "+-.0123456789eE") != strlen(text)) return false;
  *x = strtod(text, &end);
  return *end == '\0' && isfinite(*x);
}

attcert_status dataset_numbers(double *x, int count, const dataset *d, int i, attcert_error *err) {
  const int row = d->begin + i, cells = csv_table_cells(&d->table, row);
  if (cells != count + 1)
    return attcert_fail(err, ATTCERT_INPUT, "%s: line %d: %d numbers behind the label, expected %d", d->file,
                        dataset_line(d, i), cells - 1, count);
  for (int k = 0; k < count; k++) {
    const char *const text = csv_table_cell(&d->table, row, k + 1);
    if (!read_number(&x[k], text))
      return attcert_fail(err, ATTCERT_INPUT, "%s: line %d: number %d is '%.40s', expected a finite number", d->file,
                          dataset_line(d, i), k, text);
  }
  return ATTCERT_OK;
}

attcert_status dataset_path(char **path, const dataset *d, int i, attcert_error *err) {
  const char *const name = dataset_input(d, i, err);
  *path = NULL;
  return name != NULL ? join_path(path, d->path, name, err) : ATTCERT_INPUT;
}
