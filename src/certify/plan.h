/* What a certification will cost, and which engine to use: decided before anything large is allocated. */
#ifndef ATTCERT_PLAN_H
#define ATTCERT_PLAN_H

#include "attcert.h"

/* Bits at which an enclosure of 0 is taken as final: a non-zero norm would be below 2^-4000 of the terms that cancel. */
enum { PLAN_ZERO_PRECISION = 4096 };

typedef struct {
  attcert_engine engine;    /* never AUTO */
  int side;                 /* N: rows of J, or its columns where the engine can choose and they are fewer */
  uint64_t bytes;           /* of the whole run with that engine */
  uint64_t memory;          /* bytes it may use; in a group, where they are fewest */
  uint64_t dense, deflated; /* bytes of the whole run with these engines */
  uint64_t panels;          /* bytes for the panels of a window of the dense engine */
  int windows;              /* of the dense engine; 1: nothing goes to the scratch folder */
  bool explicit_feasible;   /* the mpfr engine would fit in memory and patience */
  int layer_precision_cap;
  int explicit_precision_cap;
  double seconds; /* expected, from a GEMM rate measured here */
} plan;

/* Bytes a run may use: the limit asked for, or what the machine has free. */
uint64_t plan_memory(const attcert_options *options);

/* Bytes that a run with this engine (not AUTO) at this precision cannot do without; POINTWISE needs nothing beyond the layer and its
 * lower bound. Of the options, a scratch folder and a group count: both make the dense engine's panels fewer. */
uint64_t plan_bytes(attcert_engine engine, const attcert_layer *layer, int n, mpfr_prec_t precision,
                    const attcert_options *options);

/* Bytes that the dense engine may use for panels when the rest of the run is at this precision: all of them, or what is left. */
uint64_t plan_panel_bytes(const plan *p, const attcert_layer *layer, int n, mpfr_prec_t precision,
                          const attcert_options *options);

/* Bits, from `precision` up by doubling, beyond which the layer in intervals is not worth the time. */
int plan_layer_precision_cap(const attcert_layer *layer, int n, int precision);

/* Fills p and the certificate's one-line description. Collective in a group. Errors: ATTCERT_RESOURCE when what was asked for does not fit, saying
 * how much it needs. */
attcert_status plan_make(plan *p, char *text, size_t text_size, const attcert_layer *layer, int n,
                         const attcert_options *options, attcert_error *err);

#endif
