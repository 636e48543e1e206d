/* The rare half of interval_special.h. */
#include "interval/interval_special.h"

#include "interval/interval_set.h"

bool interval_special_unbounded(interval *r, const interval *a, const interval *b) {
  if (interval_is_empty(a) || interval_is_empty(b)) {
    interval_set_empty(r);
    return true;
  }
  if (interval_has_nan(a) || interval_has_nan(b)) {
    interval_set_whole(r);
    return true;
  }
  return false;
}
