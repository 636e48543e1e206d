/* The lemmas about products of sizes. */
#include "attcert.h"

#include "matrix/row_product_lemmas.acsl"
