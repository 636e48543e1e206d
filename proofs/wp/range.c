/* The inline functions of src/robust/range/range.h, for WP: nothing else of this file is compiled. */
#include "robust/range/range.h"
