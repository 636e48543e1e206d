(* Matrices, and what it means that ||M||_2 <= a.

   A k x d matrix is a function (row, column). bounded k d M a says ||M x|| <= a ||x|| for all x, which for a >= 0 is
   ||M||_2 <= a without mentioning a supremum. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector.
Open Scope R_scope.

Definition matrix := nat -> nat -> R.

Definition mat_vec (d : nat) (M : matrix) (x : vector) : vector := fun r => dot d (M r) x.
Definition transpose (M : matrix) : matrix := fun r c => M c r.
Definition bounded (k d : nat) (M : matrix) (a : R) : Prop := forall x, norm2 k (mat_vec d M x) <= a ^ 2 * norm2 d x.

(* M (sum_j w_j Y_j) = sum_j w_j M Y_j, and its two simplest cases. *)
Lemma mat_vec_combination n d M w (Y : tokens) r :
  mat_vec d M (fun c => sum n (fun j => w j * Y j c)) r = sum n (fun j => w j * mat_vec d M (Y j) r).
Proof. apply dot_combination_r. Qed.

Lemma mat_vec_minus d M x y r : mat_vec d M (fun c => x c - y c) r = mat_vec d M x r - mat_vec d M y r.
Proof. apply dot_minus_r. Qed.

Lemma mat_vec_plus d M x y r : mat_vec d M (fun c => x c + y c) r = mat_vec d M x r + mat_vec d M y r.
Proof. apply dot_plus_r. Qed.

(* The transpose is the adjoint: u . (M x) = (M^T u) . x. *)
Lemma adjoint k d M u x : dot k u (mat_vec d M x) = dot d (mat_vec k (transpose M) u) x.
Proof.
  unfold mat_vec, dot, transpose.
  rewrite (sum_ext k _ (fun r => sum d (fun c => M r c * u r * x c))).
  - rewrite sum_swap. apply sum_ext; intros c _. apply sum_scale_r.
  - intros r _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

(* ||M^T|| <= ||M||: with w = M^T u, ||w||^2 = u . M w <= ||u|| a ||w||. *)
Lemma bounded_transpose k d M a : bounded k d M a -> bounded d k (transpose M) a.
Proof.
  intros H u. set (w := mat_vec k (transpose M) u).
  apply norm2_le_of_square; [apply Rmult_le_pos; [apply pow2_ge_0 | apply norm2_nonneg] |].
  rewrite (norm2_dot d w) at 1. unfold w at 1. rewrite <- adjoint.
  eapply Rle_trans; [apply cauchy_schwarz |].
  pose proof (H w). pose proof (norm2_nonneg k u). nra.
Qed.

(* ||M x||^2 <= a^2 b^2 whenever ||x||^2 <= b^2. *)
Lemma bounded_le k d M a x N : bounded k d M a -> norm2 d x <= N -> norm2 k (mat_vec d M x) <= a ^ 2 * N.
Proof. intros H Hx. pose proof (H x). pose proof (pow2_ge_0 a). nra. Qed.

(* Every matrix is bounded, by its Frobenius norm: the hypotheses "bounded" of the theorems can always be met. *)
Theorem frobenius_bound k d M : bounded k d M (sqrt (sum k (fun r => norm2 d (M r)))).
Proof.
  intros x. rewrite pow2_sqrt by (apply sum_nonneg; intros; apply norm2_nonneg).
  rewrite <- sum_scale_r. apply sum_le; intros r _. apply cauchy_schwarz.
Qed.
