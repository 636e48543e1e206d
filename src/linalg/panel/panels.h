/* The lower triangle of a symmetric matrix in column panels: half the memory of the square, and what a
 * blocked factorisation works on. Panel p holds columns p w ... of rows p w ... n - 1, row-major; the square
 * on top of it is stored whole.
 *
 * Not every panel need be in memory. Panels are distributed block-cyclically, panel p to process p mod size, and each
 * keeps those of its own that lie in a window. */
#ifndef ATTCERT_LINALG_PANEL_PANELS_H
#define ATTCERT_LINALG_PANEL_PANELS_H

#include "attcert.h"
#include "base/process_group.h"

typedef struct {
  int n, width;   /* side; columns of every panel but perhaps the last */
  int count;      /* panels */
  int rank, size; /* panel p belongs to process p mod size; this one is `rank` */
  double **panel; /* [count]; NULL where not in memory */
  int first, end; /* own panels first ... end - 1 are, one behind the other: */
  double *block;
} panels;

enum { PANEL_WIDTH = 256 };

/* Rows of a panel that a thread takes at a time: a product of so many stays in the cache until it is used. */
enum { PANEL_CHUNK = 1024 };

/* Chunks of so many rows. */
static inline int panel_chunks(int rows) {
  return (rows + PANEL_CHUNK - 1) / PANEL_CHUNK;
}

/* Rows of the chunk that begins with row `first`, of rows up to n - 1. */
static inline int panel_chunk_rows(int n, int first) {
  return n - first < PANEL_CHUNK ? n - first : PANEL_CHUNK;
}

/* Panels of PANEL_WIDTH columns, distributed over the processes of a group (NULL: all to this one); panel = NULL. */
panels panels_shape(int n, const attcert_process_group *group);

/* The shape with the pointers, and no panel in memory yet. Errors: ATTCERT_RESOURCE. */
attcert_status panels_init(panels *a, int n, const attcert_process_group *group, attcert_error *err);
void panels_clear(panels *a);

/* Own panels first ... end - 1 in memory and no others: as they are if these were there, otherwise zeros. One block of
 * memory, whose pages may be large (base/memory.h). Errors: ATTCERT_RESOURCE. */
attcert_status panels_hold(panels *a, int first, int end, attcert_error *err);

/* Bytes of one panel; of those of panels first ... end - 1 that belong to the owner of panel `first`: the largest
 * share, as panels shrink; UINT64_MAX beyond counting. */
uint64_t panels_bytes(const panels *a, int p);
uint64_t panels_share_bytes(const panels *a, int first, int end);

/* The largest end > first for which every process's share of panels first ... end - 1 fits in `bytes`; at
 * least one panel a process. */
int panels_window_end(const panels *a, int first, uint64_t bytes);

static inline bool panel_is_own(const panels *a, int p) {
  return p % a->size == a->rank;
}

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

/* Where row i >= panel_first begins in panel p, in doubles; the row itself. */
static inline size_t panel_offset(const panels *a, int p, int i) {
  return (size_t)(i - panel_first(a, p)) * (size_t)panel_columns(a, p);
}
static inline double *panel_row(const panels *a, int p, int i) {
  return a->panel[p] + panel_offset(a, p, i);
}

/* Writes block (rows first_row ..., columns first_column ... >= first_row) of a symmetric matrix, given by its rows
 * `stride` apart, mirrored: entry (r, c) goes to row first_column + c. Entries above the diagonal and those of panels
 * that are not in memory are not written. */
void panels_put_transposed(const panels *a, int first_row, int rows, int first_column, int columns, const double *block,
                           size_t stride);

/* Adds the row sums of |tile|, rows first_row ..., columns first_column ... <= first_row of a symmetric matrix, to
 * of_rows[rows], and those of its mirror image to of_columns[columns], which are the same on the diagonal; of a tile
 * there, only the lower triangle is looked at. A term takes part in fewer than n additions in all. */
void panels_add_row_sums(double *of_rows, double *of_columns, const double *tile, int first_row, int rows,
                         int first_column, int columns);

#endif
