(* The Jacobian's formula is the derivative of attention.

   For every direction xi, d/dt f(X + t xi)_i at t = 0 is sum_l J_il xi_l, for any mask and with biases. The proof is
   the one on paper, line by line:

     ds_ij = g_i . xi_j + h_j . xi_i                              product rule
     dP_ij = P_ij (ds_ij - sum_m P_im ds_im)                      quotient rule
     dy_i  = sum_j P_ij (V xi_j + (v_j - y_i) ds_ij)              as sum_j P_ij (v_j - y_i) = 0
           = sum_l J_il xi_l                                      the formula, sorted by blocks *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention.
Open Scope R_scope.

Section Jacobian.
Variables (h : head) (n : nat) (attends : mask) (X xi : tokens).
Hypothesis Hmask : no_empty_row n attends.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation P := (weight h n attends X).
Local Notation y := (attention h n attends X).
Local Notation v := (value h X).
Local Notation g := (key_gradient h X).
Local Notation hh := (query_gradient h X).

Definition score_differential (i j : nat) : R := dot d (g i) (xi j) + dot d (hh j) (xi i).

(* dy_i as spec/attention/jvp.acsl has it. *)
Definition jvp (i : nat) : vector :=
  fun r => sum n (fun j => P i j * (mat_vec d (value_matrix h) (xi j) r + (v j r - y i r) * score_differential i j)).

(* ---- Sorting by blocks: sum_l J_il xi_l = dy_i. No analysis, only sums. ---- *)

Lemma covariance_times i r :
  mat_vec d (covariance h n attends X i) (xi i) r = sum n (fun j => P i j * ((v j r - y i r) * dot d (hh j) (xi i))).
Proof.
  unfold mat_vec, covariance. rewrite dot_symmetric, dot_combination_r.
  apply sum_ext; intros j _. rewrite (dot_symmetric d (xi i)). ring.
Qed.

Lemma block_times i l r :
  mat_vec d (jacobian h n attends X i l) (xi l) r =
  P i l * (mat_vec d (value_matrix h) (xi l) r + (v l r - y i r) * dot d (g i) (xi l))
  + (if Nat.eqb i l then mat_vec d (covariance h n attends X i) (xi l) r else 0).
Proof.
  unfold jacobian, mat_vec. rewrite dot_symmetric, dot_plus_r, dot_scale_r, dot_plus_r, dot_scale_r.
  f_equal; [f_equal; f_equal; [| f_equal]; apply dot_symmetric |].
  destruct (Nat.eqb i l); [apply dot_symmetric | apply sum_zero; intros; ring].
Qed.

Theorem jacobian_times_is_jvp i r : (i < n)%nat -> jacobian_times h n attends X xi i r = jvp i r.
Proof.
  intros Hi. unfold jacobian_times. rewrite (sum_ext n _ _ (fun l _ => block_times i l r)), sum_plus.
  rewrite (sum_only n i (fun l => mat_vec d (covariance h n attends X i) (xi l) r) Hi), covariance_times, <- sum_plus.
  apply sum_ext; intros; unfold score_differential; ring.
Qed.

(* ---- The derivative, at t = 0 on the line X + t xi ---- *)

Lemma along_0 j r M b : mat_vec d M (along X xi 0 j) r + b r = mat_vec d M (X j) r + b r.
Proof. f_equal. apply sum_ext; intros; unfold along; ring. Qed.

Lemma score_along_0 i j : score h (along X xi 0) i j = score h X i j.
Proof. unfold score. f_equal. apply dot_ext; intros; apply along_0. Qed.

Lemma exp_score_along_0 i j : exp_score h attends (along X xi 0) i j = exp_score h attends X i j.
Proof. unfold exp_score. rewrite score_along_0. reflexivity. Qed.

Lemma weight_along_0 i j : weight h n attends (along X xi 0) i j = P i j.
Proof.
  unfold weight. rewrite exp_score_along_0. f_equal. apply sum_ext; intros; apply exp_score_along_0.
Qed.

(* ds_ij: each of the two gradients is an adjoint. *)
Lemma derivative_score i j : derivable_pt_lim (fun t => score h (along X xi t) i j) 0 (score_differential i j).
Proof.
  unfold score. eapply derivative_value.
  - apply (derivative_divide (fun t => dot k (query h (along X xi t) i) (key h (along X xi t) j))).
    apply (derivative_dot k (fun t => query h (along X xi t) i) (fun t => key h (along X xi t) j)); intros r;
      apply derivative_affine.
  - rewrite (dot_ext k _ _ (key h (along X xi 0) j) (key h X j) (fun _ _ => eq_refl)) by (intros; apply along_0).
    rewrite (dot_ext k (query h (along X xi 0) i) (query h X i) _ _ (fun r _ => along_0 i r _ _) (fun _ _ => eq_refl)).
    rewrite (dot_symmetric k (fun r => mat_vec d (query_matrix h) (xi i) r)).
    unfold score_differential, key_gradient, query_gradient.
    rewrite (dot_symmetric d _ (xi j)), (dot_symmetric d _ (xi i)), !dot_divide_r, !(dot_symmetric d (xi _)).
    rewrite <- !(adjoint k d). unfold Rdiv. rewrite <- Rmult_plus_distr_r. f_equal. apply Rplus_comm.
Qed.

Lemma derivative_exp_score i j :
  derivable_pt_lim (fun t => exp_score h attends (along X xi t) i j) 0
    (exp_score h attends X i j * score_differential i j).
Proof.
  unfold exp_score. destruct (attends i j).
  - rewrite <- score_along_0.
    apply (derivable_pt_lim_comp (fun t => score h (along X xi t) i j) exp);
      [apply derivative_score | apply derivable_pt_lim_exp].
  - eapply derivative_value; [apply derivable_pt_lim_const | ring].
Qed.

Lemma derivative_normalizer i :
  derivable_pt_lim (fun t => sum n (exp_score h attends (along X xi t) i)) 0
                   (sum n (fun j => exp_score h attends X i j * score_differential i j)).
Proof.
  apply (derivative_sum n (fun j t => exp_score h attends (along X xi t) i j)). intros; apply derivative_exp_score.
Qed.

(* dP_ij = P_ij (ds_ij - sum_m P_im ds_im). *)
Definition mean_score_differential (i : nat) : R := sum n (fun j => P i j * score_differential i j).

Lemma derivative_weight i j : (i < n)%nat ->
  derivable_pt_lim (fun t => weight h n attends (along X xi t) i j) 0
                   (P i j * (score_differential i j - mean_score_differential i)).
Proof.
  intros Hi. pose proof (normalizer_positive h n attends Hmask X i Hi) as HZ.
  assert (EZ : sum n (exp_score h attends (along X xi 0) i) = sum n (exp_score h attends X i)).
  { apply sum_ext; intros; apply exp_score_along_0. }
  eapply derivative_value.
  - apply (derivable_pt_lim_div (fun t => exp_score h attends (along X xi t) i j)
      (fun t => sum n (exp_score h attends (along X xi t) i)));
      [apply derivative_exp_score | apply derivative_normalizer | rewrite EZ; lra].
  - rewrite EZ, exp_score_along_0. unfold mean_score_differential, weight, Rsqr.
    rewrite (sum_ext n (fun m => exp_score h attends X i m / sum n (exp_score h attends X i) * score_differential i m)
      (fun m => exp_score h attends X i m * score_differential i m / sum n (exp_score h attends X i)))
      by (intros; field; lra).
    rewrite sum_divide. field. lra.
Qed.

(* Attention is differentiable along xi and its derivative is the Jacobian's formula applied to xi. *)
Theorem attention_derivative i r : (i < n)%nat ->
  derivable_pt_lim (fun t => attention h n attends (along X xi t) i r) 0 (jacobian_times h n attends X xi i r).
Proof.
  intros Hi. rewrite jacobian_times_is_jvp by assumption. unfold attention, average. eapply derivative_value.
  - apply (derivative_sum n (fun j t => weight h n attends (along X xi t) i j * value h (along X xi t) j r)).
    intros j _.
    apply (derivable_pt_lim_mult (fun t => weight h n attends (along X xi t) i j)
      (fun t => value h (along X xi t) j r));
      [apply derivative_weight; assumption | apply derivative_affine].
  - cbv beta. unfold jvp.
    rewrite (sum_ext n _ (fun j =>
      P i j * (mat_vec d (value_matrix h) (xi j) r + (v j r - y i r) * score_differential i j)
      + (y i r * (P i j * score_differential i j) - mean_score_differential i * (P i j * v j r)))).
    + rewrite sum_plus, sum_minus, !sum_scale. change (sum n (fun j => P i j * v j r)) with (y i r).
      fold (mean_score_differential i). ring.
    + intros j _. rewrite weight_along_0.
      replace (value h (along X xi 0) j r) with (v j r) by (symmetry; apply along_0). ring.
Qed.

End Jacobian.

(* The entries of J are the partial derivatives: the direction is the unit vector of token l, coordinate c. *)
Definition unit_direction (l c : nat) : tokens := fun j e => if Nat.eqb l j then if Nat.eqb c e then 1 else 0 else 0.

Corollary jacobian_entry_is_partial_derivative h n attends X i l r c :
  no_empty_row n attends -> (i < n)%nat -> (l < n)%nat -> (c < width h)%nat ->
  derivable_pt_lim (fun t => attention h n attends (along X (unit_direction l c) t) i r) 0
    (jacobian h n attends X i l r c).
Proof.
  intros Hmask Hi Hl Hc. eapply derivative_value; [apply attention_derivative; assumption |].
  unfold jacobian_times.
  rewrite (sum_ext n _ (fun j => if Nat.eqb l j then jacobian h n attends X i j r c else 0)).
  - apply (sum_only n l (fun j => jacobian h n attends X i j r c)); assumption.
  - intros j _. unfold mat_vec, dot, unit_direction. destruct (Nat.eqb l j).
    + rewrite <- (sum_only (width h) c (fun e => jacobian h n attends X i j r e)) by assumption.
      apply sum_ext; intros e _. destruct (Nat.eqb c e); ring.
    + apply sum_zero; intros; ring.
Qed.
