(* Softmax about a point, after its part of first order: src/robust/operation/softmax_remainder.h.

   Scores s_j + tau_j have the softmax P'_j = P_j e^{tau_j} / sum_m P_m e^{tau_m}, P that of s. Against it stands
   p_j (1 + t_j) with t_j = tau_j - sum_m p_m tau_m, for any numbers p near P. Let |t_j| <= T_j,
   theta_j = e^{T_j} - 1 - T_j, Theta = sum_m P_m theta_m and |sum_m P_m t_m| <= z <= 1/2. Then

     -P_j (1 + T_j) (Theta + z) / (1 + Theta + z) - |P_j - p_j| (1 + T_j)
        <= P'_j - p_j (1 + t_j) <= P_j (theta_j + 2 z e^{T_j}) + |P_j - p_j| (1 + T_j).

   Proof. P'_j = P_j e^{t_j} / Z with Z = sum_m P_m e^{t_m} = 1 + sum_m P_m t_m + sum_m P_m (e^{t_m} - 1 - t_m), and
   0 <= e^t - 1 - t <= e^T - 1 - T for |t| <= T, so 1 - z <= Z <= 1 + z + Theta. Above, 1 / Z <= 1 / (1 - z) <= 1 + 2 z.
   Below, e^t / Z >= (1 + t) / (1 + z + Theta) where 1 + t is positive, and e^t / Z > 0 > 1 + t where it is negative. *)
Require Import Reals Lra Lia Psatz.
From attcert Require Import sum vector average product_remainder.
Open Scope R_scope.

(* ---- e^t - 1 - t ---- *)

Definition excess (t : R) : R := exp t - 1 - t.

Lemma excess_nonneg t : 0 <= excess t.
Proof. unfold excess. pose proof (exp_ineq1_le t). lra. Qed.

Lemma excess_increasing a b : 0 <= a <= b -> excess a <= excess b.
Proof.
  intros [Ha Hb]. unfold excess.
  replace (exp b) with (exp a * exp (b - a)) by (rewrite <- exp_plus; f_equal; ring).
  pose proof (exp_ineq1_le a). pose proof (exp_ineq1_le (b - a)).
  assert (exp a * (1 + (b - a)) <= exp a * exp (b - a)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= (exp a - 1) * (b - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* e^{-a} + a <= e^a - a: 2 t <= e^t - e^{-t} has the derivative 2 <= e^t + e^{-t}. *)
Lemma excess_negative a : 0 <= a -> excess (- a) <= excess a.
Proof.
  intros [Ha | <-]; [| rewrite Ropp_0; lra].
  set (f := fun t => exp t - exp (- t) - 2 * t). set (f' := fun t => exp t + exp (- t) - 2).
  assert (Hf : forall t, 0 <= t <= a -> derivable_pt_lim f t (f' t)).
  { intros t _. unfold f, f'.
    replace (exp t + exp (- t) - 2) with (exp t - exp (- t) * (- 1) - 2 * 1) by ring.
    apply (derivable_pt_lim_minus (fun t => exp t - exp (- t)) (fun t => 2 * t)).
    - apply (derivable_pt_lim_minus exp (fun t => exp (- t))); [apply derivable_pt_lim_exp |].
      apply (derivable_pt_lim_comp Ropp exp); [| apply derivable_pt_lim_exp].
      apply (derivable_pt_lim_opp id t 1). apply derivable_pt_lim_id.
    - apply (derivable_pt_lim_scal id 2 t 1). apply derivable_pt_lim_id. }
  destruct (MVT_cor2 f f' 0 a Ha Hf) as (t & Ht & _).
  assert (0 <= f' t).
  { unfold f'. rewrite exp_Ropp. pose proof (exp_pos t). set (e := exp t) in *.
    assert (0 <= (e - 1) ^ 2 / e) by (apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; assumption]).
    replace (e + / e - 2) with ((e - 1) ^ 2 / e) by (field; lra). assumption. }
  assert (0 <= f' t * (a - 0)) by (apply Rmult_le_pos; lra).
  unfold f at 2 in Ht. rewrite Ropp_0, exp_0 in Ht. unfold f in Ht. unfold excess. lra.
Qed.

Lemma excess_le t T : Rabs t <= T -> excess t <= excess T.
Proof.
  intros H. pose proof (Rabs_pos t). apply Rle_trans with (excess (Rabs t)); [| apply excess_increasing; lra].
  unfold Rabs. destruct (Rcase_abs t); [| lra].
  replace t with (- - t) at 1 by ring. apply excess_negative. lra.
Qed.

(* ---- The weights ---- *)
Section Softmax.
Variables (n : nat) (P p tau T : vector) (z : R).
Definition moved_weight (j : nat) : R := P j * exp (tau j) / sum n (fun m => P m * exp (tau m)).
Definition weighted_drift : R := sum n (fun m => p m * tau m).
Definition centred_score (j : nat) : R := tau j - weighted_drift.
Definition total_excess : R := sum n (fun m => P m * excess (T m)).

Hypothesis HP : probability n P.
Hypothesis HT : forall j, (j < n)%nat -> Rabs (centred_score j) <= T j.
Hypothesis Hz : Rabs (sum n (fun m => P m * centred_score m)) <= z.
Hypothesis Hz_half : z <= 1 / 2.

Let t := centred_score.
Let Z := sum n (fun m => P m * exp (t m)).
Let Theta := total_excess.

(* A common factor of all e^{tau} cancels. *)
Lemma moved_weight_centred j : moved_weight j = P j * exp (t j) / Z.
Proof.
  assert (E : forall m, P m * exp (tau m) = P m * exp (t m) * exp weighted_drift).
  { intros m. rewrite Rmult_assoc, <- exp_plus. unfold t, centred_score. do 2 f_equal. ring. }
  unfold moved_weight. rewrite E, (sum_ext n _ (fun m => P m * exp (t m) * exp weighted_drift)) by (intros; apply E).
  rewrite sum_scale_r. fold Z. destruct (Req_dec Z 0) as [-> | HZ].
  - rewrite Rmult_0_l. unfold Rdiv. rewrite Rinv_0. ring.
  - field. split; [assumption | apply Rgt_not_eq; apply exp_pos].
Qed.

Lemma normalizer : Z = 1 + sum n (fun m => P m * t m) + sum n (fun m => P m * excess (t m)).
Proof.
  destruct HP as [_ <-]. rewrite <- !sum_plus. unfold Z. apply sum_ext; intros. unfold excess. ring.
Qed.

Lemma normalizer_bounds : 1 - z <= Z <= 1 + z + Theta.
Proof.
  destruct HP as [H0 _]. rewrite normalizer.
  assert (0 <= sum n (fun m => P m * excess (t m))).
  { apply sum_nonneg; intros; apply Rmult_le_pos; [auto | apply excess_nonneg]. }
  assert (sum n (fun m => P m * excess (t m)) <= Theta).
  { apply sum_le; intros; apply Rmult_le_compat_l; [auto |]. apply excess_le. apply HT. assumption. }
  pose proof Hz as Hz'. fold t in Hz'. apply abs_le_both in Hz'. lra.
Qed.

Lemma total_excess_nonneg : 0 <= Theta.
Proof. destruct HP. apply sum_nonneg; intros; apply Rmult_le_pos; [auto | apply excess_nonneg]. Qed.

Lemma drift_nonneg : 0 <= z.
Proof. eapply Rle_trans; [apply Rabs_pos | exact Hz]. Qed.

(* The two sides of e^t / Z - (1 + t). *)
Lemma quotient_above j : (j < n)%nat -> exp (t j) / Z - (1 + t j) <= excess (T j) + 2 * z * exp (T j).
Proof.
  intros Hj. pose proof normalizer_bounds as [HZ _]. pose proof drift_nonneg. pose proof (exp_pos (t j)) as He.
  pose proof (excess_le _ _ (HT j Hj)) as Hx. fold t in Hx.
  assert (Het : exp (t j) <= exp (T j)).
  { assert (t j <= T j) as [Hlt | ->] by (eapply Rle_trans; [apply Rle_abs | apply HT; assumption]);
      [left; apply exp_increasing; assumption | lra]. }
  assert (HZ' : / Z <= 1 + 2 * z).
  { apply Rmult_le_reg_l with Z; [lra |]. rewrite Rinv_r by lra.
    assert (0 <= z * (1 - 2 * z)) by (apply Rmult_le_pos; lra).
    assert ((1 - z) * (1 + 2 * z) <= Z * (1 + 2 * z)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (exp (t j) / Z <= exp (t j) * (1 + 2 * z)) by (apply Rmult_le_compat_l; lra).
  assert (z * exp (t j) <= z * exp (T j)) by (apply Rmult_le_compat_l; assumption).
  unfold excess in *. lra.
Qed.

Lemma quotient_below j : (j < n)%nat -> - ((1 + T j) * ((Theta + z) / (1 + Theta + z))) <= exp (t j) / Z - (1 + t j).
Proof.
  intros Hj. pose proof normalizer_bounds as [HZ HZ']. pose proof drift_nonneg. pose proof total_excess_nonneg.
  pose proof (HT j Hj) as Ht. fold t in Ht. pose proof (Rabs_pos (t j)). pose proof (Rle_abs (t j)).
  pose proof (exp_ineq1_le (t j)) as He. set (D := 1 + Theta + z).
  assert (HD : 0 <= (Theta + z) / D).
  { apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; unfold D; lra]. }
  destruct (Rle_or_lt 0 (1 + t j)) as [Hpos | Hneg].
  - assert (Hq : (1 + t j) / D <= exp (t j) / Z).
    { apply Rmult_le_compat; [assumption | left; apply Rinv_0_lt_compat; unfold D; lra | assumption |].
      apply Rinv_le_contravar; unfold D; lra. }
    assert (E : (1 + t j) / D - (1 + t j) = - ((1 + t j) * ((Theta + z) / D))) by (unfold D; field; lra).
    assert ((1 + t j) * ((Theta + z) / D) <= (1 + T j) * ((Theta + z) / D)) by (apply Rmult_le_compat_r; lra).
    lra.
  - assert (0 < exp (t j) / Z).
    { apply Rmult_lt_0_compat; [apply exp_pos | apply Rinv_0_lt_compat; lra]. }
    assert (0 <= (1 + T j) * ((Theta + z) / D)) by (apply Rmult_le_pos; [lra | assumption]). lra.
Qed.

Theorem softmax_remainder j : (j < n)%nat ->
  - (P j * ((1 + T j) * ((total_excess + z) / (1 + total_excess + z)))) - Rabs (P j - p j) * (1 + T j)
  <= moved_weight j - p j * (1 + centred_score j)
  <= P j * (excess (T j) + 2 * z * exp (T j)) + Rabs (P j - p j) * (1 + T j).
Proof.
  intros Hj. pose proof HP as [H0 _]. specialize (H0 j Hj). rewrite moved_weight_centred. fold Theta t.
  pose proof (quotient_above j Hj) as Ha. pose proof (quotient_below j Hj) as Hb.
  apply (Rmult_le_compat_l (P j)) in Ha, Hb; try assumption.
  pose proof (HT j Hj) as Ht. fold t in Ht.
  assert (Hs : Rabs ((P j - p j) * (1 + t j)) <= Rabs (P j - p j) * (1 + T j)).
  { rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos |].
    eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_R1. lra. }
  apply abs_le_both in Hs.
  replace (P j * exp (t j) / Z - p j * (1 + t j))
    with (P j * (exp (t j) / Z - (1 + t j)) + (P j - p j) * (1 + t j)) by (unfold Rdiv; ring).
  lra.
Qed.

(* The weights are a probability again. *)
Lemma moved_weight_probability : sum n moved_weight = 1.
Proof.
  pose proof normalizer_bounds as [HZ _]. rewrite (sum_ext n _ (fun j => P j * exp (t j) / Z)).
  - rewrite sum_divide. fold Z. field. lra.
  - intros; apply moved_weight_centred.
Qed.

End Softmax.

(* What the code takes for z: sum_m |P_m - p_m| T_m + (sum_m |P_m - p_m|) drift, drift >= |sum_m p_m tau_m|. *)
Theorem softmax_drift n P p tau T drift :
  probability n P -> (forall j, (j < n)%nat -> Rabs (centred_score n p tau j) <= T j) ->
  Rabs (weighted_drift n p tau) <= drift ->
  Rabs (sum n (fun m => P m * centred_score n p tau m))
  <= sum n (fun m => Rabs (P m - p m) * T m) + sum n (fun m => Rabs (P m - p m)) * drift.
Proof.
  intros [_ H1] HT Hd. set (t := centred_score n p tau) in *. set (D := weighted_drift n p tau) in *.
  assert (E : sum n (fun m => P m * t m) = sum n (fun m => (P m - p m) * t m) + sum n (fun m => P m - p m) * D).
  { rewrite (sum_ext n (fun m => P m * t m) (fun m => (P m - p m) * t m + p m * t m)) by (intros; ring).
    rewrite sum_plus. f_equal.
    rewrite (sum_ext n (fun m => p m * t m) (fun m => p m * tau m - p m * D))
      by (intros; unfold t, centred_score; fold D; ring).
    rewrite !sum_minus, sum_scale_r, H1. unfold D, weighted_drift. ring. }
  rewrite E. eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat.
  - apply abs_sum_le; intros j Hj. rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | auto].
  - rewrite Rabs_mult. apply Rmult_le_compat; [apply Rabs_pos | apply Rabs_pos | | assumption].
    apply abs_sum_le; intros; lra.
Qed.
