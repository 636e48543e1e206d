/* The exponents of exact_rows: their memory, and one of them. A proof stops here, as it does at the digits of the
 * integers (fixed_matrix.h). */
#ifndef ATTCERT_LINALG_EXACT_EXACT_ROWS_MEMORY_H
#define ATTCERT_LINALG_EXACT_EXACT_ROWS_MEMORY_H

#include "linalg/exact/exact_rows.h"

/* Room for so many; false when memory runs out. exact_rows_exponents_clear may follow either way. */
/*@ requires valid: \valid(a);
    terminates \true;
    assigns a->exponent, a->model_exponents, \result \from rows; */
bool exact_rows_exponents_init(exact_rows *a, size_t rows);

/*@ requires valid: \valid(a);
    terminates \true;
    assigns a->exponent, a->model_exponents \from \nothing; */
void exact_rows_exponents_clear(exact_rows *a);

/*@ requires valid: \valid(a);
    requires position: i < a->integers.rows;
    terminates \true;
    assigns a->model_exponents \from a->model_exponents, i, exponent;
    ensures set: exponent_at(a->model_exponents, i) == exponent;
    ensures others: other_exponents(\old(a->model_exponents), a->model_exponents, i); */
void exact_rows_set_exponent(exact_rows *a, size_t i, long exponent);

/*@ requires valid: \valid_read(a);
    requires position: i < a->integers.rows;
    terminates \true;
    assigns \result \from *a, i;
    ensures equal: \result == exponent_at(a->model_exponents, i); */
long exact_rows_exponent(const exact_rows *a, size_t i);

#endif
