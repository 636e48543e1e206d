(* The three terms of a head's second derivative, each by Cauchy-Schwarz. For all U, F and all E that move only what may
   move, with M(F)_ij = P_ij phi_ij(F):

     (a) sum_ij u_i . M(F)_ij V e_j                <= ||M(F)|| ||V|| ||U|| ||E||
     (b) sum_ij P_ij (u_i . w_ij) (e_j . A f_i)    <= max_i ||(P_ij w_ij)_j|| ||A|| ||U|| ||E|| ||F||
     (c) sum_ij P_ij (u_i . w_ij) phi_ij(E) phi_ij(F) <= max_i ||Phi_i|| ||Phi|| ||U|| ||E|| ||F||,

   Phi_i the rows b_ij^{1/2} phi_ij, Phi all of them, b_ij >= P_ij |w_ij|. (a) and (b) occur twice, with E and F
   exchanged. Where e_j or A e_i stands as a factor, the tokens that do not move drop out of the matrix beside it.

   V, A, w and phi are any here: with a projection W_h of the head's output they are W_h V and W_h w. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz heads.
From attcert Require Import ball pointwise_bound softmax_mean second_derivative norm growth.
Open Scope R_scope.

(* M Z for a matrix M of numbers and a sequence Z of vectors. *)
Definition mat_sequence (n : nat) (M : matrix) (Z : tokens) : tokens := fun i r => sum n (fun j => M i j * Z j r).

(* ||M Z||_F <= ||M|| ||Z||_F, coordinate by coordinate. *)
Lemma mat_sequence_le n m M c Z : bounded n n M c ->
  sequence_norm2 n m (mat_sequence n M Z) <= c ^ 2 * sequence_norm2 n m Z.
Proof.
  intros H. unfold sequence_norm2, norm2.
  rewrite (sum_swap n m (fun i r => mat_sequence n M Z i r ^ 2)), (sum_swap n m (fun i r => Z i r ^ 2)).
  rewrite <- sum_scale. apply sum_le; intros r _. apply (H (fun j => Z j r)).
Qed.

Lemma mat_sequence_norm_le n m M c Z : 0 <= c -> bounded n n M c ->
  sequence_norm n m (mat_sequence n M Z) <= c * sequence_norm n m Z.
Proof.
  intros Hc H. apply sequence_norm_le; [apply Rmult_le_pos; [assumption | apply sequence_norm_nonneg] |].
  rewrite Rpow_mult_distr, sequence_norm_square. apply mat_sequence_le; assumption.
Qed.

(* M applied to every token. *)
Lemma tokenwise_norm_le n k d M c X : 0 <= c -> bounded k d M c ->
  sequence_norm n k (fun j => mat_vec d M (X j)) <= c * sequence_norm n d X.
Proof.
  intros Hc H. apply sequence_norm_le; [apply Rmult_le_pos; [assumption | apply sequence_norm_nonneg] |].
  rewrite Rpow_mult_distr, sequence_norm_square. unfold sequence_norm2. rewrite <- sum_scale.
  apply sum_le; intros j _. apply H.
Qed.

Lemma mat_vec_zero d M x r : (forall c, (c < d)%nat -> x c = 0) -> mat_vec d M x r = 0.
Proof. intros H. apply sum_zero; intros c Hc. rewrite H by assumption. ring. Qed.

Section Terms.
Variables (moving : nat -> bool) (n d m : nat) (P V A : matrix) (w : nat -> nat -> vector).
Variable phi : tokens -> nat -> nat -> R.

Definition mixed_term (E F : tokens) : tokens :=
  mat_sequence n (fun i j => P i j * phi F i j) (fun j => mat_vec d V (E j)).
Definition score_term (E F : tokens) : tokens :=
  fun i r => sum n (fun j => P i j * dot d (E j) (mat_vec d A (F i)) * w i j r).
Definition cubic_term (E F : tokens) : tokens :=
  fun i r => sum n (fun j => P i j * (phi E i j * phi F i j) * w i j r).
Definition curvature_terms (E F : tokens) : tokens :=
  fun i r => mixed_term E F i r + mixed_term F E i r + score_term E F i r + score_term F E i r + cubic_term E F i r.

(* ---- (a) ---- *)

Lemma mixed_term_le (keep : nat -> bool) mu v U E F :
  0 <= mu -> 0 <= v -> bounded m d V v ->
  (forall j c, (j < n)%nat -> (c < d)%nat -> keep j = false -> E j c = 0) ->
  bounded n n (fun i j => if keep j then P i j * phi F i j else 0) mu ->
  Rabs (sequence_dot n m U (mixed_term E F)) <= v * mu * (sequence_norm n m U * sequence_norm n d E).
Proof.
  intros Hmu Hv HV HE HM. set (M := fun i j => if keep j then P i j * phi F i j else 0).
  assert (S : sequence_dot n m U (mixed_term E F)
    = sequence_dot n m U (mat_sequence n M (fun j => mat_vec d V (E j)))).
  { apply sum_ext; intros i _. apply dot_ext; [reflexivity |]. intros r _. apply sum_ext; intros j Hj. unfold M.
    destruct (keep j) eqn:Ej; [reflexivity |]. rewrite mat_vec_zero; [ring |]. intros; apply HE; assumption. }
  rewrite S. eapply Rle_trans; [apply sequence_dot_le_norms |].
  replace (v * mu * (sequence_norm n m U * sequence_norm n d E))
    with (sequence_norm n m U * (mu * (v * sequence_norm n d E))) by ring.
  apply Rmult_le_compat_l; [apply sequence_norm_nonneg |].
  eapply Rle_trans; [apply (mat_sequence_norm_le n m M mu); assumption |]. apply Rmult_le_compat_l; [assumption |].
  apply tokenwise_norm_le; assumption.
Qed.

(* ---- (b) ---- *)

(* C_ij = P_ij (w_ij . u_i), where it counts. *)
Definition paired (keep : nat -> nat -> bool) (U : tokens) : matrix :=
  fun i j => if keep i j then P i j * dot m (w i j) (U i) else 0.

Lemma paired_le (keep : nat -> nat -> bool) nu U : 0 <= nu ->
  (forall i u, (i < n)%nat ->
     norm2 n (fun j => if keep i j then P i j * dot m (w i j) u else 0) <= nu ^ 2 * norm2 m u) ->
  sequence_norm n n (paired keep U) <= nu * sequence_norm n m U.
Proof.
  intros Hnu H. apply sequence_norm_le; [apply Rmult_le_pos; [assumption | apply sequence_norm_nonneg] |].
  rewrite Rpow_mult_distr, sequence_norm_square. unfold sequence_norm2. rewrite <- sum_scale.
  apply sum_le; intros i Hi. apply H; assumption.
Qed.

Lemma score_term_le (keep : nat -> nat -> bool) nu a U E F :
  0 <= nu -> 0 <= a -> bounded d d A a ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> keep i j = false -> dot d (E j) (mat_vec d A (F i)) = 0) ->
  (forall i u, (i < n)%nat ->
     norm2 n (fun j => if keep i j then P i j * dot m (w i j) u else 0) <= nu ^ 2 * norm2 m u) ->
  Rabs (sequence_dot n m U (score_term E F))
  <= a * nu * (sequence_norm n m U * sequence_norm n d E * sequence_norm n d F).
Proof.
  intros Hnu Ha HA Hkeep H. set (C := paired keep U).
  assert (S : sequence_dot n m U (score_term E F)
    = sequence_dot n d (mat_sequence n C E) (fun i => mat_vec d A (F i))).
  { apply sum_ext; intros i Hi. unfold score_term. rewrite dot_combination_r, dot_symmetric.
    unfold mat_sequence. rewrite dot_combination_r. apply sum_ext; intros j Hj. unfold C, paired.
    rewrite (dot_symmetric d (mat_vec d A (F i))), (dot_symmetric m (w i j)).
    destruct (keep i j) eqn:K; [ring |]. rewrite (Hkeep i j Hi Hj K). ring. }
  rewrite S. eapply Rle_trans; [apply sequence_dot_le_norms |].
  replace (a * nu * (sequence_norm n m U * sequence_norm n d E * sequence_norm n d F))
    with ((nu * sequence_norm n m U * sequence_norm n d E) * (a * sequence_norm n d F)) by ring.
  apply Rmult_le_compat; try apply sequence_norm_nonneg; [| apply tokenwise_norm_le; assumption].
  apply Rle_trans with (sequence_norm n n C * sequence_norm n d E).
  - apply mat_sequence_norm_le; [apply sequence_norm_nonneg | apply frobenius_bound].
  - apply Rmult_le_compat_r; [apply sequence_norm_nonneg |]. apply paired_le; assumption.
Qed.

(* ---- (c) ---- *)

Variable b : matrix.
Hypothesis HP : forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= P i j.
Hypothesis Hb : forall i j, (i < n)%nat -> (j < n)%nat -> P i j * norm m (w i j) <= b i j.

(* |Phi_i E|^2 *)
Definition form_square (E : tokens) (i : nat) : R := sum n (fun j => b i j * phi E i j ^ 2).

Lemma mass_nonneg i j : (i < n)%nat -> (j < n)%nat -> 0 <= b i j.
Proof.
  intros Hi Hj. eapply Rle_trans; [| apply Hb; assumption]. apply Rmult_le_pos; [auto | apply norm_nonneg].
Qed.

Lemma form_square_nonneg E i : (i < n)%nat -> 0 <= form_square E i.
Proof. intros Hi. apply sum_nonneg; intros j Hj. apply Rmult_le_pos; [apply mass_nonneg | apply pow2_ge_0]; auto. Qed.

(* Cauchy-Schwarz over j ... *)
Lemma cubic_row_le U E F i : (i < n)%nat ->
  Rabs (dot m (U i) (cubic_term E F i)) <= norm m (U i) * (sqrt (form_square E i) * sqrt (form_square F i)).
Proof.
  intros Hi. set (u := norm m (U i)). assert (Hu : 0 <= u) by apply norm_nonneg.
  unfold cubic_term. rewrite dot_combination_r.
  apply Rle_trans with (u * sum n (fun j => b i j * (Rabs (phi E i j) * Rabs (phi F i j)))).
  - eapply Rle_trans; [apply sum_abs_le |]. rewrite <- sum_scale. apply sum_le; intros j Hj.
    rewrite !Rabs_mult, (Rabs_pos_eq (P i j)) by auto.
    set (q := Rabs (phi E i j) * Rabs (phi F i j)).
    assert (Hq : 0 <= q) by (apply Rmult_le_pos; apply Rabs_pos).
    replace (u * (b i j * q)) with (q * (u * b i j)) by ring. rewrite (Rmult_comm (P i j) q), Rmult_assoc.
    apply Rmult_le_compat_l; [assumption |].
    apply Rle_trans with (P i j * (u * norm m (w i j))).
    + apply Rmult_le_compat_l; [auto | apply dot_le_norms].
    + replace (P i j * (u * norm m (w i j))) with (u * (P i j * norm m (w i j))) by ring.
      apply Rmult_le_compat_l; auto.
  - apply Rmult_le_compat_l; [assumption |].
    apply square_le_le; [| apply Rmult_le_pos; apply sqrt_pos].
    rewrite Rpow_mult_distr, !pow2_sqrt by (apply form_square_nonneg; assumption).
    eapply Rle_trans; [apply (weighted_cauchy_schwarz_scalar n (b i)); intros; apply mass_nonneg; assumption |].
    right. f_equal; apply sum_ext; intros; rewrite pow2_abs; reflexivity.
Qed.

(* ... and over i. *)
Lemma cubic_term_le U E F largest stack :
  0 <= largest -> 0 <= stack ->
  (forall i, (i < n)%nat -> form_square E i <= largest ^ 2 * sequence_norm2 n d E) ->
  sum n (form_square F) <= stack ^ 2 * sequence_norm2 n d F ->
  Rabs (sequence_dot n m U (cubic_term E F))
  <= largest * stack * (sequence_norm n m U * sequence_norm n d E * sequence_norm n d F).
Proof.
  intros Hl Hs HE HF. set (e := sequence_norm n d E). assert (He : 0 <= e) by apply sequence_norm_nonneg.
  assert (Hle : 0 <= largest * e) by (apply Rmult_le_pos; assumption).
  apply Rle_trans with (largest * e * dot n (fun i => norm m (U i)) (fun i => sqrt (form_square F i))).
  - eapply Rle_trans; [apply sum_abs_le |]. unfold dot at 2. rewrite <- sum_scale. apply sum_le; intros i Hi.
    eapply Rle_trans; [apply cubic_row_le; assumption |].
    replace (largest * e * (norm m (U i) * sqrt (form_square F i)))
      with (norm m (U i) * (largest * e * sqrt (form_square F i))) by ring.
    apply Rmult_le_compat_l; [apply norm_nonneg |]. apply Rmult_le_compat_r; [apply sqrt_pos |].
    apply square_le_le; [| assumption]. rewrite pow2_sqrt by (apply form_square_nonneg; assumption).
    rewrite Rpow_mult_distr. unfold e. rewrite sequence_norm_square. apply HE; assumption.
  - replace (largest * stack * (sequence_norm n m U * e * sequence_norm n d F))
      with (largest * e * (sequence_norm n m U * (stack * sequence_norm n d F))) by ring.
    apply Rmult_le_compat_l; [assumption |].
    eapply Rle_trans; [apply Rle_abs | eapply Rle_trans; [apply dot_le_norms |]].
    apply Rmult_le_compat; try apply norm_nonneg.
    + right. unfold norm at 1, sequence_norm. f_equal. apply sum_ext; intros i _. apply norm_square.
    + apply norm_le; [apply Rmult_le_pos; [assumption | apply sequence_norm_nonneg] |].
      rewrite Rpow_mult_distr, sequence_norm_square. eapply Rle_trans; [right | exact HF].
      apply sum_ext; intros i Hi. apply pow2_sqrt. apply form_square_nonneg; assumption.
Qed.

Lemma cubic_term_symmetric E F i r : cubic_term E F i r = cubic_term F E i r.
Proof. apply sum_ext; intros; ring. Qed.

(* ---- The three together ---- *)

Theorem curvature_terms_bounded v a mu_keys mu_forms nu_keys nu_rows largest largest_moving stack stack_moving :
  bounded m d V v -> bounded d d A a -> 0 <= v -> 0 <= a ->
  0 <= mu_keys -> 0 <= mu_forms -> 0 <= nu_keys -> 0 <= nu_rows ->
  0 <= largest -> 0 <= largest_moving -> 0 <= stack -> 0 <= stack_moving ->
  (forall F, bounded n n (fun i j => if moving j then P i j * phi F i j else 0) (mu_keys * sequence_norm n d F)) ->
  (forall E, moves_only moving n d E -> bounded n n (fun i j => P i j * phi E i j) (mu_forms * sequence_norm n d E)) ->
  (forall i u, (i < n)%nat ->
     norm2 n (fun j => if moving j then P i j * dot m (w i j) u else 0) <= nu_keys ^ 2 * norm2 m u) ->
  (forall i u, (i < n)%nat -> moving i = true ->
     norm2 n (fun j => P i j * dot m (w i j) u) <= nu_rows ^ 2 * norm2 m u) ->
  (forall i F, (i < n)%nat -> form_square F i <= largest ^ 2 * sequence_norm2 n d F) ->
  (forall i E, (i < n)%nat -> moves_only moving n d E ->
     form_square E i <= largest_moving ^ 2 * sequence_norm2 n d E) ->
  (forall F, sum n (form_square F) <= stack ^ 2 * sequence_norm2 n d F) ->
  (forall E, moves_only moving n d E -> sum n (form_square E) <= stack_moving ^ 2 * sequence_norm2 n d E) ->
  bilinear_bounded moving n d m curvature_terms
    (v * (mu_keys + mu_forms) + a * (nu_keys + nu_rows) + Rmin (largest * stack_moving) (largest_moving * stack)).
Proof.
  intros HV HA Hv Ha Hm1 Hm2 Hn1 Hn2 Hl Hl' Hs Hs' Hmu1 Hmu2 Hnu1 Hnu2 HL HL' HS HS' U E F HE.
  set (u := sequence_norm n m U). set (e := sequence_norm n d E). set (f := sequence_norm n d F).
  assert (He : 0 <= e) by apply sequence_norm_nonneg. assert (Hf : 0 <= f) by apply sequence_norm_nonneg.
  assert (Split : sequence_dot n m U (curvature_terms E F)
    = sequence_dot n m U (mixed_term E F) + sequence_dot n m U (mixed_term F E)
      + sequence_dot n m U (score_term E F) + sequence_dot n m U (score_term F E)
      + sequence_dot n m U (cubic_term E F)).
  { unfold sequence_dot. rewrite <- !sum_plus. apply sum_ext; intros i _. unfold curvature_terms.
    rewrite !dot_plus_r. reflexivity. }
  assert (B1 : Rabs (sequence_dot n m U (mixed_term E F)) <= v * (mu_keys * f) * (u * e)).
  { apply (mixed_term_le moving); [apply Rmult_le_pos | | | exact HE | apply Hmu1]; assumption. }
  assert (B2 : Rabs (sequence_dot n m U (mixed_term F E)) <= v * (mu_forms * e) * (u * f)).
  { apply (mixed_term_le (fun _ => true)); [apply Rmult_le_pos | | | discriminate | apply Hmu2]; assumption. }
  assert (B3 : Rabs (sequence_dot n m U (score_term E F)) <= a * nu_keys * (u * e * f)).
  { apply (score_term_le (fun _ j => moving j)); auto. intros i j Hi Hj Hm. apply sum_zero; intros c Hc.
    rewrite (HE j c Hj Hc Hm). ring. }
  assert (B4 : Rabs (sequence_dot n m U (score_term F E)) <= a * nu_rows * (u * f * e)).
  { apply (score_term_le (fun i _ => moving i)); auto.
    - intros i j Hi Hj Hm. apply sum_zero; intros c _. rewrite mat_vec_zero; [ring |]. intros; apply HE; assumption.
    - intros i x Hi. destruct (moving i) eqn:Hm; [apply Hnu2; assumption |].
      apply Rle_trans with 0; [right; apply sum_zero; intros; ring |].
      apply Rmult_le_pos; [apply pow2_ge_0 | apply norm2_nonneg]. }
  assert (B5 : Rabs (sequence_dot n m U (cubic_term E F))
    <= Rmin (largest * stack_moving) (largest_moving * stack) * (u * e * f)).
  { unfold Rmin. destruct (Rle_dec _ _) as [_ | _]; [| apply cubic_term_le; auto].
    replace (sequence_dot n m U (cubic_term E F)) with (sequence_dot n m U (cubic_term F E)).
    - replace (u * e * f) with (u * f * e) by ring. apply cubic_term_le; auto.
    - apply sum_ext; intros i _. apply dot_ext; [reflexivity | intros; apply cubic_term_symmetric]. }
  rewrite Split. fold u e f.
  replace (v * (mu_keys * f) * (u * e)) with (v * mu_keys * (u * e * f)) in B1 by ring.
  replace (v * (mu_forms * e) * (u * f)) with (v * mu_forms * (u * e * f)) in B2 by ring.
  replace (a * nu_rows * (u * f * e)) with (a * nu_rows * (u * e * f)) in B4 by ring.
  set (q1 := sequence_dot n m U (mixed_term E F)) in *. set (q2 := sequence_dot n m U (mixed_term F E)) in *.
  set (q3 := sequence_dot n m U (score_term E F)) in *. set (q4 := sequence_dot n m U (score_term F E)) in *.
  set (q5 := sequence_dot n m U (cubic_term E F)) in *.
  pose proof (Rabs_triang (q1 + q2 + q3 + q4) q5). pose proof (Rabs_triang (q1 + q2 + q3) q4).
  pose proof (Rabs_triang (q1 + q2) q3). pose proof (Rabs_triang q1 q2). lra.
Qed.

End Terms.

(* The second derivative of a head, its output projected by W, has these terms with W V and W w. *)
Definition projected_value (h : head) (W : matrix) : matrix :=
  fun r c => sum (rank h) (fun e => W r e * value_matrix h e c).

Theorem projected_second_derivative_is h n attends W X E F i r :
  mat_vec (rank h) W (second_derivative h n attends X E F i) r
  = curvature_terms n (width h) (weight h n attends X) (projected_value h W) (score_matrix h)
      (fun l j => mat_vec (rank h) W (value_deviation h n attends X l j)) (slope h n attends X) E F i r.
Proof.
  assert (PV : forall x, mat_vec (width h) (projected_value h W) x r
    = dot (rank h) (W r) (mat_vec (width h) (value_matrix h) x)).
  { intros x. change (dot (width h) (fun c => sum (rank h) (fun e => W r e * value_matrix h e c)) x
      = dot (rank h) (W r) (fun e => dot (width h) (value_matrix h e) x)).
    rewrite dot_symmetric, dot_combination_r. apply sum_ext; intros e _. rewrite dot_symmetric. reflexivity. }
  unfold curvature_terms, mixed_term, score_term, cubic_term, mat_sequence.
  rewrite <- !sum_plus. unfold mat_vec at 1, second_derivative. rewrite dot_combination_r.
  apply sum_ext; intros j _. rewrite !PV, !dot_plus_r.
  rewrite (dot_ext (rank h) (W r) (W r)
    (fun c => mat_vec (width h) (value_matrix h) (E j) c * slope h n attends X F i j)
    (fun c => slope h n attends X F i j * mat_vec (width h) (value_matrix h) (E j) c)) by (intros; ring).
  rewrite (dot_ext (rank h) (W r) (W r)
    (fun c => mat_vec (width h) (value_matrix h) (F j) c * slope h n attends X E i j)
    (fun c => slope h n attends X E i j * mat_vec (width h) (value_matrix h) (F j) c)) by (intros; ring).
  rewrite (dot_ext (rank h) (W r) (W r) (fun c => value_deviation h n attends X i j c * score_second h E F i j)
    (fun c => score_second h E F i j * value_deviation h n attends X i j c)) by (intros; ring).
  rewrite (dot_ext (rank h) (W r) (W r)
    (fun c => value_deviation h n attends X i j c * (slope h n attends X E i j * slope h n attends X F i j))
    (fun c => slope h n attends X E i j * slope h n attends X F i j * value_deviation h n attends X i j c))
    by (intros; ring).
  rewrite !dot_scale_r. unfold score_second.
  change (mat_vec (rank h) W (value_deviation h n attends X i j) r)
    with (dot (rank h) (W r) (value_deviation h n attends X i j)).
  change (fun c => mat_vec (width h) (value_matrix h) (E j) c) with (mat_vec (width h) (value_matrix h) (E j)).
  change (fun c => mat_vec (width h) (value_matrix h) (F j) c) with (mat_vec (width h) (value_matrix h) (F j)).
  change (fun c => value_deviation h n attends X i j c) with (value_deviation h n attends X i j).
  ring.
Qed.
