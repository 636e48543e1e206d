#include "certify/engine/mpfr_upper.h"

#include "base/parallel.h"

#ifdef __FRAMAC__
#include "theorems/layer_norm_lemmas.acsl"
#endif

attcert_status mpfr_upper(mpfr_ptr upper, mpfr_ptr guess, explicit_jacobian *j, const attcert_layer *layer,
                          const layer_enclosure *e, double slack, const explicit_gram_guess *better,
                          const attcert_options *options, attcert_error *err) {
  attcert_status status = explicit_jacobian_init(j, layer, e, parallel_threads(options->threads), err);
  if (status != ATTCERT_OK) return status;
  //@ ghost Formed:;
  /*@ assert layers: \forall attcert_matrix *x, real_layer f; layer_evaluated{Pre}(e, layer, x) ==>
        layer_at{Pre}(layer, x, f) ==> layer_enclosed{Pre}(layer, e, f); */
  /*@ assert sides: \forall attcert_matrix *x, real_layer f; layer_evaluated{Pre}(e, layer, x) ==>
        layer_at{Pre}(layer, x, f) ==>
        j->rows == row(layer_tokens(f), layer_out_dim(f)) && j->cols == jacobian_columns(f); */
  /*@ assert formed: number(&j->radius[0]) ==> \forall attcert_matrix *x, real_layer f, rvec a;
        layer_evaluated{Pre}(e, layer, x) ==> layer_at{Pre}(layer, x, f) ==> is_real_jacobian(a, f) ==>
        enclosed_by(j, a); */
  /*@ assert readable: \valid_read(&j->radius[0]) && \valid_read(upper) && \valid_read(guess) &&
        \forall integer t; 0 <= t < row(j->rows, j->cols) ==> \valid_read(&(j->mid + t)->v[0]); */
  /*@ assert beside: \separated(guess, j->mid + (0 .. row(j->rows, j->cols) - 1)) &&
        \separated(upper, j->mid + (0 .. row(j->rows, j->cols) - 1)) &&
        \separated(err, j->mid + (0 .. row(j->rows, j->cols) - 1)); */
  status = mpfr_guess(guess, better, err);
  //@ ghost Guessed:;
  //@ assert live: initialised(&j->radius[0]) && initialised(upper) && initialised(guess);
  //@ assert live_midpoints: live_points(j->mid, row(j->rows, j->cols));
  //@ assert same_radius: unchanged{Formed, Here}(&j->radius[0]);
  /*@ assert same_points: \forall rvec m; points_are{Formed}(j->mid, m, row(j->rows, j->cols)) ==>
        points_are(j->mid, m, row(j->rows, j->cols)); */
  /*@ assert near: \forall rvec a, m, real rho; near_midpoints{Formed}(j, a, m, rho) ==>
        near_midpoints(j, a, m, rho); */
  /*@ assert radius: \forall real rho; at_least{Formed}(&j->radius[0], rho) ==> at_least(&j->radius[0], rho); */
  //@ assert enclosed: \forall rvec a; enclosed_by{Formed}(j, a) ==> enclosed_by(j, a);
  if (status == ATTCERT_OK && !mpfr_number_p(j->radius))
    mpfr_set_inf(upper, 1);
  else if (status == ATTCERT_OK)
    status = explicit_norm_upper(upper, j, guess, slack, better, options, err);
  //@ ghost Normed:;
  /*@ assert norms: status == ATTCERT_OK ==> number(upper) ==> \forall rvec a; enclosed_by{Guessed}(j, a) ==>
        0.0 <= value(upper) && norm_at_most(a, j->rows, j->cols, value(upper)); */
  /*@ assert bounded: status == ATTCERT_OK ==> number(upper) ==> number{Formed}(&j->radius[0]); */
  /*@ assert upper_apart: \separated(&upper->model_value, j) && \separated(&upper->model_kind, j) &&
        \separated(&upper->model_precision, j); */
  explicit_jacobian_clear(j);
  //@ assert same_value: upper->model_value == \at(upper->model_value, Normed);
  //@ assert same_kind: upper->model_kind == \at(upper->model_kind, Normed);
  //@ assert same_upper: number(upper) <==> number{Normed}(upper);
  /*@ assert end: status == ATTCERT_OK ==> number(upper) ==> \forall rvec a; enclosed_by{Guessed}(\at(j, Pre), a) ==>
        0.0 <= value(upper) && norm_at_most(a, \at(j->rows, Formed), \at(j->cols, Formed), value(upper)); */
  /*@ assert all: status == ATTCERT_OK ==> number(upper) ==> \forall attcert_matrix *x, real_layer f, rvec a;
        layer_evaluated{Pre}(e, layer, x) ==> layer_at{Pre}(layer, x, f) ==> is_real_jacobian(a, f) ==>
        0.0 <= value(upper) && norm_at_most(a, \at(j->rows, Formed), \at(j->cols, Formed), value(upper)); */
  return status;
}
