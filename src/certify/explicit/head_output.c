#include "certify/explicit/head_output.h"

#include "interval/interval_set.h"
#include "kernel/linear/index.h"

/* The same with W_O. */
/*@ requires sides: side(f.k) && side(f.height) && side(f.width) && f.weight != \null;
    requires output: head_output_readable(f);
    requires valid: \valid(out + (0 .. f.height - 1)) && \valid_read(a + (0 .. f.k - 1)) && \valid(ws);
    requires live: live_vec(out, f.height) && live_vec(a, f.k) && live_scratch(ws);
    requires separated: \separated(out + (0 .. f.height - 1), ws, a + (0 .. f.k - 1));
    requires apart: head_output_outside(f, out, f.height, ws);
    terminates \true;
    assigns out[0 .. f.height - 1], *ws;
    ensures weighted: \forall rvec w, z; is_output{Pre}(f, w) ==> in_vec{Pre}(a, z, 0, f.k) ==>
      in_vec(out, real_output(w, f.width, f.k, z), 0, f.height); */
static void multiply(interval *out, const interval *a, head_output f, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= o <= f.height;
      loop invariant done: \forall rvec w, z; is_output{Pre}(f, w) ==> in_vec{Pre}(a, z, 0, f.k) ==>
        in_vec(out, real_output(w, f.width, f.k, z), 0, o);
      loop assigns o, out[0 .. f.height - 1], *ws;
      loop variant f.height - o; */
  for (int o = 0; o < f.height; o++) {
    const int start = row_offset(o, f.width, f.height);
    //@ ghost Before:;
    //@ assert readable: output_row_readable{Pre}(f.weight + start, f.k);
    //@ assert apart: \separated(out + (0 .. f.height - 1), ws, f.weight + (start .. start + f.k - 1));
    //@ assert points: points{Pre}(f.weight + start, f.k);
    //@ assert points_here: points(f.weight + start, f.k);
    //@ assert vector: kept{Pre, Here}(a, 0, f.k);
    /*@ assert row: \forall rvec w; is_output{Pre}(f, w) ==>
          is_vec{Pre}(f.weight + start, matrix_row(w, f.width, o), 0, f.k); */
    /*@ assert row_here: \forall rvec x; is_vec{Pre}(f.weight + start, x, 0, f.k) ==>
          is_vec(f.weight + start, x, 0, f.k); */
    /*@ assert factors: \forall rvec w, z; is_output{Pre}(f, w) ==> in_vec{Pre}(a, z, 0, f.k) ==>
          in_vec(a, z, 0, f.k) && is_vec(f.weight + start, matrix_row(w, f.width, o), 0, f.k); */
    interval_dot_mixed(&out[o], a, f.weight + start, (size_t)f.k, ws);
    /*@ assert product: \forall rvec w, z; is_output{Pre}(f, w) ==> in_vec{Pre}(a, z, 0, f.k) ==>
          in(out + o, entry(real_output(w, f.width, f.k, z), o)); */
    //@ assert others: kept{Before, Here}(out, 0, o);
  }
}

/* The same without W_O. */
/*@ requires count: 0 <= n;
    requires valid: \valid(out + (0 .. n - 1)) && \valid_read(a + (0 .. n - 1));
    requires live: live_vec(out, n) && live_vec(a, n);
    requires separated: \separated(out + (0 .. n - 1), a + (0 .. n - 1));
    terminates \true;
    assigns out[0 .. n - 1];
    ensures copied: \forall rvec z; in_vec{Pre}(a, z, 0, n) ==> in_vec(out, z, 0, n); */
static void copy(interval *out, const interval *a, int n) {
  /*@ loop invariant range: 0 <= o <= n;
      loop invariant done: \forall rvec z; in_vec{Pre}(a, z, 0, n) ==> in_vec(out, z, 0, o);
      loop assigns o, out[0 .. n - 1];
      loop variant n - o; */
  for (int o = 0; o < n; o++) {
    //@ ghost Before:;
    //@ assert same: \forall real x; in{Pre}(a + o, x) ==> in(a + o, x);
    interval_set(&out[o], &a[o]);
    //@ assert others: kept{Before, Here}(out, 0, o);
  }
}

void head_output_push(interval *out, const interval *a, head_output f, interval_scratch *ws) {
  if (f.weight != NULL)
    multiply(out, a, f, ws);
  else
    copy(out, a, f.k);
}
