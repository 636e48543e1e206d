(* How far the deviations w_ij = v_j - y_i and the forms phi_ij can change from X to X + E, when |P'_im - P_im| <= q_im
   (primes at X + E; weight_change.v has q_im = P_im eta_im). With a_ij = |e_j - sum_m P'_im e_m|

     |w'_ij - w_ij|              <= ||V|| a_ij + sum_m q_im |w_im|                                        (D_ij)
     |phi'_ij(F) - phi_ij(F)|    <= Delta_ij ||F||,
     Delta_ij = ||A|| |e_i| |c'_ij| + |g_i| (sum_m q_im^2)^{1/2} + ||A|| a_ij + sum_m q_im |h_m - hbar_i|.

   Proof. A deviation z_j - sum_m p_m z_m changes by (z'_j - z_j) - sum_m p'_m (z'_m - z_m) and
   sum_m (p_m - p'_m) (z_m - sum_l p_l z_l), as p and p' have the same sum: of v with V e, of h with A^T e. The rest of
   phi'_ij - phi_ij is sum_m c'_ijm (A e_i . f_m) - sum_m (P'_im - P_im) (g_i . f_m). *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
From attcert Require Import softmax_mean second_derivative norm growth curvature_terms.
Open Scope R_scope.

Section Deviation.
Variables (n d : nat) (p p' q : vector) (Z dZ : tokens).
Hypothesis Hp : sum n p = 1.
Hypothesis Hp' : sum n p' = 1.
Hypothesis Hq : forall m, (m < n)%nat -> Rabs (p' m - p m) <= q m.

Lemma deviation_change j c :
  deviation n p' (displaced Z dZ) j c
  = deviation n p Z j c + (deviation n p' dZ j c - sum n (fun m => (p' m - p m) * deviation n p Z m c)).
Proof.
  unfold deviation, average, displaced. set (y := sum n (fun m => p m * Z m c)).
  rewrite (sum_ext n (fun m => p' m * (Z m c + dZ m c)) (fun m => p' m * Z m c + p' m * dZ m c)) by (intros; ring).
  rewrite (sum_ext n (fun m => (p' m - p m) * (Z m c - y))
    (fun m => p' m * Z m c - p m * Z m c - (p' m * y - p m * y))) by (intros; ring).
  rewrite sum_plus, !sum_minus, !sum_scale_r, Hp, Hp'. fold y. ring.
Qed.

(* |sum_m c_m z_m| <= sum_m |c_m| |z_m| *)
Lemma combination_norm_le c :
  (forall m, (m < n)%nat -> Rabs (c m) <= q m) ->
  norm d (fun e => sum n (fun m => c m * Z m e)) <= sum n (fun m => q m * norm d (Z m)).
Proof.
  intros Hc. clear Hp Hp' Hq. induction n as [| k IH].
  - right. unfold norm. replace (norm2 d (fun e => sum 0 (fun m => c m * Z m e))) with 0; [apply sqrt_0 |].
    symmetry. apply sum_zero; intros; simpl; ring.
  - cbn [sum].
    eapply Rle_trans; [apply (norm_triangle d (fun e => sum k (fun m => c m * Z m e)) (fun e => c k * Z k e)) |].
    apply Rplus_le_compat; [apply IH; auto |]. rewrite (norm_scale d (c k) (Z k)).
    apply Rmult_le_compat_r; [apply norm_nonneg | auto].
Qed.

End Deviation.

Lemma deviation_change_le n d p p' q Z dZ j : sum n p = 1 -> sum n p' = 1 ->
  (forall m, (m < n)%nat -> Rabs (p' m - p m) <= q m) ->
  norm d (fun c => deviation n p' (displaced Z dZ) j c - deviation n p Z j c)
  <= norm d (deviation n p' dZ j) + sum n (fun m => q m * norm d (deviation n p Z m)).
Proof.
  intros Hp Hp' Hq.
  replace (norm d (fun c => deviation n p' (displaced Z dZ) j c - deviation n p Z j c))
    with (norm d (fun c => deviation n p' dZ j c + sum n (fun m => (p m - p' m) * deviation n p Z m c))).
  - eapply Rle_trans; [apply norm_triangle |]. apply Rplus_le_compat_l.
    apply (combination_norm_le n d q (deviation n p Z) (fun m => p m - p' m)).
    intros m Hm. rewrite Rabs_minus_sym. auto.
  - unfold norm. f_equal. apply norm2_ext; intros c _. rewrite (deviation_change n p p') by assumption.
    rewrite (sum_ext n (fun m => (p m - p' m) * _) (fun m => -1 * ((p' m - p m) * deviation n p Z m c)))
      by (intros; ring).
    rewrite sum_scale. ring.
Qed.

(* A matrix applied to a deviation. *)
Lemma mat_vec_deviation_le n k d M a p E j : 0 <= a -> bounded k d M a ->
  norm k (deviation n p (fun m => mat_vec d M (E m)) j) <= a * norm d (deviation n p E j).
Proof.
  intros Ha HM. apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
  rewrite Rpow_mult_distr, norm_square. eapply Rle_trans; [right | apply HM].
  apply norm2_ext; intros r _. unfold deviation at 1, average. unfold deviation.
  rewrite mat_vec_minus. unfold average. rewrite mat_vec_combination. reflexivity.
Qed.

(* |sum_m c_m (g . f_m)| <= |c| |g| ||F|| *)
Lemma gradient_sum_le n d c g F :
  Rabs (sum n (fun m => c m * dot d g (F m))) <= norm n c * norm d g * sequence_norm n d F.
Proof.
  eapply Rle_trans; [apply (dot_le_norms n c (fun m => dot d g (F m))) |].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply norm_nonneg |].
  apply norm_le; [apply Rmult_le_pos; [apply norm_nonneg | apply sequence_norm_nonneg] |].
  rewrite Rpow_mult_distr, norm_square, sequence_norm_square. unfold sequence_norm2. rewrite <- sum_scale.
  apply sum_le; intros m _. apply cauchy_schwarz.
Qed.

Section Change.
Variables (h : head) (n : nat) (attends : mask) (X E : tokens) (q : matrix) (a v : R).
Hypothesis Hmask : no_empty_row n attends.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation A := (score_matrix h).
Local Notation P := (weight h n attends X).
Local Notation P' := (weight h n attends (displaced X E)).
Hypothesis Hq : forall i m, (i < n)%nat -> (m < n)%nat -> Rabs (P' i m - P i m) <= q i m.
Hypothesis Ha : 0 <= a.
Hypothesis HA : bounded d d A a.

Lemma weights_sum Y i : (i < n)%nat -> sum n (weight h n attends Y i) = 1.
Proof. intros Hi. apply weight_probability; assumption. Qed.

(* e_j - sum_m P'_im e_m *)
Definition offset (i j : nat) : vector := deviation n (P' i) E j.

(* With a projection W of the values: |W (w'_ij - w_ij)|, ||W V|| <= v. *)
Theorem value_deviation_change_le m W i j : (i < n)%nat -> 0 <= v -> bounded m d (projected_value h W) v ->
  norm m (fun r => mat_vec k W (value_deviation h n attends (displaced X E) i j) r
                   - mat_vec k W (value_deviation h n attends X i j) r)
  <= v * norm d (offset i j)
     + sum n (fun l => q i l * norm m (mat_vec k W (value_deviation h n attends X i l))).
Proof.
  intros Hi Hv HV. set (Z := fun l => mat_vec k W (value h X l)).
  assert (Dev : forall p Y l r, mat_vec k W (deviation n p Y l) r = deviation n p (fun e => mat_vec k W (Y e)) l r).
  { intros p Y l r. unfold deviation at 1. rewrite mat_vec_minus. unfold average at 1.
    rewrite mat_vec_combination. reflexivity. }
  assert (PV : forall x r, mat_vec k W (mat_vec d (value_matrix h) x) r = mat_vec d (projected_value h W) x r).
  { intros x r. symmetry. change (dot d (fun c => sum k (fun e => W r e * value_matrix h e c)) x
      = dot k (W r) (fun e => dot d (value_matrix h e) x)).
    rewrite dot_symmetric, dot_combination_r. apply sum_ext; intros e _. rewrite dot_symmetric. reflexivity. }
  assert (EZ : forall l r, mat_vec k W (value h (displaced X E) l) r
    = displaced Z (fun e => mat_vec d (projected_value h W) (E e)) l r).
  { intros l r. unfold Z, displaced at 2. rewrite <- PV, <- mat_vec_plus. apply dot_ext; [reflexivity |].
    intros e _. unfold value, displaced. rewrite mat_vec_plus. ring. }
  apply Rle_trans with (norm m (deviation n (P' i) (fun e => mat_vec d (projected_value h W) (E e)) j)
    + sum n (fun l => q i l * norm m (deviation n (P i) Z l))).
  - eapply Rle_trans; [right | apply (deviation_change_le n m (P i) (P' i) (q i)); auto using weights_sum].
    unfold norm. f_equal. apply norm2_ext; intros r _. unfold value_deviation. rewrite !Dev. f_equal.
    unfold deviation, average. rewrite EZ. f_equal. apply sum_ext; intros l _. rewrite EZ. reflexivity.
  - apply Rplus_le_compat; [apply mat_vec_deviation_le; assumption |].
    right. apply sum_ext; intros l _. f_equal. unfold norm. f_equal. apply norm2_ext; intros r _.
    symmetry. apply Dev.
Qed.

(* Delta_ij *)
Definition slope_change (i j : nat) : R :=
  a * norm d (E i) * norm n (centring h n attends (displaced X E) i j)
  + norm d (key_gradient h X i) * norm n (q i)
  + (a * norm d (offset i j)
     + sum n (fun m => q i m * norm d (deviation n (P i) (query_gradient h X) m))).

Lemma key_gradient_displaced i c : key_gradient h (displaced X E) i c = key_gradient h X i c + mat_vec d A (E i) c.
Proof. rewrite !key_gradient_split. unfold displaced. rewrite mat_vec_plus. ring. Qed.

Lemma query_gradient_displaced j c :
  query_gradient h (displaced X E) j c
  = displaced (query_gradient h X) (fun m => mat_vec d (transpose A) (E m)) j c.
Proof.
  rewrite query_gradient_split. unfold displaced at 2. rewrite query_gradient_split.
  unfold displaced. rewrite mat_vec_plus. ring.
Qed.

Lemma slope_difference F i j : (j < n)%nat ->
  slope h n attends (displaced X E) F i j - slope h n attends X F i j
  = sum n (fun m => centring h n attends (displaced X E) i j m * dot d (mat_vec d A (E i)) (F m))
    + sum n (fun m => (P i m - P' i m) * dot d (key_gradient h X i) (F m))
    + dot d (fun c => deviation n (P' i) (query_gradient h (displaced X E)) j c
                      - deviation n (P i) (query_gradient h X) j c) (F i).
Proof.
  intros Hj. rewrite !slope_by_gradients by assumption.
  rewrite (dot_symmetric d (fun c => _ - _)), dot_minus_r, !(dot_symmetric d (F i)).
  rewrite <- sum_plus.
  rewrite (sum_ext n (fun m => centring h n attends (displaced X E) i j m * dot d (mat_vec d A (E i)) (F m) + _)
    (fun m => centring h n attends (displaced X E) i j m * dot d (key_gradient h (displaced X E) i) (F m)
      - centring h n attends X i j m * dot d (key_gradient h X i) (F m))).
  - rewrite sum_minus. ring.
  - intros m _.
    rewrite (dot_ext d (key_gradient h (displaced X E) i) (fun c => key_gradient h X i c + mat_vec d A (E i) c)
      (F m) (F m)) by (intros; try reflexivity; apply key_gradient_displaced).
    rewrite (dot_symmetric d (fun c => _ + _)), dot_plus_r, !(dot_symmetric d (F m)). unfold centring. ring.
Qed.

Theorem slope_change_le F i j : (i < n)%nat -> (j < n)%nat ->
  Rabs (slope h n attends (displaced X E) F i j - slope h n attends X F i j)
  <= slope_change i j * sequence_norm n d F.
Proof.
  intros Hi Hj. rewrite slope_difference by assumption. unfold slope_change. rewrite !Rmult_plus_distr_r.
  set (f := sequence_norm n d F). assert (Hf : 0 <= f) by apply sequence_norm_nonneg.
  eapply Rle_trans; [apply Rabs_triang |]. rewrite <- (Rmult_plus_distr_r (a * norm d (offset i j))).
  apply Rplus_le_compat; [eapply Rle_trans; [apply Rabs_triang |]; apply Rplus_le_compat |].
  - eapply Rle_trans; [apply gradient_sum_le |]. fold f. apply Rmult_le_compat_r; [assumption |].
    rewrite Rmult_comm. apply Rmult_le_compat_r; [apply norm_nonneg |].
    apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
    rewrite Rpow_mult_distr, norm_square. apply HA.
  - eapply Rle_trans; [apply gradient_sum_le |]. fold f. apply Rmult_le_compat_r; [assumption |].
    rewrite Rmult_comm. apply Rmult_le_compat_l; [apply norm_nonneg |].
    apply sqrt_le_1_alt. apply sum_le; intros m Hm. rewrite <- (pow2_abs (P i m - P' i m)). apply pow_incr.
    split; [apply Rabs_pos |]. rewrite Rabs_minus_sym. auto.
  - eapply Rle_trans; [apply dot_le_norms |].
    apply Rmult_le_compat; try apply norm_nonneg; [| apply row_norm_le; assumption].
    apply Rle_trans with (norm d (deviation n (P' i) (fun m => mat_vec d (transpose A) (E m)) j)
      + sum n (fun m => q i m * norm d (deviation n (P i) (query_gradient h X) m))).
    + eapply Rle_trans; [right | apply (deviation_change_le n d (P i) (P' i) (q i)); auto using weights_sum].
      unfold norm. f_equal. apply norm2_ext; intros c _. f_equal. unfold deviation, average.
      rewrite query_gradient_displaced. f_equal. apply sum_ext; intros m _. rewrite query_gradient_displaced.
      reflexivity.
    + apply Rplus_le_compat_r. apply mat_vec_deviation_le; [assumption |]. apply bounded_transpose; assumption.
Qed.

End Change.
