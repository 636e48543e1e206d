#include "certify/engine/automatic.h"

#include "certify/engine/deflated.h"
#include "certify/engine/dense.h"
#include "certify/engine/engine.h"

#include <math.h>

/* Tolerance below which double precision cannot help; tolerances from which some hundreds of vectors do what a
 * factorisation of a large side does, for several heads and for one, whose spectrum falls faster. */
static const double DOUBLE_TOLERANCE = 1e-11, DEFLATED_TOLERANCE = 1e-5, DEFLATED_TOLERANCE_OF_ONE = 1e-9;
enum { LARGE_SIDE = 4096 };

/* Random starts are asked for no less than this width; no engine is left for them that takes so many seconds, or so
 * many times theirs. */
static const double RANDOM_TOLERANCE = 1e-6, SHORT_SECONDS = 5.0, WORTHWHILE_FACTOR = 3.0;

/* The vectors of a deflation that costs no more than the dense engine, where it may do what that does; 0: too few. */
static int vectors_instead_of_dense(const attcert_layer *layer, int n, const attcert_options *options,
                                    uint64_t memory) {
  const double least_tolerance = layer->heads == 1 ? DEFLATED_TOLERANCE_OF_ONE : DEFLATED_TOLERANCE;
  const double rows = (double)n * layer->out_dim, dense = dense_flops(layer, n);
  if (rows < LARGE_SIDE || options->tolerance < least_tolerance) return 0;
  if (!engine_fits(ATTCERT_ENGINE_DENSE, layer, n, options, memory)) return 0;
  if (!engine_fits(ATTCERT_ENGINE_DEFLATED, layer, n, options, memory)) return 0;
  int vectors = 0;
  for (int more = DEFLATED_BASIS_LEAST; more <= rows && deflated_flops(layer, n, more) <= dense; more *= 2)
    vectors = more;
  return vectors;
}

attcert_engine automatic_choose(int *vectors, const attcert_layer *layer, int n, const attcert_options *options,
                                uint64_t memory) {
  const bool beyond_double = options->tolerance > 0.0 && options->tolerance < DOUBLE_TOLERANCE;
  *vectors = vectors_instead_of_dense(layer, n, options, memory);
  if (beyond_double && engine_is_feasible(ATTCERT_ENGINE_MPFR, layer, n, options, memory)) return ATTCERT_ENGINE_MPFR;
  return *vectors > 0 ? ATTCERT_ENGINE_DEFLATED : ATTCERT_ENGINE_DENSE;
}

bool automatic_takes_random(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options,
                            uint64_t memory) {
  const bool sharp = options->tolerance > 0.0 && options->tolerance < RANDOM_TOLERANCE;
  if (options->failure <= 0.0 || options->group != NULL || sharp) return false;
  if (!engine_fits(ATTCERT_ENGINE_RANDOM, layer, n, options, memory)) return false;
  if (isinf(engine_of(engine)->width)) return true;
  const double seconds = engine_seconds(engine, layer, n, options);
  return seconds > SHORT_SECONDS &&
         seconds > WORTHWHILE_FACTOR * engine_seconds(ATTCERT_ENGINE_RANDOM, layer, n, options);
}
