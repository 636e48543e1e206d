/* The engines: how the upper bound is computed. One table says of each what it is called, promises, takes and does. */
#ifndef ATTCERT_CERTIFY_ENGINE_ENGINE_H
#define ATTCERT_CERTIFY_ENGINE_ENGINE_H

#include "certify/engine/certify_run.h"

/* bytes and seconds: beyond the layer and its lower bound, for n tokens; NULL: none to speak of. */
typedef struct {
  const char *name;
  double width;    /* relative, to which it is held when none is asked; INFINITY: to none */
  bool relaxes;    /* an asked width that is wider is enough: its time grows with every digit */
  bool least_side; /* takes J^T J where J has fewer columns than rows */
  uint64_t (*bytes)(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options);
  double (*seconds)(const attcert_layer *layer, int n, const attcert_options *options); /* rough */

  /* Improves the upper end of the run's certificate, from the layer evaluated and the direction proposed, aiming at
   * this relative width; collective in a group. Errors: ATTCERT_RESOURCE. */
  attcert_status (*bound)(certify_run *r, double width);
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

/* Expected seconds of the engine alone. */
double engine_seconds(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options);

#endif
