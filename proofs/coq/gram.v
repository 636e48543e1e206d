(* The norms at X by Gram matrices. phi_ij is a linear form, phi_ij(F) = Phi_ij . F with the vector

     Phi_ij = (c_ijm g_i + delta_im (h_j - hbar_i))_m     in R^{n d},

   and for forms G_ij (P_ij Phi_ij for M(F)) the matrix (G_ij . F)_ij has norm at most mu ||F|| if

     sum_i ||sum_j b_j G_ij||^2 <= mu^2 |b|^2  for all b,   or   sum_j ||sum_i a_i G_ij||^2 <= mu^2 |a|^2  for all a.

   Both left sides are quadratic forms of a Gram matrix: of sum_i G_ij . G_im over j, m, and of sum_j G_ij . G_lj over
   i, l. Along what moves alone, Phi_ij counts at the moving tokens. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz ball.
From attcert Require Import softmax_mean second_derivative norm growth curvature_terms.
Open Scope R_scope.

Definition forms := nat -> nat -> tokens.
Definition transposed (G : forms) : forms := fun j i => G i j.

(* sum_j b_j G_j *)
Definition combined (n : nat) (b : vector) (G : nat -> tokens) : tokens := fun m c => sum n (fun j => b j * G j m c).

Lemma combined_dot n d b G F : sequence_dot n d (combined n b G) F = sum n (fun j => b j * sequence_dot n d (G j) F).
Proof.
  unfold sequence_dot, combined.
  rewrite (sum_ext n (fun j => b j * sum n _) (fun j => sum n (fun m => b j * dot d (G j m) (F m))))
    by (intros; rewrite sum_scale; reflexivity).
  rewrite sum_swap. apply sum_ext; intros m _. rewrite dot_symmetric, dot_combination_r.
  apply sum_ext; intros j _. rewrite dot_symmetric. reflexivity.
Qed.

(* ||sum_j b_j G_j||^2 = sum_jm b_j b_m (G_j . G_m) *)
Theorem combined_norm2 n d b G :
  sequence_norm2 n d (combined n b G)
  = sum n (fun j => b j * sum n (fun m => b m * sequence_dot n d (G j) (G m))).
Proof.
  replace (sequence_norm2 n d (combined n b G)) with (sequence_dot n d (combined n b G) (combined n b G))
    by (apply sum_ext; intros; symmetry; apply norm2_dot).
  rewrite combined_dot. apply sum_ext; intros j _. f_equal.
  replace (sequence_dot n d (G j) (combined n b G)) with (sequence_dot n d (combined n b G) (G j))
    by (apply sum_ext; intros; apply dot_symmetric).
  rewrite combined_dot. apply sum_ext; intros m _. f_equal. apply sum_ext; intros; apply dot_symmetric.
Qed.

(* The second Gram matrix ... *)
Theorem gram_over_columns n d (G : forms) mu F :
  (forall b, sum n (fun i => sequence_norm2 n d (combined n b (G i))) <= mu ^ 2 * norm2 n b) ->
  bounded n n (fun i j => sequence_dot n d (G i j) F) (mu * sequence_norm n d F).
Proof.
  intros H x. rewrite Rpow_mult_distr, sequence_norm_square.
  apply Rle_trans with (sum n (fun i => sequence_norm2 n d (combined n x (G i)) * sequence_norm2 n d F)).
  - apply sum_le; intros i _. eapply Rle_trans; [right | apply sequence_cauchy_schwarz].
    f_equal. rewrite combined_dot. apply sum_ext; intros; ring.
  - rewrite sum_scale_r. pose proof (H x). pose proof (sequence_norm2_nonneg n d F). nra.
Qed.

(* ... and the first. *)
Theorem gram_over_rows n d (G : forms) mu F :
  (forall a, sum n (fun j => sequence_norm2 n d (combined n a (fun i => G i j))) <= mu ^ 2 * norm2 n a) ->
  bounded n n (fun i j => sequence_dot n d (G i j) F) (mu * sequence_norm n d F).
Proof.
  intros H. apply (bounded_transpose n n (fun j i => sequence_dot n d (G i j) F)).
  apply (gram_over_columns n d (transposed G)). exact H.
Qed.

(* ---- The forms phi_ij ---- *)

Definition slope_vector (h : head) (n : nat) (attends : mask) (X : tokens) : forms :=
  fun i j m c => centring h n attends X i j m * key_gradient h X i c
    + (if Nat.eqb i m then deviation n (weight h n attends X i) (query_gradient h X) j c else 0).

Theorem slope_is_form h n attends X F i j : (i < n)%nat -> (j < n)%nat ->
  slope h n attends X F i j = sequence_dot n (width h) (slope_vector h n attends X i j) F.
Proof.
  intros Hi Hj. rewrite slope_by_gradients by assumption. unfold sequence_dot.
  set (u := deviation n (weight h n attends X i) (query_gradient h X) j).
  rewrite <- (sum_only n i (fun m => dot (width h) u (F m))) by assumption. rewrite <- sum_plus.
  apply sum_ext; intros m _. unfold slope_vector. fold u.
  rewrite (dot_symmetric _ (fun c => _ + _) (F m)), dot_plus_r, dot_scale_r.
  rewrite (dot_symmetric _ (key_gradient h X i)). f_equal.
  destruct (Nat.eqb i m); [apply dot_symmetric |]. symmetry. apply sum_zero; intros; ring.
Qed.

(* Of what moves, the moving tokens' part is enough. *)
Definition part_of (moving : nat -> bool) (G : tokens) : tokens := fun m c => if moving m then G m c else 0.

Theorem form_of_moving moving n d G E : moves_only moving n d E ->
  sequence_dot n d G E = sequence_dot n d (part_of moving G) E.
Proof.
  intros H. apply sum_ext; intros m Hm. apply sum_ext; intros c Hc. unfold part_of.
  destruct (moving m) eqn:Em; [reflexivity |]. rewrite (H m c Hm Hc Em). ring.
Qed.
