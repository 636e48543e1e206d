/* Names of what a report describes. */
#include "report/subject.h"

const char *subject_mask_name(attcert_mask mask) {
  return mask == ATTCERT_MASK_CAUSAL ? "causal" : "none";
}
