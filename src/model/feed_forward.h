/* The feed-forward part of a transformer block: y = W_2 act(W_1 x + b_1) + b_2, token by token. */
#ifndef ATTCERT_MODEL_FEED_FORWARD_H
#define ATTCERT_MODEL_FEED_FORWARD_H

#include "attcert.h"
#include "model/linear.h"

/* y and x are n x d, do not overlap; `up` and `down` name the two affine maps, `read` reads their layout. */
attcert_status feed_forward(attcert_matrix *y, const attcert_matrix *x, const tensor_source *source,
                            linear_reader *read, const char *up, const char *down, attcert_error *err);

#endif
