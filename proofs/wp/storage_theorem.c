/* The theorems about memory and text of intervals: a vector has the room and the zeros that its owner takes it to have,
 * and a text that fits its buffer ends in it. No program calls these functions (interval_theorem.c). */
#include "interval/interval_vec.h"
#include "interval/mpfr_block.h"
#include "interval/mpfr_text.h"
#include "interval/point_vec.h"

/* The block of a vector: all of its numbers are zeros of that precision, whatever was there, and each has digits of
 * its own in the room. */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    requires countable: count * limb_bytes(precision) <= SIZE_MAX;
    requires valid: \valid(numbers + (0 .. count - 1));
    requires room: \valid(limbs + (0 .. count * limb_bytes(precision) - 1));
    requires separated: \separated(numbers + (0 .. count - 1), limbs + (0 .. count * limb_bytes(precision) - 1));
    terminates \true;
    assigns numbers[0 .. count - 1], mpfr_lives;
    ensures zeros: \forall integer i; 0 <= i < count ==> number(numbers + i) && vanishes(value(numbers + i));
    ensures precision: \forall integer i; 0 <= i < count ==> precision(numbers + i) == precision;
    ensures live: \forall integer i; 0 <= i < count ==> initialised(numbers + i) && !owned(numbers + i);
    ensures apart: \forall integer i, j; 0 <= i < j < count ==>
      \separated(digit_room(numbers + i) + (0 .. limb_bytes(precision) - 1),
                 digit_room(numbers + j) + (0 .. limb_bytes(precision) - 1)); */
void block_theorem(mpfr_ptr numbers, char *limbs, size_t count, mpfr_prec_t precision) {
  mpfr_block_zeros(numbers, limbs, count, precision);
  /*@ assert order: \forall integer i, j, size; 0 <= size ==> i < j ==>
        0 <= (j - i - 1) * size && j * size == i * size + size + (j - i - 1) * size; */
}

/* What a plan counts: a number of 64 bits takes its struct and 8 bytes. */
/*@ requires count: n <= 1000000;
    terminates \true;
    assigns \nothing;
    ensures bytes: \result == 3 * n * (sizeof(mpfr_t) + 8); */
size_t bytes_theorem(size_t n) {
  return interval_vec_bytes(n, 64) + point_vec_bytes(n, 64);
}

/* Room for n doubles, exactly. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    terminates \true;
    assigns \result, mpfr_lives \from n;
    ensures live: \result != \null ==> live_points(\result, n);
    ensures points: \result != \null ==> \valid(\result + (0 .. n - 1));
    ensures zeros: \result != \null ==> \forall integer i; 0 <= i < n ==> number(&(\result + i)->v[0]);
    ensures precise: \result != \null ==> \forall integer i; 0 <= i < n ==> 53 <= precision(&(\result + i)->v[0]); */
point *doubles_theorem(const double *x, size_t n) {
  return point_vec_new(n, 24);
}

/* Vectors that are freed are numbers no more; an interval in another block keeps its digits. */
/*@ requires live: live(a);
    requires blocks: \base_addr(a) != \base_addr(v) && \base_addr(a) != \base_addr(p) &&
      \base_addr(v) != \base_addr(p);
    terminates \true;
    assigns mpfr_lives;
    ensures ended: !initialised(&(v + i)->lo[0]) && !initialised(&(p + i)->v[0]);
    ensures live: live(a); */
void freed_theorem(interval *v, point *p, const interval *a, size_t i) {
  interval_vec_free(v);
  point_vec_free(p);
}

/* The scratch of the operations lives from its init to its clear; an interval elsewhere keeps its digits. */
/*@ requires precision: 1 <= precision;
    requires valid: \valid(ws) && \valid_read(a) && \separated(a, ws);
    requires live: live(a);
    terminates \true;
    assigns *ws, mpfr_lives;
    ensures ended: !initialised(&ws->t[0]) && !live(&ws->q);
    ensures live: live(a); */
void scratch_theorem(interval_scratch *ws, const interval *a, mpfr_prec_t precision) {
  interval_scratch_init(ws, precision);
  interval_scratch_clear(ws);
}

/* A report's number with 17 digits, in the room that is said to hold it. */
/*@ requires valid: \valid(buf + (0 .. 40)) && \valid_read(x) && \separated(x, buf + (0 .. 40));
    requires live: initialised(x);
    terminates \true;
    assigns buf[0 .. 40];
    ensures length: \result == -1 || 3 <= \result;
    ensures ended: 0 <= \result ==> \exists integer i; 0 <= i <= 40 && buf[i] == 0; */
int decimal_theorem(char *buf, mpfr_srcptr x) {
  const int length = mpfr_text_decimal(buf, 41, x, 17, MPFR_RNDD);
  //@ assert last: 0 <= length ==> 0 <= (length < 41 ? length : 40) <= 40 && buf[length < 41 ? length : 40] == 0;
  return length;
}

/*@ requires valid: \valid(buf + (0 .. 47)) && \valid_read(x) && \separated(x, buf + (0 .. 47));
    requires live: initialised(x);
    terminates \true;
    assigns buf[0 .. 47], mpfr_lives;
    ensures length: \result == -1 || 3 <= \result;
    ensures ended: 0 <= \result ==> \exists integer i; 0 <= i <= 47 && buf[i] == 0;
    ensures lives: same_lives{Pre, Post}; */
int hex_theorem(char *buf, mpfr_srcptr x) {
  const int length = mpfr_text_hex(buf, 48, x);
  //@ assert last: 0 <= length ==> 0 <= (length < 48 ? length : 47) <= 47 && buf[length < 48 ? length : 47] == 0;
  return length;
}
