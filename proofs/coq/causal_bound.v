(* T5, the mean-field bound under the causal mask: independent of n, where T4's grows with ln n.

     ||D_X f|| <= ||V|| ( 2 (1 + 2 z_g) e^(2 z_g) + z )     for tokens in the ball of radius R, z and z_g as in ball.v.

   Proof. Row i (counted from 1) of the part without the diagonal is sum_j P_ij (V xi_j + (v_j - y_i)(g_i . xi_j)). Each
   vector in it is at most ||V|| (1 + 2 z_g) ||xi_j|| long, and P_ij <= e^(2 z_g) / i for j <= i, so the row is at most
   ||V|| (1 + 2 z_g) e^(2 z_g) times the mean of ||xi_1|| ... ||xi_i||. Hardy's inequality adds the rows up; the
   diagonal adds z. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound.
From attcert Require Import ball column_mass hardy unified_bound.
Open Scope R_scope.

(* A sum over the positions that row i attends to. *)
Lemma sum_causal n i f : (i < n)%nat -> sum n (fun j => if Nat.leb j i then f j else 0) = sum (S i) f.
Proof.
  intros Hi. assert (E : forall m, sum m (fun j => if Nat.leb j i then f j else 0) = sum (Nat.min m (S i)) f).
  { induction m; [reflexivity |]. cbn [sum]. rewrite IHm. destruct (Nat.leb_spec m i).
    - rewrite !Nat.min_l by lia. reflexivity.
    - rewrite !Nat.min_r by lia. ring. }
  rewrite E, Nat.min_r by lia. reflexivity.
Qed.

Section Causal.
Variables (h : head) (n : nat) (X : tokens) (a b v R : R).
Hypothesis Hh : head_bounds h a b v.
Hypothesis HR : 0 <= R.
Hypothesis HX : in_ball n (width h) R X.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation P := (weight h n causal X).
Local Notation z := (a * R ^ 2).
Local Notation zg := (R * (a * R + b)).
Local Notation length xi := (fun j => sqrt (norm2 d (xi j))).

Lemma carried_le xi i j : (i < n)%nat -> (j < n)%nat ->
  norm2 k (carried h n causal X xi i j) <= (v * (1 + 2 * zg) * length xi j) ^ 2.
Proof.
  intros Hi Hj. pose proof (gradient_radius_nonneg h a b v R Hh HR). destruct (Hh) as [_ _ HV _ _ Hv].
  rewrite Rpow_mult_distr, pow2_sqrt by apply norm2_nonneg.
  replace (v * (1 + 2 * zg)) with (v + v * (2 * zg)) by ring.
  apply norm2_triangle; auto using norm2_nonneg; [apply Rmult_le_pos; lra |].
  rewrite norm2_scale.
  replace ((v * (2 * zg)) ^ 2 * norm2 d (xi j)) with (((a * R + b) ^ 2 * norm2 d (xi j)) * (v ^ 2 * (4 * R ^ 2)))
    by ring.
  apply Rmult_le_compat; auto using pow2_ge_0, norm2_nonneg.
  - eapply Rle_trans; [apply cauchy_schwarz |]. apply Rmult_le_compat_r; [apply norm2_nonneg |].
    eapply key_gradient_le; eassumption.
  - eapply value_deviation_le; eauto using causal_no_empty_row.
Qed.

Lemma causal_weight_le i j : (i < n)%nat -> (j < n)%nat ->
  P i j <= (if Nat.leb j i then exp (2 * zg) / INR (S i) else 0).
Proof.
  intros Hi Hj. destruct (Nat.leb j i) eqn:E.
  - rewrite <- (attended_causal n i Hi). apply weight_le; auto using causal_no_empty_row.
    intros. eapply scores_in_ball; eassumption.
  - right. unfold weight, exp_score, causal. rewrite E. unfold Rdiv; ring.
Qed.

Lemma causal_spread_le xi i : (i < n)%nat ->
  norm2 k (spread h n causal X xi i) <= (v * (1 + 2 * zg) * exp (2 * zg) * running_mean (length xi) i) ^ 2.
Proof.
  intros Hi. pose proof (gradient_radius_nonneg h a b v R Hh HR) as Hz. destruct (Hh) as [_ _ _ _ _ Hv].
  assert (HP : forall j, (j < n)%nat -> 0 <= P i j) by (intros; apply weight_nonneg; auto using causal_no_empty_row).
  assert (HL : 0 <= v * (1 + 2 * zg)) by (apply Rmult_le_pos; lra).
  eapply Rle_trans; [apply (average_norm_le n k (P i) _ (fun j => v * (1 + 2 * zg) * length xi j)); auto |].
  - intros. apply Rmult_le_pos; [assumption | apply sqrt_pos].
  - intros. apply carried_le; assumption.
  - apply pow_incr. split.
    { apply sum_nonneg; intros. apply Rmult_le_pos; [auto | apply Rmult_le_pos; [assumption | apply sqrt_pos]]. }
    apply Rle_trans with
      (sum n (fun j => (v * (1 + 2 * zg) * exp (2 * zg) / INR (S i)) * (if Nat.leb j i then length xi j else 0))).
    + apply sum_le; intros j Hj. pose proof (causal_weight_le i j Hi Hj) as HW.
      pose proof (sqrt_pos (norm2 d (xi j))) as Hq.
      apply Rle_trans with ((if Nat.leb j i then exp (2 * zg) / INR (S i) else 0) * (v * (1 + 2 * zg) * length xi j)).
      * apply Rmult_le_compat_r; [apply Rmult_le_pos; assumption | assumption].
      * right. destruct (Nat.leb j i); unfold Rdiv; ring.
    + right. rewrite sum_scale, sum_causal by assumption. unfold running_mean, Rdiv; ring.
Qed.

Theorem causal_bound : jacobian_bounded h n causal X (v * (2 * (1 + 2 * zg) * exp (2 * zg) + z)).
Proof.
  intros xi. pose proof (gradient_radius_nonneg h a b v R Hh HR) as Hz.
  destruct (Hh) as [_ _ _ Ha _ Hv]. pose proof (exp_pos (2 * zg)) as He.
  replace (sequence_norm2 n k (jacobian_times h n causal X xi))
    with (sequence_norm2 n k (fun i r => spread h n causal X xi i r + mat_vec d (covariance h n causal X i) (xi i) r)).
  2: { apply sum_ext; intros i Hi. apply norm2_ext; intros r _.
       symmetry; apply jacobian_times_split; auto using causal_no_empty_row. }
  rewrite (Rmult_plus_distr_l v).
  apply sequence_norm2_triangle; auto using sequence_norm2_nonneg.
  - repeat apply Rmult_le_pos; lra.
  - apply Rmult_le_pos; [assumption |]. apply Rmult_le_pos; [assumption | apply pow2_ge_0].
  - apply Rle_trans with (sum n (fun i => (v * (1 + 2 * zg) * exp (2 * zg)) ^ 2 * running_mean (length xi) i ^ 2)).
    + apply sum_le; intros i Hi. rewrite <- Rpow_mult_distr. apply causal_spread_le; assumption.
    + rewrite sum_scale. pose proof (hardy (length xi) n) as H.
      replace (norm2 n (length xi)) with (sequence_norm2 n d xi) in H.
      2: { apply sum_ext; intros i _. symmetry; apply pow2_sqrt; apply norm2_nonneg. }
      replace ((v * (2 * (1 + 2 * zg) * exp (2 * zg))) ^ 2 * sequence_norm2 n d xi)
        with ((v * (1 + 2 * zg) * exp (2 * zg)) ^ 2 * (4 * sequence_norm2 n d xi)) by ring.
      apply Rmult_le_compat_l; [apply pow2_ge_0 | assumption].
  - unfold sequence_norm2. rewrite <- sum_scale. apply sum_le; intros i Hi.
    eapply covariance_bounded; eauto using causal_no_empty_row.
Qed.

End Causal.

Theorem causal_lipschitz h n a b v R :
  head_bounds h a b v -> 0 <= R ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  lipschitz_on_ball h n causal R (v * (2 * (1 + 2 * zg) * exp (2 * zg) + z)).
Proof.
  intros. apply lipschitz_from_jacobian; [apply causal_no_empty_row |]. intros. apply causal_bound; assumption.
Qed.
