/* Entries of a symmetric matrix that is stored in panels. */
#ifndef ATTCERT_TESTS_PANEL_ENTRY_H
#define ATTCERT_TESTS_PANEL_ENTRY_H

#include "certify/panels.h"

static inline double panel_entry(const panels *a, int i, int j) {
  const int row = i > j ? i : j, column = i > j ? j : i, p = column / a->width;
  return panel_row(a, p, row)[column - panel_first(a, p)];
}

#endif
