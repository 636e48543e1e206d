(* How far a row of softmax weights can change when its scores do.

   Let p be probabilities, t_j changes of the scores with sum_j p_j t_j = 0 and |t_j| <= b_j. The weights become
   p'_j = p_j e^{t_j} / Z, Z = sum_m p_m e^{t_m}, where

     1 <= Z <= Zb = 1 + sum_m p_m (e^{b_m} - 1 - b_m),     so   p_j e^{-b_j} / Zb <= p'_j <= p_j e^{b_j},
     |p'_j - p_j| <= p_j eta_j,     eta_j = max(e^{b_j} - 1, 1 - e^{-b_j} / Zb).

   Proof. e^t >= 1 + t and sum p t = 0 give 1 <= Z (Jensen). Z - 1 = sum p (e^t - 1 - t), and e^t - 1 - t is at most its
   value at |t|, since e^s - e^{-s} >= 2 s for s >= 0, and grows there.

   For attention t_ij, the change of s_ij less its mean over P_i, is phi_ij(E) + sum_m c_ijm e_m . A e_i at X + E, as a
   score is quadratic. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
From attcert Require Import softmax_mean second_derivative norm growth.
Open Scope R_scope.

Lemma exp_ge_line x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [-> | H]; [rewrite exp_0; lra | left; apply exp_ineq1; assumption]. Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H | ->]; [left; apply exp_increasing; assumption | right; reflexivity]. Qed.

(* e^s - e^{-s} >= 2 s: the derivative of the difference is e^u + e^{-u} - 2 >= 0. *)
Lemma exp_difference_ge s : 0 <= s -> 2 * s <= exp s - exp (- s).
Proof.
  intros [Hs | <-]; [| rewrite Ropp_0; lra].
  destruct (MVT_cor2 (fun u => exp u - exp (- u)) (fun u => exp u - exp (- u) * -1) 0 s Hs) as (u & E & _).
  - intros u _. apply (derivable_pt_lim_minus exp (fun v => exp (- v))); [apply derivable_pt_lim_exp |].
    apply (derivable_pt_lim_comp (fun v => - v) exp); [| apply derivable_pt_lim_exp].
    apply (derivative_ext (fun v => 0 + v * -1)); [intros; ring | apply derivative_line].
  - cbv beta in E. rewrite Ropp_0, exp_0 in E.
    pose proof (exp_ge_line u). pose proof (exp_ge_line (- u)). nra.
Qed.

(* e^t - 1 - t <= e^b - 1 - b for |t| <= b. *)
Lemma exp_excess_le t b : Rabs t <= b -> exp t - 1 - t <= exp b - 1 - b.
Proof.
  intros H. apply Rle_trans with (exp (Rabs t) - 1 - Rabs t).
  - unfold Rabs. destruct (Rcase_abs t) as [Ht | Ht]; [| lra].
    pose proof (exp_difference_ge (- t)) as D. rewrite Ropp_involutive in D. lra.
  - pose proof (Rabs_pos t) as Hp. set (s := Rabs t) in *.
    assert (E : exp b = exp s * exp (b - s)) by (rewrite <- exp_plus; f_equal; ring).
    pose proof (exp_ge_line (b - s)). pose proof (exp_ge_line s). nra.
Qed.

Section Change.
Variables (n : nat) (p t b : vector).
Hypothesis Hp : probability n p.
Hypothesis Ht : mean n p t = 0.
Hypothesis Hb : forall j, (j < n)%nat -> Rabs (t j) <= b j.

Definition normalizer : R := sum n (fun m => p m * exp (t m)).
Definition changed_weight (j : nat) : R := p j * exp (t j) / normalizer.
Definition normalizer_bound : R := 1 + sum n (fun m => p m * (exp (b m) - 1 - b m)).
Definition weight_change (j : nat) : R := Rmax (exp (b j) - 1) (1 - exp (- b j) / normalizer_bound).

Lemma normalizer_split : normalizer = 1 + sum n (fun m => p m * (exp (t m) - 1 - t m)).
Proof.
  destruct Hp as [_ H1]. unfold normalizer.
  rewrite (sum_ext n (fun m => p m * exp (t m)) (fun m => p m + p m * t m + p m * (exp (t m) - 1 - t m)))
    by (intros; ring).
  rewrite !sum_plus, H1. change (sum n (fun j => p j * t j)) with (mean n p t). rewrite Ht. ring.
Qed.

Theorem normalizer_between : 1 <= normalizer <= normalizer_bound.
Proof.
  rewrite normalizer_split. destruct Hp as [H0 _]. split.
  - assert (0 <= sum n (fun m => p m * (exp (t m) - 1 - t m))); [| lra].
    apply sum_nonneg; intros j Hj. apply Rmult_le_pos; [auto |]. pose proof (exp_ge_line (t j)). lra.
  - apply Rplus_le_compat_l. apply sum_le; intros j Hj. apply Rmult_le_compat_l; [auto |].
    apply exp_excess_le; auto.
Qed.

Theorem changed_weight_between j : (j < n)%nat ->
  p j * (exp (- b j) / normalizer_bound) <= changed_weight j <= p j * exp (b j).
Proof.
  intros Hj. destruct Hp as [H0 _]. specialize (H0 j Hj). destruct normalizer_between as [L U].
  assert (B : - b j <= t j <= b j) by (pose proof (Hb j Hj) as B; unfold Rabs in B; destruct (Rcase_abs (t j)); lra).
  replace (changed_weight j) with (p j * (exp (t j) / normalizer)) by (unfold changed_weight, Rdiv; ring).
  split; apply Rmult_le_compat_l; auto.
  - apply Rmult_le_compat; [left; apply exp_pos | left; apply Rinv_0_lt_compat; lra | apply exp_le; lra |].
    apply Rinv_le_contravar; lra.
  - apply Rle_trans with (exp (t j) / 1); [| unfold Rdiv; rewrite Rinv_1, Rmult_1_r; apply exp_le; lra].
    apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rinv_le_contravar; lra.
Qed.

Theorem weight_change_le j : (j < n)%nat -> Rabs (changed_weight j - p j) <= p j * weight_change j.
Proof.
  intros Hj. destruct (changed_weight_between j Hj) as [L U]. destruct Hp as [H0 _]. specialize (H0 j Hj).
  pose proof (Rmax_l (exp (b j) - 1) (1 - exp (- b j) / normalizer_bound)) as M1.
  pose proof (Rmax_r (exp (b j) - 1) (1 - exp (- b j) / normalizer_bound)) as M2.
  fold (weight_change j) in M1, M2.
  apply (Rmult_le_compat_l (p j)) in M1; [| assumption]. apply (Rmult_le_compat_l (p j)) in M2; [| assumption].
  apply Rabs_le. split; lra.
Qed.

End Change.

(* ---- The weights of attention ---- *)
Section Attention.
Variables (h : head) (n : nat) (attends : mask) (X E : tokens).
Hypothesis Hmask : no_empty_row n attends.
Local Notation d := (width h).
Local Notation P := (weight h n attends X).
Local Notation A := (score_matrix h).

(* s_ij(X + E) = s_ij(X) + s_ij'(E) + e_j . A e_i *)
Definition score_change (i j : nat) : R := score_differential h X E i j + dot d (E j) (mat_vec d A (E i)).

Lemma key_dot x y : dot d x (mat_vec d A y)
  = dot (rank h) (mat_vec d (query_matrix h) y) (mat_vec d (key_matrix h) x) / root h.
Proof.
  rewrite (dot_ext d x x _ (fun c => mat_vec (rank h) (transpose (key_matrix h)) (mat_vec d (query_matrix h) y) c
    / root h)) by (intros; try reflexivity; apply score_matrix_times).
  rewrite dot_divide_r, (dot_symmetric d x), <- adjoint. reflexivity.
Qed.

Lemma score_displaced i j : score h (displaced X E) i j = score h X i j + score_change i j.
Proof.
  unfold score_change, score_differential. rewrite key_dot. unfold key_gradient, query_gradient.
  rewrite (dot_symmetric d (fun c => _ / root h) (E j)), (dot_symmetric d (fun c => _ / root h) (E i)), !dot_divide_r.
  rewrite (dot_symmetric d (E j)), (dot_symmetric d (E i)), <- !(adjoint (rank h) d).
  unfold score.
  rewrite (dot_ext (rank h) (query h (displaced X E) i)
    (fun r => query h X i r + mat_vec d (query_matrix h) (E i) r) (key h (displaced X E) j)
    (fun r => key h X j r + mat_vec d (key_matrix h) (E j) r))
    by (intros; unfold query, key, displaced; rewrite mat_vec_plus; ring).
  rewrite dot_plus_r, (dot_symmetric _ (fun r => _ + _) (key h X j)), dot_plus_r.
  rewrite (dot_symmetric _ (fun r => _ + _) (mat_vec d (key_matrix h) (E j))), dot_plus_r.
  rewrite (dot_symmetric _ (key h X j) (query h X i)).
  rewrite (dot_symmetric _ (mat_vec d (key_matrix h) (E j)) (query h X i)).
  rewrite (dot_symmetric _ (mat_vec d (key_matrix h) (E j)) (mat_vec d (query_matrix h) (E i))).
  unfold Rdiv; ring.
Qed.

(* t_ij *)
Definition centred_change (i j : nat) : R := score_change i j - mean n (P i) (score_change i).

Lemma centred_change_mean i : (i < n)%nat -> mean n (P i) (centred_change i) = 0.
Proof.
  intros Hi. destruct (weight_probability h n attends Hmask X i Hi) as [_ H1].
  unfold centred_change. rewrite mean_minus. unfold mean at 2. rewrite sum_scale_r, H1. unfold mean. ring.
Qed.

Theorem weight_displaced i j : (i < n)%nat ->
  weight h n attends (displaced X E) i j = changed_weight n (P i) (centred_change i) j.
Proof.
  intros Hi. set (c := exp (- mean n (P i) (score_change i))).
  set (N := sum n (exp_score h attends X i)).
  assert (HN : 0 < N) by (apply normalizer_positive; assumption).
  assert (HN' : 0 < sum n (exp_score h attends (displaced X E) i)) by (apply normalizer_positive; assumption).
  assert (Hc : 0 < c) by apply exp_pos.
  assert (ES : forall m, P i m * exp (centred_change i m) = c / N * exp_score h attends (displaced X E) i m).
  { intros m. unfold weight. fold N. unfold exp_score. destruct (attends i m); [| field; lra].
    unfold centred_change, Rminus, c. rewrite score_displaced, !exp_plus. field. lra. }
  unfold changed_weight, normalizer. rewrite (sum_ext n _ _ (fun m _ => ES m)), ES, sum_scale.
  unfold weight. field. lra.
Qed.

(* t_ij = phi_ij(E) + sum_m c_ijm e_m . A e_i *)
Definition centred_displacement (i j : nat) : vector := fun c => sum n (fun m => centring h n attends X i j m * E m c).

Lemma centring_combination i j f : (j < n)%nat ->
  sum n (fun m => centring h n attends X i j m * f m) = f j - mean n (P i) f.
Proof.
  intros Hj. unfold centring, mean.
  rewrite (sum_ext n _ (fun m => (if Nat.eqb j m then f m else 0) - P i m * f m))
    by (intros m _; destruct (Nat.eqb j m); ring).
  rewrite sum_minus, sum_only by assumption. reflexivity.
Qed.

Theorem centred_change_is i j : (j < n)%nat ->
  centred_change i j = slope h n attends X E i j + dot d (centred_displacement i j) (mat_vec d A (E i)).
Proof.
  intros Hj. unfold centred_displacement. rewrite dot_symmetric, dot_combination_r.
  rewrite (centring_combination i j (fun m => dot d (mat_vec d A (E i)) (E m))) by assumption.
  unfold centred_change, score_change, slope, mean_score_differential. rewrite mean_plus.
  rewrite (mean_ext n (P i) (fun m => dot d (E m) _) (fun m => dot d (mat_vec d A (E i)) (E m)))
    by (intros; apply dot_symmetric).
  rewrite (dot_symmetric d (E j)). unfold mean. ring.
Qed.

Theorem centred_change_le a i j : (j < n)%nat -> 0 <= a -> bounded d d A a ->
  Rabs (centred_change i j)
  <= Rabs (slope h n attends X E i j) + a * (norm d (E i) * norm d (centred_displacement i j)).
Proof.
  intros Hj Ha HA. rewrite centred_change_is by assumption.
  eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat_l.
  eapply Rle_trans; [apply dot_le_norms |].
  replace (a * (norm d (E i) * norm d (centred_displacement i j)))
    with (norm d (centred_displacement i j) * (a * norm d (E i))) by ring.
  apply Rmult_le_compat_l; [apply norm_nonneg |].
  apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
  rewrite Rpow_mult_distr, norm_square. apply HA.
Qed.

End Attention.
