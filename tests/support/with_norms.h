/* theory_evaluate, ball_enclose and ball_growth for one input: the norms of the layer's weights are computed first. */
#ifndef ATTCERT_TESTS_SUPPORT_WITH_NORMS_H
#define ATTCERT_TESTS_SUPPORT_WITH_NORMS_H

#include "ball/ball.h"
#include "theory/theory.h"

attcert_status theory_with_norms(theory_table *table, const attcert_layer *layer, const attcert_matrix *x,
                                 const layer_enclosure *e, double radius, attcert_error *err);

attcert_status ball_with_norms(ball_enclosure *b, const attcert_layer *layer, const attcert_matrix *x,
                               const attcert_certificate *point, const ball_region *region,
                               const attcert_options *options, attcert_error *err);

attcert_status growth_with_norms(mpfr_ptr growth, const attcert_layer *layer, const layer_enclosure *e,
                                 const ball_region *region, const attcert_options *options, attcert_error *err);

#endif
