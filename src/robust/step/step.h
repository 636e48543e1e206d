/* One operation of a network: how forms pass through it (robust/operation), and in plain double its value and the
 * product with its transposed Jacobian. A file an operation; the rest sees only the table. */
#ifndef ATTCERT_ROBUST_STEP_STEP_H
#define ATTCERT_ROBUST_STEP_STEP_H

#include "robust/operation/operation.h"
#include "robust/step/step_enclosure.h"
#include "robust/step/step_execution.h"

enum { STEP_MAX_INPUTS = 3 };

typedef struct step step;

/* A row of a step's output, before forms are made. */
typedef struct {
  int row;
  const int *token; /* of the rows of input 0 */
  int attended;     /* how many tokens an attention's row attends to */
} step_row;

/* Row `row` of input `input`. */
typedef struct {
  int input, row;
} step_source;

typedef struct {
  const char *name; /* "attention", as reports call it */
  /* What the forms of a row will be made of, for the plan of a run's memory. sources: the rows that it depends on, the
   * first one of its own token; returns how many, 2 attended + 2 at most. fresh: the widths of the segments of symbols
   * that `forms` makes for it, in their order; returns how many, heads + 2 at most. scratch: the doubles that `forms`
   * takes besides, for a row of so many columns. NULL: the same row of input 0; none; none. */
  int (*sources)(step_source *from, const step *s, const step_row *row);
  int (*fresh)(int *width, const step *s, const step_row *row);
  uint64_t (*scratch)(const step *s, int in_cols, const step_row *row, int columns);
  /* out := the step of the forms in[0 .. inputs - 1]; origin is that of its symbols. */
  attcert_status (*forms)(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                          attcert_error *err);
  /* Adds to the radius of `out`, measured, what executing the step in the format adds, on every executed input that the
   * forms in[] contain; the weights are numbers of the format. Errors: ATTCERT_RESOURCE. */
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
} step_kind;

struct step {
  const step_kind *kind;
  int layer;                  /* of the model; -1: before or after all */
  int input[STEP_MAX_INPUTS]; /* values: 0 is the network's input, k + 1 the output of step k */
  int inputs;
  int rows, cols; /* of the output */
  /* What the kind needs of these: */
  const double *weight, *bias; /* affine: [cols, in] and [cols] or NULL; LayerNorm: gain and bias */
  double epsilon;              /* LayerNorm */
  const range_curve *curve;    /* activation */
  int heads;                   /* attention */
  bool causal;
  int token; /* select: the row that is kept; attention: the only query's, -1 where there is one a token */
};

extern const step_kind step_affine, step_attention, step_layernorm, step_activation, step_sum, step_select;

/* `execution` of two of them, in files of their own. */
attcert_status step_attention_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err);
attcert_status step_layernorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err);

#endif
