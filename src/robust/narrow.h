/* The ranges of entries that the corner of the next step's curve lies in, from these entries back (robust/lower.h). */
#ifndef ATTCERT_ROBUST_NARROW_H
#define ATTCERT_ROBUST_NARROW_H

#include "network/network_needed.h"

/* Gives value number `value` of the run its `narrowed`, in rows that are needed, for a step that draws lines along
 * curves with corners; nothing else is done. Errors: ATTCERT_RESOURCE. */
attcert_status robust_narrow(form *values, const network_steps *network, const network_needed *needed,
                             const form_symbols *symbols, int value, attcert_error *err);

#endif
