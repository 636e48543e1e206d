/* Products with the absolute values of a panel. */
#ifndef ATTCERT_LINALG_PANEL_PANEL_ABSOLUTE_H
#define ATTCERT_LINALG_PANEL_PANEL_ABSOLUTE_H

#include "linalg/panel/panel_store.h"

/* Doubles of scratch for a panel of at most n rows. */
size_t panel_absolute_images(int n, int columns);

/* y[n] += |L_p| |L_p|^T x for the columns L_p of one panel, rows first_row ... n - 1, on up to `threads` threads; the
 * same to the last bit for any number of them. images: scratch. Each of the two products takes at most n + 1 roundings
 * an entry. */
void panel_add_absolute_square(double *y, const double *x, const panel_part *part, int n, double *images, int threads);

#endif
