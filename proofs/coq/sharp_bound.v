(* T9, the sqrt(n) regime: this project's own bound, sharper than T4 where n is small against e^(2 z_g).

   For tokens in the ball of radius R, with z = a R^2 and z_g = R (a R + b) (ball.v), and any mask,

     ||D_X f|| <= ||V|| ( sqrt( n h(z_g) ) + z ),
     h(w) = (1 + (w + 1/(4 w))^2) / 2 for w >= 1/2, h(w) = 1 for w <= 1/2.

   Proof. The n rows of blocks B_i1, B_i2, ... without the diagonal terms have squared norm at most v^2 h(z_g) each:
   for u = V^T a and s_j = u . (x_j - m_i),

     sum_j P_ij^2 ||u + s_j g_i||^2 <= h(z_g) ||u||^2.

   Fix the row, with weights p_j. The left-hand side is affine in u . g, hence largest for u . g = +- ||u|| ||g||, where
   it is sum_j phi_j^2 with phi_j = p_j (U + y_j - ybar), U = ||u||, y_j = +- ||g|| u . x_j, |y_j| <= w U, and
   ybar = sum_j p_j y_j. What is left is about numbers. Two facts,

     sum_j phi_j = U,   sum_j phi_j^2 <= ( (sum_j phi_j)^2 + (sum_j |phi_j|)^2 ) / 2:

   the phi_j of one sign have a sum of squares below the square of their sum. With sigma_j the sign of phi_j and
   x = sum_j p_j sigma_j,

     sum_j |phi_j| = x U + sum_j p_j (sigma_j - x) y_j <= x U + w U sum_j p_j (1 - sigma_j x) = U (x + w (1 - x^2)),

   as |sigma_j - x| = 1 - sigma_j x. The maximum of x + w (1 - x^2) over [-1, 1] is w + 1/(4 w), or 1 for w <= 1/2.

   That the constant is right for large z: worst_score_matrix.v. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
Open Scope R_scope.

Definition row_factor (w : R) : R := if Rle_dec (1 / 2) w then (1 + (w + 1 / (4 * w)) ^ 2) / 2 else 1.

Lemma row_factor_nonneg w : 0 <= row_factor w.
Proof. unfold row_factor. destruct (Rle_dec (1 / 2) w); [pose proof (pow2_ge_0 (w + 1 / (4 * w))) |]; lra. Qed.

(* ---- Numbers ---- *)

(* h is (1 + H^2) / 2 with H the maximum of x + w (1 - x^2). *)
Lemma row_factor_bounds w x t : 0 <= w -> -1 <= x <= 1 -> 0 <= t <= x + w * (1 - x ^ 2) ->
  (1 + t ^ 2) / 2 <= row_factor w.
Proof.
  intros Hw Hx Ht. unfold row_factor.
  assert (Square : forall H, t <= H -> t ^ 2 <= H ^ 2) by (intros; apply pow_incr; lra).
  destruct (Rle_dec (1 / 2) w) as [Hlarge | Hsmall].
  - assert (HH : t <= w + 1 / (4 * w)).
    { assert (E : w + 1 / (4 * w) - (x + w * (1 - x ^ 2)) = w * (x - 1 / (2 * w)) ^ 2) by (field; lra).
      assert (0 <= w * (x - 1 / (2 * w)) ^ 2) by (apply Rmult_le_pos; [| apply pow2_ge_0]; assumption). lra. }
    specialize (Square _ HH). lra.
  - assert (HH : t <= 1).
    { assert (E : 1 - (x + w * (1 - x ^ 2)) = (1 - x) * (1 - (1 + x) * w)) by ring.
      assert (0 <= (1 - x) * (1 - (1 + x) * w)) by (apply Rmult_le_pos; nra). lra. }
    specialize (Square _ HH). lra.
Qed.

Definition sign (x : R) : R := if Rle_dec 0 x then 1 else -1.

Lemma sign_cases x : sign x = 1 /\ 0 <= x \/ sign x = -1 /\ x < 0.
Proof. unfold sign. destruct (Rle_dec 0 x); [left | right]; split; lra. Qed.

Lemma sign_times_nonneg x : 0 <= sign x * x.
Proof. destruct (sign_cases x) as [[-> Hx] | [-> Hx]]; lra. Qed.

(* sum_j f_j^2 <= ((sum_j f_j)^2 + (sum_j |f_j|)^2) / 2, with |f_j| as sign times f_j. *)
Lemma sum_squares_le n f :
  sum n (fun j => f j ^ 2) <= (sum n f ^ 2 + sum n (fun j => sign (f j) * f j) ^ 2) / 2.
Proof.
  assert (H : - sum n (fun j => sign (f j) * f j) <= sum n f <= sum n (fun j => sign (f j) * f j)
    /\ sum n (fun j => f j ^ 2) <= (sum n f ^ 2 + sum n (fun j => sign (f j) * f j) ^ 2) / 2); [| apply H].
  induction n; cbn [sum]; [lra |]. destruct IHn as [Hs IH].
  set (S := sum n f) in *. set (T := sum n (fun j => sign (f j) * f j)) in *.
  destruct (sign_cases (f n)) as [[-> Hf] | [-> Hf]]; (split; [lra |]).
  - pose proof (Rmult_le_pos (T + S) (f n)). nra.
  - pose proof (Rmult_le_pos (T - S) (- f n)). nra.
Qed.

Section Numbers.
Variables (n : nat) (p y : vector) (U w : R).
Hypothesis Hp : probability n p.
Hypothesis Hw : 0 <= w.
Hypothesis HU : 0 <= U.
Hypothesis Hy : forall j, (j < n)%nat -> - (w * U) <= y j <= w * U.
Local Notation ybar := (sum n (fun j => p j * y j)).
Definition phi (j : nat) : R := p j * (U + (y j - ybar)).

Lemma sum_phi : sum n phi = U.
Proof.
  destruct Hp as [_ H1].
  rewrite (sum_ext n _ (fun j => p j * (U - ybar) + p j * y j)) by (intros; unfold phi; ring).
  rewrite sum_plus, sum_scale_r, H1. ring.
Qed.

(* x *)
Definition mean_sign : R := sum n (fun j => p j * sign (phi j)).

Lemma mean_sign_range : -1 <= mean_sign <= 1.
Proof.
  assert (Hs : forall j, -1 <= sign (phi j) <= 1) by (intros j; destruct (sign_cases (phi j)); lra).
  unfold mean_sign. split; [| apply average_le; [assumption | intros; apply Hs]].
  assert (H : sum n (fun j => p j * (-1 * sign (phi j))) <= 1).
  { apply average_le; [assumption |]. intros j _. pose proof (Hs j). lra. }
  rewrite (sum_ext n _ (fun j => -1 * (p j * sign (phi j)))), sum_scale in H by (intros; ring). lra.
Qed.

Lemma sum_abs_phi_le : sum n (fun j => sign (phi j) * phi j) <= U * (mean_sign + w * (1 - mean_sign ^ 2)).
Proof.
  pose proof mean_sign_range as Hx. destruct Hp as [H0 H1].
  apply Rle_trans with (sum n (fun j => (U - ybar) * (p j * sign (phi j)) + mean_sign * (p j * y j)
    + (w * U) * (p j - mean_sign * (p j * sign (phi j))))).
  - apply sum_le; intros j Hj. specialize (H0 j Hj). specialize (Hy j Hj).
    set (s := sign (phi j)). unfold phi.
    assert (Ht : (s - mean_sign) * y j <= (1 - s * mean_sign) * (w * U)).
    { unfold s. destruct (sign_cases (phi j)) as [[-> _] | [-> _]]; nra. }
    pose proof (Rmult_le_compat_l _ _ _ H0 Ht). lra.
  - rewrite !sum_plus, !sum_scale, sum_minus, sum_scale, H1. fold mean_sign. right. ring.
Qed.

Lemma sum_squares_phi_le : sum n (fun j => phi j ^ 2) <= row_factor w * U ^ 2.
Proof.
  set (T := sum n (fun j => sign (phi j) * phi j)).
  assert (HT : 0 <= T).
  { apply sum_nonneg; intros j _. apply sign_times_nonneg. }
  pose proof sum_abs_phi_le as HTU. fold T in HTU.
  eapply Rle_trans; [apply sum_squares_le |]. rewrite sum_phi. fold T.
  destruct (Req_dec U 0) as [U0 | U0].
  - assert (T = 0) as -> by (rewrite U0 in HTU; lra). rewrite U0. lra.
  - assert (Hq : (1 + (T / U) ^ 2) / 2 <= row_factor w).
    { apply (row_factor_bounds w mean_sign); [assumption | apply mean_sign_range |]. split.
      - apply Rmult_le_pos; [assumption | left; apply Rinv_0_lt_compat; lra].
      - apply Rmult_le_reg_l with U; [lra |]. replace (U * (T / U)) with T by (field; assumption). assumption. }
    apply (Rmult_le_compat_r (U ^ 2)) in Hq; [| apply pow2_ge_0].
    replace ((1 + (T / U) ^ 2) / 2 * U ^ 2) with ((U ^ 2 + T ^ 2) / 2) in Hq by (field; assumption). assumption.
Qed.

End Numbers.

(* ---- Vectors: sum_j p_j^2 ||u + s_j g||^2 <= h(w) ||u||^2 ---- *)
Section Vectors.
Variables (n d : nat) (p : vector) (X : tokens) (R w : R) (u g : vector).
Hypothesis Hp : probability n p.
Hypothesis HX : in_ball n d R X.
Hypothesis Hw : 0 <= w.
Hypothesis Hg : norm2 d g * R ^ 2 <= w ^ 2.
Local Notation s j := (dot d u (deviation n p X j)).

(* u . g = +- ||u|| ||g||: epsilon is +- ||g||. *)
Lemma extreme_row epsilon : epsilon ^ 2 = norm2 d g ->
  sum n (fun j => p j ^ 2 * (sqrt (norm2 d u) + epsilon * s j) ^ 2) <= row_factor w * norm2 d u.
Proof.
  intros He. pose proof (norm2_nonneg d u) as Hu. pose proof (sqrt_pos (norm2 d u)) as HU.
  set (y := fun j => epsilon * dot d u (X j)).
  assert (Hy : forall j, (j < n)%nat -> - (w * sqrt (norm2 d u)) <= y j <= w * sqrt (norm2 d u)).
  { intros j Hj. assert (HwU : 0 <= w * sqrt (norm2 d u)) by (apply Rmult_le_pos; assumption).
    assert (H : y j ^ 2 <= (w * sqrt (norm2 d u)) ^ 2).
    { unfold y. rewrite !Rpow_mult_distr, pow2_sqrt, He by assumption.
      pose proof (cauchy_schwarz d u (X j)) as C. pose proof (HX j Hj) as B. pose proof (norm2_nonneg d g) as G.
      apply Rle_trans with (norm2 d g * (norm2 d u * R ^ 2)); [| nra].
      apply Rmult_le_compat_l; [assumption |]. eapply Rle_trans; [exact C | apply Rmult_le_compat_l; assumption]. }
    split; [| apply square_le_le; assumption].
    assert (- y j <= w * sqrt (norm2 d u)); [| lra]. apply square_le_le; [| assumption].
    replace ((- y j) ^ 2) with (y j ^ 2) by ring. assumption. }
  pose proof (sum_squares_phi_le n p y (sqrt (norm2 d u)) w Hp Hw HU Hy) as H. rewrite pow2_sqrt in H by assumption.
  eapply Rle_trans; [right | exact H]. apply sum_ext; intros j _.
  assert (E : epsilon * s j = y j - sum n (fun l => p l * y l)).
  { unfold deviation, average. rewrite dot_minus_r, dot_combination_r. unfold y.
    rewrite (sum_ext n (fun l => p l * (epsilon * dot d u (X l))) (fun l => epsilon * (p l * dot d u (X l))))
      by (intros; ring).
    rewrite sum_scale. ring. }
  rewrite E. unfold phi. ring.
Qed.

Lemma weighted_row_le : sum n (fun j => p j ^ 2 * norm2 d (fun c => u c + s j * g c)) <= row_factor w * norm2 d u.
Proof.
  pose proof (norm2_nonneg d u) as Hu. pose proof (norm2_nonneg d g) as HG.
  set (U := sqrt (norm2 d u)). set (G := sqrt (norm2 d g)).
  assert (HU2 : U ^ 2 = norm2 d u) by (apply pow2_sqrt; assumption).
  assert (HG2 : G ^ 2 = norm2 d g) by (apply pow2_sqrt; assumption).
  assert (HUG : 0 <= U * G) by (apply Rmult_le_pos; apply sqrt_pos).
  assert (Htau : dot d u g ^ 2 <= (U * G) ^ 2).
  { rewrite Rpow_mult_distr, HU2, HG2. apply cauchy_schwarz. }
  assert (Htau1 : dot d u g <= U * G) by (apply square_le_le; assumption).
  assert (Htau2 : - dot d u g <= U * G).
  { apply square_le_le; [| assumption]. replace ((- dot d u g) ^ 2) with (dot d u g ^ 2) by ring. assumption. }
  set (base := sum n (fun j => p j ^ 2 * (norm2 d u + norm2 d g * s j ^ 2))).
  set (slope := sum n (fun j => 2 * (p j ^ 2 * s j))).
  assert (Affine : forall tau,
    sum n (fun j => p j ^ 2 * (norm2 d u + norm2 d g * s j ^ 2) + tau * (2 * (p j ^ 2 * s j))) = base + tau * slope).
  { intros tau. rewrite sum_plus, sum_scale. reflexivity. }
  assert (Extreme : forall epsilon, epsilon ^ 2 = norm2 d g ->
    base + U * epsilon * slope <= row_factor w * norm2 d u).
  { intros epsilon He. rewrite <- Affine. eapply Rle_trans; [right | apply (extreme_row epsilon He)].
    apply sum_ext; intros j _. fold U. rewrite <- HU2, <- He. ring. }
  rewrite (sum_ext n _ (fun j => p j ^ 2 * (norm2 d u + norm2 d g * s j ^ 2) + dot d u g * (2 * (p j ^ 2 * s j)))).
  - rewrite Affine. pose proof (Extreme G HG2) as H1.
    assert (H2 : base + U * - G * slope <= row_factor w * norm2 d u) by (apply Extreme; rewrite <- HG2; ring).
    destruct (Rle_or_lt 0 slope); nra.
  - intros j _. rewrite norm2_plus, norm2_scale, dot_scale_r. ring.
Qed.

End Vectors.

(* ---- The head ---- *)
Section Sharp.
Variables (h : head) (n : nat) (attends : mask) (X : tokens) (a b v R : R).
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
Local Notation centred i := (deviation n (P i) X).

(* Row i of the blocks B_ij = P_ij V (I + (x_j - m_i) g_i^T), transposed and applied to any u. *)
Theorem row_bound i u : (i < n)%nat ->
  let w := mat_vec k (transpose (value_matrix h)) u in
  sum n (fun j => P i j ^ 2 * norm2 d (fun c => w c + dot d w (centred i j) * g i c))
  <= v ^ 2 * row_factor zg * norm2 k u.
Proof.
  intros Hi w. pose proof (gradient_radius_nonneg h a b v R Hh HR) as Hz.
  assert (Hg : norm2 d (g i) * R ^ 2 <= zg ^ 2).
  { replace (zg ^ 2) with ((a * R + b) ^ 2 * R ^ 2) by ring. apply Rmult_le_compat_r; [apply pow2_ge_0 |].
    eapply key_gradient_le; eassumption. }
  eapply Rle_trans; [apply (weighted_row_le n d (P i) X R zg w (g i)); auto using weight_probability |].
  replace (v ^ 2 * row_factor zg * norm2 k u) with (row_factor zg * (v ^ 2 * norm2 k u)) by ring.
  apply Rmult_le_compat_l; [apply row_factor_nonneg |]. destruct Hh. apply bounded_transpose; assumption.
Qed.

(* ||sum_j B_ij xi_j||^2 <= v^2 h(z_g) sum_j ||xi_j||^2 *)
Lemma spread_le i xi : (i < n)%nat ->
  norm2 k (spread h n attends X xi i) <= v ^ 2 * row_factor zg * sequence_norm2 n d xi.
Proof.
  intros Hi. set (u := spread h n attends X xi i).
  assert (Hc : 0 <= v ^ 2 * row_factor zg) by (apply Rmult_le_pos; [apply pow2_ge_0 | apply row_factor_nonneg]).
  apply norm2_le_of_square; [apply Rmult_le_pos; [assumption | apply sequence_norm2_nonneg] |].
  rewrite (norm2_dot k u) at 1. unfold u at 2. rewrite spread_adjoint.
  rewrite (sum_ext n _ (fun j => dot d (fun c => P i j * pulled_back h n attends X i u j c) (xi j)))
    by (intros j _; rewrite (dot_symmetric d (fun c => P i j * _)), dot_scale_r, (dot_symmetric d (xi j)); reflexivity).
  eapply Rle_trans; [apply (sequence_cauchy_schwarz n d (fun j c => P i j * pulled_back h n attends X i u j c) xi) |].
  replace (norm2 k u * (v ^ 2 * row_factor zg * sequence_norm2 n d xi))
    with (v ^ 2 * row_factor zg * norm2 k u * sequence_norm2 n d xi) by ring.
  apply Rmult_le_compat_r; [apply sequence_norm2_nonneg |].
  eapply Rle_trans; [right | apply (row_bound i u Hi)].
  apply sum_ext; intros j _. rewrite norm2_scale. unfold pulled_back.
  rewrite value_deviation_dot by assumption. reflexivity.
Qed.

Theorem sharp_bound : jacobian_bounded h n attends X (v * (sqrt (INR n * row_factor zg) + z)).
Proof.
  pose proof (row_factor_nonneg zg) as Hf. pose proof (pos_INR n) as Hn. destruct (Hh) as [_ _ _ Ha _ Hv].
  rewrite (Rmult_plus_distr_l v). apply jacobian_bounded_of_parts; auto.
  - apply Rmult_le_pos; [assumption | apply sqrt_pos].
  - apply Rmult_le_pos; [assumption |]. apply Rmult_le_pos; [assumption | apply pow2_ge_0].
  - intros xi. rewrite Rpow_mult_distr, pow2_sqrt by (apply Rmult_le_pos; assumption).
    apply Rle_trans with (sum n (fun _ => v ^ 2 * row_factor zg * sequence_norm2 n d xi)).
    + apply sum_le; intros i Hi. apply spread_le; assumption.
    + rewrite sum_constant. right; ring.
  - intros i Hi. eapply covariance_bounded; eassumption.
Qed.

End Sharp.

(* As a Lipschitz constant on B_R^n. *)
Theorem sharp_lipschitz h n attends a b v R :
  no_empty_row n attends -> head_bounds h a b v -> 0 <= R ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  lipschitz_on_ball h n attends R (v * (sqrt (INR n * row_factor zg) + z)).
Proof.
  intros Hmask Hh HR z zg. apply lipschitz_from_jacobian; [assumption |]. intros X HX. apply sharp_bound; assumption.
Qed.
