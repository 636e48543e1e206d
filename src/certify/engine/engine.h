/* The engines: how the upper bound is computed. One table says of each what it is called, promises, takes and does, and
 * where auto goes from it. A new one is a file, its row and its name in attcert.h. */
#ifndef ATTCERT_CERTIFY_ENGINE_ENGINE_H
#define ATTCERT_CERTIFY_ENGINE_ENGINE_H

#include "certify/engine/engine_row.h"

/* Never fails; AUTO has a name only. */
const engine_row *engine_of(attcert_engine engine);

/* The relative width to aim at: the engine's own where none was asked, or where that is narrower and it does not relax;
 * otherwise what was asked. */
double engine_width(attcert_engine engine, const attcert_options *options);

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

#endif
