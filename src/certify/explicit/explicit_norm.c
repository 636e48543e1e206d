#include "certify/explicit/explicit_norm.h"

#include "linalg/rounding/norm_upward.h"

/*@ // How far the Gram matrix of the integers b in units of 2^e may be from that of the midpoints m.
    logic real midpoints_error{L}(explicit_jacobian *j, rvec m, real b, integer e) =
      gram_error(squares_from(0.0, m, row(j->rows, j->cols)),
                 rounding_sum(m, j->cols, j->cols < j->rows ? 1 : 0, b, power_of_two(e), gram_width(j),
                              gram_side(j))); */

/* The norm, with the Gram matrix. */
/*@ requires valid: \valid(upper) && \valid_read(g) && gram_ready(g) && \valid_read(j) && gram_source(j) &&
      \valid_read(guess) && (better == \null || \valid_read(better)) && \valid_read(options) &&
      (err == \null || \valid(err));
    requires live: initialised(upper) && initialised(guess) && initialised(&j->radius[0]);
    requires separated: \separated(upper, g, j, j->mid + (0 .. row(j->rows, j->cols) - 1), err, options) &&
      \separated(guess, err);
    terminates \true;
    assigns *upper, *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures norm: \result == ATTCERT_OK ==> \forall rvec a, m, real b, rho, integer e; gram_of{Pre, Pre}(g, j, b, e) ==>
      near_midpoints{Pre}(j, a, m, rho) ==> at_least{Pre}(&j->radius[0], rho) ==>
      norm_above(upper, a, j->rows, j->cols); */
static attcert_status norm_with_gram(mpfr_ptr upper, const explicit_gram *g, const explicit_jacobian *j,
                                     mpfr_srcptr guess, double slack, const explicit_gram_guess *better,
                                     const attcert_options *options, attcert_error *err) {
  /*@ assert readable: \valid_read{Pre}(upper) && \valid_read{Pre}(&j->radius[0]); */
  const attcert_status status = explicit_gram_upper(upper, g, guess, slack, better, options, err);
  if (status != ATTCERT_OK) return status;
  /*@ assert same: unchanged{Pre, Here}(&j->radius[0]) && unchanged{Pre, Here}(&g->error[0]); */
  /*@ assert same_life: same_life{Pre, Here}(upper) && same_life{Pre, Here}(&j->radius[0]); */
  /*@ assert error: \forall rvec m, real b, integer e; rounding_bounded{Pre}(&g->error[0], j, m, b, e) ==>
        nan{Pre}(&g->error[0]) || at_least{Pre}(&g->error[0], midpoints_error(j, m, b, e)); */
  /*@ assert bounded: \forall rvec m, real b, integer e; rounding_bounded{Pre}(&g->error[0], j, m, b, e) ==>
        nan(upper) ||
        eigenvalue_bounded(upper, g->g.model_integers, g->n, g->g.exponent, midpoints_error(j, m, b, e)); */
  /*@ assert wide: j->rows <= j->cols ==> \forall rvec a, m, real b, rho, integer e; integers_multiplied(g, j, b, e) ==>
        near_midpoints{Pre}(j, a, m, rho) ==>
        eigenvalue_bounded(upper, g->g.model_integers, g->n, g->g.exponent, midpoints_error(j, m, b, e)) ==>
        squared_norm_above(upper, a, j->rows, j->cols, rho); */
  /*@ assert tall: j->cols < j->rows ==> \forall rvec a, m, real b, rho, integer e; integers_multiplied(g, j, b, e) ==>
        near_midpoints{Pre}(j, a, m, rho) ==>
        eigenvalue_bounded(upper, g->g.model_integers, g->n, g->g.exponent, midpoints_error(j, m, b, e)) ==>
        squared_norm_above(upper, a, j->rows, j->cols, rho); */
  /*@ assert squared: \forall rvec a, m, real b, rho, integer e; gram_of{Pre, Pre}(g, j, b, e) ==>
        near_midpoints{Pre}(j, a, m, rho) ==> squared_norm_above(upper, a, j->rows, j->cols, rho); */
  //@ ghost Squared:;
  norm_upward_from_eigenvalue(upper, j->radius);
  /*@ assert root: \forall rvec a, real rho; squared_norm_above{Squared}(upper, a, j->rows, j->cols, rho) ==>
        0.0 <= rho ==> at_least{Pre}(&j->radius[0], rho) ==> norm_above(upper, a, j->rows, j->cols); */
  return status;
}

attcert_status explicit_norm_upper(mpfr_ptr upper, const explicit_jacobian *j, mpfr_srcptr guess, double slack,
                                   const explicit_gram_guess *better, const attcert_options *options,
                                   attcert_error *err) {
  explicit_gram g;
  /*@ assert readable: \valid_read{Pre}(upper) && \valid_read{Pre}(guess) && \valid_read{Pre}(&j->radius[0]); */
  attcert_status status = explicit_gram_init(&g, j, options, err);
  if (status != ATTCERT_OK) return status;
  /*@ assert same_life: same_life{Pre, Here}(upper) && same_life{Pre, Here}(guess) &&
        same_life{Pre, Here}(&j->radius[0]); */
  /*@ assert each: \forall integer t; 0 <= t < row(j->rows, j->cols) ==> \valid_read{Pre}(&(j->mid + t)->v[0]); */
  /*@ assert each_same: \forall integer t; 0 <= t < row(j->rows, j->cols) ==>
        same_life{Pre, Here}(&(j->mid + t)->v[0]); */
  /*@ assert same: unchanged{Pre, Here}(&j->radius[0]); */
  /*@ assert points: \forall rvec m; points_are{Pre}(j->mid, m, row(j->rows, j->cols)) ==>
        points_are(j->mid, m, row(j->rows, j->cols)); */
  /*@ assert near: \forall rvec a, m, real rho; near_midpoints{Pre}(j, a, m, rho) ==> near_midpoints(j, a, m, rho); */
  /*@ assert points_before: \forall rvec m; points_are(j->mid, m, row(j->rows, j->cols)) ==>
        points_are{Pre}(j->mid, m, row(j->rows, j->cols)); */
  /*@ assert sides: j->rows == \at(j->rows, Pre) && j->cols == \at(j->cols, Pre) && j->mid == \at(j->mid, Pre); */
  /*@ assert formed: \forall real b, integer e; gram_of{Pre, Here}(&g, j, b, e) ==> gram_of{Here, Here}(&g, j, b, e); */
  /*@ assert gram: \exists real b, integer e; gram_of{Here, Here}(&g, j, b, e); */
  //@ ghost Formed:;
  status = norm_with_gram(upper, &g, j, guess, slack, better, options, err);
  /*@ assert norm: status == ATTCERT_OK ==> \forall rvec a, m, real rho; near_midpoints{Pre}(j, a, m, rho) ==>
        at_least{Pre}(&j->radius[0], rho) ==> norm_above(upper, a, j->rows, j->cols); */
  /*@ assert same_sides: j->rows == \at(j->rows, Pre) && j->cols == \at(j->cols, Pre) &&
        j->mid == \at(j->mid, Pre); */
  /*@ assert all: status == ATTCERT_OK ==> \forall rvec a; enclosed_by{Pre}(j, a) ==>
        norm_above(upper, a, j->rows, j->cols); */
  //@ ghost Normed:;
  /*@ assert owned: same_life{Formed, Here}(&g.error[0]); */
  /*@ assert lives: same_lives{Pre, Here}; */
  explicit_gram_clear(&g);
  /*@ assert as_high: as_high{Normed, Here}(upper, upper) && (nan{Normed}(upper) ==> nan(upper)); */
  /*@ assert kept: \forall rvec a, integer m, c; norm_above{Normed}(upper, a, m, c) ==> norm_above(upper, a, m, c); */
  return status;
}
