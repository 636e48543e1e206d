/* Comma-separated values (RFC 4180): cells may stand in double quotes, where commas and newlines are text and a quote
 * is written twice. */
#ifndef ATTCERT_DATASET_CSV_TABLE_H
#define ATTCERT_DATASET_CSV_TABLE_H

#include "attcert.h"

#include <stdio.h>

typedef struct {
  char *text;  /* of all cells, each ended by a zero */
  char **cell; /* [first[rows]] */
  int *first;  /* [rows + 1]: row i has the cells first[i] .. first[i + 1] - 1 */
  int *line;   /* [rows]: where it begins, from 1 */
  int rows;    /* lines without a character are none */
  size_t cells, capacity, first_capacity, line_capacity;
} csv_table;

/* csv_table_clear is due in every case. Errors: ATTCERT_INPUT (by line: a quote that is not closed, or within a cell; a
 * zero byte), ATTCERT_RESOURCE. */
attcert_status csv_table_parse(csv_table *table, const char *text, size_t size, attcert_error *err);
void csv_table_clear(csv_table *table);

/* How many cells row i has, and cell k of it. */
int csv_table_cells(const csv_table *table, int i);
const char *csv_table_cell(const csv_table *table, int i, int k);

/* One cell more of a line: in quotes where it has to be. */
void csv_table_put(FILE *out, const char *cell);

#endif
