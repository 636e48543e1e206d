/* A row of a sweep against the theory. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_CHECK_H
#define ATTCERT_REPORT_SWEEP_SWEEP_CHECK_H

#include "report/sweep/sweep_row.h"

/* With the row and both numbers in the message: ATTCERT_FAULT when the lower end exceeds the upper end;
 * ATTCERT_NEGATIVE when it exceeds one of the upper bounds that hold at its input (T1, T2, T4 - T7, T9), or the
 * estimate exceeds the upper end by more than its own rounding (1e-9, relative). The lower bounds on the ball (T3, T10)
 * say nothing about one input in it, and are not compared. */
attcert_status sweep_check(const sweep_row *row, attcert_error *err);

#endif
