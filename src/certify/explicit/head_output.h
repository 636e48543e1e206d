/* What the output matrix W_O makes of a vector of one head. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_HEAD_OUTPUT_H
#define ATTCERT_CERTIFY_EXPLICIT_HEAD_OUTPUT_H

#include "interval/interval_vec.h"

/* The columns of W_O that belong to one head: row o begins at weight + o width. */
typedef struct {
  const point *weight; /* NULL: there is no W_O, and a vector is left as it is */
  int width, k;        /* columns of W_O, entries of a head's vector */
  int height;          /* rows of W_O; k without it */
} head_output;

#ifdef __FRAMAC__
#include "interval/interval_row.acsl"

#include "explicit_jacobian/head_output.acsl"
#endif

/* out[o] = sum_r W_O[o, h k + r] a_r, or a copy of a without W_O. */
/*@ requires sides: side(f.k) && side(f.height) && side(f.width);
    requires output: head_output_readable(f);
    requires valid: \valid(out + (0 .. f.height - 1)) && \valid_read(a + (0 .. f.k - 1)) && \valid(ws);
    requires live: live_vec(out, f.height) && live_vec(a, f.k) && live_scratch(ws);
    requires separated: \separated(out + (0 .. f.height - 1), ws, a + (0 .. f.k - 1));
    requires apart: head_output_outside(f, out, f.height, ws);
    terminates \true;
    assigns out[0 .. f.height - 1], *ws;
    ensures weighted: f.weight != \null ==> \forall rvec w, z; is_output{Pre}(f, w) ==> in_vec{Pre}(a, z, 0, f.k) ==>
      in_vec(out, real_output(w, f.width, f.k, z), 0, f.height);
    ensures copied: f.weight == \null ==> \forall rvec z; in_vec{Pre}(a, z, 0, f.k) ==> in_vec(out, z, 0, f.height); */
void head_output_push(interval *out, const interval *a, head_output f, interval_scratch *ws);

#endif
