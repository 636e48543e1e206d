/* What is left of a network where all but the entries that lie at a corner is bounded by functionals: with y_k = the
 * curve of x_k, entries of which it is open on which side of the corner they lie, k = 0 .. count - 1 in the order of
 * their steps,
 *
 *   x_k >= constant + along . eta + sum_j side_j y_j   (row 2 k),     -x_k >= likewise   (row 2 k + 1),
 *
 * over open entries j of earlier steps, eta the symbols of the input (robust_lower_rows): a network of few corners,
 * which is cheap to bound again and again. The curve is ReLU: y = max(x, 0). */
#ifndef ATTCERT_ROBUST_SPLIT_MODEL_H
#define ATTCERT_ROBUST_SPLIT_MODEL_H

#include "network/network_needed.h"
#include "robust/lower.h"

typedef struct {
  double *along;   /* [columns] */
  double *side;    /* [count] */
  double constant; /* not finite: no bound */
  double size;     /* >= what all its terms are together, in absolute value */
  int before;      /* side is of entries 0 .. before - 1 */
} split_row;

typedef struct {
  const form_symbols *symbols;
  form_layout input; /* symbols of the input */
  int columns;
  robust_open open;
  range *reach;   /* [count]: contains x_k, on both sides of 0 */
  split_row *row; /* [2 count] */
  double *along, *side;
} split_model;

/* Of a network all of whose corners are ReLU's; entries in rows that are not needed count nowhere. At most so many
 * entries are open; where there are more, or rows do not reach the input, model->open.count is 0. split_model_clear
 * is due in every case. Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status split_model_init(split_model *model, const network_steps *network, const network_needed *needed,
                                const form *value, const form_symbols *symbols, int most, const robust_watch *watch,
                                attcert_error *err);
void split_model_clear(split_model *model);

/* Room for a row; split_row_clear is due in every case. Errors: ATTCERT_RESOURCE. */
attcert_status split_row_init(split_row *row, const split_model *model, attcert_error *err);
void split_row_clear(split_row *row);

/* The row of <w, x_value>. Errors: ATTCERT_RESOURCE. */
attcert_status split_model_row(split_row *row, const split_model *model, const network_steps *network,
                               const form *value, int at, const double *w, attcert_error *err);

#endif
