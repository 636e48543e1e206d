/* One operation of a network: in plain double its value and the product with its transposed Jacobian, both once more in
 * intervals, its derivative with bounds of what products with it miss, and how forms pass through it
 * (robust/operation). A folder an operation; the rest sees only the table. */
#ifndef ATTCERT_NETWORK_STEP_H
#define ATTCERT_NETWORK_STEP_H

#include "network/step_enclosure.h"
#include "network/step_execution.h"
#include "network/step_linear.h"
#include "network/step_lower.h"
#include "robust/operation/operation.h"

typedef struct step step;

/* The tokens that a row attends to. */
typedef struct {
  int first, count;
} step_keys;

/* A row of a step's output, before forms are made. */
typedef struct {
  int row;
  int in_cols;        /* of input 0 */
  int in_symbols;     /* columns of the perturbation that the same row of input 0 depends on, where it has that row */
  step_keys attended; /* of an attention's row */
} step_row;

/* Row `row` of input `input`. */
typedef struct {
  int input, row;
} step_source;

typedef struct {
  const char *name; /* "attention", as reports call it */
  /* What the forms of a row will be made of, for the plan of a run's memory. attended: to which of `keys` tokens, the
   * rows of input 1 or else of the only one, a row attends. sources: the rows of inputs that it depends on, each row of
   * an input once at most; returns how many. fresh: the width of segment k of the
   * symbols that `forms` makes for it, in their order; 0: there are no more. scratch: the doubles that `forms` takes
   * besides, for a row of so many columns. NULL: none; the same row of input 0; none; none. */
  step_keys (*attended)(const step *s, int row, int keys);
  int (*sources)(step_source *from, const step *s, const step_row *row);
  int (*fresh)(const step *s, const step_row *row, int k);
  uint64_t (*scratch)(const step *s, int in_cols, const step_row *row, int columns);
  /* out := the step of the forms in[0 .. inputs - 1]; origin is that of its symbols. */
  attcert_status (*forms)(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                          attcert_error *err);
  /* Functionals of the output bounded over the ball by such of the inputs. NULL: by none. Errors: ATTCERT_RESOURCE. */
  attcert_status (*lower)(step_lower *l, const step *s, attcert_error *err);
  bool draws; /* whether `lower` draws lines (step_slopes) along the range_curve that `of` is */
  /* *of (freed by the caller) := the step's parameters with weights that are numbers of the format; NULL: no weights.
   * Errors: ATTCERT_RESOURCE. */
  attcert_status (*round)(void **of, const step *s, int in_cols, const step_format *format, attcert_error *err);
  /* Adds to the radius of `out`, measured, what executing the step in the format adds, on every executed input that the
   * forms in[] contain; the weights are numbers of the format. NULL: nothing. Errors: ATTCERT_RESOURCE. */
  attcert_status (*execution)(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                              const step_format *format, attcert_error *err);
  /* y (allocated) := the step of x[0 .. inputs - 1]. Errors: ATTCERT_RESOURCE. */
  attcert_status (*value)(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err);
  /* dx[k] += the transposed Jacobian at x times dy, for all inputs k. */
  attcert_status (*pull_back)(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                              const attcert_matrix *dy, attcert_error *err);
  /* The same two in intervals: every member of x (and dy) is accounted for. */
  attcert_status (*enclose)(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                            attcert_error *err);
  attcert_status (*enclose_pull_back)(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                      const step_enclosure *dy, step_scratch *scratch, attcert_error *err);
  /* The derivative for every member of x, l's numbers and sizes; whoever calls has set what else is in l, zeros apart,
   * and frees the numbers in every case. Errors: ATTCERT_RESOURCE. */
  attcert_status (*linearize)(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err);
  /* y_b := sum_k D_k x_kb; x_kb := D_k^T y_b, b < count: vectors one after the other, of all rows. */
  void (*push)(double *y, const step_linear *l, const double *const *x, int count, double *scratch);
  void (*pull)(double *const *x, const step_linear *l, const double *y, int count, double *scratch);
} step_kind;

struct step {
  const step_kind *kind;
  const void *of;             /* the parameters, of a type that the kind's header says */
  int layer;                  /* of the model; -1: before or after all */
  int input[STEP_MAX_INPUTS]; /* values: 0 is the network's input, k + 1 the output of step k */
  int inputs;
  int rows, cols; /* of the output */
};

/* `sources` of a step of two inputs, row by row. */
static inline int step_sources_of_two(step_source *from, const step *s, const step_row *row) {
  (void)s;
  from[0] = (step_source){0, row->row};
  from[1] = (step_source){1, row->row};
  return 2;
}

#endif
