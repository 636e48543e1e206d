(* T3, the lower bound of Castin, Ablin and Peyre: how large ||D_X f|| gets on the ball. Unmasked, without a query bias.

   If A = K^T Q / root has the eigenvalue -gamma, or 8 gamma, with gamma >= 0, then there is an X with tokens in the
   ball of radius R and

     ||D_X f|| >= ||V|| sqrt(n - 1) / ( 1 + (n - 1) e^(-2 R^2 gamma) ).

   Proof. For a unit eigenvector u, A u = lambda u, let x_1 = alpha u and x_2 = ... = x_n = beta u, with lambda beta
   (alpha - beta) = kappa >= 0. The rows i >= 2 are equal: their scores for x_1 exceed the others by kappa, so P_i1 = p
   = 1 / (1 + (n - 1) e^(-kappa)), and x_1 - m_i = (1 - p)(alpha - beta) u. If x_1 alone moves, by w, then

     dy_i = p V (w + c (u . w) u),     c = (1 - p) kappa >= 0,     i = 2 ... n.

   Choose w such that w + c (u . w) u is any vector w' one likes; w is no longer than w'. The n - 1 rows together are
   then sqrt(n - 1) p ||V w'|| long. Last, alpha = -R, beta = R for lambda = -gamma, and alpha = R, beta = R/2 for
   lambda = 8 gamma, make kappa = 2 R^2 gamma. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
Open Scope R_scope.

(* A unit eigenvector; entries beyond d do not count. *)
Definition unit_eigenvector (d : nat) (A : matrix) (lambda : R) (u : vector) : Prop :=
  norm2 d u = 1 /\ forall c, (c < d)%nat -> mat_vec d A u c = lambda * u c.

Section Example.
Variables (h : head) (m : nat) (u : vector) (lambda alpha beta : R).
Local Notation n := (S m).
Local Notation d := (width h).
Local Notation k := (rank h).
Hypothesis Hbias : forall r, query_bias h r = 0.
Hypothesis Hu : unit_eigenvector d (score_matrix h) lambda u.

Definition position (j : nat) : R := if Nat.eqb 0 j then alpha else beta.
Definition two_points : tokens := fun j c => position j * u c.
Definition kappa : R := lambda * beta * (alpha - beta).
Definition first_weight : R := / (1 + INR m * exp (- kappa)).
Hypothesis Hkappa : 0 <= kappa.

Local Notation X := two_points.
Local Notation p := first_weight.
Local Notation P := (weight h n unmasked X).

Lemma two_points_in_ball R : alpha ^ 2 <= R ^ 2 -> beta ^ 2 <= R ^ 2 -> in_ball n d R X.
Proof.
  intros Ha Hb j _. unfold two_points. rewrite norm2_scale. destruct Hu as [-> _].
  unfold position. destruct (Nat.eqb 0 j); lra.
Qed.

Lemma first_weight_range : 0 < p <= 1.
Proof.
  assert (H : 0 <= INR m * exp (- kappa)) by (apply Rmult_le_pos; [apply pos_INR | left; apply exp_pos]).
  unfold first_weight. split; [apply Rinv_0_lt_compat; lra |].
  rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

(* g_i = lambda beta u for i >= 2 *)
Lemma gradient_of_later_row i w : (0 < i)%nat -> dot d (key_gradient h X i) w = lambda * beta * dot d u w.
Proof.
  intros Hi. destruct Hu as [_ He].
  rewrite (dot_symmetric d u), <- (dot_scale_r d (lambda * beta) w u), dot_symmetric. apply dot_ext; [reflexivity |].
  intros c Hc.
  rewrite key_gradient_split, (bias_gradient_zero h c Hbias).
  replace (mat_vec d (score_matrix h) (X i) c) with (beta * mat_vec d (score_matrix h) u c).
  - rewrite He by assumption. ring.
  - unfold mat_vec. rewrite <- dot_scale_r. apply dot_ext; [reflexivity |]. intros e _.
    unfold two_points, position. destruct i; [lia | reflexivity].
Qed.

Lemma first_weight_of_later_row i : (0 < i)%nat -> P i 0%nat = p.
Proof.
  intros Hi.
  set (shift := dot k (query h X i) (key_bias h) / root h).
  assert (E : forall j, exp_score h unmasked X i j = exp (lambda * beta * position j) * exp shift).
  { intros j. unfold exp_score, unmasked. rewrite score_split, <- exp_plus. fold shift. do 2 f_equal.
    rewrite gradient_of_later_row by assumption. f_equal.
    unfold two_points. rewrite dot_scale_r, <- norm2_dot. destruct Hu as [-> _]. ring. }
  assert (K : exp (lambda * beta * beta) = exp (lambda * beta * alpha) * exp (- kappa)).
  { rewrite <- exp_plus. f_equal. unfold kappa. ring. }
  unfold weight. rewrite (sum_ext n _ _ (fun j _ => E j)), E, sum_first.
  unfold position at 1 2 3; simpl Nat.eqb. cbv iota. rewrite sum_constant, K. unfold first_weight.
  pose proof (exp_pos (lambda * beta * alpha)). pose proof (exp_pos shift). pose proof (exp_pos (- kappa)).
  assert (0 <= INR m * exp (- kappa)) by (apply Rmult_le_pos; [apply pos_INR | lra]).
  field. repeat split; try lra.
  replace (exp (lambda * beta * alpha) * exp shift + INR m * (exp (lambda * beta * alpha) * exp (- kappa) * exp shift))
    with (exp (lambda * beta * alpha) * exp shift * (1 + INR m * exp (- kappa))) by ring.
  apply Rgt_not_eq. apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat |]; lra.
Qed.

(* x_1 - m_i = (1 - p)(alpha - beta) u *)
Lemma first_deviation_of_later_row i c : (0 < i)%nat -> (i < n)%nat ->
  deviation n (P i) X 0 c = (1 - p) * (alpha - beta) * u c.
Proof.
  intros Hi Hin. destruct (weight_probability h n unmasked (unmasked_no_empty_row n) X i Hin) as [_ H1].
  unfold deviation, average. change (X 0%nat c) with (alpha * u c).
  rewrite (sum_ext n _ (fun j => P i j * (beta * u c) + (if Nat.eqb 0 j then P i j * ((alpha - beta) * u c) else 0))).
  - rewrite sum_plus, sum_scale_r, H1, (sum_only n 0 (fun j => P i j * ((alpha - beta) * u c))) by lia.
    rewrite first_weight_of_later_row by assumption. ring.
  - intros j _. change (X j c) with (position j * u c). unfold position. destruct (Nat.eqb 0 j); ring.
Qed.

(* Only x_1 moves. *)
Definition move_first (w : vector) : tokens := fun j c => if Nat.eqb 0 j then w c else 0.

Lemma later_row w i r : (0 < i)%nat -> (i < n)%nat ->
  jacobian_times h n unmasked X (move_first w) i r
  = p * mat_vec d (value_matrix h) (fun c => w c + (1 - p) * kappa * dot d u w * u c) r.
Proof.
  intros Hi Hin. rewrite jacobian_times_split by assumption.
  assert (Z : forall M j, (0 < j)%nat -> mat_vec d M (move_first w j) r = 0).
  { intros M j Hj. apply sum_zero; intros. unfold move_first. destruct j; [lia | simpl; ring]. }
  rewrite Z by assumption. unfold spread, average.
  rewrite (sum_ext n _ (fun j => if Nat.eqb 0 j then P i 0%nat * carried h n unmasked X (move_first w) i 0 r else 0)).
  - rewrite (sum_only n 0 (fun _ => P i 0%nat * carried h n unmasked X (move_first w) i 0 r)) by lia.
    rewrite first_weight_of_later_row by assumption. unfold carried.
    rewrite value_deviation_is by (auto using unmasked_no_empty_row).
    rewrite gradient_of_later_row by assumption.
    replace (mat_vec d (value_matrix h) (deviation n (P i) X 0) r)
      with ((1 - p) * (alpha - beta) * mat_vec d (value_matrix h) u r).
    + change (move_first w 0%nat) with w. rewrite mat_vec_plus.
      replace (mat_vec d (value_matrix h) (fun c => (1 - p) * kappa * dot d u w * u c) r)
        with ((1 - p) * kappa * dot d u w * mat_vec d (value_matrix h) u r) by (symmetry; apply dot_scale_r).
      unfold kappa. ring.
    + unfold mat_vec. rewrite <- dot_scale_r. apply dot_ext; [reflexivity |]. intros c _.
      symmetry; apply first_deviation_of_later_row; assumption.
  - intros j _. destruct j; [reflexivity |]. simpl Nat.eqb. cbv iota. unfold carried. rewrite Z by lia.
    replace (dot d (key_gradient h X i) (move_first w (S j))) with 0; [ring |].
    symmetry; apply sum_zero; intros; unfold move_first; simpl; ring.
Qed.

(* The w with w + c (u . w) u = w'. *)
Definition preimage (w' : vector) : vector :=
  fun e => w' e + (- ((1 - p) * kappa / (1 + (1 - p) * kappa) * dot d u w')) * u e.

Lemma strength_nonneg : 0 <= (1 - p) * kappa.
Proof. pose proof first_weight_range. apply Rmult_le_pos; lra. Qed.

Lemma dot_preimage w' : dot d u (preimage w') = dot d u w' / (1 + (1 - p) * kappa).
Proof.
  pose proof strength_nonneg. unfold preimage. rewrite dot_plus_r, dot_scale_r, <- norm2_dot. destruct Hu as [-> _].
  field. lra.
Qed.

Lemma preimage_is w' e : preimage w' e + (1 - p) * kappa * dot d u (preimage w') * u e = w' e.
Proof. pose proof strength_nonneg. rewrite dot_preimage. unfold preimage. field. lra. Qed.

Lemma preimage_le w' : norm2 d (preimage w') <= norm2 d w'.
Proof.
  pose proof strength_nonneg as Hc. set (c := (1 - p) * kappa) in *.
  unfold preimage. fold c. rewrite norm2_plus, norm2_scale, dot_scale_r, (dot_symmetric d w'). destruct Hu as [-> _].
  set (s := dot d u w'). set (t := c / (1 + c)).
  assert (Ht : 0 <= t) by (apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat]; lra).
  assert (Ht1 : t <= 1) by (apply Rmult_le_reg_r with (1 + c); [lra |]; unfold t, Rdiv; rewrite Rmult_assoc, Rinv_l;
    lra).
  pose proof (pow2_ge_0 s). assert (0 <= t * (2 - t) * s ^ 2) by (apply Rmult_le_pos; [apply Rmult_le_pos |]; lra). lra.
Qed.

Lemma example_lower_bound L : jacobian_bounded h n unmasked X L ->
  forall w, INR m * p ^ 2 * norm2 k (mat_vec d (value_matrix h) w) <= L ^ 2 * norm2 d w.
Proof.
  intros HL w. specialize (HL (move_first (preimage w))). unfold sequence_norm2 in HL. rewrite !sum_first in HL.
  rewrite (sum_zero m (fun j => norm2 d (move_first (preimage w) (S j)))), Rplus_0_r in HL
    by (intros; apply sum_zero; intros; unfold move_first; simpl; ring).
  change (norm2 d (move_first (preimage w) 0%nat)) with (norm2 d (preimage w)) in HL.
  rewrite (sum_ext m _ (fun _ => p ^ 2 * norm2 k (mat_vec d (value_matrix h) w))), sum_constant in HL.
  - pose proof (norm2_nonneg k (jacobian_times h n unmasked X (move_first (preimage w)) 0%nat)).
    pose proof (Rmult_le_compat_l (L ^ 2) _ _ (pow2_ge_0 L) (preimage_le w)). lra.
  - intros i Hi. rewrite <- norm2_scale. apply norm2_ext; intros r _. rewrite later_row by lia. f_equal.
    apply dot_ext; [reflexivity |]. intros; apply preimage_is.
Qed.

End Example.

(* The theorem. "||V|| q <= L" is written as q ||V w|| <= L ||w|| for all w. *)
Definition lower_factor (n : nat) (gamma r : R) : R :=
  sqrt (INR n - 1) / (1 + (INR n - 1) * exp (- (2 * r ^ 2 * gamma))).

Theorem lower_bound h n gamma R u :
  (0 < n)%nat -> 0 <= gamma -> (forall r, query_bias h r = 0) ->
  unit_eigenvector (width h) (score_matrix h) (- gamma) u
  \/ unit_eigenvector (width h) (score_matrix h) (8 * gamma) u ->
  exists X, in_ball n (width h) R X /\ forall L, 0 <= L -> jacobian_bounded h n unmasked X L ->
  forall w, lower_factor n gamma R * sqrt (norm2 (rank h) (mat_vec (width h) (value_matrix h) w))
            <= L * sqrt (norm2 (width h) w).
Proof.
  intros Hn Hgamma Hbias Hu.
  assert (Hex : exists lambda alpha beta, unit_eigenvector (width h) (score_matrix h) lambda u
    /\ kappa lambda alpha beta = 2 * R ^ 2 * gamma /\ alpha ^ 2 <= R ^ 2 /\ beta ^ 2 <= R ^ 2).
  { pose proof (pow2_ge_0 R). destruct Hu as [Hu | Hu].
    - exists (- gamma), (- R), R. repeat split; try apply Hu; [unfold kappa; ring | |]; right; ring.
    - exists (8 * gamma), R, (R / 2). repeat split; try apply Hu; [unfold kappa; field | right; ring |].
      replace ((R / 2) ^ 2) with (R ^ 2 / 4) by field. lra. }
  destruct Hex as (lambda & alpha & beta & Hue & Hk & Ha & Hb). destruct n as [| m]; [lia |].
  assert (Hk0 : 0 <= kappa lambda alpha beta).
  { rewrite Hk. apply Rmult_le_pos; [pose proof (pow2_ge_0 R); lra | assumption]. }
  exists (two_points u alpha beta). split; [eapply two_points_in_ball; eassumption |].
  intros L HL HJ w. pose proof (example_lower_bound h m u lambda alpha beta Hbias Hue Hk0 L HJ w) as H.
  pose proof (first_weight_range m lambda alpha beta) as Hp. unfold first_weight in H, Hp. rewrite Hk in H, Hp.
  unfold lower_factor. replace (INR (S m) - 1) with (INR m) by (rewrite S_INR; ring).
  set (p := / (1 + INR m * exp (- (2 * R ^ 2 * gamma)))) in *.
  replace (sqrt (INR m) / (1 + INR m * exp (- (2 * R ^ 2 * gamma)))) with (sqrt (INR m * p ^ 2)).
  - rewrite <- sqrt_mult_alt by (apply Rmult_le_pos; [apply pos_INR | apply pow2_ge_0]).
    apply squares_to_roots; [assumption | apply norm2_nonneg | assumption].
  - rewrite sqrt_mult_alt by apply pos_INR. rewrite sqrt_pow2 by lra. reflexivity.
Qed.

(* An inequality that holds below R holds at R. *)
Lemma limit_le F C R : 0 < R -> continuity_pt F R -> (forall r, 0 <= r < R -> F r <= C) -> F R <= C.
Proof.
  intros HR HF H. apply Rnot_lt_le. intros Hlt. destruct (HF (F R - C)) as (delta & Hd & HFd); [lra |].
  set (r := Rmax 0 (R - delta / 2)).
  assert (Hr : 0 <= r < R) by (unfold r; split; [apply Rmax_l | apply Rmax_lub_lt; lra]).
  assert (Hr2 : R - delta / 2 <= r) by apply Rmax_r.
  assert (HC : Rabs (F r - F R) < F R - C).
  { apply (HFd r). split; [split; [exact I | lra] |]. simpl. unfold R_dist. apply Rabs_def1; lra. }
  pose proof (H r Hr). apply Rabs_def2 in HC. lra.
Qed.

(* The same for the Lipschitz constant on B_R^n: none is smaller. *)
Theorem lipschitz_lower_bound h n gamma R u L :
  (0 < n)%nat -> 0 <= gamma -> 0 < R -> (forall r, query_bias h r = 0) ->
  unit_eigenvector (width h) (score_matrix h) (- gamma) u
  \/ unit_eigenvector (width h) (score_matrix h) (8 * gamma) u ->
  0 <= L -> lipschitz_on_ball h n unmasked R L ->
  forall w, lower_factor n gamma R * sqrt (norm2 (rank h) (mat_vec (width h) (value_matrix h) w))
            <= L * sqrt (norm2 (width h) w).
Proof.
  intros Hn Hgamma HR Hbias Hu HL HLip w. set (V := sqrt (norm2 (rank h) (mat_vec (width h) (value_matrix h) w))).
  apply (limit_le (fun r => lower_factor n gamma r * V)); [assumption | |].
  - assert (Hn1 : 0 <= INR n - 1) by (pose proof (le_INR 1 n Hn); simpl in *; lra).
    assert (Hq : 1 + (INR n - 1) * exp (- (2 * R ^ 2 * gamma)) <> 0).
    { apply Rgt_not_eq. pose proof (Rmult_le_pos _ _ Hn1 (Rlt_le _ _ (exp_pos (- (2 * R ^ 2 * gamma))))). lra. }
    apply derivable_continuous_pt. unfold lower_factor. reg.
  - intros r Hr. destruct (lower_bound h n gamma r u Hn Hgamma Hbias Hu) as (X & HX & H).
    apply H; [assumption |]. eapply jacobian_from_lipschitz; eauto using unmasked_no_empty_row.
Qed.
