(* How far one head's weights, deviations and forms can move in a region of radius tau: the numbers that
   src/ball/ball_change.c computes from the sizes at X, and that they hold at X + E for every E of the region.

     t = rate tau + bend tau^2 ||A||,   Zb_i = 1 + sum_m P_im (e^t_im - 1 - t_im),   eta = max(e^t - 1, 1 - e^-t / Zb)
     excess = min(P eta, 1),   lower = P e^-t / Zb,   upper = min(P + P eta, 1)
     coefficient_ij = ((1 - lower_ij)^2 + sum_{m != j} upper_im^2)^{1/2}
     offset = tau coefficient on the sequence's ball, 2 tau (1 - lower) on the tokens'
     turn = ||A|| (|e_i| coefficient + offset) + |g_i| (sum_m excess_im^2)^{1/2} + sum_m excess_im |h_m - hbar_i|
     stretch = ||V|| offset + sum_m excess_im |w_im|,     |e_i| <= tau, and 0 where i does not move. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
From attcert Require Import softmax_mean second_derivative norm growth weight_change curvature_terms form_change gram.
From attcert Require Import region_change ball_geometry.
Open Scope R_scope.

Section Numbers.
Variables (moving : nat -> bool) (kind : ball_kind) (n : nat) (g : geometry) (tau : R).

Definition exponent : matrix := fun i j => rate g i j * tau + bend g i j * tau ^ 2 * score_size g.
Definition normalizer_high (i : nat) : R := normalizer_bound n (weight_high g i) (exponent i).
Definition eta : matrix := fun i j => weight_change n (weight_high g i) (exponent i) j.
Definition excess : matrix := fun i j => Rmin (weight_high g i j * eta i j) 1.
Definition lower : matrix := fun i j => weight_low g i j * (exp (- exponent i j) / normalizer_high i).
Definition upper : matrix := fun i j => Rmin (weight_high g i j + weight_high g i j * eta i j) 1.

Definition coefficient : matrix := fun i j => sqrt ((1 - lower i j) ^ 2 + norm2 n (upper i) - upper i j ^ 2).
Definition offset_size : matrix :=
  fun i j => match kind with sequence_kind => coefficient i j | token_kind => 2 * (1 - lower i j) end * tau.
Definition turn : matrix := fun i j =>
  (coefficient i j * (if moving i then tau else 0) + offset_size i j) * score_size g
  + gradient_size g i * norm n (excess i) + sum n (fun r => excess i r * key_size g i r).
Definition stretch : matrix := fun i j =>
  offset_size i j * value_size g + sum n (fun r => excess i r * deviation_size g i r).

End Numbers.

Section Change.
Variables (moving : nat -> bool) (kind : ball_kind) (h : head) (n : nat) (attends : mask) (m : nat) (W : matrix).
Variables (X E : tokens) (g : geometry) (tau : R).
Local Notation d := (width h).
Local Notation P := (weight h n attends X).
Local Notation P' := (weight h n attends (displaced X E)).
Local Notation t := (centred_change h n attends X E).
Local Notation exponent := (exponent g tau).
Local Notation normalizer_high := (normalizer_high n g tau).
Local Notation eta := (eta n g tau).
Local Notation excess := (excess n g tau).
Local Notation lower := (lower n g tau).
Local Notation upper := (upper n g tau).
Local Notation coefficient := (coefficient n g tau).
Local Notation offset_size := (offset_size kind n g tau).
Local Notation turn := (turn moving kind n g tau).
Local Notation stretch := (stretch kind n g tau).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Htau : 0 <= tau.
Hypothesis Hg : geometry_holds moving kind h n attends m W X g.
Hypothesis HE : ball kind moving n d tau E.

Lemma ball_moves : moves_only moving n d E.
Proof. destruct kind; apply HE. Qed.

(* ---- Scores ---- *)

Lemma rate_le i j : (i < n)%nat -> (j < n)%nat -> attends i j = true ->
  Rabs (slope h n attends X E i j) <= rate g i j * tau.
Proof.
  intros Hi Hj Hij. pose proof (rate_holds _ _ _ _ _ _ _ _ _ Hg i j Hi Hj Hij) as H.
  apply Rle_trans with (rate_of_kind moving kind h n attends X i j * tau);
    [| apply Rmult_le_compat_r; assumption].
  destruct kind; [apply slope_in_sequence_ball | apply slope_in_token_ball]; assumption.
Qed.

Lemma bend_le i j : (i < n)%nat -> (j < n)%nat -> attends i j = true ->
  norm d (E i) * norm d (centred_displacement h n attends X E i j) <= bend g i j * tau ^ 2.
Proof.
  intros Hi Hj Hij. pose proof (bend_holds _ _ _ _ _ _ _ _ _ Hg i j Hi Hj Hij) as H.
  apply Rle_trans with (bend_of_kind moving kind h n attends X i j * tau ^ 2);
    [| apply Rmult_le_compat_r; [apply pow2_ge_0 | assumption]].
  destruct kind; [apply bend_in_sequence_ball | apply bend_in_token_ball]; assumption.
Qed.

Lemma exponent_nonneg i j : 0 <= exponent i j.
Proof.
  destruct Hg. apply Rplus_le_le_0_compat; [apply Rmult_le_pos; auto |].
  apply Rmult_le_pos; [apply Rmult_le_pos; [auto | apply pow2_ge_0] | assumption].
Qed.

Theorem exponent_holds i j : (i < n)%nat -> (j < n)%nat -> attends i j = true -> Rabs (t i j) <= exponent i j.
Proof.
  intros Hi Hj Hij. pose proof (score_nonneg _ _ _ _ _ _ _ _ _ Hg) as Ha.
  eapply Rle_trans; [apply (centred_change_le h n attends X E (score_size g));
    auto; apply (score_holds _ _ _ _ _ _ _ _ _ Hg) |].
  unfold ball_change.exponent. apply Rplus_le_compat; [apply rate_le; assumption |].
  rewrite (Rmult_comm (bend g i j * tau ^ 2)). apply Rmult_le_compat_l; [assumption | apply bend_le; assumption].
Qed.

(* ---- Weights ---- *)

(* |t_ij|, whether i attends to j or not. *)
Definition change_size (i j : nat) : R := if attends i j then exponent i j else Rabs (t i j).

Lemma change_size_holds i j : (i < n)%nat -> (j < n)%nat -> Rabs (t i j) <= change_size i j.
Proof. intros. unfold change_size. destruct (attends i j) eqn:Hij; [apply exponent_holds; assumption | lra]. Qed.

Lemma excess_of_exp_nonneg b : 0 <= exp b - 1 - b.
Proof. pose proof (exp_ge_line b). lra. Qed.

Lemma normalizer_high_ge_1 i : 1 <= normalizer_high i.
Proof.
  destruct Hg. unfold ball_change.normalizer_high, normalizer_bound.
  assert (0 <= sum n (fun r => weight_high g i r * (exp (exponent i r) - 1 - exponent i r))); [| lra].
  apply sum_nonneg; intros. apply Rmult_le_pos; [auto | apply excess_of_exp_nonneg].
Qed.

Lemma normalizer_bound_le i : (i < n)%nat -> normalizer_bound n (P i) (change_size i) <= normalizer_high i.
Proof.
  intros Hi. apply Rplus_le_compat_l. apply sum_le; intros j Hj. unfold change_size.
  destruct (attends i j) eqn:Hij.
  - apply Rmult_le_compat_r; [apply excess_of_exp_nonneg |]. apply (weight_holds _ _ _ _ _ _ _ _ _ Hg); assumption.
  - rewrite weight_unattended, (weight_masked _ _ _ _ _ _ _ _ _ Hg) by assumption. lra.
Qed.

(* e^-t / Zb, with the larger Zb. *)
Lemma factor_le i j : (i < n)%nat -> attends i j = true -> 1 <= normalizer_bound n (P i) (change_size i) ->
  exp (- exponent i j) / normalizer_high i <= exp (- change_size i j) / normalizer_bound n (P i) (change_size i).
Proof.
  intros Hi Hij H1. unfold change_size at 1. rewrite Hij. pose proof (normalizer_bound_le i Hi).
  apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rinv_le_contravar; lra.
Qed.

Lemma factor_nonneg i j : 0 <= exp (- exponent i j) / normalizer_high i.
Proof.
  pose proof (normalizer_high_ge_1 i). apply Rmult_le_pos; [left; apply exp_pos |].
  left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma eta_nonneg i j : 0 <= eta i j.
Proof.
  eapply Rle_trans; [| apply Rmax_l]. pose proof (exp_ge_line (exponent i j)). pose proof (exponent_nonneg i j). lra.
Qed.

Lemma changed_weights i : (i < n)%nat -> 1 <= normalizer_bound n (P i) (change_size i) /\
  forall j, (j < n)%nat ->
    P i j * (exp (- change_size i j) / normalizer_bound n (P i) (change_size i)) <= P' i j /\
    Rabs (P' i j - P i j) <= P i j * weight_change n (P i) (change_size i) j.
Proof.
  intros Hi. pose proof (weight_probability h n attends Hmask X i Hi) as Hp.
  pose proof (centred_change_mean h n attends X E Hmask i Hi) as Ht.
  assert (Hb : forall j, (j < n)%nat -> Rabs (t i j) <= change_size i j)
    by (intros; apply change_size_holds; assumption).
  split.
  - destruct (normalizer_between n (P i) (t i) (change_size i) Hp Ht Hb). lra.
  - intros j Hj. rewrite weight_displaced by assumption. split.
    + apply (changed_weight_between n (P i) (t i) (change_size i) Hp Ht Hb j Hj).
    + apply (weight_change_le n (P i) (t i) (change_size i) Hp Ht Hb j Hj).
Qed.

Lemma weight_high_of_masked i j : (i < n)%nat -> (j < n)%nat -> attends i j = false ->
  excess i j = 0 /\ upper i j = 0.
Proof.
  intros Hi Hj Hij. unfold ball_change.excess, ball_change.upper.
  rewrite (weight_masked _ _ _ _ _ _ _ _ _ Hg) by assumption.
  rewrite Rmult_0_l, Rplus_0_l, Rmin_left by lra. auto.
Qed.

Lemma change_and_weight_le i j : (i < n)%nat -> (j < n)%nat -> attends i j = true ->
  Rabs (P' i j - P i j) <= weight_high g i j * eta i j.
Proof.
  intros Hi Hj Hij. destruct (changed_weights i Hi) as [H1 H]. destruct (H j Hj) as [_ HC].
  eapply Rle_trans; [exact HC |].
  apply Rmult_le_compat.
  - apply weight_nonneg; assumption.
  - eapply Rle_trans; [| apply Rmax_l]. unfold change_size. rewrite Hij.
    pose proof (exp_ge_line (exponent i j)). pose proof (exponent_nonneg i j). lra.
  - apply (weight_holds _ _ _ _ _ _ _ _ _ Hg); assumption.
  - pose proof (factor_le i j Hi Hij H1) as F. unfold ball_change.eta, weight_change.
    change (normalizer_bound n (weight_high g i) (exponent i)) with (normalizer_high i).
    replace (exp (change_size i j)) with (exp (exponent i j)) by (unfold change_size; rewrite Hij; reflexivity).
    apply Rle_max_compat_l. lra.
Qed.

Theorem excess_holds i j : (i < n)%nat -> (j < n)%nat -> Rabs (P' i j - P i j) <= excess i j.
Proof.
  intros Hi Hj. destruct (attends i j) eqn:Hij.
  - apply Rmin_glb; [apply change_and_weight_le; assumption |].
    pose proof (weight_probability h n attends Hmask X i Hi) as Hp.
    pose proof (weight_probability h n attends Hmask (displaced X E) i Hi) as Hp'.
    pose proof (probability_le_1 n _ j Hp Hj). pose proof (probability_le_1 n _ j Hp' Hj).
    pose proof (proj1 Hp j Hj). pose proof (proj1 Hp' j Hj). apply Rabs_le. lra.
  - rewrite !weight_unattended by assumption. destruct (weight_high_of_masked i j Hi Hj Hij) as [-> _].
    rewrite Rminus_0_r, Rabs_R0. lra.
Qed.

Theorem upper_holds i j : (i < n)%nat -> (j < n)%nat -> P' i j <= upper i j.
Proof.
  intros Hi Hj. destruct (attends i j) eqn:Hij.
  - apply Rmin_glb.
    + pose proof (change_and_weight_le i j Hi Hj Hij). pose proof (Rle_abs (P' i j - P i j)).
      pose proof (weight_holds _ _ _ _ _ _ _ _ _ Hg i j Hi Hj). lra.
    + apply (probability_le_1 n (P' i)); [apply weight_probability |]; assumption.
  - rewrite weight_unattended by assumption. destruct (weight_high_of_masked i j Hi Hj Hij) as [_ ->]. lra.
Qed.

Theorem lower_holds i j : (i < n)%nat -> (j < n)%nat -> lower i j <= P' i j.
Proof.
  intros Hi Hj. pose proof (factor_nonneg i j) as F0.
  pose proof (weight_holds _ _ _ _ _ _ _ _ _ Hg i j Hi Hj) as [HW _].
  apply Rle_trans with (P i j * (exp (- exponent i j) / normalizer_high i));
    [apply Rmult_le_compat_r; assumption |].
  destruct (attends i j) eqn:Hij.
  - destruct (changed_weights i Hi) as [H1 H]. eapply Rle_trans; [| apply (H j Hj)].
    apply Rmult_le_compat_l; [apply weight_nonneg; assumption | apply factor_le; assumption].
  - rewrite !weight_unattended by assumption. lra.
Qed.

Lemma excess_nonneg i j : 0 <= excess i j.
Proof.
  destruct Hg. apply Rmin_glb; [| lra]. apply Rmult_le_pos; [auto | apply eta_nonneg].
Qed.

Lemma upper_nonneg i j : 0 <= upper i j.
Proof.
  destruct Hg. apply Rmin_glb; [| lra]. apply Rplus_le_le_0_compat; [auto |].
  apply Rmult_le_pos; [auto | apply eta_nonneg].
Qed.

(* ---- Coefficients and offsets ---- *)

Theorem coefficient_holds i j : (i < n)%nat -> (j < n)%nat ->
  norm n (centring h n attends (displaced X E) i j) <= coefficient i j.
Proof.
  intros Hi Hj. apply (centred_norm_le n (P' i)); auto using weight_probability, lower_holds, upper_holds.
Qed.

Theorem offset_holds i j : (i < n)%nat -> (j < n)%nat ->
  norm d (offset h n attends X E i j) <= offset_size i j.
Proof.
  intros Hi Hj. pose proof (coefficient_holds i j Hi Hj) as HC. pose proof (lower_holds i j Hi Hj) as HL.
  pose proof (weight_probability h n attends Hmask (displaced X E) i Hi) as Hp.
  unfold offset, ball_change.offset_size. destruct kind.
  - eapply Rle_trans; [apply (offset_in_sequence_ball n (P' i) moving d tau); assumption |].
    apply Rmult_le_compat_r; assumption.
  - apply (offset_in_token_ball n (P' i) Hp moving d tau); assumption.
Qed.

Lemma displacement_holds i : (i < n)%nat -> norm d (E i) <= if moving i then tau else 0.
Proof.
  intros Hi. destruct (moving i) eqn:Ei; [| right; apply (still_token moving h n E); auto using ball_moves].
  destruct kind; destruct HE as [_ H].
  - eapply Rle_trans; [apply (row_norm_le n); assumption |]. apply sequence_norm_le; assumption.
  - apply norm_le; [assumption | apply H; assumption].
Qed.

Lemma offset_size_nonneg i j : (i < n)%nat -> (j < n)%nat -> 0 <= offset_size i j.
Proof. intros Hi Hj. eapply Rle_trans; [apply norm_nonneg | apply offset_holds; assumption]. Qed.

(* A sum over what row i attends to. *)
Lemma shift_le (z size : nat -> nat -> R) i : (i < n)%nat ->
  (forall r, (r < n)%nat -> attends i r = true -> z i r <= size i r) ->
  sum n (fun r => excess i r * z i r) <= sum n (fun r => excess i r * size i r).
Proof.
  intros Hi H. apply sum_le; intros r Hr. destruct (attends i r) eqn:Hir.
  - apply Rmult_le_compat_l; [apply excess_nonneg | auto].
  - destruct (weight_high_of_masked i r Hi Hr Hir) as [-> _]. lra.
Qed.

(* ---- Delta and D ---- *)

Theorem turn_holds i j : (i < n)%nat -> (j < n)%nat ->
  slope_change h n attends X E excess (score_size g) i j <= turn i j.
Proof.
  intros Hi Hj. pose proof (score_nonneg _ _ _ _ _ _ _ _ _ Hg) as Ha.
  pose proof (offset_holds i j Hi Hj) as HO. pose proof (coefficient_holds i j Hi Hj) as HC.
  pose proof (displacement_holds i Hi) as HD. pose proof (gradient_holds _ _ _ _ _ _ _ _ _ Hg i Hi) as HG.
  pose proof (shift_le (fun i r => norm d (deviation n (P i) (query_gradient h X) r)) (key_size g) i Hi
    (fun r Hr Hir => key_holds _ _ _ _ _ _ _ _ _ Hg i r Hi Hr Hir)) as HK. cbv beta in HK.
  unfold slope_change, ball_change.turn. set (c' := norm n (centring h n attends (displaced X E) i j)) in *.
  set (o := norm d (offset h n attends X E i j)) in *. set (e := norm d (E i)) in *.
  assert (B1 : e * c' <= (if moving i then tau else 0) * coefficient i j)
    by (apply Rmult_le_compat; try apply norm_nonneg; assumption).
  assert (B2 : norm d (key_gradient h X i) * norm n (excess i) <= gradient_size g i * norm n (excess i))
    by (apply Rmult_le_compat_r; [apply norm_nonneg | assumption]).
  apply (Rmult_le_compat_l (score_size g)) in B1; [| assumption].
  apply (Rmult_le_compat_l (score_size g)) in HO; [| assumption]. lra.
Qed.

Lemma turn_nonneg i j : (i < n)%nat -> (j < n)%nat -> 0 <= turn i j.
Proof.
  intros Hi Hj. eapply Rle_trans; [| apply turn_holds; assumption]. destruct Hg. unfold slope_change.
  repeat apply Rplus_le_le_0_compat; try (repeat apply Rmult_le_pos; auto using norm_nonneg).
  apply sum_nonneg; intros. apply Rmult_le_pos; [apply excess_nonneg | apply norm_nonneg].
Qed.

Theorem slope_moves F i j : (i < n)%nat -> (j < n)%nat ->
  Rabs (slope h n attends (displaced X E) F i j - slope h n attends X F i j) <= turn i j * sequence_norm n d F.
Proof.
  intros Hi Hj. pose proof (score_nonneg _ _ _ _ _ _ _ _ _ Hg) as Ha.
  pose proof (score_holds _ _ _ _ _ _ _ _ _ Hg) as HA.
  eapply Rle_trans; [apply (slope_change_le h n attends X E excess (score_size g) Hmask excess_holds Ha HA);
    assumption |].
  apply Rmult_le_compat_r; [apply sequence_norm_nonneg | apply turn_holds; assumption].
Qed.

Theorem deviation_moves i j : (i < n)%nat -> (j < n)%nat ->
  norm m (fun r => projected_deviation h n attends W (displaced X E) i j r - projected_deviation h n attends W X i j r)
  <= stretch i j.
Proof.
  intros Hi Hj. pose proof (value_nonneg _ _ _ _ _ _ _ _ _ Hg) as Hv.
  pose proof (offset_holds i j Hi Hj) as HO.
  pose proof (shift_le (fun i r => norm m (projected_deviation h n attends W X i r)) (deviation_size g) i Hi
    (fun r Hr Hir => deviation_holds _ _ _ _ _ _ _ _ _ Hg i r Hi Hr Hir)) as HK. cbv beta in HK.
  eapply Rle_trans; [apply (value_deviation_change_le h n attends X E excess (value_size g) Hmask excess_holds m W);
    auto; apply (value_holds _ _ _ _ _ _ _ _ _ Hg) |].
  apply (Rmult_le_compat_l (value_size g)) in HO; [| assumption].
  unfold ball_change.stretch, projected_deviation in *. lra.
Qed.

Lemma stretch_nonneg i j : (i < n)%nat -> (j < n)%nat -> 0 <= stretch i j.
Proof. intros Hi Hj. eapply Rle_trans; [apply norm_nonneg | apply deviation_moves; assumption]. Qed.

End Change.
