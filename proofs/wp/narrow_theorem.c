/* Whether an interval is narrow is asked between two tries for a lower end (certify_run.c): no number changes. */
#include "certify/enclosure/direction.h"

/*@ requires valid: \valid_read(ratio) && live(ratio);
    terminates \true;
    assigns mpfr_lives;
    ensures live: live(ratio) && same_lives{Pre, Post};
    ensures same: same_ends{Pre, Post}(ratio); */
bool narrow_theorem(const interval *ratio) {
  return direction_is_narrow(ratio);
}
