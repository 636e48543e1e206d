#include "certify/engine/certify_ends_along.h"

#include "certify/enclosure/block_offset.h"
#include "interval/interval_set.h"

#include <math.h>

#ifdef __FRAMAC__
#include "theorems/layer_direction_lemmas.acsl"
#endif

/* Nothing is assumed of who proposed u. */
/*@ requires valid: \valid_read(u + (0 .. count - 1));
    terminates \true;
    assigns \nothing;
    ensures direction: \result != 0 ==> is_direction(u, count); */
static bool is_finite_direction(const double *u, size_t count) {
  bool nonzero = false;
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant finite: finite_entries(u, i);
      loop invariant nonzero: nonzero != 0 ==> \exists integer t; 0 <= t < i && u[t] != 0.0;
      loop assigns i, nonzero;
      loop variant count - i; */
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(u[i])) return false;
    nonzero = nonzero || u[i] != 0.0;
  }
  return nonzero;
}

/*@ requires valid: \valid(kept + (0 .. count - 1)) && \valid_read(u + (0 .. count - 1));
    requires apart: \base_addr(kept) != \base_addr(u);
    terminates \true;
    assigns kept[0 .. count - 1];
    ensures kept: \forall integer t; 0 <= t < count ==> kept[t] == \old(u[t]); */
static void keep_direction(double *kept, const double *u, size_t count) {
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant kept: \forall integer t; 0 <= t < i ==> kept[t] == \at(u[t], Pre);
      loop invariant source: \forall integer t; 0 <= t < count ==> u[t] == \at(u[t], Pre);
      loop assigns i, kept[0 .. count - 1];
      loop variant count - i; */
  for (size_t i = 0; i < count; i++) kept[i] = u[i];
}

attcert_status certify_ends_raise_along(attcert_certificate *c, interval *ratio, const attcert_layer *layer,
                                        const layer_enclosure *e, const double *u, int threads, attcert_error *err) {
  const size_t count = block_offset((size_t)e->n, (size_t)e->dim);
  //@ assert count: 0 <= e->n && 0 <= e->dim && count == row(e->n, e->dim);
  /*@ assert sides: \forall attcert_matrix *x, real_layer f; layer_evaluated(e, layer, x) ==>
        layer_at(layer, x, f) ==> layer_tokens(f) == e->n && layer_dim(f) == e->dim; */
  /*@ assert sizes: \forall attcert_matrix *x, real_layer f; layer_evaluated{Pre}(e, layer, x) ==>
        layer_at{Pre}(layer, x, f) ==> jacobian_columns(f) == count; */
  if (!is_finite_direction(u, count)) {
    //@ assert ratio_apart: \separated(&c->lower[0], ratio) && \separated(&c->vector, ratio);
    //@ assert vector_apart: \separated(c->vector.data + (0 .. count - 1), ratio);
    interval_set_whole(ratio);
    //@ assert passed: unchanged{Pre, Here}(&c->lower[0]) && c->vector.data == \at(c->vector.data, Pre);
    //@ assert entries: \forall integer t; 0 <= t < count ==> c->vector.data[t] == \at(c->vector.data[t], Pre);
    /*@ assert as_before: \forall real_layer f; jacobian_columns(f) == count ==> vector_certifies{Pre}(c, f) ==>
          vector_certifies(c, f); */
    return ATTCERT_OK;
  }
  //@ assert readable: \valid_read(&c->lower[0]) && \valid_read(&c->upper[0]) && \valid_read(ratio);
  /*@ assert outside: outside_direction_room(\base_addr(&c->lower[0])) &&
        outside_direction_room(\base_addr(&c->upper[0])) && outside_direction_room(\base_addr(&ratio->lo[0])) &&
        outside_direction_room(\base_addr(&ratio->hi[0])); */
  const attcert_status status = direction_enclosure(ratio, layer, e, u, threads, err);
  //@ ghost Along:;
  /*@ assert contains: status == ATTCERT_OK ==> \forall attcert_matrix *x, real_layer f, rvec a, v;
        layer_evaluated{Pre}(e, layer, x) ==> layer_at{Pre}(layer, x, f) ==> is_real_jacobian(a, f) ==>
        weights_are{Pre}(u, v, count) ==>
        in(ratio, image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), count, v)); */
  //@ assert same_life_lower: same_life{Pre, Here}(&c->lower[0]);
  //@ assert same_life_upper: same_life{Pre, Here}(&c->upper[0]);
  //@ assert same_life_ratio: same_life{Pre, Here}(&ratio->lo[0]) && same_life{Pre, Here}(&ratio->hi[0]);
  //@ assert live: live_ends(c) && live(ratio);
  //@ assert same_lower: unchanged{Pre, Here}(&c->lower[0]);
  //@ assert same_vector: \forall integer t; 0 <= t < count ==> c->vector.data[t] == \at(c->vector.data[t], Pre);
  //@ assert same_direction: \forall integer t; 0 <= t < count ==> u[t] == \at(u[t], Pre);
  /* An interval with an end that is NaN claims nothing of the other end. */
  const bool raised = status == ATTCERT_OK && !mpfr_nan_p(ratio->hi) && certify_ends_raise_lower(c, ratio->lo);
  //@ ghost Raised:;
  /*@ assert bound: raised ==> number{Along}(&ratio->lo[0]) && !nan{Along}(&ratio->hi[0]) &&
        at_most(&c->lower[0], value{Along}(&ratio->lo[0])); */
  /*@ assert above: raised ==> \forall real s; in{Along}(ratio, s) ==> value(&c->lower[0]) <= s; */
  //@ assert refused: !raised ==> unchanged{Pre, Here}(&c->lower[0]);
  //@ assert same_data: \forall integer t; 0 <= t < count ==> c->vector.data[t] == \at(c->vector.data[t], Pre);
  //@ assert still_direction: \forall integer t; 0 <= t < count ==> u[t] == \at(u[t], Pre);
  /*@ assert apart: \forall double *x; \base_addr(x) == \base_addr(c) ==>
        \separated(x, c->vector.data + (0 .. count - 1)); */
  if (raised) keep_direction(c->vector.data, u, count);
  //@ assert same_end: unchanged{Raised, Here}(&c->lower[0]);
  /*@ assert kept: raised ==> \forall rvec v; weights_are(c->vector.data, v, count) ==>
        weights_are{Pre}(u, v, count); */
  /*@ assert old: !raised ==> \forall rvec v; weights_are(c->vector.data, v, count) ==>
        weights_are{Pre}(\at(c->vector.data, Pre), v, count); */
  /*@ assert below: raised ==> \forall attcert_matrix *x, real_layer f, rvec a, v; layer_evaluated{Pre}(e, layer, x) ==>
        layer_at{Pre}(layer, x, f) ==> is_real_jacobian(a, f) ==> weights_are{Pre}(u, v, count) ==>
        value(&c->lower[0]) <= image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), count, v); */
  //@ assert long: \forall rvec v; weights_are{Pre}(u, v, count) ==> 0.0 < squares_from(0.0, v, count);
  /*@ assert stretched: raised ==> \forall attcert_matrix *x, real_layer f, rvec v;
        layer_evaluated{Pre}(e, layer, x) ==> layer_at{Pre}(layer, x, f) ==> weights_are{Pre}(u, v, count) ==>
        jacobian_stretches(f, v, value(&c->lower[0])); */
  /*@ assert taken: raised ==> \forall attcert_matrix *x, real_layer f; layer_evaluated{Pre}(e, layer, x) ==>
        layer_at{Pre}(layer, x, f) ==> vector_certifies(c, f); */
  /*@ assert left: !raised ==> \forall attcert_matrix *x, real_layer f; layer_evaluated{Pre}(e, layer, x) ==>
        layer_at{Pre}(layer, x, f) ==> vector_certifies{Pre}(c, f) ==> vector_certifies(c, f); */
  return status;
}
