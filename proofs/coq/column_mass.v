(* How much weight a token can collect: the largest column sum c = max_j sum_i P_ij.

     c <= n;      if s_ij - s_im <= 2 w for all i, j, m:   unmasked  c <= e^(2w),     causal  c <= (1 + ln n) e^(2w).

   For such scores P_ij <= e^(2w) / |N(i)|, as |N(i)| P_ij = sum_{m in N(i)} P_im e^(s_ij - s_im). Unmasked,
   |N(i)| = n in each of n rows; under the causal mask |N(i)| = i (rows counted from 1), and
   1 + 1/2 + ... + 1/n <= 1 + ln n. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average attention.
Open Scope R_scope.

Definition columns_below (h : head) (n : nat) (attends : mask) (X : tokens) (c : R) : Prop :=
  forall j, (j < n)%nat -> sum n (fun i => weight h n attends X i j) <= c.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [H | ->]; [left; apply exp_increasing; assumption | lra]. Qed.

(* |N(i)| *)
Definition attended (n : nat) (attends : mask) (i : nat) : R := sum n (fun m => if attends i m then 1 else 0).

Lemma attended_unmasked n i : attended n unmasked i = INR n.
Proof. unfold attended, unmasked. rewrite sum_constant. ring. Qed.

Lemma attended_causal n i : (i < n)%nat -> attended n causal i = INR (S i).
Proof.
  intros Hi. unfold attended, causal.
  assert (E : forall m, sum m (fun j => if Nat.leb j i then 1 else 0) = INR (Nat.min m (S i))).
  { induction m; [reflexivity |]. simpl sum. rewrite IHm. destruct (Nat.leb_spec m i).
    - rewrite !Nat.min_l by lia. rewrite S_INR. reflexivity.
    - rewrite !Nat.min_r by lia. ring. }
  rewrite E, Nat.min_r by lia. reflexivity.
Qed.

Lemma attended_positive n attends i : no_empty_row n attends -> (i < n)%nat -> 0 < attended n attends i.
Proof.
  intros Hmask Hi. destruct (Hmask i Hi) as (j & Hj & Hs). apply (sum_positive n _ j); [| assumption | rewrite Hs; lra].
  intros m _. destruct (attends i m); lra.
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

(* sum_i 1/|N(i)| *)
Lemma inverse_attended_unmasked n : (0 < n)%nat -> sum n (fun i => / attended n unmasked i) <= 1.
Proof.
  intros Hn. pose proof (lt_0_INR n Hn).
  rewrite (sum_ext n _ (fun _ => / INR n)) by (intros; rewrite attended_unmasked; auto).
  rewrite sum_constant. right; field; lra.
Qed.

Lemma inverse_attended_causal n : (0 < n)%nat -> sum n (fun i => / attended n causal i) <= 1 + ln (INR n).
Proof.
  intros Hn. rewrite (sum_ext n _ (fun i => / INR (S i))) by (intros; rewrite attended_causal; auto).
  apply harmonic_le; assumption.
Qed.

(* Terms of at most C / |N(i)|. *)
Lemma sum_by_attended n attends f C m :
  0 <= C -> (forall i, (i < n)%nat -> f i <= C / attended n attends i) ->
  sum n (fun i => / attended n attends i) <= m ->
  sum n f <= m * C.
Proof.
  intros HC Hf Hm. apply Rle_trans with (sum n (fun i => C / attended n attends i)); [apply sum_le; assumption |].
  unfold Rdiv. rewrite sum_scale, Rmult_comm. apply Rmult_le_compat_r; assumption.
Qed.

Section Columns.
Variables (h : head) (n : nat) (attends : mask) (X : tokens).
Hypothesis Hmask : no_empty_row n attends.

Lemma columns_nonneg c : (0 < n)%nat -> columns_below h n attends X c -> 0 <= c.
Proof.
  intros Hn Hc. eapply Rle_trans; [| apply (Hc 0%nat Hn)]. apply sum_nonneg; intros; apply weight_nonneg; assumption.
Qed.

Theorem columns_below_n : columns_below h n attends X (INR n).
Proof.
  intros j Hj. replace (INR n) with (sum n (fun _ => 1)) by (rewrite sum_constant; ring).
  apply sum_le; intros i Hi. apply (probability_le_1 n); [apply weight_probability |]; assumption.
Qed.

Lemma columns_below_min c c' :
  columns_below h n attends X c -> columns_below h n attends X c' -> columns_below h n attends X (Rmin c c').
Proof. intros Hc Hc' j Hj. apply Rmin_glb; auto. Qed.

(* |N(i)| P_ij <= sum_m P_im e^(s_ij - s_im) *)
Lemma weight_by_differences i j : (i < n)%nat -> (j < n)%nat ->
  attended n attends i * weight h n attends X i j
  <= sum n (fun l => weight h n attends X i l * exp (score h X i j - score h X i l)).
Proof.
  intros Hi Hj. pose proof (normalizer_positive h n attends Hmask X i Hi) as HZ.
  unfold attended. rewrite <- sum_scale_r.
  apply sum_le; intros l Hl. unfold weight, exp_score at 1 3.
  set (Z := sum n (exp_score h attends X i)) in *. pose proof (exp_pos (score h X i j)).
  destruct (attends i l); [| unfold Rdiv; lra].
  replace (exp (score h X i l) / Z * exp (score h X i j - score h X i l)) with (exp (score h X i j) / Z).
  - destruct (attends i j); unfold Rdiv; [lra |].
    pose proof (Rmult_le_pos (exp (score h X i j)) (/ Z)). pose proof (Rinv_0_lt_compat Z HZ). lra.
  - unfold Rdiv. replace (exp (score h X i j)) with (exp (score h X i l) * exp (score h X i j - score h X i l)) at 1
      by (rewrite <- exp_plus; f_equal; ring). ring.
Qed.

Section Scores.
Variable w : R.
Hypothesis Hscores : forall i j m, (i < n)%nat -> (j < n)%nat -> (m < n)%nat -> score h X i j - score h X i m <= 2 * w.

Lemma weight_le i j : (i < n)%nat -> (j < n)%nat -> weight h n attends X i j <= exp (2 * w) / attended n attends i.
Proof.
  intros Hi Hj. pose proof (attended_positive n attends i Hmask Hi) as HN.
  apply Rmult_le_reg_l with (attended n attends i); [assumption |].
  replace (attended n attends i * (exp (2 * w) / attended n attends i)) with (exp (2 * w)) by (field; lra).
  eapply Rle_trans; [apply weight_by_differences; assumption |].
  apply average_le; [apply weight_probability; assumption |]. intros l Hl. apply exp_monotone. auto.
Qed.

Lemma columns_below_by_attended m :
  sum n (fun i => / attended n attends i) <= m -> columns_below h n attends X (m * exp (2 * w)).
Proof.
  intros Hm j Hj. apply (sum_by_attended n attends); [left; apply exp_pos | | assumption].
  intros i Hi. apply weight_le; assumption.
Qed.

End Scores.
End Columns.

Theorem columns_below_unmasked h n X w :
  (forall i j m, (i < n)%nat -> (j < n)%nat -> (m < n)%nat -> score h X i j - score h X i m <= 2 * w) ->
  columns_below h n unmasked X (exp (2 * w)).
Proof.
  intros Hs j Hj. rewrite <- (Rmult_1_l (exp (2 * w))).
  apply columns_below_by_attended; auto using unmasked_no_empty_row. apply inverse_attended_unmasked. lia.
Qed.

Theorem columns_below_causal h n X w :
  (forall i j m, (i < n)%nat -> (j < n)%nat -> (m < n)%nat -> score h X i j - score h X i m <= 2 * w) ->
  columns_below h n causal X ((1 + ln (INR n)) * exp (2 * w)).
Proof.
  intros Hs j Hj.
  apply columns_below_by_attended; auto using causal_no_empty_row. apply inverse_attended_causal. lia.
Qed.
