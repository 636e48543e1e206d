(* Norms with their square roots, ||x|| = (x . x)^{1/2}, for products of several norms; everywhere else they are
   squared (vector.v). *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector.
Open Scope R_scope.

Definition norm (d : nat) (x : vector) : R := sqrt (norm2 d x).
Definition sequence_norm (n d : nat) (X : tokens) : R := sqrt (sequence_norm2 n d X).

Lemma norm_nonneg d x : 0 <= norm d x.
Proof. apply sqrt_pos. Qed.

Lemma sequence_norm_nonneg n d X : 0 <= sequence_norm n d X.
Proof. apply sqrt_pos. Qed.

Lemma norm_square d x : norm d x ^ 2 = norm2 d x.
Proof. apply pow2_sqrt, norm2_nonneg. Qed.

Lemma sequence_norm_square n d X : sequence_norm n d X ^ 2 = sequence_norm2 n d X.
Proof. apply pow2_sqrt, sequence_norm2_nonneg. Qed.

(* |x| <= y by squares, and |x| = (x^2)^{1/2} otherwise. *)
Lemma abs_le_of_square x y : x ^ 2 <= y ^ 2 -> 0 <= y -> Rabs x <= y.
Proof. intros H Hy. apply square_le_le; [rewrite pow2_abs; assumption | assumption]. Qed.

Lemma norm_le d x a : 0 <= a -> norm2 d x <= a ^ 2 -> norm d x <= a.
Proof. intros Ha H. apply square_le_le; [rewrite norm_square |]; assumption. Qed.

Lemma sequence_norm_le n d X a : 0 <= a -> sequence_norm2 n d X <= a ^ 2 -> sequence_norm n d X <= a.
Proof. intros Ha H. apply square_le_le; [rewrite sequence_norm_square |]; assumption. Qed.

(* Cauchy-Schwarz. *)
Lemma dot_le_norms d x y : Rabs (dot d x y) <= norm d x * norm d y.
Proof.
  apply abs_le_of_square; [| apply Rmult_le_pos; apply norm_nonneg].
  rewrite Rpow_mult_distr, !norm_square. apply cauchy_schwarz.
Qed.

Lemma sequence_dot_le_norms n d X Y : Rabs (sequence_dot n d X Y) <= sequence_norm n d X * sequence_norm n d Y.
Proof.
  apply abs_le_of_square; [| apply Rmult_le_pos; apply sequence_norm_nonneg].
  rewrite Rpow_mult_distr, !sequence_norm_square. apply sequence_cauchy_schwarz.
Qed.

Lemma norm_scale d a x : norm d (fun c => a * x c) = Rabs a * norm d x.
Proof.
  unfold norm. rewrite norm2_scale, sqrt_mult_alt by apply pow2_ge_0. f_equal.
  rewrite <- pow2_abs. apply sqrt_pow2, Rabs_pos.
Qed.

Lemma norm_triangle d x y : norm d (fun c => x c + y c) <= norm d x + norm d y.
Proof.
  apply norm_le; [apply Rplus_le_le_0_compat; apply norm_nonneg |].
  rewrite norm2_plus. pose proof (dot_le_norms d x y). pose proof (Rle_abs (dot d x y)).
  rewrite <- !norm_square. nra.
Qed.

(* ||X||_F^2 = sum_i ||x_i||^2, and one row is no longer than all of them. *)
Lemma row_norm_le n d X i : (i < n)%nat -> norm d (X i) <= sequence_norm n d X.
Proof.
  intros Hi. apply sqrt_le_1_alt. apply (sum_term_le n (fun l => norm2 d (X l))); auto using norm2_nonneg.
Qed.
