/* What the table of engines (engine.h) says of each. */
#ifndef ATTCERT_CERTIFY_ENGINE_ENGINE_ROW_H
#define ATTCERT_CERTIFY_ENGINE_ENGINE_ROW_H

#include "certify/engine/certify_run.h"

/* What an engine puts into the options' scratch folder when memory is short. */
typedef struct {
  /* Bytes as in engine_row, of a run that may use `memory`. */
  uint64_t (*bytes)(uint64_t memory, const attcert_layer *layer, int n, mpfr_prec_t precision,
                    const attcert_options *options);

  /* What goes through the file, for the plan's line: "; ...", or nothing. */
  void (*describe)(char *text, size_t size, uint64_t memory, const attcert_layer *layer, int n,
                   const attcert_options *options);

  /* Opens the run's file, with room for what goes there: now rather than after a long run. Errors: those of
   * panel_file_open and panel_file_reserve. */
  attcert_status (*open)(certify_run *r);
} engine_scratch;

/* Functions that are NULL: as said; engines that are AUTO: none. */
typedef struct {
  const char *name;
  double width;     /* relative, to which it is held when none is asked; INFINITY: to none */
  bool relaxes;     /* an asked width that is wider is enough: its time grows with every digit */
  bool least_side;  /* takes J^T J where J has fewer columns than rows */
  bool unhurried;   /* where no width is asked it stays in double, too, and the one that it reaches will do */
  bool trusts_blas; /* its bound rests on products in double, and with them on the factored Jacobian */

  /* Where auto goes on to: if memory does not do for this one; if its bound is too wide. */
  attcert_engine fallback, sharper;
  const char *bound_text; /* what a bound is, for those who get it in place of another's */
  const char *too_wide;   /* how it is so */

  /* Bytes and rough seconds beyond the layer and its lower bound, for n tokens; NULL: none to speak of. */
  engine_bytes_function *bytes;
  double (*seconds)(const attcert_layer *layer, int n, const attcert_options *options);

  /* The same, of one that took `seconds` with the least basis, where the basis must grow; NULL: there is none. */
  double (*most_seconds)(double seconds, const attcert_layer *layer, int n, const certify_limits *limits);
  bool (*feasible)(const attcert_layer *layer, int n); /* it ends within minutes; NULL: that is not asked of it */
  const engine_scratch *scratch;                       /* NULL: it puts nothing there */

  /* The lower end in double, where the engine stays in it: proposes the run's direction and estimate, aiming at this
   * relative width, and takes lower <= ||J u|| / ||u||. *settled: there is a proposal. NULL: the layer is needed in
   * intervals. */
  attcert_status (*lower_in_double)(mpfr_t lower, bool *settled, certify_run *r, double width);

  /* Improves the upper end of the run's certificate, from the layer evaluated and the direction proposed, aiming at
   * this relative width; collective in a group. Errors: ATTCERT_RESOURCE. */
  attcert_status (*bound)(certify_run *r, double width);

  /* Likewise, where that was too wide and another engine is not to be used: as feasible as the sharper one. NULL: there
   * is no second way. */
  attcert_status (*bound_again)(certify_run *r, double width);
} engine_row;

#endif
