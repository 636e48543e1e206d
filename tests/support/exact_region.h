/* Membership of a ball around an input, decided with sums that are exact. */
#ifndef ATTCERT_TESTS_SUPPORT_EXACT_REGION_H
#define ATTCERT_TESTS_SUPPORT_EXACT_REGION_H

#include "ball/region/ball_region.h"

/* Whether x (n x d) is in the region around centre (n x d; NULL: 0): its tokens together, each, or their entries are
 * within the radius in the region's norm, what does not move where it was; or every entry within the box. */
bool exact_region_holds(const attcert_matrix *x, const attcert_matrix *centre, const ball_region *region);

#endif
