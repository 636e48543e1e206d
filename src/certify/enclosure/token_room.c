#include "certify/enclosure/token_room.h"

void token_room_init(token_room *r, const layer_enclosure *e) {
  interval_scratch_init(&r->ws, e->precision);
  //@ ghost Scratch:;
  //@ assert scratch: owned_scratch(&r->ws);
  //@ assert lives_scratch: lives_outside_room{Pre, Here}(r);
  //@ assert numbers_scratch: numbers_outside_room{Pre, Here}(r);
  //@ assert sides: e->precision == \at(e->precision, Pre) && e->head_dim == \at(e->head_dim, Pre);
  interval_init(&r->root, e->precision);
  //@ ghost Root:;
  //@ assert life_t: same_life{Scratch, Here}(&r->ws.t[0]);
  //@ assert life_q: same_life{Scratch, Here}(&r->ws.q.lo[0]) && same_life{Scratch, Here}(&r->ws.q.hi[0]);
  //@ assert owned_scratch: owned_scratch(&r->ws);
  //@ assert owned: owned_room(r);
  //@ assert lives_root: lives_outside_room{Scratch, Here}(r);
  //@ assert numbers_root: numbers_outside_room{Scratch, Here}(r);
  //@ assert side: e->head_dim == \at(e->head_dim, Pre);
  layer_enclosure_root(&r->root, e);
  //@ assert numbers: numbers_outside_room{Root, Here}(r);
}

void token_room_clear(token_room *r) {
  interval_clear(&r->root);
  //@ ghost Root:;
  //@ assert owned: owned_scratch(&r->ws);
  //@ assert root: !initialised(&r->root.lo[0]) && !initialised(&r->root.hi[0]);
  //@ assert lives_root: lives_outside_room{Pre, Here}(r);
  //@ assert numbers_root: numbers_outside_room{Pre, Here}(r);
  interval_scratch_clear(&r->ws);
  //@ assert cleared_root: same_life{Root, Here}(&r->root.lo[0]) && same_life{Root, Here}(&r->root.hi[0]);
  //@ assert lives_scratch: lives_outside_room{Root, Here}(r);
  //@ assert numbers_scratch: numbers_outside_room{Root, Here}(r);
}
