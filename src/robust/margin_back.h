/* Differences of scores from the scores back, where the bounds of their forms are not positive: walks with lines whose
 * slopes are searched (robust/lower.h); if that may take longer, branch and bound over the corners of a network of
 * ReLUs (robust/split_search.h). */
#ifndef ATTCERT_ROBUST_MARGIN_BACK_H
#define ATTCERT_ROBUST_MARGIN_BACK_H

#include "network/network_needed.h"
#include "robust/found.h"
#include "robust/lower.h"

typedef struct {
  const network_steps *network;
  const form *value; /* [steps + 1], measured, of a run in exact arithmetic */
  const form_symbols *symbols;
  const network_needed *needed; /* where it is thorough */
  const robust_watch *watch;
  int label;
  bool thorough;
  const robust_found *known; /* bounds that are tried first; NULL: none */
  robust_found *found;       /* to which those are added that searches have made positive */
} robust_back;

/* low[c], a lower bound of score_label - score_c for all other classes, becomes a better one, the lowest first, up to
 * the first that does not become positive. Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status robust_back_improve(double *low, const robust_back *of, attcert_error *err);

/* The other class whose difference has the lowest bound. */
int robust_back_lowest(const double *low, int label, int classes);

#endif
