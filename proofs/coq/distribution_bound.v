(* T7, the bound of Yudin et al., Pay Attention to Attention Distribution, at any X, any mask, without a query bias:

     ||D_X f|| <= ||V|| ( ||P|| + 2 ||X||^2 ||A|| max_i p_1 (1 - p_1 + p_2) ),

   p_1 >= p_2 the two largest weights of row i, all norms operator norms. Only here is ||X|| that of the n x d matrix X.

   Proof. For weights p, the quadratic form of diag(p) - p p^T is the variance, and

     sum_j p_j x_j^2 - (sum_j p_j x_j)^2 <= p_1 (1 - p_1 + p_2) ||x||^2.                               (1)

   So covariances under P_i are at most lambda = max_i p_1 (1 - p_1 + p_2) times the lengths, and a combination
   sum_j P_ij s_j (x_j - m_i) is at most lambda ||X|| ||s|| long. Row i of J xi is the sum of (a) sum_j P_ij V xi_j,
   with ||P|| ||V|| ||xi|| in all rows, (b) V times such a combination with s_j = g_i . xi_j, and (c) V times one with
   s_j = x_j . A xi_i. The numbers s of (b), over all i, have length at most ||X|| ||A|| ||xi||, and so have those
   of (c). *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound.
From attcert Require Import ball sqrt_n_bound.
Open Scope R_scope.

(* ---- Inequality (1), for one row of weights ---- *)

(* Its core, on numbers: p the largest weight, x its coordinate, q at least every other weight; m, W, T are the sums of
   p_j x_j, p_j x_j^2 and x_j^2 over the other coordinates. *)
Lemma variance_core p q x m W T :
  0 <= q <= p -> p <= 1 -> 0 <= T -> W <= q * T -> m ^ 2 <= (1 - p) * (q * T) ->
  p * x ^ 2 + W - (p * x + m) ^ 2 <= p * (1 - p + q) * (x ^ 2 + T).
Proof.
  intros [Hq Hqp] Hp HT HW Hm.
  assert (H : 0 <= p * q * x ^ 2 + 2 * p * x * m + m ^ 2 + (1 - p) * (p - q) * T).
  { assert (Hr : 0 <= (1 - p) * (p - q) * T) by (repeat apply Rmult_le_pos; lra).
    destruct (Req_dec q 0) as [-> | Hq0].
    - assert (m = 0) as -> by nra. lra.
    - apply Rmult_le_reg_l with q; [lra |]. rewrite Rmult_0_r.
      replace (q * (p * q * x ^ 2 + 2 * p * x * m + m ^ 2 + (1 - p) * (p - q) * T))
        with (p * (q * x + m) ^ 2 + (p - q) * ((1 - p) * (q * T) - m ^ 2)) by ring.
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra. apply pow2_ge_0. }
  lra.
Qed.

Section Weights.
Variables (n : nat) (p : vector).
Hypothesis Hp : probability n p.

Definition variance_at_most (lambda : R) : Prop :=
  forall x, sum n (fun j => p j * x j ^ 2) - sum n (fun j => p j * x j) ^ 2 <= lambda * norm2 n x.

Theorem variance_of_weights top q :
  (top < n)%nat -> 0 <= q <= p top -> (forall j, (j < n)%nat -> j <> top -> p j <= q) ->
  variance_at_most (p top * (1 - p top + q)).
Proof.
  intros Ht Hq Hothers x. destruct (Hp) as [H0 H1].
  (* A sum is the term at top and the others. *)
  set (others := fun f : vector => sum n (fun j => if Nat.eqb top j then 0 else f j)).
  assert (Split : forall f, sum n f = f top + others f).
  { intros f. rewrite <- (sum_only n top f Ht). unfold others. rewrite <- sum_plus.
    apply sum_ext; intros j _. destruct (Nat.eqb top j); ring. }
  unfold norm2. rewrite (Split (fun j => p j * x j ^ 2)), (Split (fun j => p j * x j)), (Split (fun j => x j ^ 2)).
  apply variance_core; auto using (probability_le_1 n).
  - apply sum_nonneg; intros j _. destruct (Nat.eqb top j); [lra | apply pow2_ge_0].
  - unfold others. rewrite <- sum_scale. apply sum_le; intros j Hj. destruct (Nat.eqb_spec top j) as [E | E]; [lra |].
    apply Rmult_le_compat_r; [apply pow2_ge_0 | auto].
  - set (rest := fun j => if Nat.eqb top j then 0 else p j).
    assert (Hrest : forall j, (j < n)%nat -> 0 <= rest j) by (intros; unfold rest; destruct (Nat.eqb top j); auto; lra).
    replace (others (fun j => p j * x j)) with (sum n (fun j => rest j * (1 * x j))).
    2: { unfold others. apply sum_ext; intros j _; unfold rest; destruct (Nat.eqb top j); ring. }
    eapply Rle_trans; [apply weighted_cauchy_schwarz_scalar; exact Hrest |].
    apply Rmult_le_compat.
    + apply sum_nonneg; intros; apply Rmult_le_pos; auto using pow2_ge_0.
    + apply sum_nonneg; intros; apply Rmult_le_pos; auto using pow2_ge_0.
    + right. replace (1 - p top) with (others p) by (pose proof (Split p); lra).
      unfold others. apply sum_ext; intros j _; unfold rest; destruct (Nat.eqb top j); ring.
    + unfold others. rewrite <- sum_scale. apply sum_le; intros j Hj. unfold rest.
      destruct (Nat.eqb_spec top j) as [E | E]; [lra |]. apply Rmult_le_compat_r; [apply pow2_ge_0 | auto].
Qed.

Section Lambda.
Variable lambda : R.
Hypothesis Hlambda : 0 <= lambda.
Hypothesis Hvar : variance_at_most lambda.

(* Variances and covariances of numbers f_j about their mean. *)
Lemma variance_numbers_le f :
  sum n (fun j => p j * (f j - sum n (fun l => p l * f l)) ^ 2) <= lambda * norm2 n f.
Proof.
  destruct Hp as [_ H1]. eapply Rle_trans; [right | apply Hvar].
  set (m := sum n (fun l => p l * f l)).
  rewrite (sum_ext n _ (fun j => p j * f j ^ 2 + ((-2 * m) * (p j * f j) + m ^ 2 * p j))) by (intros; ring).
  rewrite !sum_plus, !sum_scale, H1. fold m. ring.
Qed.

Lemma covariance_numbers_le f s :
  sum n (fun j => p j * ((f j - sum n (fun l => p l * f l)) * s j)) ^ 2 <= lambda ^ 2 * norm2 n f * norm2 n s.
Proof.
  destruct (Hp) as [H0 H1]. set (m := sum n (fun l => p l * f l)). set (t := sum n (fun l => p l * s l)).
  rewrite (sum_ext n _ (fun j => p j * ((f j - m) * (s j - t)) + t * (p j * f j - m * p j))) by (intros; ring).
  rewrite sum_plus, (sum_scale n t), sum_minus, sum_scale, H1. fold m.
  replace (t * (m - m * 1)) with 0 by ring. rewrite Rplus_0_r.
  eapply Rle_trans; [apply weighted_cauchy_schwarz_scalar; exact H0 |].
  replace (lambda ^ 2 * norm2 n f * norm2 n s) with ((lambda * norm2 n f) * (lambda * norm2 n s)) by ring.
  apply Rmult_le_compat; try apply variance_numbers_le;
    (apply sum_nonneg; intros; apply Rmult_le_pos; [auto | apply pow2_ge_0]).
Qed.

(* || sum_j p_j s_j (x_j - m) || <= lambda ||X|| ||s|| *)
Lemma centred_combination_le d (X : tokens) chi s :
  bounded n d X chi ->
  norm2 d (average n p (fun j c => s j * deviation n p X j c)) <= (lambda * chi) ^ 2 * norm2 n s.
Proof.
  intros HX. set (u := average n p (fun j c => s j * deviation n p X j c)).
  assert (E : norm2 d u = sum n (fun j => p j * ((mat_vec d X u j - sum n (fun l => p l * mat_vec d X u l)) * s j))).
  { rewrite norm2_dot. unfold u at 2, average.
    rewrite (dot_combination_r n d p u (fun j c => s j * deviation n p X j c)).
    apply sum_ext; intros j _. rewrite dot_scale_r. unfold deviation, average. rewrite dot_minus_r, dot_combination_r.
    unfold mat_vec. rewrite (dot_symmetric d (X j)).
    rewrite (sum_ext n (fun l => p l * dot d (X l) u) (fun l => p l * dot d u (X l)))
      by (intros; f_equal; apply dot_symmetric).
    ring. }
  apply norm2_le_of_square; [apply Rmult_le_pos; [apply pow2_ge_0 | apply norm2_nonneg] |].
  rewrite E at 1. eapply Rle_trans; [apply covariance_numbers_le |].
  replace (norm2 d u * ((lambda * chi) ^ 2 * norm2 n s)) with (lambda ^ 2 * (chi ^ 2 * norm2 d u) * norm2 n s) by ring.
  apply Rmult_le_compat_r; [apply norm2_nonneg |]. apply Rmult_le_compat_l; [apply pow2_ge_0 | apply HX].
Qed.

End Lambda.
End Weights.

(* ---- The Jacobian ---- *)

Section Distribution.
Variables (h : head) (n : nat) (attends : mask) (X xi : tokens) (a b v chi pi lambda : R).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hh : head_bounds h a b v.
Hypothesis Hbias : forall r, query_bias h r = 0.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation A := (score_matrix h).
Local Notation P := (weight h n attends X).
Hypothesis HX : bounded n d X chi.
Hypothesis HP : bounded n n P pi.
Hypothesis Hlambda : 0 <= lambda.
Hypothesis Hvar : forall i, (i < n)%nat -> variance_at_most n (P i) lambda.

(* (a): the coordinates of xi, one by one, through P. *)
Lemma mean_terms_le : sequence_norm2 n k (mean_term h n attends X xi) <= (v * pi) ^ 2 * sequence_norm2 n d xi.
Proof.
  apply Rle_trans with (sum n (fun i => v ^ 2 * norm2 d (average n (P i) xi))).
  - apply sum_le; intros i _. destruct Hh as [_ _ HV _ _ _].
    eapply Rle_trans; [right | apply HV]. apply norm2_ext; intros r _. symmetry; apply mat_vec_combination.
  - rewrite sum_scale, Rpow_mult_distr, Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
    unfold norm2 at 1. rewrite sum_swap. unfold sequence_norm2, norm2.
    rewrite (sum_swap n d (fun i c => xi i c ^ 2)), <- sum_scale.
    apply sum_le; intros c _. apply (HP (fun j => xi j c)).
Qed.

(* (b): s_j = g_i . xi_j. *)
Lemma weight_terms_le :
  sequence_norm2 n k (weight_term h n attends X xi) <= (v * (lambda * chi ^ 2 * a)) ^ 2 * sequence_norm2 n d xi.
Proof.
  destruct (Hh) as [HA _ HV _ _ _].
  apply Rle_trans with
    (sum n (fun i => v ^ 2 * ((lambda * chi) ^ 2 * norm2 n (fun j => dot d (key_gradient h X i) (xi j))))).
  - apply sum_le; intros i Hi.
    eapply Rle_trans;
      [| apply bounded_le; [exact HV | apply (centred_combination_le n (P i)); eauto using weight_probability]].
    right. apply norm2_ext; intros r _. unfold average. rewrite (mat_vec_combination n d (value_matrix h) (P i)).
    apply sum_ext; intros j _. f_equal. rewrite value_deviation_is by assumption. symmetry; apply dot_scale_r.
  - rewrite !sum_scale.
    replace ((v * (lambda * chi ^ 2 * a)) ^ 2 * sequence_norm2 n d xi)
      with (v ^ 2 * ((lambda * chi) ^ 2 * (chi ^ 2 * (a ^ 2 * sequence_norm2 n d xi)))) by ring.
    do 2 (apply Rmult_le_compat_l; [apply pow2_ge_0 |]).
    unfold norm2 at 1. rewrite sum_swap. unfold sequence_norm2. rewrite <- !sum_scale. apply sum_le; intros j _.
    apply Rle_trans with (norm2 n (mat_vec d X (mat_vec d (transpose A) (xi j)))).
    + right. apply sum_ext; intros i _. f_equal. rewrite dot_symmetric.
      rewrite (dot_ext d (xi j) (xi j) _ (mat_vec d A (X i))); auto.
      * rewrite dot_symmetric. symmetry. apply (adjoint d d (transpose A)).
      * intros c _. rewrite key_gradient_split, bias_gradient_zero by assumption. ring.
    + apply bounded_le; [assumption |]. apply bounded_transpose; assumption.
Qed.

(* (c): s_j = x_j . A xi_i; that C_i has x_j - m_i there changes s by a constant, and constants average out. *)
Lemma diagonal_terms_le :
  sequence_norm2 n k (diagonal_term h n attends X xi) <= (v * (lambda * chi ^ 2 * a)) ^ 2 * sequence_norm2 n d xi.
Proof.
  destruct (Hh) as [HA _ HV _ _ _].
  unfold sequence_norm2. rewrite <- sum_scale. apply sum_le; intros i Hi.
  pose proof (weight_probability h n attends Hmask X i Hi) as Hprob. unfold diagonal_term.
  rewrite (norm2_ext k _ _ (fun r _ => covariance_split h n attends X Hmask i (xi i) r Hi)).
  replace ((v * (lambda * chi ^ 2 * a)) ^ 2 * norm2 d (xi i))
    with (v ^ 2 * ((lambda * chi) ^ 2 * (chi ^ 2 * (a ^ 2 * norm2 d (xi i))))) by ring.
  apply bounded_le; [assumption |]. set (w := mat_vec d A (xi i)).
  apply Rle_trans with ((lambda * chi) ^ 2 * norm2 n (mat_vec d X w)).
  - eapply Rle_trans;
      [right | apply (centred_combination_le n (P i) Hprob lambda (Hvar i Hi) d X chi (mat_vec d X w) HX)].
    apply norm2_ext; intros c _. unfold token_covariance_times.
    pose proof (deviation_centred n (P i) X Hprob c) as Z. unfold average at 1 2.
    rewrite (sum_ext n _ (fun j => P i j * (mat_vec d X w j * deviation n (P i) X j c)
                                   - dot d w (average n (P i) X) * (P i j * deviation n (P i) X j c))).
    + rewrite sum_minus, (sum_scale n (dot d w (average n (P i) X))), Z. ring.
    + intros j _. rewrite (dot_symmetric d (deviation n (P i) X j) w). unfold deviation at 1. rewrite dot_minus_r.
      unfold mat_vec. rewrite (dot_symmetric d (X j)). ring.
  - apply Rmult_le_compat_l; [apply pow2_ge_0 |]. apply bounded_le; [assumption |]. apply HA.
Qed.

End Distribution.

Theorem distribution_bound h n attends X a b v chi pi lambda :
  no_empty_row n attends -> head_bounds h a b v -> (forall r, query_bias h r = 0) ->
  bounded n (width h) X chi -> bounded n n (weight h n attends X) pi -> 0 <= pi -> 0 <= lambda ->
  (forall i, (i < n)%nat -> exists top q, let p := weight h n attends X i in
     (top < n)%nat /\ 0 <= q <= p top /\ (forall j, (j < n)%nat -> j <> top -> p j <= q)
     /\ p top * (1 - p top + q) <= lambda) ->
  jacobian_bounded h n attends X (v * (pi + 2 * chi ^ 2 * a * lambda)).
Proof.
  intros Hmask Hh Hbias HX HP Hpi Hlambda Hrows xi.
  assert (Hvar : forall i, (i < n)%nat -> variance_at_most n (weight h n attends X i) lambda).
  { intros i Hi x. destruct (Hrows i Hi) as (top & q & Ht & Hq & Ho & Hl).
    eapply Rle_trans; [apply (variance_of_weights n _ (weight_probability h n attends Hmask X i Hi) top q Ht Hq Ho) |].
    apply Rmult_le_compat_r; [apply norm2_nonneg | exact Hl]. }
  destruct (Hh) as [_ _ _ Ha _ Hv].
  assert (Hl : 0 <= v * (lambda * chi ^ 2 * a)).
  { apply Rmult_le_pos; [assumption |]. apply Rmult_le_pos; [| assumption].
    apply Rmult_le_pos; [assumption | apply pow2_ge_0]. }
  assert (Hvp : 0 <= v * pi) by (apply Rmult_le_pos; assumption).
  replace (sequence_norm2 n (rank h) (jacobian_times h n attends X xi)) with (sequence_norm2 n (rank h)
    (fun i r => (mean_term h n attends X xi i r + weight_term h n attends X xi i r)
                + diagonal_term h n attends X xi i r)).
  2: { apply sum_ext; intros i Hi. apply norm2_ext; intros r _. symmetry; apply three_terms; assumption. }
  replace (v * (pi + 2 * chi ^ 2 * a * lambda))
    with ((v * pi + v * (lambda * chi ^ 2 * a)) + v * (lambda * chi ^ 2 * a)) by ring.
  apply (sequence_norm2_triangle n (rank h)
    (fun i r => mean_term h n attends X xi i r + weight_term h n attends X xi i r));
    try lra; try apply sequence_norm2_nonneg.
  - apply sequence_norm2_triangle; try lra; [apply sequence_norm2_nonneg | |].
    + eapply mean_terms_le; eassumption.
    + eapply weight_terms_le; eassumption.
  - eapply diagonal_terms_le; eassumption.
Qed.
