(* T6: a bound on the Jacobian at one X, any X, with biases and any mask.

     alpha_i^2 = lambda_max( V V^T + ||g_i||^2 Cv_i ),     Cv_i = sum_j P_ij (v_j - y_i)(v_j - y_i)^T,
     beta      = max_i || C_i ||,                          C_i = sum_j P_ij (v_j - y_i) h_j^T:

     ||D_X f|| <= sqrt( max_j sum_i P_ij alpha_i^2 ) + beta.

   As always here, "lambda_max <= alpha^2" is written as an inequality of quadratic forms and the maxima as numbers c,
   beta that are at least as large.

   Proof. Row i of J xi is spread_i + C_i xi_i. For u = spread_i, with
   t_j = u . (v_j - y_i),

     ||u||^2 = sum_j P_ij (V^T u + t_j g_i) . xi_j,

   and sum_j P_ij t_j = 0 removes the mixed term of sum_j P_ij ||V^T u + t_j g_i||^2 = ||V^T u||^2 + ||g_i||^2 sum_j
   P_ij t_j^2 <= alpha_i^2 ||u||^2. Cauchy-Schwarz with weights P_ij leaves ||spread_i||^2 <= alpha_i^2 sum_j P_ij
   ||xi_j||^2, and the sum over i brings the columns of P. The diagonal adds beta by the triangle inequality. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz.
Open Scope R_scope.

Section Pointwise.
Variables (h : head) (n : nat) (attends : mask) (X : tokens).
Hypothesis Hmask : no_empty_row n attends.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation P := (weight h n attends X).
Local Notation g := (key_gradient h X).

(* v_j - y_i *)
Definition value_deviation (i j : nat) : vector := deviation n (P i) (value h X) j.

(* What column j of J xi's row i carries, without the diagonal: V xi_j + (v_j - y_i)(g_i . xi_j). *)
Definition carried (xi : tokens) (i j : nat) : vector :=
  fun r => mat_vec d (value_matrix h) (xi j) r + dot d (g i) (xi j) * value_deviation i j r.
Definition spread (xi : tokens) (i : nat) : vector := average n (P i) (carried xi i).

(* Its adjoint: u . (V xi_j + (v_j - y_i)(g_i . xi_j)) = (V^T u + (u . (v_j - y_i)) g_i) . xi_j. *)
Definition pulled_back (i : nat) (u : vector) (j : nat) : vector :=
  fun c => mat_vec k (transpose (value_matrix h)) u c + dot k u (value_deviation i j) * g i c.

Lemma spread_adjoint u xi i : dot k u (spread xi i) = sum n (fun j => P i j * dot d (pulled_back i u j) (xi j)).
Proof.
  unfold spread, average. rewrite dot_combination_r. apply sum_ext; intros j _. f_equal.
  unfold carried, pulled_back. rewrite dot_plus_r, dot_scale_r, (adjoint k d).
  rewrite (dot_symmetric d _ (xi j)), (dot_symmetric d (fun c => _ c + _)), dot_plus_r, dot_scale_r.
  rewrite (dot_symmetric d (g i)). ring.
Qed.

Lemma jacobian_times_split xi i r : (i < n)%nat ->
  jacobian_times h n attends X xi i r = spread xi i r + mat_vec d (covariance h n attends X i) (xi i) r.
Proof.
  intros Hi. rewrite jacobian_times_is_jvp, covariance_times by assumption.
  unfold spread, average. rewrite <- sum_plus. apply sum_ext; intros j _.
  unfold carried, value_deviation, deviation, score_differential, attention. ring.
Qed.

Section Row.
Variables (i : nat) (alpha2 : R).
Hypothesis Hi : (i < n)%nat.
Hypothesis Halpha : forall u,
  norm2 d (mat_vec k (transpose (value_matrix h)) u)
  + norm2 d (g i) * sum n (fun j => P i j * dot k u (value_deviation i j) ^ 2) <= alpha2 * norm2 k u.

Lemma spread_row_le xi : 0 <= alpha2 -> norm2 k (spread xi i) <= alpha2 * sum n (fun j => P i j * norm2 d (xi j)).
Proof.
  intros Ha. pose proof (weight_probability h n attends Hmask X i Hi) as HP.
  assert (HW : 0 <= sum n (fun j => P i j * norm2 d (xi j))).
  { apply sum_nonneg; intros j Hj. destruct HP as [H0 _]. apply Rmult_le_pos; [auto | apply norm2_nonneg]. }
  set (u := spread xi i).
  assert (S : sum n (fun j => P i j * norm2 d (pulled_back i u j)) <= alpha2 * norm2 k u).
  { eapply Rle_trans; [| apply Halpha]. right. unfold pulled_back.
    set (w := mat_vec k (transpose (value_matrix h)) u). set (t := fun j => dot k u (value_deviation i j)).
    rewrite (sum_ext n _ (fun j => P i j * norm2 d w + (2 * dot d w (g i) * (P i j * t j) +
      norm2 d (g i) * (P i j * t j ^ 2)))).
    - rewrite !sum_plus, sum_scale_r, !sum_scale.
      assert (T : sum n (fun j => P i j * t j) = 0) by (apply deviation_dot_centred; exact HP).
      destruct HP as [_ ->]. rewrite T. unfold t. ring.
    - intros j _. change (dot k u (value_deviation i j)) with (t j).
      rewrite norm2_plus, norm2_scale, dot_scale_r. ring. }
  apply norm2_le_of_square; [apply Rmult_le_pos; assumption |].
  rewrite (norm2_dot k u) at 1. unfold u at 2. rewrite spread_adjoint. destruct HP as [H0 _].
  eapply Rle_trans; [apply (weighted_cauchy_schwarz n d (P i) (pulled_back i u) xi H0) |].
  replace (norm2 k u * (alpha2 * sum n (fun j => P i j * norm2 d (xi j))))
    with ((alpha2 * norm2 k u) * sum n (fun j => P i j * norm2 d (xi j))) by ring.
  apply Rmult_le_compat_r; assumption.
Qed.

End Row.

(* Adding up the rows: the column sums of P, each row with its factor. *)
Lemma sum_of_rows_le (f : vector) (xi : tokens) c :
  (forall j, (j < n)%nat -> sum n (fun i => P i j * f i) <= c) ->
  sum n (fun i => f i * sum n (fun j => P i j * norm2 d (xi j))) <= c * sequence_norm2 n d xi.
Proof.
  intros Hc. rewrite (sum_ext n _ (fun i => sum n (fun j => norm2 d (xi j) * (P i j * f i)))).
  - rewrite sum_swap. unfold sequence_norm2. rewrite <- sum_scale. apply sum_le; intros j Hj.
    rewrite sum_scale. pose proof (Hc j Hj). pose proof (norm2_nonneg d (xi j)). nra.
  - intros i _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

(* ||D_X f|| is at most the norm of xi -> spread xi plus that of the diagonal. *)
Lemma jacobian_bounded_of_parts (sigma beta : R) :
  0 <= sigma -> 0 <= beta ->
  (forall xi, sequence_norm2 n k (spread xi) <= sigma ^ 2 * sequence_norm2 n d xi) ->
  (forall i, (i < n)%nat -> bounded k d (covariance h n attends X i) beta) ->
  jacobian_bounded h n attends X (sigma + beta).
Proof.
  intros Hsigma Hbeta Hspread Hcov xi.
  replace (sequence_norm2 n k (jacobian_times h n attends X xi))
    with (sequence_norm2 n k (fun i r => spread xi i r + mat_vec d (covariance h n attends X i) (xi i) r)).
  2: { apply sum_ext; intros i Hi. apply norm2_ext; intros r _. symmetry; apply jacobian_times_split; assumption. }
  apply sequence_norm2_triangle; auto using sequence_norm2_nonneg.
  unfold sequence_norm2. rewrite <- sum_scale. apply sum_le; intros i Hi. apply Hcov; assumption.
Qed.

Theorem pointwise_bound (alpha : vector) (beta c : R) :
  (forall i u, (i < n)%nat ->
     norm2 d (mat_vec k (transpose (value_matrix h)) u)
     + norm2 d (g i) * sum n (fun j => P i j * dot k u (value_deviation i j) ^ 2) <= alpha i ^ 2 * norm2 k u) ->
  (forall i, (i < n)%nat -> bounded k d (covariance h n attends X i) beta) ->
  (forall j, (j < n)%nat -> sum n (fun i => P i j * alpha i ^ 2) <= c) ->
  0 <= beta -> 0 <= c ->
  jacobian_bounded h n attends X (sqrt c + beta).
Proof.
  intros Halpha Hcov Hc Hbeta Hc0. apply jacobian_bounded_of_parts; auto using sqrt_pos. intros xi.
  rewrite pow2_sqrt by assumption. eapply Rle_trans; [| apply (sum_of_rows_le (fun i => alpha i ^ 2)); eassumption].
  apply sum_le; intros i Hi. apply spread_row_le; auto using pow2_ge_0.
Qed.

End Pointwise.
