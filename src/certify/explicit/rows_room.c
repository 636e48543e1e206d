#include "certify/explicit/rows_room.h"

void rows_room_init(rows_room *r, mpfr_prec_t precision) {
  interval_scratch_init(&r->ws, precision);
  //@ ghost Scratch:;
  //@ assert scratch: owned_scratch(&r->ws);
  //@ assert lives_scratch: lives_outside_rows{Pre, Here}(r);
  interval_init(&r->w, precision);
  //@ ghost W:;
  //@ assert life_t: same_life{Scratch, Here}(&r->ws.t[0]);
  //@ assert life_q: same_life{Scratch, Here}(&r->ws.q.lo[0]) && same_life{Scratch, Here}(&r->ws.q.hi[0]);
  //@ assert owned: owned_scratch(&r->ws) && owned_ends(&r->w);
  //@ assert lives_w: lives_outside_rows{Pre, Here}(r);
  mpfr_init2(r->right, 64);
  //@ ghost Right:;
  //@ assert owned_right: owned_scratch(&r->ws) && owned_ends(&r->w) && owned(&r->right[0]);
  //@ assert lives_right: lives_outside_rows{Pre, Here}(r);
  mpfr_init2(r->left, 64);
}

void rows_room_clear(rows_room *r) {
  mpfr_clear(r->left);
  //@ ghost Left:;
  //@ assert cleared_left: !initialised(&r->left[0]);
  //@ assert left: owned_scratch(&r->ws) && owned_ends(&r->w) && owned(&r->right[0]);
  //@ assert lives_left: lives_outside_rows{Pre, Here}(r);
  mpfr_clear(r->right);
  //@ ghost Right:;
  //@ assert cleared_right: !initialised(&r->right[0]) && same_life{Left, Here}(&r->left[0]);
  //@ assert right: owned_scratch(&r->ws) && owned_ends(&r->w);
  //@ assert lives_right: lives_outside_rows{Pre, Here}(r);
  interval_clear(&r->w);
  //@ ghost W:;
  //@ assert cleared_w: !initialised(&r->w.lo[0]) && !initialised(&r->w.hi[0]);
  //@ assert kept_ends: same_life{Right, Here}(&r->left[0]) && same_life{Right, Here}(&r->right[0]);
  //@ assert w: owned_scratch(&r->ws);
  //@ assert lives_w: lives_outside_rows{Pre, Here}(r);
  interval_scratch_clear(&r->ws);
  //@ assert kept_w: same_life{W, Here}(&r->w.lo[0]) && same_life{W, Here}(&r->w.hi[0]);
  //@ assert kept_right: same_life{W, Here}(&r->left[0]) && same_life{W, Here}(&r->right[0]);
}
