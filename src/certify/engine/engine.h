/* The engines: how the upper bound is computed. One table says of each what it is called, promises, takes and does, and
 * where auto goes from it. A new one is a file, its row and its name in attcert.h. */
#ifndef ATTCERT_CERTIFY_ENGINE_ENGINE_H
#define ATTCERT_CERTIFY_ENGINE_ENGINE_H

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
  bool trusts_blas; /* its bound rests on products in double, and with them on the factored Jacobian */

  /* Where auto goes on to: if memory does not do for this one; if its bound is too wide. */
  attcert_engine fallback, sharper;
  const char *bound_text; /* what a bound is, for those who get it in place of another's */
  const char *too_wide;   /* how it is so */

  /* Bytes and rough seconds beyond the layer and its lower bound, for n tokens; NULL: none to speak of. */
  uint64_t (*bytes)(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options);
  double (*seconds)(const attcert_layer *layer, int n, const attcert_options *options);

  /* The same, of one that took `seconds` with the least basis, where the basis must grow; NULL: there is none. */
  double (*most_seconds)(double seconds, const attcert_layer *layer, int n, const certify_limits *limits);
  bool (*feasible)(const attcert_layer *layer, int n); /* it ends within minutes; NULL: that is not asked of it */
  const engine_scratch *scratch;                       /* NULL: it puts nothing there */

  /* The lower end in double, where the engine stays in it: proposes the run's direction and estimate, and takes lower
   * <= ||J u|| / ||u||. *settled: there is a proposal. NULL: the layer is needed in intervals. */
  attcert_status (*lower_in_double)(mpfr_t lower, bool *settled, certify_run *r);

  /* Improves the upper end of the run's certificate, from the layer evaluated and the direction proposed, aiming at
   * this relative width; collective in a group. Errors: ATTCERT_RESOURCE. */
  attcert_status (*bound)(certify_run *r, double width);

  /* Likewise, where that was too wide and another engine is not to be used: as feasible as the sharper one. NULL: there
   * is no second way. */
  attcert_status (*bound_again)(certify_run *r, double width);
} engine_row;

/* Never fails; AUTO has a name only. */
const engine_row *engine_of(attcert_engine engine);

/* The relative width to aim at: the engine's own where none was asked, or where that is narrower and it does not relax;
 * otherwise what was asked. */
double engine_width(attcert_engine engine, const attcert_options *options);

/* Bytes that every run takes: the layer in intervals and in doubles, its lower bound. UINT64_MAX beyond counting. */
uint64_t engine_layer_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* Bytes that a run with this engine at this precision cannot do without, in all. Of the options, a scratch folder and a
 * group count: both make the dense engine's panels fewer. */
uint64_t engine_bytes(attcert_engine engine, const attcert_layer *layer, int n, mpfr_prec_t precision,
                      const attcert_options *options);

/* Whether a run with this engine fits in `memory`, and whether it ends within minutes, too. */
bool engine_fits(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options,
                 uint64_t memory);
bool engine_is_feasible(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options,
                        uint64_t memory);

/* Expected seconds of the engine alone. */
double engine_seconds(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options);

/* Interval multiply-adds of the layer at one precision, and the largest power-of-two multiple of `precision` at which
 * so many `operations` are worth the time. */
double engine_layer_operations(const attcert_layer *layer, int n);
int engine_precision_cap(int precision, double operations);

#endif
