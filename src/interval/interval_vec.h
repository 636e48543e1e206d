/* Vectors of intervals, inner products, and matrix-vector products. Inner products run over increasing i, with every
 * operation rounded outward to r's precision. */
#ifndef ATTCERT_INTERVAL_INTERVAL_VEC_H
#define ATTCERT_INTERVAL_INTERVAL_VEC_H

#include <stddef.h>
#include <stdint.h>

#include "interval/interval.h"
#include "interval/mpfr_block.h"
#include "interval/point_vec.h"

#ifdef __FRAMAC__
#include "matrix/index_lemmas.acsl"

#include "interval/interval_vec_lemmas.acsl"
#endif

/* n intervals [0, 0] in one block of memory, about 96 bytes each at 128 bits; NULL when out of memory. Elements must
 * not be cleared singly, nor their endpoints swapped with others (mpfr_swap). */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    terminates \true;
    assigns \result, mpfr_lives \from n, precision;
    ensures valid: \result != \null ==> \valid(\result + (0 .. n - 1));
    ensures live: \result != \null ==> live_vec(\result, n);
    ensures others: same_lives{Pre, Post};
    ensures zeros: \result != \null ==>
      \forall integer i; 0 <= i < n ==> zero(&(\result + i)->lo[0]) && zero(&(\result + i)->hi[0]);
    ensures precision: \result != \null ==> \forall integer i; 0 <= i < n ==>
      precision(&(\result + i)->lo[0]) == precision && precision(&(\result + i)->hi[0]) == precision; */
interval *interval_vec_new(size_t n, mpfr_prec_t precision);

/* v: what interval_vec_new returned, NULL included. */
/*@ terminates \true;
    assigns mpfr_lives;
    ensures ended: block_ended{Pre, Post}(&v->lo[0]); */
void interval_vec_free(interval *v);

/* Bytes that interval_vec_new will take; SIZE_MAX when they cannot be counted. */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    terminates \true;
    assigns \nothing;
    ensures bytes: \result == (block_bytes(2 * n, precision) <= SIZE_MAX ? block_bytes(2 * n, precision) : SIZE_MAX); */
size_t interval_vec_bytes(size_t n, mpfr_prec_t precision);

/* sum_i a_i b_i; 0 when n = 0. r must not be an element of a or b (they may be the same vector). */
/*@ requires valid: \valid(r) && \valid(ws) && \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    requires live: live(r) && live_scratch(ws) && live_vec(a, n) && live_vec(b, n);
    requires separated: \separated(r, ws, a + (0 .. n - 1)) && \separated(r, ws, b + (0 .. n - 1));
    terminates \true;
    assigns *r, *ws;
    ensures contains: \forall rvec x, y, integer o; in_vec{Pre}(a, x, o, n) ==> in_vec{Pre}(b, y, 0, n) ==>
      in(r, real_dot(x, y, o, n)); */
void interval_dot(interval *r, const interval *a, const interval *b, size_t n, interval_scratch *ws);

/* sum_i a_i b_i of exact numbers: one multiplication a term where the product is exact in ws (doubles: 106 bits), else
 * two. r must not overlap a or b. */
/*@ requires valid: \valid(r) && \valid(ws) && \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    requires live: live(r) && live_scratch(ws) && live_points(a, n) && live_points(b, n);
    requires separated: \separated(r, ws, a + (0 .. n - 1)) && \separated(r, ws, b + (0 .. n - 1));
    requires points: points(a, n) && points(b, n);
    terminates \true;
    assigns *r, *ws;
    ensures contains: \forall rvec x, y, integer o; is_vec{Pre}(a, x, o, n) ==> is_vec{Pre}(b, y, 0, n) ==>
      in(r, real_dot(x, y, o, n)); */
void interval_dot_points(interval *r, const point *a, const point *b, size_t n, interval_scratch *ws);

/* sum_i a_i b_i with exact b: the sign of b_i picks the endpoints, two multiplications a term. */
/*@ requires valid: \valid(r) && \valid(ws) && \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    requires live: live(r) && live_scratch(ws) && live_vec(a, n) && live_points(b, n);
    requires separated: \separated(r, ws, a + (0 .. n - 1)) && \separated(r, ws, b + (0 .. n - 1));
    requires points: points(b, n);
    terminates \true;
    assigns *r, *ws;
    ensures contains: \forall rvec x, y, integer o; in_vec{Pre}(a, x, o, n) ==> is_vec{Pre}(b, y, 0, n) ==>
      in(r, real_dot(x, y, o, n)); */
void interval_dot_mixed(interval *r, const interval *a, const point *b, size_t n, interval_scratch *ws);

#endif
