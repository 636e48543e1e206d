(* The norms that curvature_terms_bounded takes, at X' from those at X and the changes of the entries:

     ||M'(F)|| <= ||M(F)|| + ||N|| ||F||                  if |M'(F)_ij - M(F)_ij| <= N_ij ||F||
     ||(z'_j)_j|| <= ||(z_j)_j|| + (sum_j D_j^2)^{1/2}    if |z'_j - z_j| <= D_j, z_j the rows P_ij w_ij
     |Phi'_i F| <= |Phi_i F| + xi_i ||F||                 if |phi'_ij(F) - phi_ij(F)| <= Delta_ij ||F||,

   xi_i^2 = sum_j b_ij Delta_ij^2, and for all i together the same with (sum_i xi_i^2)^{1/2}. The entries change by

     |p' z' - p z| <= q |z| + p' D     if |p' - p| <= q and |z' - z| <= D. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average norm.
Open Scope R_scope.

Lemma product_change_le p p' z z' q D : 0 <= p' -> Rabs (p' - p) <= q -> Rabs (z' - z) <= D ->
  Rabs (p' * z' - p * z) <= q * Rabs z + p' * D.
Proof.
  intros Hp Hq HD. replace (p' * z' - p * z) with ((p' - p) * z + p' * (z' - z)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. rewrite !Rabs_mult, (Rabs_pos_eq p') by assumption.
  apply Rplus_le_compat; [apply Rmult_le_compat_r; [apply Rabs_pos | assumption] |].
  apply Rmult_le_compat_l; assumption.
Qed.

Lemma product_change_norm_le d p p' z z' q D : 0 <= p' -> Rabs (p' - p) <= q -> norm d (fun c => z' c - z c) <= D ->
  norm d (fun c => p' * z' c - p * z c) <= q * norm d z + p' * D.
Proof.
  intros Hp Hq HD.
  replace (norm d (fun c => p' * z' c - p * z c))
    with (norm d (fun c => (p' - p) * z c + p' * (z' c - z c)))
    by (unfold norm; f_equal; apply norm2_ext; intros; ring).
  eapply Rle_trans; [apply (norm_triangle d (fun c => (p' - p) * z c) (fun c => p' * (z' c - z c))) |].
  rewrite norm_scale, (norm_scale d p' (fun c => z' c - z c)), (Rabs_pos_eq p') by assumption.
  apply Rplus_le_compat; [apply Rmult_le_compat_r; [apply norm_nonneg | assumption] |].
  apply Rmult_le_compat_l; assumption.
Qed.

(* |x'_j - x_j| <= y_j gives ||x'|| <= ||x|| + ||y||. *)
Lemma norm_change_le n x x' y : (forall j, (j < n)%nat -> Rabs (x' j - x j) <= y j) -> norm n x' <= norm n x + norm n y.
Proof.
  intros H. replace (norm n x') with (norm n (fun j => x j + (x' j - x j)))
    by (unfold norm; f_equal; apply norm2_ext; intros; ring).
  eapply Rle_trans; [apply (norm_triangle n x (fun j => x' j - x j)) |]. apply Rplus_le_compat_l.
  apply sqrt_le_1_alt. apply sum_le; intros j Hj. rewrite <- pow2_abs. apply pow_incr.
  split; [apply Rabs_pos | auto].
Qed.

(* (a) *)
Theorem mixed_norm_change n (M M' N : matrix) mu nu f :
  0 <= mu -> 0 <= nu -> 0 <= f -> bounded n n M mu -> bounded n n N nu ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> Rabs (M' i j - M i j) <= N i j * f) ->
  bounded n n M' (mu + nu * f).
Proof.
  intros Hmu Hnu Hf HM HN H x. set (absx := fun j => Rabs (x j)).
  assert (Habs : norm n absx = norm n x) by (unfold norm; f_equal; apply sum_ext; intros; apply pow2_abs).
  assert (B : forall L a z, 0 <= a -> bounded n n L a -> norm n (mat_vec n L z) <= a * norm n z).
  { intros L a z Ha HL. apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
    rewrite Rpow_mult_distr, norm_square. apply HL. }
  rewrite <- !norm_square, <- Rpow_mult_distr. apply pow_incr. split; [apply norm_nonneg |].
  apply Rle_trans with (norm n (mat_vec n M x) + norm n (fun i => f * mat_vec n N absx i)).
  - apply norm_change_le. intros i Hi. unfold mat_vec, dot. rewrite <- sum_minus, <- sum_scale.
    eapply Rle_trans; [apply sum_abs_le |]. apply sum_le; intros j Hj. unfold absx.
    rewrite <- Rmult_minus_distr_r, Rabs_mult.
    replace (f * (N i j * Rabs (x j))) with (N i j * f * Rabs (x j)) by ring.
    apply Rmult_le_compat_r; [apply Rabs_pos | auto].
  - rewrite norm_scale, Rabs_pos_eq, Rmult_plus_distr_r by assumption. apply Rplus_le_compat; [apply B; assumption |].
    replace (nu * f * norm n x) with (f * (nu * norm n x)) by ring. apply Rmult_le_compat_l; [assumption |].
    rewrite <- Habs. apply B; assumption.
Qed.

(* (b) *)
Theorem product_norm_change n m (z z' : tokens) D nu :
  0 <= nu -> (forall u, norm2 n (fun j => dot m (z j) u) <= nu ^ 2 * norm2 m u) ->
  (forall j, (j < n)%nat -> norm m (fun c => z' j c - z j c) <= D j) ->
  forall u, norm2 n (fun j => dot m (z' j) u) <= (nu + norm n D) ^ 2 * norm2 m u.
Proof.
  intros Hnu H HD u. rewrite <- !norm_square, <- Rpow_mult_distr. apply pow_incr. split; [apply norm_nonneg |].
  pose proof (norm_nonneg m u) as Hu.
  apply Rle_trans with (norm n (fun j => dot m (z j) u) + norm n (fun j => norm m u * D j)).
  - apply norm_change_le. intros j Hj.
    rewrite !(dot_symmetric m _ u), <- dot_minus_r. eapply Rle_trans; [apply dot_le_norms |].
    apply Rmult_le_compat_l; auto.
  - rewrite norm_scale, Rabs_pos_eq, Rmult_plus_distr_r by assumption.
    apply Rplus_le_compat; [| right; ring].
    apply norm_le; [apply Rmult_le_pos; assumption |]. rewrite Rpow_mult_distr, norm_square. apply H.
Qed.

(* (c), one row: sums over j with masses b_j. *)
Theorem form_norm_change n (b x x' Delta : vector) f :
  0 <= f -> (forall j, (j < n)%nat -> 0 <= b j) ->
  (forall j, (j < n)%nat -> Rabs (x' j - x j) <= Delta j * f) ->
  sqrt (sum n (fun j => b j * x' j ^ 2))
  <= sqrt (sum n (fun j => b j * x j ^ 2)) + sqrt (sum n (fun j => b j * Delta j ^ 2)) * f.
Proof.
  intros Hf Hb H. set (s := fun j => sqrt (b j)).
  assert (E : forall z, sqrt (sum n (fun j => b j * z j ^ 2)) = norm n (fun j => s j * z j)).
  { intros z. unfold norm. f_equal. apply sum_ext; intros j Hj. unfold s.
    rewrite Rpow_mult_distr, pow2_sqrt by auto. reflexivity. }
  rewrite !E. apply Rle_trans with (norm n (fun j => s j * x j) + norm n (fun j => f * (s j * Delta j))).
  - apply norm_change_le. intros j Hj. rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq (s j)) by apply sqrt_pos.
    replace (f * (s j * Delta j)) with (s j * (Delta j * f)) by ring.
    apply Rmult_le_compat_l; [apply sqrt_pos | auto].
  - rewrite (norm_scale n f (fun j => s j * Delta j)), Rabs_pos_eq by assumption. right; ring.
Qed.

(* (c), all rows. *)
Theorem stack_norm_change n (x x' xi : vector) f :
  0 <= f -> (forall i, (i < n)%nat -> 0 <= x' i) -> (forall i, (i < n)%nat -> x' i <= x i + xi i * f) ->
  norm n x' <= norm n x + norm n xi * f.
Proof.
  intros Hf H0 H. apply Rle_trans with (norm n (fun i => x i + f * xi i)).
  - apply sqrt_le_1_alt. apply sum_le; intros i Hi. apply pow_incr. split; [auto |].
    rewrite (Rmult_comm f). auto.
  - eapply Rle_trans; [apply (norm_triangle n x (fun i => f * xi i)) |].
    rewrite norm_scale, Rabs_pos_eq by assumption. right; ring.
Qed.
