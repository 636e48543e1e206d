(* How much weight a token can collect: the largest column sum c = max_j sum_i P_ij.

     c <= n;      if s_ij - s_im <= 2 w for all i, j, m:   unmasked  c <= e^(2w),     causal  c <= (1 + ln n) e^(2w).

   For such scores P_ij <= e^(2w) / |N(i)|: among |N(i)| terms e^(s_im), none is below e^(s_ij) e^(-2w). Unmasked,
   |N(i)| = n in each of n rows; under the causal mask |N(i)| = i (rows counted from 1), and
   1 + 1/2 + ... + 1/n <= 1 + ln n. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average attention.
Open Scope R_scope.

Definition columns_below (h : head) (n : nat) (sees : mask) (X : tokens) (c : R) : Prop :=
  forall j, (j < n)%nat -> sum n (fun i => weight h n sees X i j) <= c.

(* |N(i)| *)
Definition seen (n : nat) (sees : mask) (i : nat) : R := sum n (fun m => if sees i m then 1 else 0).

Lemma seen_unmasked n i : seen n unmasked i = INR n.
Proof. unfold seen, unmasked. rewrite sum_constant. ring. Qed.

Lemma seen_causal n i : (i < n)%nat -> seen n causal i = INR (S i).
Proof.
  intros Hi. unfold seen, causal.
  assert (E : forall m, sum m (fun j => if Nat.leb j i then 1 else 0) = INR (Nat.min m (S i))).
  { induction m; [reflexivity |]. simpl sum. rewrite IHm. destruct (Nat.leb_spec m i).
    - rewrite !Nat.min_l by lia. rewrite S_INR. reflexivity.
    - rewrite !Nat.min_r by lia. ring. }
  rewrite E, Nat.min_r by lia. reflexivity.
Qed.

(* 1 + ln y <= y, at y = m / (m + 1). *)
Lemma inverse_le_ln_step m : (0 < m)%nat -> / INR (S m) <= ln (INR (S m)) - ln (INR m).
Proof.
  intros Hm. assert (0 < INR m) by (apply lt_0_INR; assumption). assert (0 < INR (S m)) by (apply lt_0_INR; lia).
  assert (Hy : 0 < INR m / INR (S m)) by (apply Rdiv_lt_0_compat; assumption).
  pose proof (exp_ineq1_le (ln (INR m / INR (S m)))) as E. rewrite exp_ln in E by assumption.
  unfold Rdiv in E. rewrite ln_mult, ln_Rinv in E by (try apply Rinv_0_lt_compat; assumption).
  replace (INR m * / INR (S m)) with (1 - / INR (S m)) in E; [lra |].
  rewrite S_INR. field. rewrite <- S_INR. lra.
Qed.

Lemma harmonic_le n : (0 < n)%nat -> sum n (fun i => / INR (S i)) <= 1 + ln (INR n).
Proof.
  intros Hn. induction n; [lia |]. destruct (Nat.eq_dec n 0) as [-> | H0].
  - simpl. rewrite ln_1, Rinv_1. lra.
  - cbn [sum]. assert (Hn0 : (0 < n)%nat) by lia. specialize (IHn Hn0). pose proof (inverse_le_ln_step n Hn0). lra.
Qed.

Section Columns.
Variables (h : head) (n : nat) (sees : mask) (X : tokens).
Hypothesis Hmask : no_blind_row n sees.

Lemma columns_nonneg c : (0 < n)%nat -> columns_below h n sees X c -> 0 <= c.
Proof.
  intros Hn Hc. eapply Rle_trans; [| apply (Hc 0%nat Hn)]. apply sum_nonneg; intros; apply weight_nonneg; assumption.
Qed.

Theorem columns_below_n : columns_below h n sees X (INR n).
Proof.
  intros j Hj. replace (INR n) with (sum n (fun _ => 1)) by (rewrite sum_constant; ring).
  apply sum_le; intros i Hi. apply (probability_le_1 n); [apply weight_probability |]; assumption.
Qed.

Lemma columns_below_min c c' :
  columns_below h n sees X c -> columns_below h n sees X c' -> columns_below h n sees X (Rmin c c').
Proof. intros Hc Hc' j Hj. apply Rmin_glb; auto. Qed.

Section Scores.
Variable w : R.
Hypothesis Hscores : forall i j m, (i < n)%nat -> (j < n)%nat -> (m < n)%nat -> score h X i j - score h X i m <= 2 * w.

Lemma weight_le i j : (i < n)%nat -> (j < n)%nat -> 0 < seen n sees i ->
  weight h n sees X i j <= exp (2 * w) / seen n sees i.
Proof.
  intros Hi Hj HN. pose proof (normaliser_positive h n sees Hmask X i Hi) as HZ.
  pose proof (exp_pos (2 * w)) as He. unfold weight.
  apply Rmult_le_reg_r with (seen n sees i); [assumption |].
  apply Rmult_le_reg_r with (sum n (exp_score h sees X i)); [assumption |].
  replace (exp_score h sees X i j / sum n (exp_score h sees X i) * seen n sees i * sum n (exp_score h sees X i))
    with (seen n sees i * exp_score h sees X i j) by (field; lra).
  replace (exp (2 * w) / seen n sees i * seen n sees i * sum n (exp_score h sees X i))
    with (exp (2 * w) * sum n (exp_score h sees X i)) by (field; lra).
  unfold seen. rewrite <- sum_scale_r, <- sum_scale. apply sum_le; intros m Hm.
  assert (H : exp (score h X i j) <= exp (2 * w) * exp (score h X i m)).
  { rewrite <- exp_plus. pose proof (Hscores i j m Hi Hj Hm) as H.
    destruct (Req_dec (score h X i j) (2 * w + score h X i m)) as [-> | N]; [lra |]. left. apply exp_increasing. lra. }
  pose proof (exp_pos (score h X i j)). pose proof (exp_pos (score h X i m)).
  unfold exp_score. destruct (sees i m), (sees i j); nra.
Qed.

End Scores.
End Columns.

Theorem columns_below_unmasked h n X w :
  (forall i j m, (i < n)%nat -> (j < n)%nat -> (m < n)%nat -> score h X i j - score h X i m <= 2 * w) ->
  columns_below h n unmasked X (exp (2 * w)).
Proof.
  intros Hs j Hj. assert (HN : 0 < INR n) by (apply lt_0_INR; lia).
  apply Rle_trans with (sum n (fun _ => exp (2 * w) / INR n)).
  - apply sum_le; intros i Hi. rewrite <- (seen_unmasked n i).
    apply weight_le; auto using unmasked_no_blind_row. rewrite seen_unmasked; assumption.
  - rewrite sum_constant. right; field; lra.
Qed.

Theorem columns_below_causal h n X w :
  (forall i j m, (i < n)%nat -> (j < n)%nat -> (m < n)%nat -> score h X i j - score h X i m <= 2 * w) ->
  columns_below h n causal X ((1 + ln (INR n)) * exp (2 * w)).
Proof.
  intros Hs j Hj. apply Rle_trans with (sum n (fun i => / INR (S i) * exp (2 * w))).
  - apply sum_le; intros i Hi. assert (HN : 0 < INR (S i)) by (apply lt_0_INR; lia).
    replace (/ INR (S i) * exp (2 * w)) with (exp (2 * w) / seen n causal i)
      by (rewrite seen_causal by assumption; apply Rmult_comm).
    apply weight_le; auto using causal_no_blind_row. rewrite seen_causal; assumption.
  - rewrite sum_scale_r. apply Rmult_le_compat_r; [left; apply exp_pos |]. apply harmonic_le. lia.
Qed.

Print Assumptions columns_below_n.
Print Assumptions columns_below_unmasked.
Print Assumptions columns_below_causal.
