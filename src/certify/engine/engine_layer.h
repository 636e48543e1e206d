/* What the layer costs, whichever engine a run has. */
#ifndef ATTCERT_CERTIFY_ENGINE_ENGINE_LAYER_H
#define ATTCERT_CERTIFY_ENGINE_ENGINE_LAYER_H

#include "attcert.h"

#include <mpfr.h>

/* Bytes that every run takes: the layer in intervals and in doubles, its lower bound. UINT64_MAX beyond counting. */
uint64_t engine_layer_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* What an engine takes beside that, for n tokens at this precision. */
typedef uint64_t engine_bytes_function(const attcert_layer *layer, int n, mpfr_prec_t precision,
                                       const attcert_options *options);

/* Both; bytes = NULL: nothing to speak of. */
uint64_t engine_layer_bytes_with(engine_bytes_function *bytes, const attcert_layer *layer, int n, mpfr_prec_t precision,
                                 const attcert_options *options);

/* Interval multiply-adds of the layer at one precision, and the largest power-of-two multiple of `precision` at which
 * so many `operations` are worth the time. */
double engine_layer_operations(const attcert_layer *layer, int n);
int engine_precision_cap(int precision, double operations);

#endif
