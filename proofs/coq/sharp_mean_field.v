(* T9, the mean-field regime: a bound independent of n, below that of T4.

   For tokens in the ball of radius R, with z = a R^2 and w = z_g = R (a R + b) (ball.v), and every number F with

     e^w (cosh w + t sinh w)(1 + w^2 (1 - t^2)) <= F   for all t in [0, 1],

     ||D_X f|| <= ||V|| ( sqrt(F) + z ) unmasked,   ||V|| ( sqrt( (1 + ln n) F ) + z ) under the causal mask.

   It is T6 (pointwise_bound.v) with column mass and variance bounded together, not one after the other as in T4. Let
   t_j = g_i . x_j / w in [-1, 1] and t = sum_j P_ij t_j. Then

     |N(i)| P_ij = sum_{m in N(i)} P_im e^(s_ij - s_im) <= sum_m P_im e^(w - w t_m) <= e^w (cosh w - t sinh w),

   as on [-1, 1] the convex e^(-w x) lies below its chord, and the variance of the tokens along any direction is at most
   R^2 - |m_i|^2, so that

     ||g_i||^2 (R^2 - |m_i|^2) <= w^2 - (g_i . m_i)^2 = w^2 (1 - t^2).

   Hence P_ij alpha_i^2 <= v^2 F / |N(i)|, with |t| for the t of F. For w = 0 all g_i . x_j are 0, and so is t. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound.
From attcert Require Import ball column_mass sharp_bound.
Open Scope R_scope.

Definition mean_field_term (w t : R) : R := exp w * (cosh w + t * sinh w) * (1 + w ^ 2 * (1 - t ^ 2)).

(* e^y lies above its tangent at s w, so e^(s w), with s w between -w and w, below the chord from -w to w. *)
Lemma exp_below_chord w s : -1 <= s <= 1 -> exp (s * w) <= cosh w + s * sinh w.
Proof.
  intros Hs.
  assert (Tangent : forall y, exp (s * w) * (1 + (y - s * w)) <= exp y).
  { intros y. replace (exp y) with (exp (s * w) * exp (y - s * w)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_ineq1_le]. }
  pose proof (Tangent w) as T1. pose proof (Tangent (- w)) as T2.
  apply (Rmult_le_compat_l ((1 + s) / 2)) in T1; [| lra]. apply (Rmult_le_compat_l ((1 - s) / 2)) in T2; [| lra].
  unfold cosh, sinh. lra.
Qed.

Lemma sinh_nonneg w : 0 <= w -> 0 <= sinh w.
Proof.
  intros Hw. unfold sinh. pose proof (exp_monotone (- w) w ltac:(lra)). lra.
Qed.

Section MeanField.
Variables (h : head) (n : nat) (attends : mask) (X : tokens) (a b v R F : R).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hh : head_bounds h a b v.
Hypothesis HR : 0 <= R.
Hypothesis HX : in_ball n (width h) R X.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation P := (weight h n attends X).
Local Notation g := (key_gradient h X).
Local Notation z := (a * R ^ 2).
Local Notation zg := (R * (a * R + b)).
Local Notation m i := (average n (P i) X).

(* t_j, and t *)
Definition along_gradient (i j : nat) := dot d (g i) (X j) / zg.
Definition mean_along_gradient (i : nat) := sum n (fun j => P i j * along_gradient i j).

Lemma along_gradient_spec i j : (i < n)%nat -> (j < n)%nat ->
  -1 <= along_gradient i j <= 1 /\ zg * along_gradient i j = dot d (g i) (X j).
Proof.
  intros Hi Hj. pose proof (gradient_dot_le h n X a b v R Hh HR HX i j Hi Hj) as B.
  pose proof (gradient_radius_nonneg h a b v R Hh HR) as Hz. unfold along_gradient.
  set (s := dot d (g i) (X j)) in *. set (w := zg) in *. destruct (Req_dec w 0) as [E | E].
  - assert (s = 0) as -> by lra. unfold Rdiv. rewrite Rmult_0_l. lra.
  - assert (Q : w * (s / w) = s) by (field; assumption). split; [| assumption].
    split; apply Rmult_le_reg_l with w; lra.
Qed.

Lemma mean_along_gradient_spec i : (i < n)%nat ->
  -1 <= mean_along_gradient i <= 1 /\ zg * mean_along_gradient i = dot d (g i) (m i).
Proof.
  intros Hi. pose proof (weight_probability h n attends Hmask X i Hi) as HP. unfold mean_along_gradient.
  assert (B : forall j, (j < n)%nat -> -1 <= along_gradient i j <= 1)
    by (intros; apply along_gradient_spec; assumption).
  repeat split.
  - assert (H : sum n (fun j => P i j * (-1 * along_gradient i j)) <= 1).
    { apply average_le; [assumption |]. intros j Hj. specialize (B j Hj). lra. }
    rewrite (sum_ext n _ (fun j => -1 * (P i j * along_gradient i j))), sum_scale in H by (intros; ring). lra.
  - apply average_le; [assumption |]. intros j Hj. apply B; assumption.
  - unfold average. rewrite dot_combination_r, <- sum_scale. apply sum_ext; intros j Hj.
    destruct (along_gradient_spec i j Hi Hj) as [_ <-]. ring.
Qed.

(* |N(i)| P_ij <= e^w (cosh w - t sinh w) *)
Lemma weight_by_mean i j : (i < n)%nat -> (j < n)%nat ->
  attended n attends i * P i j <= exp zg * (cosh zg - mean_along_gradient i * sinh zg).
Proof.
  intros Hi Hj. eapply Rle_trans; [apply (weight_by_differences h n attends X Hmask); assumption |].
  destruct (weight_probability h n attends Hmask X i Hi) as [H0 H1].
  apply Rle_trans with (sum n (fun l => exp zg * (cosh zg * P i l - sinh zg * (P i l * along_gradient i l)))).
  - apply sum_le; intros l Hl. destruct (along_gradient_spec i l Hi Hl) as [Hrange Hdot].
    pose proof (gradient_dot_le h n X a b v R Hh HR HX i j Hi Hj) as B.
    replace (exp zg * (cosh zg * P i l - sinh zg * (P i l * along_gradient i l)))
      with (P i l * (exp zg * (cosh zg + - along_gradient i l * sinh zg))) by ring.
    apply Rmult_le_compat_l; [auto |]. apply Rle_trans with (exp zg * exp (- along_gradient i l * zg)).
    + rewrite <- exp_plus. apply exp_monotone. rewrite !score_split. lra.
    + apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_below_chord; lra].
  - rewrite sum_scale, sum_minus, !sum_scale, H1. fold (mean_along_gradient i). right; ring.
Qed.

(* 1 + ||g_i||^2 (R^2 - |m_i|^2) *)
Definition variance_factor (i : nat) := 1 + norm2 d (g i) * (R ^ 2 - norm2 d (m i)).

Lemma variance_factor_range i : (i < n)%nat ->
  1 <= variance_factor i <= 1 + zg ^ 2 * (1 - mean_along_gradient i ^ 2).
Proof.
  intros Hi. destruct (mean_along_gradient_spec i Hi) as [_ Hdot]. unfold variance_factor.
  pose proof (average_in_ball n d (P i) X (weight_probability h n attends Hmask X i Hi) R HX) as Hm.
  pose proof (key_gradient_le h n X a b v R Hh HR HX i Hi) as Hg.
  pose proof (norm2_nonneg d (g i)). pose proof (cauchy_schwarz d (g i) (m i)) as C. rewrite <- Hdot in C.
  pose proof (pow2_ge_0 R). split; nra.
Qed.

Hypothesis HF : forall t, 0 <= t <= 1 -> mean_field_term zg t <= F.

Lemma weight_times_factor_le i j : (i < n)%nat -> (j < n)%nat ->
  P i j * variance_factor i <= F / attended n attends i.
Proof.
  intros Hi Hj. pose proof (attended_positive n attends i Hmask Hi) as HN. pose proof (weight_by_mean i j Hi Hj) as HW.
  destruct (mean_along_gradient_spec i Hi) as [Ht _]. pose proof (variance_factor_range i Hi) as Hr.
  pose proof (weight_nonneg h n attends Hmask X i j Hi Hj) as H0.
  set (t := mean_along_gradient i) in *.
  assert (Habs : - t <= Rabs t /\ 0 <= Rabs t <= 1 /\ Rabs t ^ 2 = t ^ 2).
  { rewrite pow2_abs. unfold Rabs. destruct (Rcase_abs t); lra. }
  destruct Habs as (Ha & Ha1 & Ha2). specialize (HF (Rabs t) Ha1). unfold mean_field_term in HF. rewrite Ha2 in HF.
  pose proof (gradient_radius_nonneg h a b v R Hh HR) as Hz. pose proof (sinh_nonneg zg Hz) as Hs.
  apply Rmult_le_reg_l with (attended n attends i); [assumption |].
  replace (attended n attends i * (F / attended n attends i)) with F by (field; lra).
  eapply Rle_trans; [| exact HF]. rewrite <- Rmult_assoc.
  apply Rmult_le_compat; [apply Rmult_le_pos; lra | lra | | lra].
  eapply Rle_trans; [exact HW |]. apply Rmult_le_compat_l; [left; apply exp_pos |].
  pose proof (Rmult_le_compat_r (sinh zg) _ _ Hs Ha). lra.
Qed.

(* alpha_i^2 = v^2 (1 + ||g_i||^2 (R^2 - |m_i|^2)) in T6. *)
Lemma variance_factor_le i u : (i < n)%nat ->
  norm2 d (mat_vec k (transpose (value_matrix h)) u)
  + norm2 d (g i) * sum n (fun j => P i j * dot k u (value_deviation h n attends X i j) ^ 2)
  <= (v * sqrt (variance_factor i)) ^ 2 * norm2 k u.
Proof.
  intros Hi. pose proof (variance_factor_range i Hi) as [Hr _].
  rewrite Rpow_mult_distr, pow2_sqrt by lra. set (w := mat_vec k (transpose (value_matrix h)) u).
  pose proof (weight_probability h n attends Hmask X i Hi) as HP.
  assert (HV : norm2 d w <= v ^ 2 * norm2 k u) by (destruct Hh; apply bounded_transpose; assumption).
  rewrite (value_variance_along h n attends X Hmask i u Hi). fold w.
  pose proof (variance_along_le_total n d (P i) X HP w) as HS.
  pose proof (variance_plus_mean_le n d (P i) X HP R HX) as HM.
  pose proof (norm2_nonneg d w) as Hw. pose proof (norm2_nonneg d (g i)) as Hg.
  apply Rle_trans with (variance_factor i * norm2 d w); [| nra].
  unfold variance_factor. rewrite Rmult_plus_distr_r, Rmult_1_l, Rmult_assoc. apply Rplus_le_compat_l.
  apply Rmult_le_compat_l; [assumption |]. eapply Rle_trans; [exact HS |]. apply Rmult_le_compat_r; lra.
Qed.

Lemma mean_field_bound_nonneg : 0 <= F.
Proof.
  specialize (HF 1 ltac:(lra)). unfold mean_field_term in HF.
  replace (exp zg * (cosh zg + 1 * sinh zg) * (1 + zg ^ 2 * (1 - 1 ^ 2))) with (exp zg * exp zg) in HF
    by (unfold cosh, sinh; field).
  pose proof (exp_pos zg). nra.
Qed.

(* Any mask, with c >= sum_i 1/|N(i)|. *)
Theorem sharp_mean_field c :
  sum n (fun i => / attended n attends i) <= c -> jacobian_bounded h n attends X (v * (sqrt (c * F) + z)).
Proof.
  intros Hc. pose proof mean_field_bound_nonneg as HF0. destruct (Hh) as [_ _ _ Ha _ Hv].
  assert (Hc0 : 0 <= c).
  { eapply Rle_trans; [| exact Hc]. apply sum_nonneg; intros i Hi. left; apply Rinv_0_lt_compat.
    apply attended_positive; assumption. }
  replace (v * (sqrt (c * F) + z)) with (sqrt (c * (v ^ 2 * F)) + v * z).
  - apply (pointwise_bound h n attends X Hmask (fun i => v * sqrt (variance_factor i))).
    + intros i u Hi. apply variance_factor_le; assumption.
    + intros i Hi. eapply covariance_bounded; eassumption.
    + intros j Hj. apply (sum_by_attended n attends);
        [apply Rmult_le_pos; [apply pow2_ge_0 | assumption] | | assumption].
      intros i Hi. pose proof (variance_factor_range i Hi) as [Hr _].
      rewrite Rpow_mult_distr, pow2_sqrt by lra.
      replace (P i j * (v ^ 2 * variance_factor i)) with (v ^ 2 * (P i j * variance_factor i)) by ring.
      unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
      apply weight_times_factor_le; assumption.
    + apply Rmult_le_pos; [assumption |]. apply Rmult_le_pos; [assumption | apply pow2_ge_0].
    + apply Rmult_le_pos; [assumption |]. apply Rmult_le_pos; [apply pow2_ge_0 | assumption].
  - rewrite (Rmult_plus_distr_l v). f_equal. replace (c * (v ^ 2 * F)) with (v ^ 2 * (c * F)) by ring.
    rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by assumption. reflexivity.
Qed.

End MeanField.

Theorem sharp_mean_field_unmasked h n X a b v R F :
  head_bounds h a b v -> 0 <= R -> in_ball n (width h) R X ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  (forall t, 0 <= t <= 1 -> mean_field_term zg t <= F) ->
  jacobian_bounded h n unmasked X (v * (sqrt F + z)).
Proof.
  intros Hh HR HX z zg HF. destruct (Nat.eq_dec n 0) as [-> | N0]; [apply jacobian_bounded_no_tokens |].
  replace F with (1 * F) by ring.
  eapply sharp_mean_field; eauto using unmasked_no_empty_row. apply inverse_attended_unmasked. lia.
Qed.

Theorem sharp_mean_field_causal h n X a b v R F :
  head_bounds h a b v -> 0 <= R -> in_ball n (width h) R X ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  (forall t, 0 <= t <= 1 -> mean_field_term zg t <= F) ->
  jacobian_bounded h n causal X (v * (sqrt ((1 + ln (INR n)) * F) + z)).
Proof.
  intros Hh HR HX z zg HF. destruct (Nat.eq_dec n 0) as [-> | N0]; [apply jacobian_bounded_no_tokens |].
  eapply sharp_mean_field; eauto using causal_no_empty_row. apply inverse_attended_causal. lia.
Qed.

(* The smallest F: f = mean_field_term w is largest on [0, 1] at the zero t0 of its derivative
   S (1 + w^2) - 2 w^2 C t - 3 w^2 S t^2, C = e^w cosh w and S = e^w sinh w, or at 1 where that is not negative, as

     f(t) - f(t0) = f'(t0) (t - t0) - w^2 (C + 2 S t0 + S t) (t - t0)^2. *)
Lemma mean_field_maximum w t0 t :
  0 <= w -> 0 <= t0 <= 1 -> 0 <= t <= 1 ->
  let C := exp w * cosh w in
  let S := exp w * sinh w in
  let slope := S * (1 + w ^ 2) - 2 * w ^ 2 * C * t0 - 3 * w ^ 2 * S * t0 ^ 2 in
  slope = 0 \/ t0 = 1 /\ 0 <= slope ->
  mean_field_term w t <= mean_field_term w t0.
Proof.
  intros Hw Ht0 Ht C S slope Hslope. pose proof (exp_pos w) as He. pose proof (exp_pos (- w)) as He'.
  assert (HC : 0 <= C) by (apply Rmult_le_pos; unfold cosh; lra).
  assert (HS : 0 <= S) by (apply Rmult_le_pos; [lra | apply sinh_nonneg; assumption]).
  assert (E : mean_field_term w t - mean_field_term w t0
    = slope * (t - t0) - w ^ 2 * (C + 2 * S * t0 + S * t) * (t - t0) ^ 2)
    by (unfold mean_field_term, slope, C, S; ring).
  assert (H1 : slope * (t - t0) <= 0) by (destruct Hslope as [-> | [-> Hs]]; [lra | nra]).
  assert (H2 : 0 <= w ^ 2 * (C + 2 * S * t0 + S * t) * (t - t0) ^ 2).
  { pose proof (Rmult_le_pos S t0). pose proof (Rmult_le_pos S t).
    apply Rmult_le_pos; [apply Rmult_le_pos |]; try apply pow2_ge_0; lra. }
  lra.
Qed.

(* ---- Both regimes, as Lipschitz constants on B_R^n ---- *)

Theorem sharp_lipschitz_unmasked h n a b v R F :
  head_bounds h a b v -> 0 <= R ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  (forall t, 0 <= t <= 1 -> mean_field_term zg t <= F) ->
  lipschitz_on_ball h n unmasked R (v * (sqrt (Rmin (INR n * row_factor zg) F) + z)).
Proof.
  intros Hh HR z zg HF. apply lipschitz_from_jacobian; [apply unmasked_no_empty_row |]. intros X HX.
  apply Rmin_case; [apply sharp_bound | eapply sharp_mean_field_unmasked]; eauto using unmasked_no_empty_row.
Qed.

Theorem sharp_lipschitz_causal h n a b v R F :
  head_bounds h a b v -> 0 <= R ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  (forall t, 0 <= t <= 1 -> mean_field_term zg t <= F) ->
  lipschitz_on_ball h n causal R (v * (sqrt (Rmin (INR n * row_factor zg) ((1 + ln (INR n)) * F)) + z)).
Proof.
  intros Hh HR z zg HF. apply lipschitz_from_jacobian; [apply causal_no_empty_row |]. intros X HX.
  apply Rmin_case; [apply sharp_bound | eapply sharp_mean_field_causal]; eauto using causal_no_empty_row.
Qed.

(* ---- Not above T4, which has n (1 + w^2) and e^(2w) (1 + w^2) in these places ---- *)

Lemma row_factor_le_unified w : 0 <= w -> row_factor w <= 1 + w ^ 2 / 2.
Proof.
  intros Hw. unfold row_factor. destruct (Rle_dec (1 / 2) w); [| pose proof (pow2_ge_0 w); lra].
  assert (H : 0 <= 1 / (4 * w) <= 1 / 2).
  { assert (Hi : 0 < 1 / (4 * w)) by (apply Rdiv_lt_0_compat; lra). split; [lra |].
    apply Rmult_le_reg_r with (4 * w); [lra |]. replace (1 / (4 * w) * (4 * w)) with 1 by (field; lra). lra. }
  assert (E : w * (1 / (4 * w)) = 1 / 4) by (field; lra). set (q := 1 / (4 * w)) in *. nra.
Qed.

Lemma mean_field_term_le_unified w t : 0 <= w -> 0 <= t <= 1 -> mean_field_term w t <= exp (2 * w) * (1 + w ^ 2).
Proof.
  intros Hw Ht. pose proof (sinh_nonneg w Hw) as Hs. pose proof (exp_pos w) as He. pose proof (exp_pos (- w)) as He'.
  assert (Hc : 0 <= cosh w) by (unfold cosh; lra).
  assert (E : exp w * (cosh w + 1 * sinh w) = exp (2 * w)).
  { replace (2 * w) with (w + w) by ring. rewrite exp_plus. unfold cosh, sinh. field. }
  unfold mean_field_term. rewrite <- E. pose proof (pow2_ge_0 w).
  apply Rmult_le_compat.
  - apply Rmult_le_pos; [lra |]. pose proof (Rmult_le_pos t (sinh w)). lra.
  - assert (0 <= w ^ 2 * (1 - t ^ 2)) by (apply Rmult_le_pos; nra). lra.
  - apply Rmult_le_compat_l; [lra |]. apply Rplus_le_compat_l. apply Rmult_le_compat_r; lra.
  - apply Rplus_le_compat_l. nra.
Qed.
