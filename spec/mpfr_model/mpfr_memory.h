/* The part of <mpfr.h> about memory: MPFR's custom interface, in which the caller provides the room for the digits. A
 * number of p bits has its digits in words of 64 bits, limb_bytes(p) bytes of them. */
#ifndef ATTCERT_SPEC_MPFR_MODEL_MPFR_MEMORY_H
#define ATTCERT_SPEC_MPFR_MODEL_MPFR_MEMORY_H

#define MPFR_PREC_MAX (0x7fffffffffffffff - 256)
#define MPFR_ZERO_KIND 1

/*@ logic integer limb_bytes(integer p) = (p + 63) / 64 * 8; */

/*@ requires 1 <= p <= MPFR_PREC_MAX;
    terminates \true;
    assigns \result \from p;
    ensures size: \result == limb_bytes(p); */
size_t mpfr_custom_get_size(mpfr_prec_t p);

/* Writes nothing to the limbs. */
/*@ requires \valid(x) && 1 <= p <= MPFR_PREC_MAX;
    requires room: \valid(limbs + (0 .. limb_bytes(p) - 1));
    terminates \true;
    assigns *x, mpfr_lives \from kind, e, p, limbs;
    ensures lent: lent(x) && digit_room(x) == limbs;
    ensures others: other_lives{Pre, Post}(x);
    ensures zero: kind == MPFR_ZERO_KIND ==> zero(x);
    ensures precision: precision(x) == p; */
void mpfr_custom_init_set(mpfr_ptr x, int kind, mpfr_exp_t e, mpfr_prec_t p, char *limbs);

#endif
