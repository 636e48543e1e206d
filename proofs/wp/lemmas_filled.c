/* The lemmas about what is given for an explicit Jacobian's midpoints while its weights and maps are made. */
#include "certify/explicit/explicit_jacobian_memory.h"

#include "matrix/row_product_lemmas.acsl"

#include "matrix/side_lemmas.acsl"

/*@ lemma positive_product: \forall integer a, b; 1 <= a ==> 1 <= b ==> 1 <= row(a, b);
    lemma entries_of_sides: \forall integer a, b; side(a) ==> side(b) ==> 1 <= a ==> 1 <= b ==>
      1 <= row(a, b) <= 0x40000000;
    lemma entries_of_matrix: \forall integer n, o, d; row(row(n, o), row(n, d)) == row(n, row(o, row(n, d))); */

#include "explicit_rows/filled_lemmas.acsl"
