/* A symmetric matrix in panels that are all in memory, and its entries. */
#ifndef ATTCERT_TESTS_SUPPORT_PANEL_ENTRY_H
#define ATTCERT_TESTS_SUPPORT_PANEL_ENTRY_H

#include "linalg/panel/panels.h"

/* All zero. */
static inline attcert_status whole_panels_init(panels *a, int n) {
  const attcert_status status = panels_init(a, n, NULL, NULL);
  return status == ATTCERT_OK ? panels_hold(a, 0, a->count, NULL) : status;
}

static inline double panel_entry(const panels *a, int i, int j) {
  const int row = i > j ? i : j, column = i > j ? j : i, p = column / a->width;
  return panel_row(a, p, row)[column - panel_first(a, p)];
}

#endif
