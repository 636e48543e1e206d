/* The engine random: an upper end at the price of a few power iterations (randomized/randomized_upper.h), which is
 * wrong with probability at most options->failure over the random bits of its starts. */
#ifndef ATTCERT_CERTIFY_ENGINE_RANDOM_ENGINE_H
#define ATTCERT_CERTIFY_ENGINE_RANDOM_ENGINE_H

#include "certify/engine/certify_run.h"

/* This engine's entries in the table of engine.h. */
uint64_t random_engine_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options);
double random_engine_seconds(const attcert_layer *layer, int n, const attcert_options *options);
attcert_status random_engine_lower_in_double(mpfr_t lower, bool *settled, certify_run *r, double width);
attcert_status random_engine_bound(certify_run *r, double width);

#endif
