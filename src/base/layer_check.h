/* What is asked of a layer and its input before anything is computed from them. */
#ifndef ATTCERT_BASE_LAYER_CHECK_H
#define ATTCERT_BASE_LAYER_CHECK_H

#include "attcert.h"

#ifdef __FRAMAC__
#include "layer/checked_layer.acsl"
#endif

/* What attcert_layer_check says (attcert.h) of a layer and an input that are not NULL. */
/*@ requires given: layer_given(layer, x);
    requires error: err == \null || \valid(err);
    requires separated: \separated(err, layer, x) && layer_apart(err, layer, x);
    terminates \true;
    assigns *err;
    ensures checked: \result == ATTCERT_OK ==> checked_layer(layer, x); */
attcert_status layer_check(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err);

#endif
