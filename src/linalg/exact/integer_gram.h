/* The Gram matrix of the rows of a matrix of integers, G = A A^T: without any rounding. */
#ifndef ATTCERT_LINALG_EXACT_INTEGER_GRAM_H
#define ATTCERT_LINALG_EXACT_INTEGER_GRAM_H

#include "linalg/exact/fixed_matrix.h"

#ifdef __FRAMAC__
#include "integer/gram.acsl"
#include "integer/lower_index_lemmas.acsl"
#endif

/*@ predicate gram_room{L}(fixed_matrix *g, fixed_matrix *a) =
      a->rows <= 0x7fffffff && 1 <= g->cols &&
      (\forall integer i, j; 0 <= j <= i < a->rows ==> lower_index(i, j) < g->rows);

    predicate gram_memory{L}(fixed_matrix *g, fixed_matrix *a, mpz_ptr sum) =
      \valid(g) && \valid_read(a) && \valid(sum) && mpz_initialised(sum) && \separated(g, a, sum); */

/* The rows first .. end - 1 of G's lower triangle: (i, j), j <= i, is integer (i (i + 1) / 2 + j, 0) of g. Returns
 * false when an entry has more digits than there is room for. sum: scratch. */
/*@ requires memory: gram_memory(g, a, sum);
    requires room: gram_room(g, a);
    requires rows: first <= end <= a->rows;
    terminates \true;
    assigns g->model_integers, sum->model_value;
    ensures product: \result ==> gram_rows(g->model_integers, a->model_integers, first, end, a->cols);
    ensures others: other_gram_rows(\old(g->model_integers), g->model_integers, first, end); */
bool integer_gram_rows(fixed_matrix *g, const fixed_matrix *a, size_t first, size_t end, mpz_ptr sum);

#endif
