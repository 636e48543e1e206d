/* The last step of a tile of the Gram matrix: W' on both sides of the concatenated heads' blocks. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_BLOCK_GRAM_OUTPUT_H
#define ATTCERT_CERTIFY_JACOBIAN_BLOCK_GRAM_OUTPUT_H

#include "certify/jacobian/block_gram_tile.h"

/* The blocks of a tile that was computed to their places, and the norms of the heads' to block_norm. */
void block_gram_output(const gram_tile *r);

#endif
