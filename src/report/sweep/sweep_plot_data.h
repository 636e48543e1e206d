/* The numbers in a picture of a sweep: what has a place on logarithmic axes, in the order of the lengths. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_PLOT_DATA_H
#define ATTCERT_REPORT_SWEEP_SWEEP_PLOT_DATA_H

#include "report/sweep/sweep_row.h"

typedef struct {
  int n;
  double lower, upper; /* positive and finite; upper = lower where the upper end is beyond the range of double */
} sweep_plot_point;

typedef struct {
  int n;
  double lower;                /* the median of the lower ends */
  double median[THEORY_COUNT]; /* of each bound where it is available and finite; 0: nowhere */
} sweep_plot_length;

typedef struct {
  sweep_plot_point *points; /* sorted by n */
  int count;
  sweep_plot_length *lengths; /* sorted by n */
  int length_count;
  double low, high;             /* of the points */
  bool has_bound[THEORY_COUNT]; /* at some length */
} sweep_plot_data;

/* ATTCERT_INPUT when no row has a positive lower end, ATTCERT_RESOURCE when memory runs out. */
attcert_status sweep_plot_data_init(sweep_plot_data *data, const sweep_row *rows, int count, attcert_error *err);
void sweep_plot_data_clear(sweep_plot_data *data);

#endif
