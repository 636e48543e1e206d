/* Which keys a row of attention attends to: the one place that knows what a mask leaves out. */
#ifndef ATTCERT_KERNEL_ROW_ATTENDED_KEYS_H
#define ATTCERT_KERNEL_ROW_ATTENDED_KEYS_H

#include "attcert.h"

#ifdef __FRAMAC__
#include "attention/attended_keys.acsl"
#endif

/* Number of keys in N(i), which are the first ones: n, or i + 1 under the causal mask. */
/*@ requires token: 0 <= i < n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == attended_keys(mask, i, n);
    ensures range: 1 <= \result <= n; */
static inline int attended_keys(attcert_mask mask, int i, int n) {
  return mask == ATTCERT_MASK_CAUSAL ? i + 1 : n;
}

#endif
