/* What auto chooses; where it goes on to from there is in the table of engine.h. */
#ifndef ATTCERT_CERTIFY_ENGINE_AUTOMATIC_H
#define ATTCERT_CERTIFY_ENGINE_AUTOMATIC_H

#include "attcert.h"

/* The engine that auto takes for n tokens where it has the memory, of which a run may use so much. *vectors: as
 * deflated_vectors of certify_limits. */
attcert_engine automatic_choose(int *vectors, const attcert_layer *layer, int n, const attcert_options *options,
                                uint64_t memory);

/* Whether auto takes random starts in place of this engine, of those that need no probability the one that memory does
 * for: where they are allowed, may reach the asked width, and take much less time or bound more closely. */
bool automatic_takes_random(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options,
                            uint64_t memory);

#endif
