(* What tokens in a ball of radius R imply: the estimates that the bounds T1 and T4 share.

   With A = K^T Q / root and numbers a, b, v that bound the head,

     ||A|| <= a,   ||K^T b_Q / root|| <= b,   ||V|| <= v,

   and z = a R^2, z_g = R (a R + b), for tokens x_1 ... x_n in the ball of radius R:

     ||g_i|| <= a R + b            as g_i = A x_i + K^T b_Q / root
     ||v_j - y_i|| <= v 2 R        as v_j - y_i = V (x_j - m_i): b_V cancels
     ||C_i|| <= v z                as C_i = V (sum_j P_ij (x_j - m_i)(x_j - m_i)^T) A: b_K cancels
     s_ij - s_im <= 2 z_g          as s_ij - s_im = g_i . (x_j - x_m)

   where m_i = sum_j P_ij x_j. Without b_Q: b = 0 and z_g = z. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound.
Open Scope R_scope.

(* A, with rows A_c . = (K^T Q)_c . / root, and the part of g_i that does not depend on x_i. *)
Definition score_matrix (h : head) : matrix :=
  fun c e => dot (rank h) (transpose (key_matrix h) c) (transpose (query_matrix h) e) / root h.
Definition bias_gradient (h : head) : vector :=
  fun c => mat_vec (rank h) (transpose (key_matrix h)) (query_bias h) c / root h.

Record head_bounds (h : head) (a b v : R) : Prop := {
  score_bound : bounded (width h) (width h) (score_matrix h) a;
  bias_bound : norm2 (width h) (bias_gradient h) <= b ^ 2;
  value_bound : bounded (rank h) (width h) (value_matrix h) v;
  a_nonneg : 0 <= a;
  b_nonneg : 0 <= b;
  v_nonneg : 0 <= v
}.

(* Every head has such bounds: of the theorems below, none is about nothing. *)
Theorem head_bounds_exist h : exists a b v, head_bounds h a b v.
Proof.
  eexists _, (sqrt (norm2 (width h) (bias_gradient h))), _. split; auto using frobenius_bound, sqrt_pos.
  rewrite pow2_sqrt by apply norm2_nonneg. apply Rle_refl.
Qed.

(* z_g >= 0 *)
Lemma gradient_radius_nonneg h a b v R : head_bounds h a b v -> 0 <= R -> 0 <= R * (a * R + b).
Proof. intros [_ _ _ Ha Hb _] HR. apply Rmult_le_pos; [assumption |]. pose proof (Rmult_le_pos a R). lra. Qed.

(* Without a query bias the part of g_i that does not depend on x_i vanishes. *)
Lemma bias_gradient_zero h c : (forall r, query_bias h r = 0) -> bias_gradient h c = 0.
Proof.
  intros H. unfold bias_gradient, mat_vec, dot. rewrite sum_zero; [unfold Rdiv; ring |]. intros; rewrite H; ring.
Qed.

Section Ball.
Variables (h : head) (n : nat) (attends : mask) (X : tokens) (a b v R : R).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hh : head_bounds h a b v.
Hypothesis HR : 0 <= R.
Hypothesis HX : in_ball n (width h) R X.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation A := (score_matrix h).
Local Notation P := (weight h n attends X).
Local Notation g := (key_gradient h X).
Local Notation centred i := (deviation n (P i) X).

(* A x = K^T (Q x) / root, and its transpose A^T x = Q^T (K x) / root. *)
Lemma score_matrix_times x c :
  mat_vec d A x c = mat_vec k (transpose (key_matrix h)) (mat_vec d (query_matrix h) x) c / root h.
Proof.
  change (mat_vec k (transpose (key_matrix h)) (mat_vec d (query_matrix h) x) c)
    with (dot k (transpose (key_matrix h) c) (mat_vec d (query_matrix h) x)).
  rewrite (adjoint k d), (dot_symmetric d _ x), <- dot_divide_r, (dot_symmetric d x).
  apply dot_ext; [intros e _ | reflexivity]. unfold score_matrix. rewrite dot_symmetric. reflexivity.
Qed.

Lemma score_matrix_transposed_times x e :
  mat_vec d (transpose A) x e = mat_vec k (transpose (query_matrix h)) (mat_vec d (key_matrix h) x) e / root h.
Proof.
  change (mat_vec k (transpose (query_matrix h)) (mat_vec d (key_matrix h) x) e)
    with (dot k (transpose (query_matrix h) e) (mat_vec d (key_matrix h) x)).
  rewrite (adjoint k d), (dot_symmetric d _ x), <- dot_divide_r, (dot_symmetric d x).
  apply dot_ext; reflexivity.
Qed.

(* ---- g_i = A x_i + K^T b_Q / root ---- *)

Lemma key_gradient_split i c : g i c = mat_vec d A (X i) c + bias_gradient h c.
Proof.
  rewrite score_matrix_times. unfold key_gradient, bias_gradient, query. rewrite mat_vec_plus. unfold Rdiv; ring.
Qed.

Lemma key_gradient_le i : (i < n)%nat -> norm2 d (g i) <= (a * R + b) ^ 2.
Proof.
  intros Hi. rewrite (norm2_ext d _ _ (fun c _ => key_gradient_split i c)).
  replace ((a * R + b) ^ 2) with ((a * R + b) ^ 2 * 1) by ring. destruct Hh.
  apply norm2_triangle; try lra; [apply Rmult_le_pos; assumption |].
  replace ((a * R) ^ 2 * 1) with (a ^ 2 * R ^ 2) by ring. apply bounded_le; auto.
Qed.

(* s_ij = g_i . x_j + a term that does not depend on j. *)
Lemma score_split i j : score h X i j = dot d (g i) (X j) + dot k (query h X i) (key_bias h) / root h.
Proof.
  unfold score, key. rewrite dot_plus_r, (adjoint k d). rewrite (dot_symmetric d (g i)).
  unfold key_gradient. rewrite dot_divide_r, (dot_symmetric d (X j)). unfold Rdiv; ring.
Qed.

Lemma gradient_dot_le i j : (i < n)%nat -> (j < n)%nat ->
  - (R * (a * R + b)) <= dot d (g i) (X j) <= R * (a * R + b).
Proof.
  intros Hi Hj. destruct (Hh).
  pose proof (gradient_radius_nonneg h a b v R Hh HR) as Hz.
  assert (Hd : dot d (g i) (X j) ^ 2 <= (R * (a * R + b)) ^ 2).
  { eapply Rle_trans; [apply cauchy_schwarz |].
    replace ((R * (a * R + b)) ^ 2) with ((a * R + b) ^ 2 * R ^ 2) by ring.
    apply Rmult_le_compat; auto using norm2_nonneg, key_gradient_le. }
  split; [| apply square_le_le; assumption].
  assert (- dot d (g i) (X j) <= R * (a * R + b)); [| lra].
  apply square_le_le; [| assumption]. replace ((- dot d (g i) (X j)) ^ 2) with (dot d (g i) (X j) ^ 2) by ring.
  assumption.
Qed.

Lemma score_difference_le i j m : (i < n)%nat -> (j < n)%nat -> (m < n)%nat ->
  score h X i j - score h X i m <= 2 * (R * (a * R + b)).
Proof.
  intros Hi Hj Hm. rewrite !score_split.
  pose proof (gradient_dot_le i j Hi Hj) as Bj. pose proof (gradient_dot_le i m Hi Hm) as Bm.
  lra.
Qed.

(* ---- v_j - y_i = V (x_j - m_i) ---- *)

Lemma value_deviation_is i j r : (i < n)%nat ->
  value_deviation h n attends X i j r = mat_vec d (value_matrix h) (centred i j) r.
Proof.
  intros Hi. destruct (weight_probability h n attends Hmask X i Hi) as [_ H1].
  unfold value_deviation, deviation at 1, value, average. unfold deviation. rewrite mat_vec_minus. unfold average.
  rewrite mat_vec_combination.
  rewrite (sum_ext n _ (fun l => P i l * mat_vec d (value_matrix h) (X l) r + P i l * value_bias h r)) by (intros;
    ring).
  rewrite sum_plus, sum_scale_r, H1. ring.
Qed.

Lemma value_deviation_le i j : (i < n)%nat -> (j < n)%nat ->
  norm2 k (value_deviation h n attends X i j) <= v ^ 2 * (4 * R ^ 2).
Proof.
  intros Hi Hj. rewrite (norm2_ext k _ _ (fun r _ => value_deviation_is i j r Hi)). destruct Hh.
  apply bounded_le; [assumption |]. apply deviation_le; [apply weight_probability | |]; assumption.
Qed.

(* u . (v_j - y_i) = V^T u . (x_j - m_i) *)
Lemma value_deviation_dot i j u : (i < n)%nat ->
  dot k u (value_deviation h n attends X i j) = dot d (mat_vec k (transpose (value_matrix h)) u) (centred i j).
Proof.
  intros Hi. rewrite <- adjoint. apply dot_ext; [reflexivity | intros; apply value_deviation_is; assumption].
Qed.

(* Variance of the values along u, through V^T u. *)
Lemma value_variance_along i u : (i < n)%nat ->
  sum n (fun j => P i j * dot k u (value_deviation h n attends X i j) ^ 2)
  = sum n (fun j => P i j * dot d (mat_vec k (transpose (value_matrix h)) u) (centred i j) ^ 2).
Proof. intros Hi. apply sum_ext; intros j _. rewrite value_deviation_dot by assumption. reflexivity. Qed.

Lemma value_variance_along_le i u : (i < n)%nat ->
  sum n (fun j => P i j * dot k u (value_deviation h n attends X i j) ^ 2)
  <= R ^ 2 * norm2 d (mat_vec k (transpose (value_matrix h)) u).
Proof.
  intros Hi. rewrite value_variance_along by assumption.
  apply (variance_along_le n d (P i) X (weight_probability h n attends Hmask X i Hi) R HX).
Qed.

(* ---- C_i = V (sum_j P_ij (x_j - m_i)(x_j - m_i)^T) A ---- *)

(* (sum_j P_ij (x_j - m_i)(x_j - m_i)^T) w *)
Definition token_covariance_times (i : nat) (w : vector) : vector :=
  average n (P i) (fun j c => dot d (centred i j) w * centred i j c).

(* h_j . w = (x_j - m_i) . A w + a term that does not depend on j. *)
Lemma query_gradient_dot i j w :
  dot d (query_gradient h X j) w = dot d (centred i j) (mat_vec d A w)
    + (dot d (average n (P i) X) (mat_vec d A w)
       + dot d (fun c => mat_vec k (transpose (query_matrix h)) (key_bias h) c / root h) w).
Proof.
  rewrite (dot_ext d (query_gradient h X j)
    (fun c => mat_vec d (transpose A) (X j) c + mat_vec k (transpose (query_matrix h)) (key_bias h) c / root h) w w);
      auto.
  2: { intros c _. rewrite score_matrix_transposed_times. unfold query_gradient, key. rewrite mat_vec_plus.
       unfold Rdiv; ring. }
  rewrite (dot_symmetric d _ w), dot_plus_r, (dot_symmetric d w), <- (adjoint d d), (dot_symmetric d w).
  rewrite (dot_symmetric d (centred i j)), (dot_symmetric d (average n (P i) X)), (dot_symmetric d (X j)).
  unfold deviation. rewrite dot_minus_r. ring.
Qed.

Lemma covariance_split i w r : (i < n)%nat ->
  mat_vec d (covariance h n attends X i) w r = mat_vec d (value_matrix h) (token_covariance_times i (mat_vec d A w)) r.
Proof.
  intros Hi. pose proof (weight_probability h n attends Hmask X i Hi) as HP.
  unfold token_covariance_times, average. rewrite mat_vec_combination.
  change (mat_vec d (covariance h n attends X i) w r) with (mat_vec d (covariance h n attends X i) ((fun _ => w) i) r).
  rewrite covariance_times.
  rewrite (sum_ext n _ (fun j =>
    P i j * mat_vec d (value_matrix h) (fun c => dot d (centred i j) (mat_vec d A w) * centred i j c) r
    + P i j * value_deviation h n attends X i j r * (dot d (average n (P i) X) (mat_vec d A w)
        + dot d (fun c => mat_vec k (transpose (query_matrix h)) (key_bias h) c / root h) w))).
  - rewrite sum_plus, sum_scale_r.
    assert (Z : sum n (fun j => P i j * value_deviation h n attends X i j r) = 0)
      by (apply deviation_centred; exact HP).
    rewrite Z. ring.
  - intros j _. rewrite (query_gradient_dot i).
    replace (mat_vec d (value_matrix h) (fun c => dot d (centred i j) (mat_vec d A w) * centred i j c) r)
      with (dot d (centred i j) (mat_vec d A w) * value_deviation h n attends X i j r).
    + change (value h X j r - attention h n attends X i r) with (value_deviation h n attends X i j r). ring.
    + rewrite value_deviation_is by assumption. symmetry; apply dot_scale_r.
Qed.

(* ||sum_j P_ij (x_j - m_i)((x_j - m_i) . w)|| <= R^2 ||w||: a variance on either side of Cauchy-Schwarz. *)
Lemma token_covariance_le i w : (i < n)%nat -> norm2 d (token_covariance_times i w) <= R ^ 4 * norm2 d w.
Proof.
  intros Hi. pose proof (weight_probability h n attends Hmask X i Hi) as HP. set (u := token_covariance_times i w).
  assert (H4 : R ^ 4 = R ^ 2 * R ^ 2) by ring.
  assert (H4' : 0 <= R ^ 4) by (rewrite H4; apply Rmult_le_pos; apply pow2_ge_0).
  apply norm2_le_of_square; [apply Rmult_le_pos; [assumption | apply norm2_nonneg] |].
  assert (E : norm2 d u = sum n (fun j => P i j * (dot d u (centred i j) * dot d w (centred i j)))).
  { rewrite norm2_dot. unfold u at 2. unfold token_covariance_times, average. rewrite dot_combination_r.
    apply sum_ext; intros j _. rewrite dot_scale_r, (dot_symmetric d w). ring. }
  rewrite E at 1. destruct HP as [H0 H1].
  eapply Rle_trans; [apply weighted_cauchy_schwarz_scalar; exact H0 |].
  replace (norm2 d u * (R ^ 4 * norm2 d w)) with ((R ^ 2 * norm2 d u) * (R ^ 2 * norm2 d w)) by ring.
  apply Rmult_le_compat;
    try (apply sum_nonneg; intros; apply Rmult_le_pos; [apply H0; assumption | apply pow2_ge_0]);
    apply variance_along_le; try assumption; split; assumption.
Qed.

Lemma covariance_bounded i : (i < n)%nat -> bounded k d (covariance h n attends X i) (v * (a * R ^ 2)).
Proof.
  intros Hi w. rewrite (norm2_ext k _ _ (fun r _ => covariance_split i w r Hi)). destruct Hh.
  replace ((v * (a * R ^ 2)) ^ 2 * norm2 d w) with (v ^ 2 * (R ^ 4 * (a ^ 2 * norm2 d w))) by ring.
  apply bounded_le; [assumption |].
  eapply Rle_trans; [apply token_covariance_le; assumption |].
  apply Rmult_le_compat_l; [| apply score_bound0].
  replace (R ^ 4) with ((R ^ 2) ^ 2) by ring. apply pow2_ge_0.
Qed.

End Ball.
