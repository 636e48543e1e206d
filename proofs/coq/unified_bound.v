(* T4, the unified bound: this project's own theorem.

   For tokens in the ball of radius R, with z = a R^2 and z_g = R (a R + b) (ball.v), any mask, and c the largest column
   sum of P,

     ||D_X f|| <= ||V|| ( sqrt( c (1 + z_g^2) ) + z ),
     c <= min(n, e^(2 z_g)) unmasked,   c <= min(n, (1 + ln n) e^(2 z_g)) under the causal mask.

   It is T6 (pointwise_bound.v) with what the ball implies put in. For unit u, V^T u has length at most v, the values'
   variance along u is at most R^2 ||V^T u||^2, and ||g_i|| <= a R + b, so that

     alpha_i^2 <= ||V^T u||^2 + ||g_i||^2 R^2 ||V^T u||^2 <= v^2 (1 + z_g^2),     beta <= v z.

   Then max_j sum_i P_ij alpha_i^2 <= c v^2 (1 + z_g^2). The bounds on c are those of column_mass.v.

   Unmasked, min(n, e^(2 z_g)) <= e^(2 z_g) makes it independent of n: ||V|| (e^(z_g) sqrt(1 + z_g^2) + z). This is
   never above the mean-field bound T2 of Castin, Ablin and Peyre, ||V|| (1 + 3 z_g) e^(2 z_g), which thereby is proved
   for every n. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound.
From attcert Require Import ball column_mass.
Open Scope R_scope.

Section Unified.
Variables (h : head) (n : nat) (attends : mask) (X : tokens) (a b v R : R).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hh : head_bounds h a b v.
Hypothesis HR : 0 <= R.
Hypothesis HX : in_ball n (width h) R X.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation P := (weight h n attends X).
Local Notation z := (a * R ^ 2).
Local Notation zg := (R * (a * R + b)).

(* alpha_i^2 <= v^2 (1 + z_g^2) *)
Lemma row_factor_le i u : (i < n)%nat ->
  norm2 d (mat_vec k (transpose (value_matrix h)) u)
  + norm2 d (key_gradient h X i) * sum n (fun j => P i j * dot k u (value_deviation h n attends X i j) ^ 2)
  <= (v * sqrt (1 + zg ^ 2)) ^ 2 * norm2 k u.
Proof.
  intros Hi. set (N := norm2 d (mat_vec k (transpose (value_matrix h)) u)).
  assert (HV : N <= v ^ 2 * norm2 k u) by (destruct Hh; apply bounded_transpose; assumption).
  assert (Hg : norm2 d (key_gradient h X i) <= (a * R + b) ^ 2) by (eapply key_gradient_le; eassumption).
  assert (HS : sum n (fun j => P i j * dot k u (value_deviation h n attends X i j) ^ 2) <= R ^ 2 * N)
    by (apply value_variance_along_le; assumption).
  assert (HN : 0 <= N) by apply norm2_nonneg.
  apply Rle_trans with (N + (a * R + b) ^ 2 * (R ^ 2 * N)).
  - apply Rplus_le_compat_l. apply Rmult_le_compat; auto using norm2_nonneg.
    apply sum_nonneg; intros; apply Rmult_le_pos; [apply weight_nonneg; assumption | apply pow2_ge_0].
  - assert (Hz : 0 <= 1 + zg ^ 2) by (pose proof (pow2_ge_0 zg); lra).
    rewrite (Rpow_mult_distr v), pow2_sqrt by assumption.
    replace (N + (a * R + b) ^ 2 * (R ^ 2 * N)) with ((1 + zg ^ 2) * N) by ring.
    replace (v ^ 2 * (1 + zg ^ 2) * norm2 k u) with ((1 + zg ^ 2) * (v ^ 2 * norm2 k u)) by ring.
    apply Rmult_le_compat_l; assumption.
Qed.

(* Scores in the ball: what column_mass.v asks. *)
Lemma scores_in_ball i j m : (i < n)%nat -> (j < n)%nat -> (m < n)%nat -> score h X i j - score h X i m <= 2 * zg.
Proof. intros. eapply score_difference_le; eassumption. Qed.

Theorem unified_bound c :
  columns_below h n attends X c -> jacobian_bounded h n attends X (v * (sqrt (c * (1 + zg ^ 2)) + z)).
Proof.
  intros Hc. destruct (Nat.eq_dec n 0) as [-> | N0]; [apply jacobian_bounded_no_tokens |].
  assert (Hc0 : 0 <= c) by (eapply columns_nonneg; [exact Hmask | lia | exact Hc]).
  assert (Hz : 0 <= 1 + zg ^ 2) by (pose proof (pow2_ge_0 zg); lra).
  destruct (Hh) as [_ _ _ Ha Hb Hv].
  replace (v * (sqrt (c * (1 + zg ^ 2)) + z)) with (sqrt (c * (v * sqrt (1 + zg ^ 2)) ^ 2) + v * z).
  - apply (pointwise_bound h n attends X Hmask (fun _ => v * sqrt (1 + zg ^ 2))).
    + intros i u Hi. apply row_factor_le; assumption.
    + intros i Hi. eapply covariance_bounded; eassumption.
    + intros j Hj. rewrite sum_scale_r. apply Rmult_le_compat_r; [apply pow2_ge_0 | auto].
    + apply Rmult_le_pos; [assumption |]. apply Rmult_le_pos; [assumption | apply pow2_ge_0].
    + apply Rmult_le_pos; [assumption | apply pow2_ge_0].
  - rewrite (Rmult_plus_distr_l v). f_equal.
    rewrite (Rpow_mult_distr v), pow2_sqrt by assumption.
    replace (c * (v ^ 2 * (1 + zg ^ 2))) with (v ^ 2 * (c * (1 + zg ^ 2))) by ring.
    rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by assumption. reflexivity.
Qed.

End Unified.

(* ---- As Lipschitz constants on B_R^n ---- *)

Theorem unified_lipschitz_unmasked h n a b v R :
  head_bounds h a b v -> 0 <= R ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  let c := Rmin (INR n) (exp (2 * zg)) in
  lipschitz_on_ball h n unmasked R (v * (sqrt (c * (1 + zg ^ 2)) + z)).
Proof.
  intros Hh HR z zg c. apply lipschitz_from_jacobian; [apply unmasked_no_empty_row |]. intros X HX.
  apply unified_bound; auto using unmasked_no_empty_row.
  apply columns_below_min; [apply columns_below_n; apply unmasked_no_empty_row |].
  apply columns_below_unmasked. intros. eapply scores_in_ball; eassumption.
Qed.

Theorem unified_lipschitz_causal h n a b v R :
  head_bounds h a b v -> 0 <= R ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  let c := Rmin (INR n) ((1 + ln (INR n)) * exp (2 * zg)) in
  lipschitz_on_ball h n causal R (v * (sqrt (c * (1 + zg ^ 2)) + z)).
Proof.
  intros Hh HR z zg c. apply lipschitz_from_jacobian; [apply causal_no_empty_row |]. intros X HX.
  apply unified_bound; auto using causal_no_empty_row.
  apply columns_below_min; [apply columns_below_n; apply causal_no_empty_row |].
  apply columns_below_causal. intros. eapply scores_in_ball; eassumption.
Qed.

(* In one sentence: the derivative of attention at X along xi is at most that long. *)
Theorem unified_directional_derivative h n attends X xi D a b v R c :
  no_empty_row n attends -> head_bounds h a b v -> 0 <= R -> in_ball n (width h) R X -> columns_below h n attends X c ->
  directional_derivative h n attends X xi D ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  sqrt (sequence_norm2 n (rank h) D) <= v * (sqrt (c * (1 + zg ^ 2)) + z) * sqrt (sequence_norm2 n (width h) xi).
Proof.
  intros Hmask Hh HR HX Hc HD z zg.
  apply (directional_derivative_bound h n attends X); auto; [| apply unified_bound; assumption].
  destruct Hh. apply Rmult_le_pos; [assumption |]. apply Rplus_le_le_0_compat; [apply sqrt_pos |].
  apply Rmult_le_pos; [assumption | apply pow2_ge_0].
Qed.

(* ---- Independent of n ---- *)

Lemma lipschitz_weaken h n attends R L L' :
  0 <= L -> L <= L' -> lipschitz_on_ball h n attends R L -> lipschitz_on_ball h n attends R L'.
Proof.
  intros HL HLL H X Y HX HY. eapply Rle_trans; [apply H; assumption |].
  apply Rmult_le_compat_r; [apply sequence_norm2_nonneg |]. apply pow_incr; auto.
Qed.

Theorem mean_field_lipschitz h n a b v R :
  head_bounds h a b v -> 0 <= R ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  lipschitz_on_ball h n unmasked R (v * (exp zg * sqrt (1 + zg ^ 2) + z)).
Proof.
  intros Hh HR z zg. pose proof (exp_pos zg). apply lipschitz_from_jacobian; [apply unmasked_no_empty_row |].
  intros X HX.
  replace (exp zg * sqrt (1 + zg ^ 2)) with (sqrt (exp (2 * zg) * (1 + zg ^ 2))).
  - apply unified_bound; auto using unmasked_no_empty_row.
    apply columns_below_unmasked. intros. eapply scores_in_ball; eassumption.
  - replace (exp (2 * zg)) with (exp zg ^ 2) by (replace (2 * zg) with (zg + zg) by ring; rewrite exp_plus; ring).
    rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by lra. reflexivity.
Qed.

(* T2 of the paper, for every n: 1 + 3 z_g times e^(2 z_g). *)
Corollary paper_mean_field_lipschitz h n a b v R :
  head_bounds h a b v -> 0 <= R ->
  let zg := R * (a * R + b) in
  lipschitz_on_ball h n unmasked R (v * ((1 + 3 * zg) * exp (2 * zg))).
Proof.
  intros Hh HR zg. pose proof (mean_field_lipschitz h n a b v R Hh HR) as M. cbv zeta in M. fold zg in M.
  destruct Hh as [_ _ _ Ha Hb Hv].
  assert (Hz : 0 <= a * R ^ 2) by (apply Rmult_le_pos; [assumption | apply pow2_ge_0]).
  assert (Hzg : a * R ^ 2 <= zg) by (unfold zg; pose proof (Rmult_le_pos R b HR Hb); lra).
  assert (Hs : 0 <= sqrt (1 + zg ^ 2) <= 1 + zg).
  { split; [apply sqrt_pos |]. apply square_le_le; [| lra]. rewrite pow2_sqrt; nra. }
  assert (He : 1 <= exp zg) by (pose proof (exp_ineq1_le zg); lra).
  assert (E : exp (2 * zg) = exp zg * exp zg) by (rewrite <- exp_plus; f_equal; ring).
  apply (lipschitz_weaken h n unmasked R (v * (exp zg * sqrt (1 + zg ^ 2) + a * R ^ 2))); [| | exact M].
  - apply Rmult_le_pos; [assumption |]. pose proof (Rmult_le_pos (exp zg) (sqrt (1 + zg ^ 2))). lra.
  - apply Rmult_le_compat_l; [assumption |]. rewrite E.
    set (e := exp zg) in *. assert (Hee : e <= e * e) by nra.
    apply Rle_trans with (e * (1 + zg) + zg).
    + apply Rplus_le_compat; [apply Rmult_le_compat_l |]; lra.
    + assert (e * (1 + zg) <= e * e * (1 + zg)) by (apply Rmult_le_compat_r; lra).
      assert (zg * 1 <= zg * (e * e)) by (apply Rmult_le_compat_l; lra).
      assert (0 <= zg * (e * e)) by (apply Rmult_le_pos; lra). lra.
Qed.
