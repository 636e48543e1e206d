(* The Gram matrix of a rounded matrix: with D = A - B,

     | ||A^T x||^2 - ||B^T x||^2 | <= (2 ||A|| + ||D||) ||D|| ||x||^2,

   as A^T x and B^T x are D^T x apart. explicit_gram.c has B, the rounded A, and bounds ||A||_F and ||D||_F. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix norm.
Open Scope R_scope.

Lemma transpose_bounded n k (A : matrix) a : 0 <= a -> sequence_norm2 n k A <= a ^ 2 ->
  forall x, norm k (mat_vec n (transpose A) x) <= a * norm n x.
Proof.
  intros Ha H x. apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
  rewrite Rpow_mult_distr, norm_square.
  assert (B : bounded n k A a).
  { intros y. eapply Rle_trans; [apply frobenius_bound |]. apply Rmult_le_compat_r; [apply norm2_nonneg |].
    rewrite pow2_sqrt; [assumption |]. apply sum_nonneg; intros. apply norm2_nonneg. }
  apply (bounded_transpose n k A a B).
Qed.

Theorem rounded_gram n k A B a delta : 0 <= a -> 0 <= delta ->
  sequence_norm2 n k A <= a ^ 2 -> sequence_norm2 n k (fun i c => A i c - B i c) <= delta ^ 2 ->
  forall x, Rabs (norm2 k (mat_vec n (transpose A) x) - norm2 k (mat_vec n (transpose B) x))
            <= (2 * a + delta) * delta * norm2 n x.
Proof.
  intros Ha Hd HA HD x.
  set (y := mat_vec n (transpose A) x). set (w := mat_vec n (transpose (fun i c => A i c - B i c)) x).
  pose proof (transpose_bounded n k A a Ha HA x) as Hy. fold y in Hy.
  pose proof (transpose_bounded n k _ delta Hd HD x) as Hw. fold w in Hw.
  assert (E : norm2 k (mat_vec n (transpose B) x) = norm2 k y - 2 * dot k y w + norm2 k w).
  { rewrite !norm2_dot. unfold dot. rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext; intros c _.
    assert (F : mat_vec n (transpose B) x c = y c - w c).
    { unfold y, w, mat_vec, dot, transpose. rewrite <- sum_minus. apply sum_ext; intros; ring. }
    rewrite F. ring. }
  rewrite E. pose proof (dot_le_norms k y w) as C. rewrite <- (norm_square k w), <- (norm_square n x).
  pose proof (norm_nonneg k y). pose proof (norm_nonneg k w). pose proof (norm_nonneg n x).
  assert (P : norm k y * norm k w <= (a * norm n x) * (delta * norm n x)) by (apply Rmult_le_compat; assumption).
  assert (Q : norm k w ^ 2 <= (delta * norm n x) ^ 2) by (apply pow_incr; split; assumption).
  pose proof (Rle_abs (dot k y w)) as C1. pose proof (Rle_abs (- dot k y w)) as C2. rewrite Rabs_Ropp in C2.
  rewrite Rpow_mult_distr in Q. pose proof (pow2_ge_0 (norm k w)).
  assert (T : norm k y * norm k w <= a * delta * norm n x ^ 2) by (eapply Rle_trans; [exact P | right; ring]).
  replace ((2 * a + delta) * delta * norm n x ^ 2)
    with (2 * (a * delta * norm n x ^ 2) + delta ^ 2 * norm n x ^ 2) by ring.
  assert (0 <= a * delta * norm n x ^ 2).
  { apply Rmult_le_pos; [apply Rmult_le_pos; assumption | apply pow2_ge_0]. }
  apply Rabs_le. lra.
Qed.
