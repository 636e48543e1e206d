/* Where the factored panels are: in memory, in the scratch file of the process that owns them, or in another
 * process's memory. A factorisation goes through the matrix window by window; whatever lies before the window
 * has been written to the file. */
#ifndef ATTCERT_LINALG_PANEL_PANEL_STORE_H
#define ATTCERT_LINALG_PANEL_PANEL_STORE_H

#include "base/process_group.h"
#include "linalg/panel/panel_file.h"
#include "linalg/panel/panels.h"

/* How a matrix may be stored; all zero: in memory, by this process alone. */
typedef struct {
  const attcert_process_group *group;
  panel_file *file;      /* NULL: every panel stays in memory */
  uint64_t window_bytes; /* memory for the panels of a window, used when there is a file */
} panel_storage;

typedef struct {
  panels a;
  panel_storage storage;
  double *buffer; /* one panel: what is read or received; NULL where neither happens */
  int first, end; /* the window */
} panel_store;

/* Rows first_row ... of a factored panel. */
typedef struct {
  double *data;
  int first_row, columns;
} panel_part;

/* Reserves the file when there is more than one window. Errors: ATTCERT_RESOURCE. */
attcert_status panel_store_init(panel_store *s, int n, const panel_storage *storage, attcert_error *err);
void panel_store_clear(panel_store *s);

/* Bytes beside the panels of the window, and in the file of the process that has most. */
uint64_t panel_store_buffer_bytes(const panels *a, bool file);
uint64_t panel_store_file_bytes(const panels *a);

/* Bytes that one factorisation reads with windows of these bytes. Windows of W columns read, of column block
 * [c, c + W), the N - c rows of c columns: 8 sum_c c (N - c) = 8 N^3 / (6 W) in all. */
double panel_store_read_bytes(const panels *a, uint64_t window_bytes);

/* The window becomes the one that begins with panel `first`. Panels that come in are zero, those that stay keep their
 * entries. Errors: ATTCERT_RESOURCE. */
attcert_status panel_store_hold(panel_store *s, int first, attcert_error *err);
bool panel_store_is_last(const panel_store *s);

/* Own panels of the window to the file, where they are found when the window has moved on. Errors: ATTCERT_RESOURCE. */
attcert_status panel_store_write(const panel_store *s, attcert_error *err);

/* Rows first_row ... of factored panel p, for every process of the group. */
attcert_status panel_store_fetch(panel_part *part, const panel_store *s, int p, int first_row, attcert_error *err);

/* The whole of own factored panel p. */
attcert_status panel_store_own(panel_part *part, const panel_store *s, int p, attcert_error *err);

#endif
