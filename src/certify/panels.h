/* The lower triangle of a symmetric matrix in column panels: half the memory of the square, and what a blocked factorisation
 * works on. Panel p holds columns p w ... of rows p w ... n - 1, row-major; the square on top of it is stored whole. */
#ifndef ATTCERT_PANELS_H
#define ATTCERT_PANELS_H

#include "attcert.h"

typedef struct {
  int n, width;   /* side; columns of every panel but perhaps the last */
  int count;      /* panels */
  double **panel; /* [count] */
} panels;

/* Panels of PANEL_WIDTH columns, all zero. Errors: ATTCERT_RESOURCE. */
enum { PANEL_WIDTH = 256 };
attcert_status panels_init(panels *a, int n, attcert_error *err);
void panels_clear(panels *a);
uint64_t panels_bytes(uint64_t n);

/* The first row and column of panel p, its columns, its rows. */
static inline int panel_first(const panels *a, int p) {
  return p * a->width;
}
static inline int panel_columns(const panels *a, int p) {
  return a->n - panel_first(a, p) < a->width ? a->n - panel_first(a, p) : a->width;
}
static inline int panel_rows(const panels *a, int p) {
  return a->n - panel_first(a, p);
}

/* Row i >= panel_first of panel p. */
static inline double *panel_row(const panels *a, int p, int i) {
  return a->panel[p] + (size_t)(i - panel_first(a, p)) * (size_t)panel_columns(a, p);
}

/* Writes block (rows first_row ..., columns first_column ... >= first_row) of a symmetric matrix, given by its rows `stride`
 * apart, mirrored: entry (r, c) goes to row first_column + c. Entries above the diagonal are not written. */
void panels_put_transposed(const panels *a, int first_row, int rows, int first_column, int columns, const double *block,
                           size_t stride);

#endif
