#include "linalg/exact/integer_gram.h"

/* Entry (i, j), j <= i. */
/*@ requires memory: gram_memory(g, a, sum);
    requires room: gram_room(g, a);
    requires position: j <= i < a->rows;
    terminates \true;
    assigns g->model_integers, sum->model_value;
    ensures entry: \result ==> gram_entry(g->model_integers, a->model_integers, i, j, a->cols);
    ensures others: other_integers(\old(g->model_integers), g->model_integers, lower_index(i, j), 0); */
static bool put_product(fixed_matrix *g, const fixed_matrix *a, size_t i, size_t j, mpz_ptr sum) {
  fixed_matrix_dot(sum, a, i, a, j, a->cols);
  if (!fixed_matrix_fits(g, sum)) return false;
  fixed_matrix_set(g, i * (i + 1) / 2 + j, 0, sum);
  return true;
}

/* Column j in the rows first .. end - 1. */
/*@ requires memory: gram_memory(g, a, sum);
    requires room: gram_room(g, a);
    requires rows: first <= end <= a->rows;
    requires column: j < end;
    terminates \true;
    assigns g->model_integers, sum->model_value;
    ensures column: \result ==> \forall integer i; first <= i < end ==> j <= i ==>
      gram_entry(g->model_integers, a->model_integers, i, j, a->cols);
    ensures columns: \forall integer i, k; first <= i < end ==> 0 <= k <= i ==> k != j ==>
      integer_at(g->model_integers, lower_index(i, k), 0) == integer_at(\old(g->model_integers), lower_index(i, k), 0);
    ensures others: other_gram_rows(\old(g->model_integers), g->model_integers, first, end); */
static bool put_column(fixed_matrix *g, const fixed_matrix *a, size_t first, size_t end, size_t j, mpz_ptr sum) {
  /*@ loop invariant range: first <= i && j <= i && (i <= end || i == j);
      loop invariant column: \forall integer k; first <= k < i ==> j <= k ==>
        gram_entry(g->model_integers, a->model_integers, k, j, a->cols);
      loop invariant columns: \forall integer l, k; first <= l < end ==> 0 <= k <= l ==> k != j ==>
        integer_at(g->model_integers, lower_index(l, k), 0) ==
          integer_at(\at(g->model_integers, Pre), lower_index(l, k), 0);
      loop invariant others: other_gram_rows(\at(g->model_integers, Pre), g->model_integers, first, end);
      loop invariant matrix: a->model_integers == \at(a->model_integers, Pre);
      loop assigns i, g->model_integers, sum->model_value;
      loop variant end - i; */
  for (size_t i = j < first ? first : j; i < end; i++) {
    if (!put_product(g, a, i, j, sum)) return false;
    /*@ assert apart: \forall integer l, k; 0 <= k <= l ==> l != i || k != j ==>
          integer_at(g->model_integers, lower_index(l, k), 0) ==
            integer_at(\at(g->model_integers, LoopCurrent), lower_index(l, k), 0); */
  }
  return true;
}

/* Column after column: the rows first .. end - 1 of A stay in the cache while the others pass by. */
bool integer_gram_rows(fixed_matrix *g, const fixed_matrix *a, size_t first, size_t end, mpz_ptr sum) {
  /*@ loop invariant range: 0 <= j <= end;
      loop invariant columns: \forall integer i, k; first <= i < end ==> 0 <= k <= i ==> k < j ==>
        gram_entry(g->model_integers, a->model_integers, i, k, a->cols);
      loop invariant others: other_gram_rows(\at(g->model_integers, Pre), g->model_integers, first, end);
      loop invariant matrix: a->model_integers == \at(a->model_integers, Pre);
      loop assigns j, g->model_integers, sum->model_value;
      loop variant end - j; */
  for (size_t j = 0; j < end; j++) {
    if (!put_column(g, a, first, end, j, sum)) return false;
  }
  return true;
}
