#include "certify/explicit/explicit_jacobian_rows.h"

#include "certify/enclosure/block_offset.h"
#include "certify/explicit/explicit_jacobian_part.h"
#include "certify/explicit/interval_midpoint.h"
#include "interval/interval_vec.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/cells_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

/*@ predicate rows_added{L0, L1}(interval *rows, jacobian_builder *b, integer i, integer heads) =
      \forall real_layer f; maps_model{L0}(b, f) ==> rows_hold{L1}(rows, f, i, heads);
    predicate outside_rows{L}(char *x, jacobian_builder *b) = outside_sources(x, b) && outside_maps(x, b); */

/* Adds head h's part of J_il to the rows of token i, for all l that i attends to. w: scratch. */
/*@ requires given: rows_given(b) && builder_distinct(b) && builder_blocks(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    requires room: builder_room(rows, token_entries(b)) && \valid(w) && live(w) && \valid(ws) && live_scratch(ws);
    requires apart: outside_rows(\base_addr(rows), b) && outside_rows(\base_addr(w), b) &&
      outside_rows(\base_addr(ws), b);
    requires separated: \separated(rows + (0 .. token_entries(b) - 1), w, ws);
    requires known: rows_added{Pre, Pre}(rows, b, i, h);
    terminates \true;
    assigns rows[0 .. token_entries(b) - 1], *w, *ws;
    ensures added: rows_added{Pre, Post}(rows, b, i, h + 1); */
static void add_blocks(interval *rows, const jacobian_builder *b, int h, int i, interval *w, interval_scratch *ws) {
  const int height = b->height, n = b->e->n, d = b->e->dim, size = row_offset(n, d, n);
  const int first = b->output != NULL ? 0 : row_offset(h, height, b->e->heads);
  const head_rows part = explicit_jacobian_part(b, h, i);
  const size_t start = block_offset((size_t)first, (size_t)size);
  //@ assert size: size == row(n, d) && size == builder_columns(b) && 0 <= size <= DIM_MAX * DIM_MAX;
  //@ assert first: 0 <= first && first + height <= b->layer->out_dim;
  //@ assert start: start == row(first, size) && row(first + height, size) == row(first, size) + row(height, size);
  //@ assert end: start + row(height, size) <= token_entries(b) && 0 <= row(height, size);
  //@ assert live_rows: live_vec(rows + start, row(height, size));
  //@ assert outside_p: \separated(rows + start + (0 .. row(height, size) - 1), w, ws, part.p + (0 .. n - 1));
  /*@ assert outside_values: \separated(rows + start + (0 .. row(height, size) - 1), w, ws,
        part.values + (0 .. row(n, height) - 1)); */
  /*@ assert outside_means: \separated(rows + start + (0 .. row(height, size) - 1), w, ws,
        part.means + (0 .. height - 1)); */
  /*@ assert outside_maps: \separated(rows + start + (0 .. row(height, size) - 1), w, ws,
        part.maps + (0 .. row(height, d) - 1)); */
  //@ assert outside_g: \separated(rows + start + (0 .. row(height, size) - 1), w, ws, part.g + (0 .. d - 1));
  //@ assert outside_h: \separated(rows + start + (0 .. row(height, size) - 1), w, ws, part.h + (0 .. row(n, d) - 1));
  //@ assert distinct: head_rows_distinct(part);
  head_rows_add(rows + start, part, w, ws);
  /*@ assert encloses: \forall real_layer f; maps_model{Pre}(b, f) ==> \forall integer o, l, c, real s;
        0 <= o < height ==> 0 <= l < part.n ==> 0 <= c < d ==> in_row{Pre}(rows + start, part, o, l, c, s) ==>
        in_row(rows + start, part, o, l, c, s + head_block(f, h, i, l, o, c)); */
  /*@ assert masked: \forall integer o, l, c, real s; 0 <= o < height ==> part.n <= l < n ==> 0 <= c < d ==>
        in_row{Pre}(rows + start, part, o, l, c, s) ==> in_row(rows + start, part, o, l, c, s); */
  //@ assert below: kept{Pre, Here}(rows, 0, start);
  //@ assert above: kept{Pre, Here}(rows, start + row(height, size), token_entries{Pre}(b));
  //@ assert places: \forall integer o; row(first + o, size) == start + row(o, size);
  /*@ assert sides: \forall real_layer f; maps_model{Pre}(b, f) ==> jacobian_columns(f) == size &&
        layer_height(f) == height && layer_first(f, h) == first && layer_attended(f, i) == part.n &&
        layer_tokens(f) == n && layer_dim(f) == d; */
  /*@ assert inside: \forall integer l, c; 0 <= l < n ==> 0 <= c < d ==> 0 <= row(l, d) + c < size; */
  /*@ assert own: \forall real_layer f; maps_model{Pre}(b, f) ==> \forall integer o, l, c; 0 <= o < height ==>
        0 <= l < part.n ==> 0 <= c < d ==>
        in(rows + (row(first + o, size) + (row(l, d) + c)), layer_sum(f, i, first + o, l, c, h + 1)); */
  /*@ assert unattended: \forall real_layer f; maps_model{Pre}(b, f) ==> \forall integer o, l, c; 0 <= o < height ==>
        part.n <= l < n ==> 0 <= c < d ==>
        in(rows + (row(first + o, size) + (row(l, d) + c)), layer_sum(f, i, first + o, l, c, h + 1)); */
  /*@ assert before: \forall integer o; 0 <= o < first ==> 0 <= row(o, size) && row(o, size) + size <= start; */
  /*@ assert after: \forall integer o; first + height <= o < \at(b->layer->out_dim, Pre) ==>
        start + row(height, size) <= row(o, size) && row(o, size) + size <= token_entries{Pre}(b); */
  /*@ assert others: \forall real_layer f; maps_model{Pre}(b, f) ==> \forall integer o, l, c;
        (0 <= o < first || first + height <= o < layer_out_dim(f)) ==> 0 <= l < n ==> 0 <= c < d ==>
        in(rows + (row(o, size) + (row(l, d) + c)), layer_sum(f, i, o, l, c, h + 1)); */
}

/* The rows of token i, which are zero, from all heads. */
/*@ requires given: rows_given(b) && builder_distinct(b) && builder_blocks(b);
    requires token: 0 <= i < b->e->n;
    requires room: builder_room(rows, token_entries(b)) && \valid(w) && live(w) && \valid(ws) && live_scratch(ws);
    requires apart: outside_rows(\base_addr(rows), b) && outside_rows(\base_addr(w), b) &&
      outside_rows(\base_addr(ws), b);
    requires separated: \separated(rows + (0 .. token_entries(b) - 1), w, ws);
    requires zeros: \forall integer t; 0 <= t < token_entries(b) ==> in(rows + t, 0.0);
    terminates \true;
    assigns rows[0 .. token_entries(b) - 1], *w, *ws;
    ensures contains: \forall real_layer f, rvec y; maps_model{Pre}(b, f) ==> is_token_rows(y, f, i) ==>
      in_vec(rows, y, 0, \at(token_entries(b), Pre)); */
static void add_heads(interval *rows, const jacobian_builder *b, int i, interval *w, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= h <= b->e->heads;
      loop invariant given: rows_given(b) && builder_distinct(b) && builder_blocks(b);
      loop invariant added: rows_added{Pre, Here}(rows, b, i, h);
      loop invariant models: \forall real_layer f; maps_model{Pre}(b, f) ==> maps_model(b, f);
      loop invariant live: live_vec(rows, token_entries{Pre}(b)) && live(w) && live_scratch(ws);
      loop assigns h, rows[0 .. token_entries{Pre}(b) - 1], *w, *ws;
      loop variant b->e->heads - h; */
  for (int h = 0; h < b->e->heads; h++) {
    //@ ghost Before:;
    //@ assert known: rows_added{Here, Here}(rows, b, i, h);
    add_blocks(rows, b, h, i, w, ws);
    //@ assert next: rows_added{Before, Here}(rows, b, i, h + 1);
  }
  /*@ assert all: \forall real_layer f; maps_model{Pre}(b, f) ==> rows_hold(rows, f, i, layer_heads(f)); */
  /*@ assert sides: \forall real_layer f; maps_model{Pre}(b, f) ==> token_entries{Pre}(b) == token_size(f) &&
        0 < layer_dim(f) && 0 < jacobian_columns(f); */
  /*@ assert cells: \forall real_layer f, rvec y; maps_model{Pre}(b, f) ==> is_token_rows(y, f, i) ==>
        \forall integer o; 0 <= o < layer_out_dim(f) ==>
        in_matrix(rows + row(o, jacobian_columns(f)), matrix_row(y, jacobian_columns(f), o), layer_tokens(f),
                  layer_dim(f)); */
  /*@ assert rows: \forall real_layer f, rvec y; maps_model{Pre}(b, f) ==> is_token_rows(y, f, i) ==>
        \forall integer o; 0 <= o < layer_out_dim(f) ==>
        in_vec(rows + row(o, jacobian_columns(f)), matrix_row(y, jacobian_columns(f), o), 0, jacobian_columns(f)); */
  /*@ assert matrix: \forall real_layer f, rvec y; maps_model{Pre}(b, f) ==> is_token_rows(y, f, i) ==>
        in_matrix(rows, y, layer_out_dim(f), jacobian_columns(f)); */
}

/* Scratch of one token. */
typedef struct {
  interval_scratch ws;
  interval w;
  mpfr_t right, left;
} rows_scratch;

static void rows_scratch_init(rows_scratch *z, mpfr_prec_t precision) {
  interval_scratch_init(&z->ws, precision);
  interval_init(&z->w, precision);
  mpfr_init2(z->right, 64);
  mpfr_init2(z->left, 64);
}

static void rows_scratch_clear(rows_scratch *z) {
  mpfr_clear(z->left);
  mpfr_clear(z->right);
  interval_clear(&z->w);
  interval_scratch_clear(&z->ws);
}

/* The same with room given: rows is zero. */
static void fill_rows(const jacobian_builder *b, int i, interval *rows, rows_scratch *z) {
  const int d = b->e->dim, n = b->e->n, columns = row_offset(n, d, n);
  const size_t size = block_offset((size_t)b->layer->out_dim, (size_t)columns);
  add_heads(rows, b, i, &z->w, &z->ws);
  interval_midpoints(b->j->mid + block_offset((size_t)i, size), b->squares[i], rows, size, z->right, z->left);
}

void explicit_jacobian_rows(jacobian_builder *b, int i) {
  interval *const rows = jacobian_builder_rows(b);
  if (rows == NULL) {
    atomic_store(&b->failed, true);
    return;
  }
  rows_scratch z;
  rows_scratch_init(&z, b->e->precision);
  fill_rows(b, i, rows, &z);
  rows_scratch_clear(&z);
  interval_vec_free(rows);
}
