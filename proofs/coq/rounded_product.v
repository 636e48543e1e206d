(* Matrix products that are off entry by entry, in norms.

   A product A B^T whose entries are inner products of length p is off by at most gamma_p |A| |B|^T + e entry by entry
   (inner_product.v), which is at most gamma_p ||A||_F ||B||_F + (n m)^{1/2} e in the Frobenius norm. A matrix is a
   sequence of rows; sequence_norm is its Frobenius norm; bounded says what its spectral norm is at most. *)
Require Import Reals Lra Lia Arith.
From attcert Require Import sum vector matrix norm deflation rounding.
Open Scope R_scope.

(* ---- Frobenius norms ---- *)

Lemma sequence_norm_plus n d X Y :
  sequence_norm n d (fun i c => X i c + Y i c) <= sequence_norm n d X + sequence_norm n d Y.
Proof.
  pose proof (sequence_norm_nonneg n d X). pose proof (sequence_norm_nonneg n d Y).
  apply sequence_norm_le; [lra |]. rewrite <- (Rmult_1_r ((_ + _) ^ 2)).
  apply sequence_norm2_triangle; try assumption; try lra; rewrite sequence_norm_square; lra.
Qed.

Lemma sequence_norm_scale n d a X : sequence_norm n d (fun i c => a * X i c) = Rabs a * sequence_norm n d X.
Proof.
  unfold sequence_norm, sequence_norm2.
  rewrite (sum_ext n _ (fun i => a ^ 2 * norm2 d (X i))) by (intros; apply norm2_scale).
  rewrite sum_scale, sqrt_mult_alt by apply pow2_ge_0. f_equal.
  rewrite <- pow2_abs. apply sqrt_pow2, Rabs_pos.
Qed.

Lemma sequence_norm_monotone n d X Y : (forall i c, (i < n)%nat -> (c < d)%nat -> Rabs (X i c) <= Y i c) ->
  sequence_norm n d X <= sequence_norm n d Y.
Proof.
  intros H. apply sqrt_le_1_alt. apply sum_le; intros i Hi. apply sum_le; intros c Hc.
  rewrite <- pow2_abs. apply pow_incr. split; [apply Rabs_pos | auto].
Qed.

Lemma sequence_norm_ext n d X Y : (forall i c, (i < n)%nat -> (c < d)%nat -> X i c = Y i c) ->
  sequence_norm n d X = sequence_norm n d Y.
Proof. intros H. unfold sequence_norm. f_equal. apply sum_ext; intros i Hi. apply norm2_ext; auto. Qed.

Lemma sequence_norm_transpose n d X : sequence_norm d n (transpose X) = sequence_norm n d X.
Proof. unfold sequence_norm. f_equal. apply sum_swap. Qed.

Lemma sequence_norm_constant n d e : 0 <= e -> sequence_norm n d (fun _ _ => e) = sqrt (INR n * INR d) * e.
Proof.
  intros He. unfold sequence_norm, sequence_norm2, norm2.
  rewrite (sum_ext n _ (fun _ => INR d * e ^ 2)) by (intros; apply sum_constant). rewrite sum_constant, <- Rmult_assoc.
  rewrite sqrt_mult_alt by (apply Rmult_le_pos; apply pos_INR). f_equal. apply sqrt_pow2, He.
Qed.

(* || (||A_i|| ||B_j||)_ij ||_F *)
Lemma sequence_norm_of_norms n m d A B :
  sequence_norm n m (fun i j => norm d (A i) * norm d (B j)) = sequence_norm n d A * sequence_norm m d B.
Proof.
  unfold sequence_norm at 1, sequence_norm2, norm2.
  rewrite (sum_ext n _ (fun i => sequence_norm2 m d B * norm2 d (A i))).
  - rewrite sum_scale, sqrt_mult_alt by apply sequence_norm2_nonneg. apply Rmult_comm.
  - intros i _. rewrite (sum_ext m _ (fun j => norm2 d (A i) * norm2 d (B j))).
    + rewrite sum_scale. apply Rmult_comm.
    + intros j _. rewrite Rpow_mult_distr, !norm_square. reflexivity.
Qed.

Lemma absolute_dot_le_norms d x y : dot d (fun c => Rabs (x c)) (fun c => Rabs (y c)) <= norm d x * norm d y.
Proof.
  assert (E : forall z, norm d (fun c => Rabs (z c)) = norm d z).
  { intros z. unfold norm. f_equal. apply sum_ext; intros. apply pow2_abs. }
  rewrite <- (E x), <- (E y). eapply Rle_trans; [apply Rle_abs | apply dot_le_norms].
Qed.

(* ---- One product ---- *)

Definition absolute_product (p : nat) (A B : tokens) : matrix :=
  fun i j => dot p (fun k => Rabs (A i k)) (fun k => Rabs (B j k)).

Theorem product_frobenius n m p A B E g e : 0 <= g -> 0 <= e ->
  (forall i j, (i < n)%nat -> (j < m)%nat -> Rabs (E i j) <= g * absolute_product p A B i j + e) ->
  sequence_norm n m E <= g * (sequence_norm n p A * sequence_norm m p B) + sqrt (INR n * INR m) * e.
Proof.
  intros Hg He H. rewrite <- sequence_norm_of_norms, <- (sequence_norm_constant n m e He).
  rewrite <- (Rabs_right g) by lra. rewrite <- sequence_norm_scale.
  eapply Rle_trans; [| apply sequence_norm_plus]. apply sequence_norm_monotone. intros i j Hi Hj.
  eapply Rle_trans; [apply H; assumption |]. apply Rplus_le_compat_r.
  apply Rmult_le_compat_l; [assumption | apply absolute_dot_le_norms].
Qed.

(* The same by outer products, sum_l w_l k_l^T: off by at most g sum_l ||w_l|| ||k_l|| (factored_jacobian_radius.c). *)
Theorem outer_products_frobenius n m p W K E g : 0 <= g ->
  (forall i j, (i < n)%nat -> (j < m)%nat -> Rabs (E i j) <= g * sum p (fun l => Rabs (W l i) * Rabs (K l j))) ->
  sequence_norm n m E <= g * sum p (fun l => norm n (W l) * norm m (K l)).
Proof.
  intros Hg H. apply Rle_trans with (sequence_norm n m (fun i j => g * sum p (fun l => Rabs (W l i) * Rabs (K l j)))).
  - apply sequence_norm_monotone. assumption.
  - rewrite sequence_norm_scale, (Rabs_right g) by lra. apply Rmult_le_compat_l; [assumption |]. clear H.
    induction p as [| p IH].
    + simpl. rewrite sequence_norm_constant by lra. lra.
    + cbn [sum]. eapply Rle_trans; [apply sequence_norm_plus |]. apply Rplus_le_compat; [assumption |]. right.
      assert (R : forall d x, sequence_norm d 1 (fun i _ => Rabs (x i)) = norm d x).
      { intros d x. unfold sequence_norm, norm. f_equal. apply sum_ext; intros i _.
        unfold norm2. cbn [sum]. rewrite pow2_abs. ring. }
      rewrite <- (R n), <- (R m), <- sequence_norm_of_norms. apply sequence_norm_ext. intros i j _ _.
      unfold norm, norm2. cbn [sum].
      rewrite !Rplus_0_l, !sqrt_pow2 by apply Rabs_pos. reflexivity.
Qed.

(* What is off by so much in the Frobenius norm is so in the spectral norm. *)
Theorem bounded_of_frobenius n d E a : sequence_norm n d E <= a -> bounded n d E a.
Proof.
  intros H x. eapply Rle_trans; [apply frobenius_bound |]. apply Rmult_le_compat_r; [apply norm2_nonneg |].
  apply pow_incr. split; [apply sqrt_pos | exact H].
Qed.

(* ||G||^2 <= ||H|| + e for symmetric G, H within e of G^2 in the Frobenius norm (symmetric_norm.h). *)
Theorem squared_norm N G H h e : 0 <= h -> 0 <= e ->
  (forall i j, (i < N)%nat -> (j < N)%nat -> G i j = G j i) -> bounded N N H h ->
  sequence_norm N N (fun i j => H i j - dot N (G i) (G j)) <= e -> bounded N N G (sqrt (h + e)).
Proof.
  intros Hh He HG HH HE x. rewrite pow2_sqrt by lra. apply bounded_of_frobenius in HE.
  set (E := fun i j => H i j - dot N (G i) (G j)) in *.
  assert (S : norm2 N (mat_vec N G x) = dot N x (mat_vec N H x) - dot N x (mat_vec N E x)).
  { rewrite <- dot_minus_r, norm2_dot, adjoint, dot_symmetric. apply dot_ext; [reflexivity |]. intros i Hi.
    unfold mat_vec, dot, transpose, E. rewrite <- sum_minus.
    rewrite (sum_ext N (fun j => H i j * x j - _) (fun j => sum N (fun k => G i k * G j k * x j))).
    - rewrite sum_swap. apply sum_ext; intros k Hk. rewrite (HG k i) by assumption.
      rewrite <- sum_scale. apply sum_ext; intros j Hj. rewrite (HG k j) by assumption. ring.
    - intros j _. rewrite sum_scale_r. unfold dot. ring. }
  pose proof (dot_le_norms N x (mat_vec N H x)) as P1. pose proof (dot_le_norms N x (mat_vec N E x)) as P2.
  apply abs_between in P1, P2.
  assert (B1 : norm N (mat_vec N H x) <= h * norm N x).
  { apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
    rewrite Rpow_mult_distr, norm_square. apply HH. }
  assert (B2 : norm N (mat_vec N E x) <= e * norm N x).
  { apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
    rewrite Rpow_mult_distr, norm_square. apply HE. }
  pose proof (norm_nonneg N x) as N0. apply (Rmult_le_compat_l (norm N x)) in B1, B2; try assumption.
  rewrite S, <- norm_square. lra.
Qed.

(* ---- Two products, W B W^T (block_gram.h) ----

   X = B W^T is computed by its columns x_j, off by D in the Frobenius norm as product_frobenius says, then W X. *)
Lemma rows_times n w m W (X : tokens) a : 0 <= a -> bounded n w W a ->
  sequence_norm n m (fun i j => dot w (W i) (X j)) <= a * sequence_norm m w X.
Proof.
  intros Ha H. rewrite <- sequence_norm_transpose.
  apply sequence_norm_le; [apply Rmult_le_pos; [assumption | apply sequence_norm_nonneg] |].
  rewrite Rpow_mult_distr, sequence_norm_square. unfold sequence_norm2. rewrite <- sum_scale.
  apply sum_le; intros j _. apply (H (X j)).
Qed.

Theorem output_products n w W B (X : tokens) G a g e1 e2 :
  0 <= a -> 0 <= g -> 0 <= e1 -> bounded n w W a ->
  sequence_norm n w (fun j c => X j c - dot w (B c) (W j)) <= g * (sequence_norm w w B * sequence_norm n w W) + e1 ->
  sequence_norm n n (fun i j => G i j - dot w (W i) (X j)) <= g * (sequence_norm n w W * sequence_norm n w X) + e2 ->
  sequence_norm n n (fun i j => G i j - dot w (W i) (mat_vec w B (W j)))
  <= g * sequence_norm n w W * sequence_norm w w B * (2 * a + g * sequence_norm n w W)
     + (a + g * sequence_norm n w W) * e1 + e2.
Proof.
  intros Ha Hg H1 HW HX HG. set (D := fun j c => X j c - dot w (B c) (W j)) in *.
  set (f := sequence_norm n w W) in *. set (b := sequence_norm w w B) in *.
  assert (Hf : 0 <= f) by apply sequence_norm_nonneg. assert (Hb : 0 <= b) by apply sequence_norm_nonneg.
  assert (HBW : sequence_norm n w (fun j c => dot w (B c) (W j)) <= a * b).
  { rewrite (sequence_norm_ext n w _ (fun j c => dot w (W j) (B c))) by (intros; apply dot_symmetric).
    apply rows_times; assumption. }
  assert (HXn : sequence_norm n w X <= a * b + (g * (b * f) + e1)).
  { rewrite (sequence_norm_ext n w X (fun j c => dot w (B c) (W j) + D j c)) by (intros; unfold D; ring).
    eapply Rle_trans; [apply sequence_norm_plus | lra]. }
  assert (HD : sequence_norm n n (fun i j => dot w (W i) (D j)) <= a * (g * (b * f) + e1)).
  { eapply Rle_trans; [apply (rows_times n w n W D a Ha HW) |]. apply Rmult_le_compat_l; assumption. }
  rewrite (sequence_norm_ext n n _ (fun i j => (G i j - dot w (W i) (X j)) + dot w (W i) (D j))).
  - eapply Rle_trans; [apply sequence_norm_plus |].
    assert (g * (f * sequence_norm n w X) <= g * (f * (a * b + (g * (b * f) + e1)))).
    { apply Rmult_le_compat_l; [assumption |]. apply Rmult_le_compat_l; assumption. }
    eapply Rle_trans; [apply Rplus_le_compat; [exact HG | exact HD] |]. lra.
  - intros i j _ _. unfold D. rewrite (dot_minus_r w (W i) (X j) (fun c => dot w (B c) (W j))). unfold mat_vec. ring.
Qed.

(* The constant of block_gram.h, 2 gamma_(2 w + 2), covers both products, the term in gamma_w^2 and one more rounding of
   the result, where a diagonal block is made symmetric: with b for ||B||_F, f for ||W||_F <= w^{1/2} a and a for
   ||W||_2, as long as gamma_w w^{1/2} <= 1/2. *)
Theorem output_constant u w f b a E : 0 <= u -> (1 <= w)%nat -> INR (2 * w + 2) * u <= 1 / 2 ->
  0 <= f -> 0 <= b -> 0 <= a -> gamma u w * f <= a / 2 ->
  E <= gamma u w * f * b * (2 * a + gamma u w * f) ->
  E + u * (a * f * b + E) <= 2 * gamma u (2 * w + 2) * f * a * b.
Proof.
  intros Hu Hw Hm Hf Hb Ha Hsmall HE. set (g := gamma u w) in *.
  assert (Hwm : INR w * u <= INR (2 * w + 2) * u) by (apply Rmult_le_compat_r; [assumption | apply le_INR; lia]).
  assert (Hg : 0 <= g) by (apply gamma_nonneg; lra).
  assert (Hug : u <= g).
  { apply Rle_trans with (INR w * u); [| apply count_le_gamma; lra].
    rewrite <- (Rmult_1_l u) at 1. apply Rmult_le_compat_r; [assumption |]. apply (le_INR 1); assumption. }
  assert (Hu1 : u <= 1 / 8).
  { assert (INR 4 * u <= INR (2 * w + 2) * u); [| simpl in *; lra]. apply Rmult_le_compat_r; [assumption |].
    apply le_INR. lia. }
  assert (G2 : 2 * g <= gamma u (2 * w + 2)).
  { apply Rle_trans with (gamma u (w + w)); [| apply gamma_le; [assumption | lia | lra]].
    assert (INR (w + w) * u <= INR (2 * w + 2) * u) by (apply Rmult_le_compat_r; [assumption | apply le_INR; lia]).
    pose proof (gamma_sum u Hu w w ltac:(lra)) as Gs. fold g in Gs. pose proof (Rmult_le_pos g g Hg Hg). lra. }
  clearbody g. assert (Hfab : 0 <= f * a * b) by (repeat apply Rmult_le_pos; assumption).
  assert (HE' : E <= 5 / 2 * (g * (f * a * b))).
  { eapply Rle_trans; [exact HE |].
    assert (g * f * b * (2 * a + g * f) <= g * f * b * (2 * a + a / 2)).
    { apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; assumption | lra]. }
    lra. }
  assert (0 <= g * (f * a * b)) by (apply Rmult_le_pos; assumption).
  assert (u * (f * a * b) <= g * (f * a * b)) by (apply Rmult_le_compat_r; assumption).
  assert (2 * (2 * g) * (f * a * b) <= 2 * gamma u (2 * w + 2) * (f * a * b)) by (apply Rmult_le_compat_r; lra).
  assert (u * E <= 1 / 8 * (5 / 2 * (g * (f * a * b)))).
  { apply Rle_trans with (u * (5 / 2 * (g * (f * a * b)))); [apply Rmult_le_compat_l; assumption |].
    apply Rmult_le_compat_r; lra. }
  lra.
Qed.

(* A symmetric matrix made of the upper triangle of a matrix that is off by E is off by at most 2^{1/2} ||E||_F, so by
   2 ||E||_F (deflation.c's diagonal blocks). *)
Definition of_upper (M : matrix) : matrix := fun i j => M (Nat.min i j) (Nat.max i j).

Theorem upper_triangle n E : sequence_norm n n (of_upper E) <= sqrt 2 * sequence_norm n n E.
Proof.
  apply sequence_norm_le; [apply Rmult_le_pos; [apply sqrt_pos | apply sequence_norm_nonneg] |].
  rewrite Rpow_mult_distr, sequence_norm_square, pow2_sqrt by lra.
  replace (2 * sequence_norm2 n n E) with (sequence_norm2 n n E + sequence_norm2 n n (transpose E))
    by (unfold sequence_norm2, norm2, transpose; rewrite (sum_swap n n (fun i j => E j i ^ 2)); ring).
  unfold sequence_norm2, norm2. rewrite <- sum_plus. apply sum_le; intros i _. rewrite <- sum_plus.
  apply sum_le; intros j _. unfold of_upper, transpose.
  pose proof (pow2_ge_0 (E i j)). pose proof (pow2_ge_0 (E j i)).
  destruct (Nat.le_ge_cases i j) as [H' | H'].
  - rewrite Nat.min_l, Nat.max_r by assumption. lra.
  - rewrite Nat.min_r, Nat.max_l by assumption. lra.
Qed.
