(* T1, the sqrt(n) bound (Theorem 3.3 of Castin, Ablin and Peyre, How Smooth Is Attention?, ICML 2024), with biases.

   For tokens in the ball of radius R, with z = a R^2 and z_g = R (a R + b) (ball.v), and any mask,

     ||D_X f|| <= sqrt(3) ||V|| ( 4 n z_g^2 + z^2 + n )^(1/2),
     without b_Q  sqrt(3) ||V|| ( z^2 (4 n + 1) + n )^(1/2).

   Proof. Row i of J xi is the sum of three vectors,

     (a) sum_j P_ij V xi_j,   (b) sum_j P_ij (v_j - y_i)(g_i . xi_j),   (c) C_i xi_i.

   With W_i = sum_j P_ij ||xi_j||^2, Jensen gives ||(a)||^2 <= v^2 W_i and ||(b)||^2 <= v^2 4 R^2 ||g_i||^2 W_i <=
   4 v^2 z_g^2 W_i, and ||(c)||^2 <= v^2 z^2 ||xi_i||^2. Then (a + b + c)^2 <= 3 (a^2 + b^2 + c^2), and
   sum_i W_i <= n ||xi||^2 as no weight exceeds 1. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
Open Scope R_scope.

Section SqrtN.
Variables (h : head) (n : nat) (attends : mask) (X xi : tokens) (a b v R : R).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hh : head_bounds h a b v.
Hypothesis HR : 0 <= R.
Hypothesis HX : in_ball n (width h) R X.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation P := (weight h n attends X).
Local Notation W i := (sum n (fun j => P i j * norm2 d (xi j))).
Local Notation z := (a * R ^ 2).
Local Notation zg := (R * (a * R + b)).

Definition mean_term (i : nat) : vector := average n (P i) (fun j => mat_vec d (value_matrix h) (xi j)).
Definition weight_term (i : nat) : vector :=
  average n (P i) (fun j r => dot d (key_gradient h X i) (xi j) * value_deviation h n attends X i j r).
Definition diagonal_term (i : nat) : vector := mat_vec d (covariance h n attends X i) (xi i).

Lemma three_terms i r : (i < n)%nat ->
  jacobian_times h n attends X xi i r = mean_term i r + weight_term i r + diagonal_term i r.
Proof.
  intros Hi. rewrite jacobian_times_split by assumption. unfold spread, mean_term, weight_term, diagonal_term, average.
  rewrite <- sum_plus. f_equal. apply sum_ext; intros; unfold carried; ring.
Qed.

Lemma mean_term_le i : (i < n)%nat -> norm2 k (mean_term i) <= v ^ 2 * W i.
Proof.
  intros Hi. pose proof (weight_probability h n attends Hmask X i Hi) as HP.
  eapply Rle_trans; [apply jensen; exact HP |]. rewrite <- sum_scale. apply sum_le; intros j Hj.
  replace (v ^ 2 * (P i j * norm2 d (xi j))) with (P i j * (v ^ 2 * norm2 d (xi j))) by ring.
  apply Rmult_le_compat_l; [apply weight_nonneg; assumption |]. destruct Hh; auto.
Qed.

Lemma weight_term_le i : (i < n)%nat -> norm2 k (weight_term i) <= 4 * v ^ 2 * zg ^ 2 * W i.
Proof.
  intros Hi. pose proof (weight_probability h n attends Hmask X i Hi) as HP.
  eapply Rle_trans; [apply jensen; exact HP |]. rewrite <- sum_scale. apply sum_le; intros j Hj.
  rewrite norm2_scale. set (s := dot d (key_gradient h X i) (xi j)).
  assert (Hs : s ^ 2 <= (a * R + b) ^ 2 * norm2 d (xi j)).
  { eapply Rle_trans; [apply cauchy_schwarz |]. apply Rmult_le_compat_r; [apply norm2_nonneg |].
    eapply key_gradient_le; eassumption. }
  replace (4 * v ^ 2 * zg ^ 2 * (P i j * norm2 d (xi j)))
    with (P i j * (((a * R + b) ^ 2 * norm2 d (xi j)) * (v ^ 2 * (4 * R ^ 2)))) by ring.
  apply Rmult_le_compat_l; [apply weight_nonneg; assumption |].
  apply Rmult_le_compat; auto using pow2_ge_0, norm2_nonneg. eapply value_deviation_le; eassumption.
Qed.

Lemma diagonal_term_le i : (i < n)%nat -> norm2 k (diagonal_term i) <= v ^ 2 * z ^ 2 * norm2 d (xi i).
Proof.
  intros Hi. eapply Rle_trans; [eapply covariance_bounded; eassumption |]. right; ring.
Qed.

(* sum_i W_i <= n ||xi||^2 *)
Lemma sum_of_averages_le : sum n (fun i => W i) <= INR n * sequence_norm2 n d xi.
Proof.
  rewrite (sum_ext n _ (fun i => 1 * W i)) by (intros; ring).
  apply (sum_of_rows_le h n attends X (fun _ => 1)). intros j Hj.
  replace (INR n) with (sum n (fun _ => 1)) by (rewrite sum_constant; ring). apply sum_le; intros i Hi.
  rewrite Rmult_1_r. apply (probability_le_1 n); [apply weight_probability | ]; assumption.
Qed.

Lemma sqrt_n_squares :
  sequence_norm2 n k (jacobian_times h n attends X xi)
  <= 3 * v ^ 2 * (4 * INR n * zg ^ 2 + z ^ 2 + INR n) * sequence_norm2 n d xi.
Proof.
  apply Rle_trans with (sum n (fun i => 3 * v ^ 2 * ((1 + 4 * zg ^ 2) * W i + z ^ 2 * norm2 d (xi i)))).
  - apply sum_le; intros i Hi. rewrite (norm2_ext k _ _ (fun r _ => three_terms i r Hi)).
    eapply Rle_trans; [apply norm2_three_le |].
    pose proof (mean_term_le i Hi). pose proof (weight_term_le i Hi). pose proof (diagonal_term_le i Hi). lra.
  - rewrite sum_scale, sum_plus, !sum_scale. fold (sequence_norm2 n d xi).
    pose proof sum_of_averages_le as HW.
    replace (3 * v ^ 2 * (4 * INR n * zg ^ 2 + z ^ 2 + INR n) * sequence_norm2 n d xi)
      with (3 * v ^ 2 * ((1 + 4 * zg ^ 2) * (INR n * sequence_norm2 n d xi) + z ^ 2 * sequence_norm2 n d xi)) by ring.
    apply Rmult_le_compat_l; [pose proof (pow2_ge_0 v); lra |]. apply Rplus_le_compat_r.
    apply Rmult_le_compat_l; [pose proof (pow2_ge_0 zg); lra | assumption].
Qed.

End SqrtN.

(* The bound on the Jacobian, at any X with tokens in the ball. *)
Theorem sqrt_n_bound h n attends X a b v R :
  no_empty_row n attends -> head_bounds h a b v -> 0 <= R -> in_ball n (width h) R X ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  jacobian_bounded h n attends X (sqrt 3 * v * sqrt (4 * INR n * zg ^ 2 + z ^ 2 + INR n)).
Proof.
  intros Hmask Hh HR HX z zg xi. rewrite !Rpow_mult_distr, !pow2_sqrt.
  - apply sqrt_n_squares; assumption.
  - pose proof (pos_INR n). pose proof (pow2_ge_0 z).
    assert (0 <= 4 * INR n * zg ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]). lra.
  - lra.
Qed.

(* The Lipschitz constant on B_R^n. *)
Theorem sqrt_n_lipschitz h n attends a b v R :
  no_empty_row n attends -> head_bounds h a b v -> 0 <= R ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  lipschitz_on_ball h n attends R (sqrt 3 * v * sqrt (4 * INR n * zg ^ 2 + z ^ 2 + INR n)).
Proof. intros. apply lipschitz_from_jacobian; [assumption |]. intros. apply sqrt_n_bound; assumption. Qed.

(* As in the paper: no query bias (b = 0), unmasked and masked. *)
Corollary sqrt_n_lipschitz_without_bias h n attends a v R :
  no_empty_row n attends -> head_bounds h a 0 v -> 0 <= R ->
  let z := a * R ^ 2 in
  lipschitz_on_ball h n attends R (sqrt 3 * v * sqrt (z ^ 2 * (4 * INR n + 1) + INR n)).
Proof.
  intros Hmask Hh HR z. pose proof (sqrt_n_lipschitz h n attends a 0 v R Hmask Hh HR) as H. cbv zeta in H.
  replace (z ^ 2 * (4 * INR n + 1) + INR n) with (4 * INR n * (R * (a * R + 0)) ^ 2 + (a * R ^ 2) ^ 2 + INR n)
    by (unfold z; ring).
  exact H.
Qed.

Corollary sqrt_n_lipschitz_unmasked h n a v R :
  head_bounds h a 0 v -> 0 <= R ->
  lipschitz_on_ball h n unmasked R (sqrt 3 * v * sqrt ((a * R ^ 2) ^ 2 * (4 * INR n + 1) + INR n)).
Proof. intros. apply sqrt_n_lipschitz_without_bias; auto using unmasked_no_empty_row. Qed.

Corollary sqrt_n_lipschitz_causal h n a v R :
  head_bounds h a 0 v -> 0 <= R ->
  lipschitz_on_ball h n causal R (sqrt 3 * v * sqrt ((a * R ^ 2) ^ 2 * (4 * INR n + 1) + INR n)).
Proof. intros. apply sqrt_n_lipschitz_without_bias; auto using causal_no_empty_row. Qed.

(* In one sentence: the derivative of attention at X along xi is at most that long. *)
Corollary sqrt_n_directional_derivative h n attends X xi D a b v R :
  no_empty_row n attends -> head_bounds h a b v -> 0 <= R -> in_ball n (width h) R X ->
  directional_derivative h n attends X xi D ->
  let z := a * R ^ 2 in
  let zg := R * (a * R + b) in
  sqrt (sequence_norm2 n (rank h) D)
  <= sqrt 3 * v * sqrt (4 * INR n * zg ^ 2 + z ^ 2 + INR n) * sqrt (sequence_norm2 n (width h) xi).
Proof.
  intros Hmask Hh HR HX HD z zg.
  apply (directional_derivative_bound h n attends X); auto; [| apply sqrt_n_bound; assumption].
  destruct Hh. repeat apply Rmult_le_pos; auto using sqrt_pos.
Qed.
