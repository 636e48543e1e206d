/* What a run of the certifier will cost, and which engine to use: decided before anything large is allocated. */
#ifndef ATTCERT_CERTIFY_PLAN_H
#define ATTCERT_CERTIFY_PLAN_H

#include "certify/engine/certify_run.h"

typedef struct {
  attcert_engine engine;    /* never AUTO */
  attcert_engine preferred; /* the same, or the one that auto would take with more memory */
  attcert_engine certain;   /* in whose place auto takes random starts; AUTO: in none's */
  int side;                 /* N: rows of J, or its columns where the engine can choose and they are fewer */
  uint64_t bytes;           /* of the whole run with that engine */
  certify_limits limits;
  double seconds; /* expected, from a GEMM rate measured here; of a basis that may grow, with the least */
  double most;    /* where it grows as far as it may; otherwise the same */
} plan;

/* Bytes a run may use: the limit asked for, or what the machine has free. */
uint64_t plan_memory(const attcert_options *options);

/* Bits, from `precision` up by doubling, beyond which the layer in intervals is not worth the time. */
int plan_layer_precision_cap(const attcert_layer *layer, int n, int precision);

/* Fills p and the certificate's one-line description. Collective in a group. Errors: ATTCERT_RESOURCE when what was
 * asked for does not fit, saying how much it needs. */
attcert_status plan_make(plan *p, char *text, size_t text_size, const attcert_layer *layer, int n,
                         const attcert_options *options, attcert_error *err);

#endif
