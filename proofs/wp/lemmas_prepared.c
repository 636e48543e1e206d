/* What has been prepared of an explicit Jacobian, token after token and head after head. */
#include "certify/explicit/explicit_jacobian_builder.h"

#include "explicit_rows/prepared_lemmas.acsl"
#include "matrix/side_lemmas.acsl"
