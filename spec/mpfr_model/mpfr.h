/* <mpfr.h> as the proofs see it: a number is its real value, its kind and its precision, and a function is its
 * contract. Frama-C finds this file in place of MPFR's own; the compiler never does. Every clause is a trusted
 * statement about MPFR (proofs/TRUST.md) and is compared with the library on random operands
 * (tests/property/test_mpfr_contracts.c).
 *
 * Only what the proofs use is stated. Nothing is said of the rounding modes other than down and up, except that a
 * result is no NaN and keeps its side of zero. */
#ifndef ATTCERT_SPEC_MPFR_MODEL_MPFR_H
#define ATTCERT_SPEC_MPFR_MODEL_MPFR_H

#include <stddef.h>

typedef enum { MPFR_RNDN = 0, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD, MPFR_RNDA, MPFR_RNDF } mpfr_rnd_t;
typedef long mpfr_prec_t;
typedef long mpfr_exp_t;

typedef struct {
  double model_value;
  int model_kind; /* 0: a number, 1: +inf, 2: -inf, other: NaN */
  long model_precision;
  const int model_uncopied; /* so that no number can be assigned as a struct: its digits would then be another's */
} __mpfr_struct;
typedef __mpfr_struct mpfr_t[1];
typedef __mpfr_struct *mpfr_ptr;
typedef const __mpfr_struct *mpfr_srcptr;

#include "arithmetic/double.acsl"
#include "arithmetic/exponential.acsl"
#include "arithmetic/logarithm.acsl"
#include "interval/mpfr.acsl"
#include "interval/mpfr_life.acsl"

#include "arithmetic/power_of_two_lemmas.acsl"
#include "arithmetic/product_lemmas.acsl"
#include "arithmetic/square_root_lemmas.acsl"

/* ---- life ---- */

/*@ requires \valid(x) && 1 <= p;
    terminates \true;
    assigns *x, mpfr_lives \from p;
    ensures nan: nan(x);
    ensures precision: precision(x) == p;
    ensures owned: owned(x);
    ensures others: other_lives{Pre, Post}(x); */
void mpfr_init2(mpfr_ptr x, mpfr_prec_t p);

/*@ requires \valid(x);
    requires owned: owned(x);
    terminates \true;
    assigns *x, mpfr_lives \from \nothing;
    ensures cleared: !initialised(x);
    ensures others: other_lives{Pre, Post}(x); */
void mpfr_clear(mpfr_ptr x);

/*@ requires \valid_read(x);
    requires initialised: initialised(x);
    terminates \true;
    assigns \result \from x->model_precision;
    ensures precision: \result == precision(x) && 1 <= \result; */
mpfr_prec_t mpfr_get_prec(mpfr_srcptr x);

/* ---- giving a number its value ---- */

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, value{Pre}(a), rnd);
    ensures exact: number{Pre}(a) ==> \result == 0 ==> number(r) && value(r) == value{Pre}(a);
    ensures fits: number{Pre}(a) ==> precision{Pre}(a) <= precision{Pre}(r) ==> number(r) && value(r) == value{Pre}(a);
    ensures plus_infinity: plus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures minus_infinity: minus_infinity{Pre}(a) ==> minus_infinity(r);
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_set(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r);
    requires initialised: initialised(r);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from x, r->model_precision, rnd;
    ensures rounded: rounded(r, x, rnd);
    ensures exact: \result == 0 ==> number(r) && value(r) == x;
    ensures fits: 63 <= precision{Pre}(r) ==> number(r) && value(r) == x; */
int mpfr_set_si(mpfr_ptr r, long x, mpfr_rnd_t rnd);

/*@ requires \valid(r);
    requires initialised: initialised(r);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from x, r->model_precision, rnd;
    ensures rounded: rounded(r, x, rnd);
    ensures exact: \result == 0 ==> number(r) && value(r) == x;
    ensures fits: 64 <= precision{Pre}(r) ==> number(r) && value(r) == x; */
int mpfr_set_ui(mpfr_ptr r, unsigned long x, mpfr_rnd_t rnd);

/* The infinities and NaN of a double are those of double.acsl. */
/*@ requires \valid(r);
    requires initialised: initialised(r);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from x, r->model_precision, rnd;
    ensures rounded: finite_double(x) ==> rounded(r, x, rnd);
    ensures exact: finite_double(x) ==> \result == 0 ==> number(r) && value(r) == x;
    ensures fits: finite_double(x) ==> 53 <= precision{Pre}(r) ==> number(r) && value(r) == x;
    ensures plus_infinity: plus_infinity_double(x) ==> plus_infinity(r);
    ensures minus_infinity: minus_infinity_double(x) ==> minus_infinity(r);
    ensures nan: nan_double(x) ==> nan(r); */
int mpfr_set_d(mpfr_ptr r, double x, mpfr_rnd_t rnd);

/*@ requires \valid(r);
    requires initialised: initialised(r);
    terminates \true;
    assigns r->model_value, r->model_kind \from sign;
    ensures zero: number(r) && value(r) == 0.0; */
void mpfr_set_zero(mpfr_ptr r, int sign);

/*@ requires \valid(r);
    requires initialised: initialised(r);
    terminates \true;
    assigns r->model_value, r->model_kind \from sign;
    ensures plus: 0 <= sign ==> plus_infinity(r);
    ensures minus: sign < 0 ==> minus_infinity(r); */
void mpfr_set_inf(mpfr_ptr r, int sign);

/*@ requires \valid(r);
    requires initialised: initialised(r);
    terminates \true;
    assigns r->model_value, r->model_kind \from \nothing;
    ensures nan: nan(r); */
void mpfr_set_nan(mpfr_ptr r);

/*@ requires \valid(a) && \valid(b);
    requires initialised: initialised(a) && initialised(b);
    requires alike: owned(a) <==> owned(b);
    terminates \true;
    assigns *a, *b \from *a, *b;
    ensures exchanged: *a == \old(*b) && *b == \old(*a); */
void mpfr_swap(mpfr_ptr a, mpfr_ptr b);

/* A value beyond the finite doubles gives, on its side, the last of them or an infinity, as the mode asks. */
/*@ requires \valid_read(a);
    requires initialised: initialised(a);
    terminates \true;
    assigns \result \from *a, rnd;
    ensures not_nan: !nan(a) ==> !nan_double(\result);
    ensures down: number(a) ==> rnd == MPFR_RNDD ==>
      !plus_infinity_double(\result) && (finite_double(\result) ==> \result <= value(a));
    ensures up: number(a) ==> rnd == MPFR_RNDU ==>
      !minus_infinity_double(\result) && (finite_double(\result) ==> value(a) <= \result);
    ensures plus_infinity: plus_infinity(a) ==> plus_infinity_double(\result);
    ensures minus_infinity: minus_infinity(a) ==> minus_infinity_double(\result);
    ensures nan: nan(a) ==> nan_double(\result); */
double mpfr_get_d(mpfr_srcptr a, mpfr_rnd_t rnd);

/* ---- arithmetic: the operands may be the result ---- */

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, -value{Pre}(a), rnd);
    ensures exact: number{Pre}(a) ==> \result == 0 ==> number(r) && value(r) == -value{Pre}(a);
    ensures fits: number{Pre}(a) ==> precision{Pre}(a) <= precision{Pre}(r) ==> number(r) && value(r) == -value{Pre}(a);
    ensures plus_infinity: plus_infinity{Pre}(a) ==> minus_infinity(r);
    ensures minus_infinity: minus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_neg(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, \abs(value{Pre}(a)), rnd);
    ensures fits: number{Pre}(a) ==> precision{Pre}(a) <= precision{Pre}(r) ==>
      number(r) && value(r) == \abs(value{Pre}(a));
    ensures infinity: plus_infinity{Pre}(a) || minus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_abs(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a) && \valid_read(b);
    requires initialised: initialised(r) && initialised(a) && initialised(b);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, *b, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> number{Pre}(b) ==> rounded(r, value{Pre}(a) + value{Pre}(b), rnd);
    ensures exact: number{Pre}(a) ==> number{Pre}(b) ==> \result == 0 ==>
      number(r) && value(r) == value{Pre}(a) + value{Pre}(b);
    ensures plus_infinity: (plus_infinity{Pre}(a) && !minus_infinity{Pre}(b) && !nan{Pre}(b)) ||
      (plus_infinity{Pre}(b) && !minus_infinity{Pre}(a) && !nan{Pre}(a)) ==> plus_infinity(r);
    ensures minus_infinity: (minus_infinity{Pre}(a) && !plus_infinity{Pre}(b) && !nan{Pre}(b)) ||
      (minus_infinity{Pre}(b) && !plus_infinity{Pre}(a) && !nan{Pre}(a)) ==> minus_infinity(r);
    ensures undefined: (plus_infinity{Pre}(a) && minus_infinity{Pre}(b)) ||
      (minus_infinity{Pre}(a) && plus_infinity{Pre}(b)) ==> nan(r);
    ensures nan: nan{Pre}(a) || nan{Pre}(b) ==> nan(r); */
int mpfr_add(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a) && \valid_read(b);
    requires initialised: initialised(r) && initialised(a) && initialised(b);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, *b, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> number{Pre}(b) ==> rounded(r, value{Pre}(a) - value{Pre}(b), rnd);
    ensures exact: number{Pre}(a) ==> number{Pre}(b) ==> \result == 0 ==>
      number(r) && value(r) == value{Pre}(a) - value{Pre}(b);
    ensures plus_infinity: (plus_infinity{Pre}(a) && !plus_infinity{Pre}(b) && !nan{Pre}(b)) ||
      (minus_infinity{Pre}(b) && !minus_infinity{Pre}(a) && !nan{Pre}(a)) ==> plus_infinity(r);
    ensures minus_infinity: (minus_infinity{Pre}(a) && !minus_infinity{Pre}(b) && !nan{Pre}(b)) ||
      (plus_infinity{Pre}(b) && !plus_infinity{Pre}(a) && !nan{Pre}(a)) ==> minus_infinity(r);
    ensures undefined: (plus_infinity{Pre}(a) && plus_infinity{Pre}(b)) ||
      (minus_infinity{Pre}(a) && minus_infinity{Pre}(b)) ==> nan(r);
    ensures nan: nan{Pre}(a) || nan{Pre}(b) ==> nan(r); */
int mpfr_sub(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, x, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> finite_double(x) ==> rounded(r, value{Pre}(a) - x, rnd); */
int mpfr_sub_d(mpfr_ptr r, mpfr_srcptr a, double x, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, x, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> finite_double(x) ==> rounded(r, x - value{Pre}(a), rnd); */
int mpfr_d_sub(mpfr_ptr r, double x, mpfr_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a) && \valid_read(b);
    requires initialised: initialised(r) && initialised(a) && initialised(b);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, *b, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> number{Pre}(b) ==> rounded(r, prod(value{Pre}(a), value{Pre}(b)), rnd);
    ensures exact: number{Pre}(a) ==> number{Pre}(b) ==> \result == 0 ==>
      number(r) && value(r) == prod(value{Pre}(a), value{Pre}(b));
    ensures plus_infinity: (infinite{Pre}(a) || infinite{Pre}(b)) &&
      ((positive{Pre}(a) && positive{Pre}(b)) || (negative{Pre}(a) && negative{Pre}(b))) ==> plus_infinity(r);
    ensures minus_infinity: (infinite{Pre}(a) || infinite{Pre}(b)) &&
      ((positive{Pre}(a) && negative{Pre}(b)) || (negative{Pre}(a) && positive{Pre}(b))) ==> minus_infinity(r);
    ensures undefined: (infinite{Pre}(a) && zero{Pre}(b)) || (zero{Pre}(a) && infinite{Pre}(b)) ==> nan(r);
    ensures nan: nan{Pre}(a) || nan{Pre}(b) ==> nan(r); */
int mpfr_mul(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, prod(value{Pre}(a), value{Pre}(a)), rnd);
    ensures infinity: infinite{Pre}(a) ==> plus_infinity(r);
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_sqr(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a) && \valid_read(b);
    requires initialised: initialised(r) && initialised(a) && initialised(b);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, *b, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> number{Pre}(b) ==> value{Pre}(b) != 0.0 ==>
      rounded(r, quo(value{Pre}(a), value{Pre}(b)), rnd);
    ensures by_infinity: number{Pre}(a) ==> infinite{Pre}(b) ==> number(r) && value(r) == 0.0;
    ensures plus_infinity: infinite{Pre}(a) && number{Pre}(b) &&
      ((positive{Pre}(a) && positive{Pre}(b)) || (negative{Pre}(a) && negative{Pre}(b))) ==> plus_infinity(r);
    ensures minus_infinity: infinite{Pre}(a) && number{Pre}(b) &&
      ((positive{Pre}(a) && negative{Pre}(b)) || (negative{Pre}(a) && positive{Pre}(b))) ==> minus_infinity(r);
    ensures nan: nan{Pre}(a) || nan{Pre}(b) || (infinite{Pre}(a) && infinite{Pre}(b)) ==> nan(r); */
int mpfr_div(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> 0.0 <= value{Pre}(a) ==> rounded(r, rroot(value{Pre}(a)), rnd);
    ensures infinity: plus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures nan: nan{Pre}(a) || negative{Pre}(a) ==> nan(r); */
int mpfr_sqrt(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, rexp(value{Pre}(a)), rnd);
    ensures plus_infinity: plus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures minus_infinity: minus_infinity{Pre}(a) ==> number(r) && value(r) == 0.0;
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_exp(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> 0.0 < value{Pre}(a) ==> rounded(r, rlog(value{Pre}(a)), rnd);
    ensures plus_infinity: plus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures minus_infinity: number{Pre}(a) ==> value{Pre}(a) == 0.0 ==> minus_infinity(r);
    ensures nan: nan{Pre}(a) || negative{Pre}(a) ==> nan(r); */
int mpfr_log(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, e, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, prod(value{Pre}(a), power_of_two(e)), rnd);
    ensures away: number{Pre}(a) ==> rnd == MPFR_RNDA ==> number(r) ==>
      \abs(prod(value{Pre}(a), power_of_two(e))) <= \abs(value(r));
    ensures exact: number{Pre}(a) ==> \result == 0 ==>
      number(r) && value(r) == prod(value{Pre}(a), power_of_two(e));
    ensures plus_infinity: plus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures minus_infinity: minus_infinity{Pre}(a) ==> minus_infinity(r);
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_mul_2si(mpfr_ptr r, mpfr_srcptr a, long e, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, e, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, prod(value{Pre}(a), power_of_two(-e)), rnd);
    ensures plus_infinity: plus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures minus_infinity: minus_infinity{Pre}(a) ==> minus_infinity(r);
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_div_2ui(mpfr_ptr r, mpfr_srcptr a, unsigned long e, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, e, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, prod(value{Pre}(a), power_of_two(-e)), rnd);
    ensures plus_infinity: plus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures minus_infinity: minus_infinity{Pre}(a) ==> minus_infinity(r);
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_div_2si(mpfr_ptr r, mpfr_srcptr a, long e, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, x, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> finite_double(x) ==> rounded(r, value{Pre}(a) + x, rnd);
    ensures plus_infinity: (plus_infinity{Pre}(a) && (finite_double(x) || plus_infinity_double(x))) ||
      (number{Pre}(a) && plus_infinity_double(x)) ==> plus_infinity(r);
    ensures minus_infinity: (minus_infinity{Pre}(a) && (finite_double(x) || minus_infinity_double(x))) ||
      (number{Pre}(a) && minus_infinity_double(x)) ==> minus_infinity(r);
    ensures nan: nan{Pre}(a) || nan_double(x) ==> nan(r); */
int mpfr_add_d(mpfr_ptr r, mpfr_srcptr a, double x, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from x, *a, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> rounded(r, x - value{Pre}(a), rnd);
    ensures minus_infinity: plus_infinity{Pre}(a) ==> minus_infinity(r);
    ensures plus_infinity: minus_infinity{Pre}(a) ==> plus_infinity(r);
    ensures nan: nan{Pre}(a) ==> nan(r); */
int mpfr_ui_sub(mpfr_ptr r, unsigned long x, mpfr_srcptr a, mpfr_rnd_t rnd);

/* A NaN operand is ignored: mpfr_min(1.5, NaN) is 1.5. The result has its own precision, so it is rounded. */
/*@ requires \valid(r) && \valid_read(a) && \valid_read(b);
    requires initialised: initialised(r) && initialised(a) && initialised(b);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, *b, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> number{Pre}(b) ==>
      rounded(r, value{Pre}(a) <= value{Pre}(b) ? value{Pre}(a) : value{Pre}(b), rnd);
    ensures minus_infinity: minus_infinity{Pre}(a) || minus_infinity{Pre}(b) ==> minus_infinity(r);
    ensures left: number{Pre}(a) ==> plus_infinity{Pre}(b) || nan{Pre}(b) ==> rounded(r, value{Pre}(a), rnd);
    ensures right: number{Pre}(b) ==> plus_infinity{Pre}(a) || nan{Pre}(a) ==> rounded(r, value{Pre}(b), rnd);
    ensures plus_infinity: plus_infinity{Pre}(a) && plus_infinity{Pre}(b) ==> plus_infinity(r);
    ensures nan: nan{Pre}(a) && nan{Pre}(b) ==> nan(r); */
int mpfr_min(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a) && \valid_read(b);
    requires initialised: initialised(r) && initialised(a) && initialised(b);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, *b, r->model_precision, rnd;
    ensures rounded: number{Pre}(a) ==> number{Pre}(b) ==>
      rounded(r, value{Pre}(a) <= value{Pre}(b) ? value{Pre}(b) : value{Pre}(a), rnd);
    ensures plus_infinity: plus_infinity{Pre}(a) || plus_infinity{Pre}(b) ==> plus_infinity(r);
    ensures left: number{Pre}(a) ==> minus_infinity{Pre}(b) || nan{Pre}(b) ==> rounded(r, value{Pre}(a), rnd);
    ensures right: number{Pre}(b) ==> minus_infinity{Pre}(a) || nan{Pre}(a) ==> rounded(r, value{Pre}(b), rnd);
    ensures minus_infinity: minus_infinity{Pre}(a) && minus_infinity{Pre}(b) ==> minus_infinity(r);
    ensures nan: nan{Pre}(a) && nan{Pre}(b) ==> nan(r); */
int mpfr_max(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t rnd);

/* ---- questions ---- */

/*@ requires \valid_read(a);
    requires initialised: initialised(a);
    terminates \true;
    assigns \result \from *a;
    ensures nan: \result != 0 <==> nan(a); */
int mpfr_nan_p(mpfr_srcptr a);

/*@ requires \valid_read(a);
    requires initialised: initialised(a);
    terminates \true;
    assigns \result \from *a;
    ensures infinite: \result != 0 <==> infinite(a); */
int mpfr_inf_p(mpfr_srcptr a);

/*@ requires \valid_read(a);
    requires initialised: initialised(a);
    terminates \true;
    assigns \result \from *a;
    ensures number: \result != 0 <==> number(a); */
int mpfr_number_p(mpfr_srcptr a);

/*@ requires \valid_read(a);
    requires initialised: initialised(a);
    terminates \true;
    assigns \result \from *a;
    ensures zero: \result != 0 <==> number(a) && value(a) == 0.0; */
int mpfr_zero_p(mpfr_srcptr a);

/*@ requires \valid_read(a);
    requires initialised: initialised(a);
    terminates \true;
    assigns \result \from *a;
    ensures positive: 0 < \result <==> positive(a);
    ensures negative: \result < 0 <==> negative(a); */
int mpfr_sgn(mpfr_srcptr a);

/*@ requires \valid_read(a) && \valid_read(b);
    requires initialised: initialised(a) && initialised(b);
    terminates \true;
    assigns \result \from *a, *b;
    ensures less: \result != 0 <==> less(a, b); */
int mpfr_less_p(mpfr_srcptr a, mpfr_srcptr b);

/*@ requires \valid_read(a) && \valid_read(b);
    requires initialised: initialised(a) && initialised(b);
    terminates \true;
    assigns \result \from *a, *b;
    ensures less_equal: \result != 0 <==> less_equal(a, b); */
int mpfr_lessequal_p(mpfr_srcptr a, mpfr_srcptr b);

/*@ requires \valid_read(a) && \valid_read(b);
    requires initialised: initialised(a) && initialised(b);
    terminates \true;
    assigns \result \from *a, *b;
    ensures greater: \result != 0 <==> less(b, a); */
int mpfr_greater_p(mpfr_srcptr a, mpfr_srcptr b);

/*@ requires \valid_read(a) && \valid_read(b);
    requires initialised: initialised(a) && initialised(b);
    terminates \true;
    assigns \result \from *a, *b;
    ensures numbers: number(a) ==> number(b) ==> (0 < \result <==> \abs(value(a)) > \abs(value(b)));
    ensures left: infinite(a) ==> number(b) ==> 0 < \result;
    ensures right: number(a) || infinite(a) ==> infinite(b) ==> \result <= 0; */
int mpfr_cmpabs(mpfr_srcptr a, mpfr_srcptr b);

/*@ requires \valid_read(a);
    requires initialised: initialised(a);
    terminates \true;
    assigns \result \from *a, x;
    ensures greater: finite_double(x) ==> (0 < \result <==> plus_infinity(a) || (number(a) && x < value(a)));
    ensures less: finite_double(x) ==> (\result < 0 <==> minus_infinity(a) || (number(a) && value(a) < x)); */
int mpfr_cmp_d(mpfr_srcptr a, double x);

#include "mpfr_memory.h"
#ifdef ATTCERT_SPEC_GMP_MODEL_GMP_H /* else gmp.h includes it: proofs without integers do not see them */
#include "mpfr_integer.h"
#endif

#endif
