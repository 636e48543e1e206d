/* The sums of a head's Jacobian-vector product, read from its arrays; see lemmas.c. Apart from lemmas_layer_jvp.c, and without
 * the range of attended_keys: a lemma about integers alone has no term that says where to use it, and leads provers astray
 * among these. */
#define SPEC_ATTENTION_ATTENDED_KEYS_LEMMAS_ACSL
#include "attention/attended_keys.acsl"
#include "kernel/layer/attention_layer_head.h"

#include "head/layer_jvp_step_lemmas.acsl"

#include "head/layer_jvp_arrays_lemmas.acsl"
